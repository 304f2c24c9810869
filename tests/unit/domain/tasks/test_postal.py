"""Postal addresses are one value, of parts."""

from datetime import UTC, datetime

import pytest

from app.domain.reading.models import ValueKind
from app.domain.tasks.postal import address_parts
from app.domain.tasks.values import goal_values

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def addresses(goal: str) -> list[str]:
    found = goal_values(goal, now=NOW, timezone="UTC", is_word=lambda _: False)
    return [one.text for one in found if one.kind is ValueKind.ADDRESS]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Hafenweg 8, 48155 Münster, DE",
            {"street": "Hafenweg 8", "postal_code": "48155", "city": "Münster", "country": "DE"},
        ),
        (
            "14 Quay Street, H91 T2X4 Galway, IE",
            {"street": "14 Quay Street", "postal_code": "H91 T2X4", "city": "Galway", "country": "IE"},
        ),
        (
            "200 Main St, Springfield, IL 62704",
            {"street": "200 Main St", "postal_code": "62704", "city": "Springfield", "region": "IL"},
        ),
        ("Storgata 12, 0184 Oslo", {"street": "Storgata 12", "postal_code": "0184", "city": "Oslo"}),
    ],
)
def test_an_address_has_parts_and_is_one_value(text: str, parts: dict[str, str]) -> None:
    assert address_parts(text) == parts
    assert addresses(f"ship it to Lena Fuchs, {text}.") == [text]


@pytest.mark.parametrize(
    "goal",
    [
        "close Ticket 12, Ticket 13 and Ticket 14",
        "move Deal 7, 2000 EUR, to Won",
        "book Room 4 on 2026-03-05",
    ],
)
def test_numbers_behind_names_are_no_addresses(goal: str) -> None:
    assert addresses(goal) == []


def test_things_with_numbers_and_what_is_quoted_are_no_addresses() -> None:
    found = goal_values(
        'send "we moved to Hafenweg 8, 48155 Münster" for Order 12, 1500 Points',
        now=NOW,
        timezone="UTC",
        is_word=lambda _: False,
        is_thing=lambda word: word == "order",
    )
    assert ValueKind.ADDRESS not in [one.kind for one in found]
    assert "we moved to Hafenweg 8, 48155 Münster" in [one.text for one in found]


def test_what_is_no_address_has_no_parts() -> None:
    assert address_parts("somewhere in Berlin") == {}
