"""Bounds: whether a date begins or ends a period, or a number limits others, and which inputs take them."""

import re
from collections.abc import Iterable
from functools import cache

from app.domain.filling.said import SaidValue
from app.domain.language.identifiers import words
from app.domain.reading.models import ValueKind
from app.domain.schemas.tool_schemas import Input
from app.lexicon.lists import table

_DATE_FORMATS = ("date", "date-time", "unix-time")
_GLUED = re.compile(
    r"(from|to|start|end|since|until|min|max)(?:date|time|day)|(?:date|time|day)(from|to|start|end)"
)
"""Names whose words are written together: `fromdate`."""
_OF_TIME = re.compile(
    r"\b(?:dates?|times?|timestamps?|iso[- ]?8601|rfc[- ]?3339|day|period)\b", re.IGNORECASE
)
_DESCRIPTION_CHARS = 300


def date_bound(one: SaidValue) -> int:
    """1 for a date that begins a period (`since Monday`), -1 for one that ends it (`until Friday`), else 0.

    What has not been so since Monday was so before it.
    """
    if one.value.kind is not ValueKind.DATE or one.value.preposition == "to":
        # What ends a period is read as `until`; `move it to Friday` ends none.
        return 0
    side = _side((one.value.preposition,), "bounds")
    return -side if one.is_since_when_not else side


def is_bound(noun: str) -> bool:
    """Whether a noun is one end of a period: the start, in `move its start to Friday`."""
    return _side((noun,), "bounds") != 0


def input_bound(item: Input) -> int:
    """1 for an input that takes the beginning of a period (`created_after`), -1 for its end, else 0.

    Twilio's way to write it, `DateCreated>`, counts too.
    """
    if item.is_container or item.type == "boolean" or item.enum:
        return 0
    name = words(item.name)
    glued = _GLUED.fullmatch("".join(name))
    said = {*name, *((glued[1] or glued[2],) if glued else ())}
    lower, upper = bool(said & _bounds("bounds")[1]), bool(said & _bounds("bounds")[-1])
    lower, upper = lower or item.name.endswith(">"), upper or item.name.endswith("<")
    if lower == upper or not (item.format in _DATE_FORMATS or glued or _speaks_of_time(item)):
        return 0
    return 1 if lower else -1


_BETWEEN = 5
"""Words before the second of two bounds in which `between` stands: the first with its unit or its decimals."""


_AS_SOON_AS = ("when", "whenever", "once", "if")
"""Before what is not to be so: then something is done about it."""


def number_bound(one: SaidValue) -> int:
    """1 for a number that others are above (`over 5000`, `at least 20`), -1 for one that they are below (`up to 5`), else 0."""
    if one.value.kind not in (ValueKind.NUMBER, ValueKind.AMOUNT, ValueKind.MEASURE):
        return 0
    if one.led[-1:] == ("between",):
        return 1
    if one.led[-1:] == ("and",) and "between" in one.led[-_BETWEEN:]:
        return -1
    phrases = table("values")["comparing"]
    for side, name in ((1, "from"), (-1, "until")):
        if (
            " ".join(one.led[-2:]) in phrases[name]
            or f"{' '.join(one.led[-1:])} {one.value.preposition}" in phrases[name]
        ):
            return side
    said = one.led[:-1] if one.led[-1:] == ("than",) else one.led
    side = _side(said[-1:], "comparing")
    if not {*said[-2:-1]}.isdisjoint(_AS_SOON_AS):
        # `reorder it when below 10` keeps at least 10.
        return -side
    # `no more than 20` is at most 20.
    return -side if {"no", "not"}.intersection(one.led) else side


def bounds_numbers(item: Input) -> int:
    """1 for an input that numbers have to be above (`min_amount`), -1 for one that they have to be below, else 0."""
    return _side(words(item.name), "number_limits" if item.location == "body" else "number_bounds")


def _side(said: Iterable[str], section: str) -> int:
    """1 where a word is of the lower bounds of a list, -1 where one is of the upper, 0 where neither or both are."""
    found = {*said}
    return int(bool(found & _bounds(section)[1])) - int(bool(found & _bounds(section)[-1]))


def _speaks_of_time(item: Input) -> bool:
    return bool(
        {*words(item.name)} & {"date", "time", "timestamp"}
        or _OF_TIME.search(item.description[:_DESCRIPTION_CHARS])
    )


@cache
def _bounds(section: str) -> dict[int, frozenset[str]]:
    lists = table("values")[section]
    return {1: frozenset(lists["lower"].split()), -1: frozenset(lists["upper"].split())}
