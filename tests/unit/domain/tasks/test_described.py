"""Things that are called by what they are about, and names behind a verb."""

from collections.abc import Sequence

import pytest

from app.domain.language.text import stem
from app.domain.reading.models import StatedValue, ValueKind
from app.domain.tasks.described import compound_names, described_things

THINGS = frozenset(map(stem, ("event", "calendar", "ticket")))
WORDS = frozenset(("event", "calendar", "ticket", "title", "time", "close", "move", "amount"))


def texts(goal: str, values: Sequence[StatedValue] = ()) -> list[tuple[str, str]]:
    found = described_things(
        goal, values, is_word=WORDS.__contains__, is_thing=THINGS.__contains__, is_used=lambda _: False
    )
    return [(one.text, one.preposition) for one in found]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("cancel the pricing workshop", [("pricing workshop", "")]),
        ("call off the offsite planning on 2026-05-14", [("offsite planning", "")]),
        ("add ann@acme.com to the board prep", [("board prep", "to")]),
        ("cancel everything except the fire drill", [("fire drill", "except")]),
        ("cancel the marketing event", []),
        ("cancel the workshop", []),
        ("pay the wrong amount", []),
        ("cancel the whole thing", []),
        ("ann is the decision maker", [("decision maker", "")]),
        ("two of the pricing workshop", []),
        ("", []),
    ],
)
def test_a_phrase_without_a_thing_of_the_catalogue_is_a_name(
    goal: str, expected: list[tuple[str, str]]
) -> None:
    assert texts(goal) == expected


def test_a_phrase_that_leads_to_a_value_names_nothing() -> None:
    value = StatedValue(text="12", kind=ValueKind.NUMBER, value=12, start=19, end=21)
    assert texts("close the big deal 12", [value]) == []
    assert texts("close the big deal now") == [("big deal", "")]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("restore billing-db from yesterday", ["billing-db"]),
        ("please restart order-service", ["order-service"]),
        ("enable auto-renew for it", []),
        ("restore billing-db backups", []),
        ("the billing-db is slow", []),
    ],
)
def test_what_is_written_as_names_are_is_one_behind_the_verb(goal: str, expected: list[str]) -> None:
    found = compound_names(goal, (), is_joined=lambda word: word == stem("autorenew"))
    assert [one.text for one in found] == expected
