"""How a list is asked: by which filter for the one thing that a task names, and in which order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.filling.assigned import Assignment, put
from app.domain.filling.fit import is_title, may_be_a_word, own_noun
from app.domain.filling.forms import SPOKEN_IDS, UUID, Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.filling.typed import MISSING, typed
from app.domain.language.goal_words import persons
from app.domain.language.identifiers import singular, words
from app.domain.language.operation_words import LISTING_KINDS, SEARCH_PARAMETERS
from app.domain.language.text import stem
from app.domain.reading.clauses.phrases import BY_AGE
from app.domain.reading.models import THING_NAMES, ValueKind
from app.lexicon.lists import table

_CALLED = (
    *THING_NAMES,
    ValueKind.CHANNEL,
    ValueKind.MENTION,
)
_FILTERED = 0.55
"""As of a text that goes to an optional title."""
_SORTED_BY = re.compile(
    r"\b(?:sort|sorted|order|ordered|rank|ranked) by (?:the |their )?([a-z][a-z_-]{1,29}(?: [a-z]{2,20}){0,2})",
    re.IGNORECASE,
)
_DESCENDING = {"asc": False, "ascending": False, "desc": True, "descending": True}
_BY_AGE = {"newest": True, "latest": True, "recent": True, "oldest": False}
"""Members of enums that say of themselves how old what comes first is."""


def fill_filter(
    form: OperationForm, consumer: OperationForm, said: Sequence[SaidValue], found: Assignment
) -> None:
    """Ask a list for the thing that a task names: `the group Accounting` by `search`, `client web-shop` by `clientId`.

    Args:
        form: The list, which is added for another call.
        consumer: The call that takes something of it. A value without a noun names what that one is about.
        said: The values as the list sees them: local is what the consumer leaves.
        found: What the list takes already; the filter is added.
    """
    operation = form.operation
    if operation.kind not in LISTING_KINDS:
        return
    resource = frozenset(map(stem, operation.resource))
    # `restart web-1`: what a path ends with, but for its action, is what a name without a noun is of.
    last = consumer.last_place.names if consumer.last_place else frozenset()
    through = [one for one in consumer.forms if one.item.location == "path"]
    is_of_place = any(not resource.isdisjoint(one.names) for one in through)
    is_same = bool(resource.intersection((*map(stem, consumer.operation.resource), *last)))
    for one in said:
        noun = own_noun(one)
        is_person = one.value.kind is ValueKind.EMAIL and not resource.isdisjoint(persons())
        if one.at in found.used or not one.local or not (is_person or one.value.kind in _CALLED):
            continue
        if UUID.fullmatch(one.value.text) or not (
            noun in resource
            or (is_person and not noun)
            or (is_same and not noun and not one.value.preposition)
            or (is_of_place and one.is_place)
        ):
            continue
        if may_be_a_word(one, resource):
            continue
        target = _filter_for(form, noun, one, found)
        if target is not None:
            put(found, target, one, one.value.text, _FILTERED)
            return


def ask_for(form: OperationForm, one: SaidValue, found: Assignment) -> bool:
    """Ask a list for the thing that a name without a noun is of: whether it has a filter for names."""
    target = _filter_for(form, "", one, found)
    if target is not None:
        put(found, target, one, one.value.text, _FILTERED)
    return target is not None


def fill_by_names(
    form: OperationForm, found: Assignment, other_form: OperationForm, other: Assignment
) -> None:
    """Have a list filtered by what another call is given: by an input of the same name, or what it makes by its title.

    Whether `Reviews` is there already is seen in the list that is searched for `Reviews`.
    """
    given = {pointer: value for pointer, value in other.known.items() if isinstance(value, str | int)}
    titles = [one.item.pointer for one in other_form.forms if one.item.pointer in given and is_title(one)]
    for one in form.forms:
        name = one.item.name.lower()
        if one.item.location != "query" or found.has(one.item.pointer):
            continue
        same = next((pointer for pointer in given if pointer[-1].lower() == name), None)
        if same is not None and not (one.may_identify or name in SPOKEN_IDS):
            # Of another colour it is there as well.
            continue
        if same is None and name in SEARCH_PARAMETERS:
            same = next(iter(titles), None)
        if same is not None and not isinstance(given[same], bool):
            found.known[one.item.pointer] = given[same]


def _filter_for(form: OperationForm, noun: str, one: SaidValue, found: Assignment) -> Form | None:
    """The filter that takes what a thing is called: by its noun (`clientId`), else by a name, else a search."""
    open_filters = [
        target
        for target in form.forms
        if target.item.location == "query"
        and target.item.type in ("string", "")
        and not target.item.enum
        and target.item.pointer not in found.known
        and typed(target, one.value) is not MISSING
    ]
    by_name = {target.filters_by: target for target in reversed(open_filters)}
    own = [f"{noun}{ending}" for ending in ("name", "id", "key", "code")] if noun else []
    names = [*own, *table("inputs")["titles"], *table("inputs")["searches"]]
    return next((by_name[name] for name in names if name in by_name), None)


@dataclass(frozen=True, slots=True)
class _Order:
    """How a list is sorted."""

    by: frozenset[str] = frozenset()
    """Stems of what by; of when things came to be where empty."""
    descending: bool | None = None
    """None where it is not said."""


@dataclass(frozen=True, slots=True)
class _Sorting:
    """A member of an enum that sorts: `-createdAt`, `DueDate ASC`."""

    member: str
    name: str
    """What by, in the lower case and without what stands between its words."""
    descending: bool | None

    @property
    def stems(self) -> frozenset[str]:
        """Stems of the words of what by."""
        said = (word for word in words(self.member) if word not in _DESCENDING)
        return frozenset(stem(singular(word)) for word in said)


def fill_order(form: OperationForm, text: str, found: Assignment) -> None:
    """`sorted by size` and `newest first` say in which order a list comes, where it has an input for that."""
    order = _order_said(text) if form.operation.kind in LISTING_KINDS else None
    if order is None:
        return
    for one in form.forms:
        members = list(_sortings(one))
        if found.has(one.item.pointer) or not members:
            continue
        best = _sorting_for(order, members)
        if best is None:
            continue
        found.known[one.item.pointer] = best.member
        found.states[one.item.pointer] = order.by
        if order.descending is not None and best.descending is None:
            _fill_direction(form, found, descending=order.descending)
        return


def _order_said(text: str) -> _Order | None:
    by_name, by_age = _SORTED_BY.search(text), BY_AGE.search(text)
    if by_name is None:
        return _Order(descending=by_age[1] is not None) if by_age else None
    said = words(by_name[1])
    direction = next(
        (_DESCENDING[word] for word in words(text[by_name.start() :]) if word in _DESCENDING), None
    )
    return _Order(frozenset(stem(singular(word)) for word in said if word not in _DESCENDING), direction)


def _sortings(one: Form) -> Iterator[_Sorting]:
    """What an input for the order may be set to; nothing for any other input."""
    if one.joined_name not in table("inputs")["sorting"] or one.item.is_container:
        return
    for member in one.item.enum or one.said_members:
        said = list(words(str(member)))
        direction = _DESCENDING.get(said[-1]) if said else None
        name = "".join(said if direction is None else said[:-1])
        if not name:
            # It says the direction alone.
            continue
        yield _Sorting(
            str(member),
            name,
            True if str(member).startswith("-") else _BY_AGE.get(name, direction),
        )


def _sorting_for(order: _Order, members: Sequence[_Sorting]) -> _Sorting | None:
    times = table("inputs")["times"]
    if order.by:
        fitting = [one for one in members if one.stems == order.by]
        fitting = fitting or [one for one in members if one.stems < order.by or order.by < one.stems]
        names = {one.name for one in fitting}
        fitting = fitting if len(names) == 1 else []
    else:
        dated = [one for one in members if one.name in times or one.name in _BY_AGE]
        first = min((_rank_of_time(one.name) for one in dated), default=0)
        fitting = [one for one in dated if one.name in _BY_AGE or _rank_of_time(one.name) == first]
    # What has a descending twin is ascending itself.
    is_paired = any(one.descending for one in fitting)
    wanted = order.descending
    exact = [one for one in fitting if one.descending == wanted]
    plain = [one for one in fitting if one.descending is None and not (wanted and is_paired)]
    return next(iter((*exact, *plain)), None)


def _rank_of_time(name: str) -> int:
    times = table("inputs")["times"]
    return times.index(name) if name in times else len(times)


def _fill_direction(form: OperationForm, found: Assignment, *, descending: bool) -> None:
    """The direction, where it is an input of its own."""
    for one in form.forms:
        members = {str(member).lower(): member for member in one.item.enum}
        if not members or not {*members} <= _DESCENDING.keys() or found.has(one.item.pointer):
            continue
        found.known[one.item.pointer] = next(
            member for name, member in members.items() if _DESCENDING[name] == descending
        )
        return
