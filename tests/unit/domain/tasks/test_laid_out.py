"""How a goal is laid out: lists, headings, and what is said once of several things."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.text import stem
from app.domain.tasks.laid_out import laid_out

THINGS = frozenset(map(stem, ("realm", "incident", "ticket", "site")))


def read(text: str) -> str:
    return laid_out(text, is_named=lambda word: word in THINGS)


@pytest.mark.parametrize(
    ("goal", "plain"),
    [
        ("- create a list\n- add bob to it", "create a list. add bob to it."),
        ("Please:\n1. close 7\n2) reopen 8;", "Please. close 7. reopen 8."),
        ("7 and 8 were sent by mistake - delete them", "7 and 8 were sent by mistake; delete them"),
        ("realm corp: disable user 7", "for realm corp, disable user 7"),
        ("incident 6f-1 \u2013 acknowledge it", "for incident 6f-1, acknowledge it"),
        (
            "before you delete branch v1.9, merge 230. Then rest",
            "merge 230, then delete branch v1.9. Then rest",
        ),
        ("7 and 8 are done, delete both", "7 and 8 are done, delete them"),
        ("7 and 8 are done, drop the pair of them", "7 and 8 are done, drop them"),
        ("close tickets 12 to 14", "close tickets 12, 13 and 14"),
        ("label 4 as bug and 5 as feature", "label 4 as bug, label 5 as feature"),
        ("give seat 4 to ann@x.io and 5 to bob@x.io", "give seat 4 to ann@x.io, give seat 5 to bob@x.io"),
        ("neither 7 nor 8 came", "neither 7 and 8 came"),
        ("Security asks us to revoke key 7", "revoke key 7"),
        ("show the 3 most recent tickets", "show the 3 newest tickets"),
        ("list them, 50 to a page, the second page", "list them, 50 per page, page 2"),
    ],
)
def test_each_sentence_says_all_that_it_asks_for(goal: str, plain: str) -> None:
    assert read(goal) == plain


@pytest.mark.parametrize(
    "goal",
    [
        "create the list Road trip - summer",
        "- close ticket 7",
        "close ticket 7: add a note",
        "urgent: close ticket 7",
        "take my :eyes: off message 9",
        "before we start, close 7",
        "move tickets 12 to 15",
        "rate films 3 to 5",
        "delete records 10 to 9000",
        "keep both lists",
        "can you tell me to close it",
        "show the most recent first",
    ],
)
def test_other_words_stay(goal: str) -> None:
    assert read(goal) == goal


@given(st.text(max_size=300))
def test_any_text_is_read(goal: str) -> None:
    assert len(read(goal)) <= 6 * len(goal) + 200
