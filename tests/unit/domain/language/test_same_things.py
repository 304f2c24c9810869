"""What people call a thing is read as what the catalogue calls it, and only where it has no such thing."""

from app.domain.language.same_things import as_called


def test_a_song_is_a_track_where_there_are_tracks_alone() -> None:
    assert as_called("song", is_thing=lambda word: word == "track") == "track"
    assert as_called("songs", is_thing=lambda word: word == "track") == "tracks"
    assert as_called("song", is_thing=lambda word: word in ("track", "song")) == "song"
    assert as_called("song", is_thing=lambda word: word == "album") == "song"


def test_what_calls_or_inputs_are_called_by_is_no_other_thing() -> None:
    assert (
        as_called("song", is_thing=lambda word: word == "track", is_used=lambda word: word == "song")
        == "song"
    )
