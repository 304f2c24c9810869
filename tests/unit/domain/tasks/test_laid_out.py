"""How a goal is laid out: lists, headings, and what is said once of several things."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.text import stem
from app.domain.tasks.laid_out import laid_out

PARTS = (
    "label",
    "4",
    "as bug",
    "and",
    "7 as x,",
    "all but",
    ", each except",
    "delete the",
    "both",
    "- add",
    "\n",
)
THINGS = frozenset(map(stem, ("realm", "incident", "ticket", "site")))


def read(text: str) -> str:
    return laid_out(text, is_named=lambda word: word in THINGS)


@pytest.mark.parametrize(
    ("goal", "plain"),
    [
        ("- create a list\n- add bob to it", "create a list. add bob to it."),
        ("1. close 7\n2) reopen 8;", "close 7. reopen 8."),
        ("realm corp: disable user 7", "for realm corp, disable user 7"),
        (
            "before you delete branch v1.9, merge 230. Then wait",
            "merge 230, then delete branch v1.9. Then wait",
        ),
        ("7 and 8 are done, delete both", "7 and 8 are done, delete them"),
        ("7 and 8 are done, drop the pair of them", "7 and 8 are done, drop them"),
        ("label 4 as bug and 5 as feature", "label 4 as bug, label 5 as feature"),
        ("delete the tickets that are old, all except 7", "delete all the tickets that are old, except 7"),
        ("list them, 50 to a page", "list them, 50 per page"),
    ],
)
def test_each_order_says_all_that_it_asks_for(goal: str, plain: str) -> None:
    assert read(goal) == plain


@pytest.mark.parametrize(
    "goal",
    [
        "create the list Road trip - summer",
        "comment on ticket 7: fixed - close it",
        "- close ticket 7",
        "delete all tickets except:\n- 7\n- 8",
        "post to #general:\n- delete old files\n- restart",
        "close ticket 7: add a note",
        "urgent: close ticket 7",
        "take my :eyes: off message 9",
        "before we start, close 7",
        "before you book anything, what is open?",
        "before you merge 230, are there open reviews?",
        "delete neither 7 nor 8",
        "did bob ask us to delete 7",
        "reply to 7 that our most recent release fixes both",
        "add a note that both of them are ill",
        "move tickets 12 to 15",
        "assign 5 to ann@x.io and 6 to bob@x.io",
    ],
)
def test_other_words_stay(goal: str) -> None:
    assert read(goal) == goal


@given(st.text(max_size=300) | st.lists(st.sampled_from(PARTS), max_size=60).map(" ".join))
def test_no_text_grows_beyond_the_verbs_that_are_repeated(goal: str) -> None:
    assert len(read(goal)) <= len(goal) + 20 * 40
