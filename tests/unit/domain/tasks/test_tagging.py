"""What is tagged gets a tag."""

import pytest

from app.domain.language.text import stem
from app.domain.tasks.tagging import with_tags_added


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("tag it urgent", 'add the tag "urgent" to it'),
        ("tag evt_12 as client and close it", 'add the tag "client" to evt_12 and close it'),
        ('label ticket 7 with "needs review"', 'add the tag "needs review" to ticket 7'),
        ("add her, then tag her vip.", 'add her, then add the tag "vip" to her.'),
        ("tag all tickets", "tag all tickets"),
        ("show the tag of 12", "show the tag of 12"),
        ("", ""),
    ],
)
def test_tags_are_added_to_things(goal: str, expected: str) -> None:
    assert with_tags_added(goal, is_thing=lambda word: word == stem("tag")) == expected


def test_labels_are_where_a_catalogue_calls_tags_so() -> None:
    assert (
        with_tags_added("tag it urgent", is_thing=lambda word: word == stem("label"))
        == 'add the label "urgent" to it'
    )


def test_where_nothing_is_about_tags_the_goal_stays() -> None:
    assert with_tags_added("tag it urgent", is_thing=lambda _: False) == "tag it urgent"
