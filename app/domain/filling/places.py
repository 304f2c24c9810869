"""Where something is: coordinates, latitude first (ISO 6709), and postal addresses, for the inputs that hold them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest

from app.domain.filling.assigned import Assignment, put
from app.domain.filling.fit import KIND
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.filling.typed import MISSING, typed
from app.domain.language.identifiers import words
from app.domain.reading.models import ValueKind
from app.domain.tasks.postal import address_parts
from app.lexicon.lists import table

_IN = ("in", "near", "around")
"""They lead to a city."""
_REGION = re.compile(r"[A-Z]{2}")
"""The code of a state or a province, as mail writes it."""
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


def fill_cities(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """`in Los Angeles, CA` fills a city, and the region that goes on with it, where a call has one input for each."""
    place = next(
        (
            (one, after)
            for one, after in zip_longest(said, said[1:])
            if one.local
            and one.value.kind is ValueKind.NAME
            and one.value.preposition in _IN
            and not (one.value.weak or one.nouns or one.at in found.used)
        ),
        None,
    )
    if place is None:
        return
    by_part: defaultdict[str, list[Form]] = defaultdict(list)
    for target, part in _address_inputs(form):
        if target.item.location in ("query", "body") and not found.has(target.item.pointer):
            by_part[part].append(target)
    if len(by_part["city"]) != 1:
        return
    one, after = place
    put(found, by_part["city"][0], one, one.value.text, KIND)
    if after is not None and after.listed and _REGION.fullmatch(after.value.text):
        _fill_behind_city(form, after, by_part["region"], found)


def _fill_behind_city(
    form: OperationForm, one: SaidValue, regions: Sequence[Form], found: Assignment
) -> None:
    """Two letters behind a city are its country, where a call has an input for one, or its region."""
    names = table("inputs")["address_parts"]["country"].split()
    countries = [
        target
        for target in form.forms
        if target.joined_name in names and not (target.item.is_container or found.has(target.item.pointer))
    ]
    targets = countries or regions
    if len(targets) == 1 and (value := typed(targets[0], one.value)) is not MISSING:
        put(found, targets[0], one, value, KIND)  # type: ignore[arg-type]


def _address_inputs(form: OperationForm) -> Iterator[tuple[Form, str]]:
    """The inputs of a text that hold a part of an address, each with the part."""
    called = {
        name: part for part, names in table("inputs")["address_parts"].items() for name in names.split()
    }
    for one in form.forms:
        part = called.get(one.joined_name)
        if part is not None and one.is_free_text:
            yield one, part


def _places(form: OperationForm) -> list[Mapping[str, Form]]:
    """The inputs for parts of an address, by what they hold, of each object that has some; those that are nearest the top first."""
    found: defaultdict[tuple[str, ...], dict[str, Form]] = defaultdict(dict)
    for one, part in _address_inputs(form):
        if one.item.location == "body":
            found[one.item.pointer[:-1]].setdefault(part, one)
    return [found[parent] for parent in sorted(found, key=len)]
