"""What a text denies."""

import pytest

from app.domain.language.identifiers import pieces
from app.domain.language.negation import denied, is_denied
from app.domain.language.text import stem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tickets that are not urgent", {"urgent"}),
        ("which bills haven't we paid yet", {"paid"}),
        ("appointments that haven't been confirmed", {"confirmed"}),
        ("users who are no longer active", {"active"}),
        ("pages never visited", {"visited"}),
        ("neither is meant of those that are not open or pending", {"open", "pending"}),
        ("servers that are not in region fra1", set()),
        ("customers who never had one", set()),
        ("tickets that are urgent", set()),
        ("not only the open ones", set()),
        ("don't delete it", set()),
    ],
)
def test_words_are_denied(text: str, words: set[str]) -> None:
    assert denied([stem(word) for word in pieces(text)]) == {stem(word) for word in words}


@pytest.mark.parametrize(
    ("text", "value", "is_so"),
    [
        ("all tickets not assigned to 7", "7", True),
        ("all tickets that aren't in project 7", "7", True),
        ("all tickets that don't have the tag vip", "vip", True),
        ("all tickets without the tag vip", "vip", True),
        ("all tickets that were not answered to 7", "7", False),
        ("all requests that are not approved with reason freeze", "freeze", False),
        ("all tickets assigned to 7", "7", False),
        ("do not delete 7", "7", False),
        ("close the one that is not urgent, and 7", "7", False),
    ],
)
def test_what_stands_behind_is_denied(text: str, value: str, is_so: bool) -> None:
    assert is_denied(text, text.rindex(value)) == is_so


def test_what_something_becomes_is_denied_apart() -> None:
    said = [stem(word) for word in pieces("mark all comments that are not open as not spam")]
    assert (denied(said), denied(said, becoming=True)) == ({"open"}, {"spam"})
