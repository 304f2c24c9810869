"""What begins a task: its verb, or a thing that is called so."""

from datetime import UTC, datetime

import pytest

from app.domain.reading.tasks import read_goal
from app.domain.reading.values import find_values
from app.domain.tasks.openings.objects import behind_verbs


@pytest.mark.parametrize(
    ("goal", "value"),
    [
        ("take B7-12 off the shelf", "B7-12"),
        ('text +49171234567 "on my way"', "+49171234567"),
    ],
)
def test_a_value_behind_the_verb_of_a_task_has_no_noun(goal: str, value: str) -> None:
    values = find_values(goal, now=datetime(2026, 11, 26, tzinfo=UTC))
    starts = behind_verbs(read_goal(goal, values).tasks)
    assert goal.index(value) in starts


def test_a_noun_and_its_address_are_no_verb() -> None:
    values = find_values("phone 33112244", now=datetime(2026, 11, 26, tzinfo=UTC))
    assert not behind_verbs(read_goal("phone 33112244", values).tasks)
