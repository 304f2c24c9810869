"""Tasks of a caller read as if the goal said them."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from app.domain.reading.models import AskedTask, StatedValue
from app.domain.tasks.asked import asked_tasks


def values_of(do: str, values: Mapping[str, JsonValue]) -> Mapping[str, StatedValue]:
    """The values of a task, by their texts."""
    task = AskedTask(do=do, values=dict(values))
    now = datetime(2026, 3, 1, tzinfo=UTC)
    found = asked_tasks(do, [task], now=now, timezone="UTC", is_word=lambda _: False)
    return {value.text: value for value in found.reading.tasks[0].values}


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
