"""Coordinates: two numbers side by side, latitude first (ISO 6709), for the inputs that are called so."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.domain.filling.forms import Form
from app.domain.filling.said import SaidValue
from app.domain.language.identifiers import words
from app.domain.reading.models import ValueKind
from app.lexicon.lists import table

_DECIMAL = re.compile(r"-?\d{1,3}\.\d+")
_LATITUDE = frozenset(("lat", "latitude"))
_LONGITUDE = frozenset(("lng", "lon", "long", "longitude"))


def coordinate_pairs(said: Sequence[SaidValue]) -> Iterator[tuple[SaidValue, SaidValue]]:
    """Neighbouring decimals of which the second goes on with the first: `52.52,13.40`."""
    for first, second in pairwise(said):
        if (
            second.listed
            and second.at == first.at + 1
            and all(one.value.kind is ValueKind.NUMBER for one in (first, second))
            and all(_DECIMAL.fullmatch(one.value.text) for one in (first, second))
            and not first.listed
        ):
            yield first, second


def place_inputs(forms: Sequence[Form]) -> Iterator[tuple[frozenset[str], Form, Form]]:
    """Inputs for a latitude and a longitude that are called alike, with the other words of their names."""
    rest = {}
    for form in forms:
        name = words(form.item.name)
        if form.is_number and {*name} & _LONGITUDE:
            rest[form.item.pointer[:-1], frozenset(name) - _LONGITUDE] = form
    for form in forms:
        name = words(form.item.name)
        others = frozenset(name) - _LATITUDE
        east = rest.get((form.item.pointer[:-1], others))
        if form.is_number and {*name} & _LATITUDE and east is not None:
            yield others, form, east


def end_of(preposition: str) -> frozenset[str]:
    """Words by which the inputs are called for where something begins (`from`), or where it goes (`to`)."""
    ends = table("inputs")["ends"].get(preposition, "").split()
    bounds = table("values")["bounds"]
    of_time = (
        bounds["lower" if preposition == "from" else "upper"].split() if preposition in ("from", "to") else []
    )
    return frozenset((*ends, *of_time))
