"""Tasks of a caller read as if the goal said them."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from app.domain.reading.models import AskedTask, GoalTask, Quantity, StatedValue, ValueKind
from app.domain.tasks.asked import asked_tasks


def task_of(do: str, values: Mapping[str, JsonValue]) -> GoalTask:
    """A task as it is read; all words are in use."""
    task = AskedTask(do=do, values=dict(values))
    now = datetime(2026, 3, 1, tzinfo=UTC)
    return asked_tasks(do, [task], now=now, timezone="UTC", is_word=lambda _: True).reading.tasks[0]


def values_of(do: str, values: Mapping[str, JsonValue]) -> Mapping[str, StatedValue]:
    """The values of a task, by their texts."""
    return {value.text: value for value in task_of(do, values).values}


def test_a_value_under_a_preposition_is_led_by_it() -> None:
    """`{"from": "main"}` says `from main`: nothing is called `from`."""
    found = values_of("create a branch", {"branch": "next", "from": "main"})

    assert (found["main"].preposition, found["main"].nouns, found["main"].by_name) == ("from", (), False)
    assert found["next"].nouns == ("branch",)


@pytest.mark.parametrize("name", ["name", "title", "board"])
def test_the_name_of_what_a_task_makes_is_what_it_is_called(name: str) -> None:
    """`make a board` with a name makes a board called so."""
    assert values_of("make a board", {name: "Garden"})["Garden"].preposition == "called"


def test_the_name_of_what_is_there_is_not_what_it_is_called_from_now_on() -> None:
    """Only what is made is called by the name that comes with it."""
    assert values_of("archive the board", {"name": "Garden"})["Garden"].preposition == ""


def test_a_switch_names_nothing() -> None:
    """`{"private": true}` is `private=true`, and no list has a member that is called `true`."""
    assert values_of("create a list", {"private": True})["true"].kind is ValueKind.PAIR


@pytest.mark.parametrize(("values", "texts"), [({"tag": "v4"}, {"v4"}), ({}, {"notes"})])
def test_what_may_be_a_word_is_one_where_values_are_given_by_name(
    values: Mapping[str, JsonValue], texts: set[str]
) -> None:
    assert values_of("publish a release with generated notes", values).keys() == texts


@pytest.mark.parametrize(
    ("do", "words", "quantity"),
    [
        ("list the runs and take the latest", "list the runs", Quantity.LAST),
        ("list the runs to see which failed", "list the runs", Quantity.UNSAID),
        ("find and read the runs", "find and read the runs", Quantity.UNSAID),
        ("close the run and take the latest", "close the run and take the latest", Quantity.UNSAID),
    ],
)
def test_what_something_is_looked_up_for_is_no_part_of_looking_it_up(
    do: str, words: str, quantity: Quantity
) -> None:
    found = task_of(do, {})
    assert (found.words, found.quantity) == (words, quantity)


def test_what_stands_in_a_text_of_the_caller_is_a_part_of_it() -> None:
    """What is said of `U7` is no reason to do something to it."""
    found = task_of("post that U7 has left C4", {"text": "U7 has left C4"})
    assert found.words == "post that"
    assert [(value.text, value.by_name) for value in found.values] == [("U7 has left C4", True)]
