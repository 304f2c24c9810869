"""Postal addresses that a goal states: `Hafenweg 8, 48155 Münster, DE`, `14 Quay Street, Galway, H91 T2X4, IE`."""

import re
from collections.abc import Callable, Mapping

from app.domain.language.identifiers import pieces, singular
from app.domain.language.text import stem
from app.domain.reading.models import StatedValue, ValueKind
from app.domain.reading.tokens import value_words

_LOOKED_BACK = 20
"""Characters before an address in which its preposition stands."""
_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w.'\u2019-]{0,40}+"
_NAME = rf"{_CAPITAL}(?:\s{_CAPITAL}){{0,3}}+"
_CITY_WORD = r"[A-ZÀ-ÖØ-Þ][a-zß-ÿ][\w'\u2019-]{0,40}+"
"""In small letters but for the first: `2000 EUR` is no place."""
_CITY = rf"{_CITY_WORD}(?:\s{_CITY_WORD}){{0,3}}+"
_CODE = r"(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d{2}\s?[A-Z\d]{4}|\d{4}\s?[A-Z]{2}|\d{3}\s\d{2}|\d{4,6}(?:-\d{3,4})?)(?![\w-])"
_ADDRESS = re.compile(
    # The number of a house stands behind its street, or before it.
    rf"(?<![\w.-])(?P<street>\d{{1,5}}[A-Za-z]?\s{_NAME}|{_CAPITAL}(?:\s{_CAPITAL}){{0,3}}\s\d{{1,4}}[A-Za-z]?(?:[-/]\d{{1,4}})?)"
    rf",\s(?:(?P<code>{_CODE})\s(?P<city>{_CITY})|(?P<city_first>{_CITY}),?\s(?:(?P<region>[A-Z]{{2}})\s)?(?P<code_last>{_CODE}))"
    r"(?:,\s(?P<country>[A-Z]{2}(?![\w-])))?"
)
"""As the Universal Postal Union writes them (S42): the lines of street and place, one after the other, and the country's code."""


def with_addresses(
    goal: str, values: list[StatedValue], *, is_thing: Callable[[str], bool] = lambda _: False
) -> list[StatedValue]:
    """The values of a goal, each address as one: what looked like a number or a name in it is a part of it.

    Args:
        goal: The text.
        values: What it states otherwise; what is quoted, or said in full, stays whole.
        is_thing: Whether calls are about what a stem names: `Order 12, 1500 Points` is no address.
    """
    whole = [one for one in values if one.kind in (ValueKind.QUOTED, ValueKind.SAID)]
    found = [
        StatedValue(
            text=match[0],
            kind=ValueKind.ADDRESS,
            value=match[0],
            start=match.start(),
            end=match.end(),
            preposition=_preposition(goal[: match.start()]),
        )
        for match in _ADDRESS.finditer(goal)
        if not any(one.start < match.end() and match.start() < one.end for one in whole)
        and not any(is_thing(stem(singular(word))) for word in pieces(match["street"]))
    ]
    if not found:
        return values
    rest = [one for one in values if not any(at.start <= one.start and one.end <= at.end for at in found)]
    return sorted([*rest, *found], key=lambda one: one.start)


def address_begins(text: str, start: int) -> bool:
    """Whether an address begins at a place of a text."""
    return _ADDRESS.match(text, start) is not None


def _preposition(before: str) -> str:
    last = pieces(before[-_LOOKED_BACK:])[-1:]
    return last[0] if last and last[0] in value_words().prepositions else ""


def address_parts(text: str) -> Mapping[str, str]:
    """Street, postal code, city, region and country of an address, those that it has, by these names."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return {}
    parts = {
        "street": match["street"],
        "postal_code": match["code"] or match["code_last"],
        "city": match["city"] or match["city_first"],
        "region": match["region"],
        "country": match["country"],
    }
    return {name: part for name, part in parts.items() if part}
