"""What is kept of a request that nothing met."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.visible_text import has_hidden
from app.domain.unmet.entries import (
    TEXT_CHARS,
    UnmetKind,
    UnmetMode,
    UnmetNote,
    added_up,
    kept_of,
    kept_text,
)

NOON = "2026-03-01T12:00:00Z"


def note(text: str, *near: str, at: str = NOON, kind: UnmetKind = UnmetKind.REQUEST) -> UnmetNote:
    return UnmetNote(kind, text, at, near)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("my password is hunter2x, please log in", "hunter2x"),
        ("log in with password hunter2x", "hunter2x"),
        ("use the token: abcd-efgh for it", "abcd-efgh"),
        ("deploy --api-key XYZ-99 now", "XYZ-99"),
        ("set API_KEY=s3cr3t first", "s3cr3t"),
        ("read https://me:geheim@shop.example/orders?key=value1", "geheim"),
        ("read https://shop.example/orders?key=value1", "value1"),
        ("send Authorization: Bearer eyJhbGciOi.abc", "eyJhbGciOi.abc"),
        ("check sk_live_51HxyzABCDEF0123456789", "sk_live_51HxyzABCDEF0123456789"),
        ("refund card 4111 1111 1111 1111 today", "4111 1111 1111 1111"),
    ],
)
def test_what_looks_secret_is_struck_out(text: str, secret: str) -> None:
    """The words around it stay."""
    kept = kept_text(text)

    assert secret not in kept
    assert "(secret)" in kept
    assert kept.split()[0] == text.split()[0]


@pytest.mark.parametrize(
    "text", ["reset my password", "book a flight to Paris on 2026-03-01", "close issue 12 as fixed"]
)
def test_what_is_not_secret_stays(text: str) -> None:
    """A word too many would take the sense away."""
    assert kept_text(text) == text


@given(st.text(max_size=600))
def test_a_kept_text_is_visible_and_short(text: str) -> None:
    """Whatever was asked."""
    kept = kept_text(text)

    assert len(kept) <= TEXT_CHARS
    assert not has_hidden(kept)


def test_counts_keep_no_text() -> None:
    """One entry for a day and a near tool; another text is the same entry, another day or tool is not."""
    first, same, later, other = (
        kept_of(one, UnmetMode.COUNTS)
        for one in (
            note("book a flight", "travel/book", "travel/list"),
            note("fly me home", "travel/book"),
            note("book a flight", "travel/book", at="2026-03-02T12:00:00Z"),
            note("book a flight", "travel/list"),
        )
    )

    assert (first.text, first.near, first.id) == ("", ("travel/book",), same.id)
    assert len({first.id, later.id, other.id}) == 3


def test_texts_are_one_entry_however_they_are_written() -> None:
    """Spaces and capital letters make no other request; a task of a goal is another than a query."""
    first, same, task = (
        kept_of(one, UnmetMode.TEXTS)
        for one in (note("Book  a flight"), note("book a FLIGHT"), note("book a flight", kind=UnmetKind.TASK))
    )

    assert first.id == same.id != task.id
    assert first.text == "Book a flight"


def test_entries_of_one_id_are_added_up() -> None:
    """Numbers, the first time and the last."""
    times = ("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z")
    entries = [kept_of(note("book a flight", at=at), UnmetMode.TEXTS) for at in times]

    (found,) = added_up(entries)

    assert (found.count, found.first_at, found.last_at) == (3, times[1], times[2])
