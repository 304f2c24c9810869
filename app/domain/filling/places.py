"""Where something is: coordinates, latitude first (ISO 6709), and postal addresses, for the inputs that hold them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from app.domain.filling.assigned import Assignment, put
from app.domain.filling.fit import KIND
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.filling.typed import typed
from app.domain.language.identifiers import words
from app.domain.reading.models import ValueKind
from app.domain.tasks.postal import address_parts
from app.lexicon.lists import table

_FEWEST = 2
"""Parts that one object must hold to be an address."""
_DECIMAL = re.compile(r"-?\d{1,3}\.\d+")
_LATITUDE = frozenset(("lat", "latitude"))
_LONGITUDE = frozenset(("lng", "lon", "long", "longitude"))


def _coordinate_pairs(said: Sequence[SaidValue]) -> Iterator[tuple[SaidValue, SaidValue]]:
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


def _place_inputs(forms: Sequence[Form]) -> Iterator[tuple[frozenset[str], Form, Form]]:
    """Inputs for a latitude and a longitude that are called alike, with the other words of their names."""
    rest = {}
    for form in forms:
        name = words(form.item.name)
        if _takes_decimals(form) and {*name} & _LONGITUDE:
            rest[form.item.pointer[:-1], frozenset(name) - _LONGITUDE] = form
    for form in forms:
        name = words(form.item.name)
        others = frozenset(name) - _LATITUDE
        east = rest.get((form.item.pointer[:-1], others))
        if _takes_decimals(form) and {*name} & _LATITUDE and east is not None:
            yield others, form, east


def _takes_decimals(form: Form) -> bool:
    """Whether an input takes a decimal number; parameters of a query are texts in some documents."""
    return form.is_number or (form.item.type == "string" and not form.item.is_container)


def _end_of(preposition: str) -> frozenset[str]:
    """Words by which the inputs are called for where something begins (`from`), or where it goes (`to`)."""
    ends = table("inputs")["ends"].get(preposition, "").split()
    bounds = table("values")["bounds"]
    of_time = (
        bounds["lower" if preposition == "from" else "upper"].split() if preposition in ("from", "to") else []
    )
    return frozenset((*ends, *of_time))


def fill_coordinates(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """`52.52,13.40` fills a latitude and a longitude: those of the end that leads to it, or the only ones."""
    pairs = list(_coordinate_pairs(said))
    places = list(_place_inputs(form.forms)) if pairs else []
    for pair in pairs if places else ():
        ends = _end_of(pair[0].value.preposition)
        fitting = [place for place in places if place[0] & ends] or (places if len(places) == 1 else [])
        if len(fitting) == 1 and not any(one.item.pointer in found.known for one in fitting[0][1:]):
            for target, one in zip(fitting[0][1:], pair, strict=True):
                put(found, target, one, typed(target, one.value), KIND)  # type: ignore[arg-type]


def fill_addresses(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """`Hafenweg 8, 48155 Münster, DE` fills street, postal code, city and country of the object that holds most of them."""
    addresses = [
        one for one in said if one.local and one.value.kind is ValueKind.ADDRESS and one.at not in found.used
    ]
    places = _places(form) if addresses else []
    for one in addresses:
        parts = address_parts(one.value.text)
        fitting = [
            place
            for place in places
            if not any(target.item.pointer in found.known for target in place.values())
        ]
        best = max(fitting, key=lambda place: len(place.keys() & parts.keys()), default={})
        if len(best.keys() & parts.keys()) >= _FEWEST:
            for name in parts.keys() & best.keys():
                put(found, best[name], one, parts[name], KIND)
            continue
        whole = next(
            (target for target in form.forms if target.joined_name in table("inputs")["addresses_whole"]),
            None,
        )
        if whole is not None and whole.is_free_text and whole.item.pointer not in found.known:
            put(found, whole, one, one.value.text, KIND)


def _places(form: OperationForm) -> list[Mapping[str, Form]]:
    """The inputs for parts of an address, by what they hold, of each object that has some; those that are nearest the top first."""
    called = {
        name: part for part, names in table("inputs")["address_parts"].items() for name in names.split()
    }
    found: defaultdict[tuple[str, ...], dict[str, Form]] = defaultdict(dict)
    for one in form.forms:
        part = called.get(one.joined_name)
        if part is not None and one.item.location == "body" and one.is_free_text:
            found[one.item.pointer[:-1]].setdefault(part, one)
    return [found[parent] for parent in sorted(found, key=len)]
