"""What somebody says will not be done is forbidden as an order not to do it, and what it is about is what the rest is about."""

import pytest

from app.domain.reading.models import Reading
from app.domain.reading.tasks import read_goal
from app.domain.reading.values import find_values
from tests.unit.domain.reading.test_tasks import SUNDAY, WORDS

THINGS = frozenset(("issu", "ticket", "board", "request", "order", "label"))
"""Stems of what calls are about."""


def read(goal: str) -> Reading:
    values = find_values(goal, now=SUNDAY, is_word=WORDS.__contains__)
    return read_goal(goal, values, is_thing=THINGS.__contains__)


def done(goal: str) -> list[str]:
    return [task.do for task in read(goal).tasks]


@pytest.mark.parametrize(
    "goal",
    [
        "we won't merge the request 5",
        "we\u2019re not going to merge the request 5",
        "I do not want to merge the request 5",
        "I would never merge the request 5",
        "no need to merge the request 5",
        "we decided against merging the request 5",
        "we are not merging the request 5 after all",
        "nobody should merge the request 5",
        "nobody merges the request 5",
        "the request 5 won't be merged",
        "the request 5 is not to be merged",
        "the request 5 doesn't get merged",
        "nobody wants the request 5 merged",
        "please don't merge the request 5",
        "actually we won't merge the request 5",
        "we will definitely not merge the request 5",
        "the customer doesn't want to merge the request 5",
        "can you please not merge the request 5",
        "under no circumstances merge the request 5",
        "make sure nobody merges the request 5",
        "avoid merging the request 5",
        "it's not a good idea to merge the request 5",
    ],
)
def test_what_will_not_be_done_is_forbidden(goal: str) -> None:
    reading = read(goal)

    assert [task.do for task in reading.tasks] == [""]
    (exclusion,) = reading.exclusions
    assert not exclusion.keeps
    assert "merg" in exclusion.words


@pytest.mark.parametrize(
    "goal",
    [
        # What ends is to end.
        "we are not using the account 5 any more, cancel the order",
        # Who cannot forbids nothing.
        "he can't see the report 5, send the report 5",
        # It is done then.
        "we won't refund the order 5 unless it comes back",
        # It asks for what follows.
        "don't forget to cancel the order 5",
        # How things are.
        "the request 5 is not merged, merge the request 5",
        # A wish for a setting.
        "nobody can delete the board 5",
        "if the order 5 won't be paid, cancel the order",
        "cancel every order that won't be paid",
    ],
)
def test_what_is_not_so_forbids_nothing(goal: str) -> None:
    assert read(goal).exclusions == ()


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("we won't merge the request 31 in team/web, just close it", "close the request 31 in team/web"),
        ("the request 31 must not be merged, close it", "close the request 31"),
        (
            "please don't close issue 12 in team/web yet, just add the label bug",
            "add the label bug to issue 12 in team/web",
        ),
        ("don't close ticket 5, set the priority to high", "set the priority to high for ticket 5"),
        ("instead of deleting board 5 archive it", "archive board 5"),
        ("the request 31 won't be merged: close it", "close the request 31"),
        ("you needn't delete board 5 - just rename it", "rename board 5"),
        ("we're not deleting board 5 so please archive it", "archive board 5"),
        ("I don't want customers to see board 5, archive it", "archive board 5"),
        ("don't delete board 5 so that we can see it later, archive it", "archive board 5"),
    ],
)
def test_what_follows_a_denial_is_about_what_that_is_about(goal: str, expected: str) -> None:
    assert done(goal) == [expected]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("don't refund order 7. Archive board 8 and delete it", ["Archive board 8", "delete it"]),
        ("don't delete board 7; archive board 8 and rename it", ["archive board 8", "rename it"]),
        ("I don't want to send order 4 twice, so cancel order 5", ["so cancel order 5"]),
        ("nobody merges the request 5, but close the request 6", ["but close the request 6"]),
    ],
)
def test_what_names_another_thing_is_about_that_one(goal: str, expected: list[str]) -> None:
    assert done(goal) == expected


def test_what_is_denied_belongs_to_no_task() -> None:
    (exclusion,) = read("nobody merges the request 5, but close the request 6").exclusions

    assert [value.value for value in exclusion.denied] == [5]


def test_what_is_done_to_another_thing_spares_the_first() -> None:
    reading = read("don't archive board 7, archive board 8")

    assert [task.do for task in reading.tasks] == ["archive board 8"]
    (exclusion,) = reading.exclusions
    assert exclusion.keeps
    assert [value.value for value in exclusion.values] == [7]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("ticket 12: close it", "close ticket 12"),
        ("issue 12 in team/web: add the label bug", "add the label bug to issue 12 in team/web"),
        ("AB-12: set the priority to high", "set the priority to high for AB-12"),
    ],
)
def test_a_topic_before_a_colon_is_what_the_order_is_about(goal: str, expected: str) -> None:
    assert done(goal) == [expected]


@pytest.mark.parametrize(
    "goal",
    [
        "close ticket 12: it was entered twice",
        "for order 5: cancel it",
        "ticket 12: who has it?",
    ],
)
def test_other_colons_stay(goal: str) -> None:
    assert not any(" for ticket 12" in one or " for order 5" in one for one in done(goal))
