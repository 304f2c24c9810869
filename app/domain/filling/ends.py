"""Which of two things of one kind a call goes from, and which it leads to: `merge contact 8 into contact 9`, `move issue 5 to project 7`."""

from collections.abc import Mapping, Sequence

from app.domain.filling.assigned import Assignment
from app.domain.filling.fit import may_be_id, own_noun
from app.domain.filling.forms import Form, OperationForm, stems
from app.domain.filling.said import SaidValue
from app.domain.filling.typed import MISSING, typed
from app.domain.language.identifiers import words
from app.lexicon.lists import table

_LEADING = ("into", "to", "onto")
"""Before the thing that another one goes to, or becomes a part of."""


def set_ends_right(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """Put two ids of things of one kind where what leads to them says: the path holds what is kept, or what is moved.

    Args:
        form: The inputs.
        said: Values of the goal.
        found: What is filled already; ids change places, or go on to where they lead.
    """
    last = form.last_place
    if last is None or form.operation.safe:
        return
    taken = {pointer: one for one in said if one.local and (pointer := found.used.get(one.at)) is not None}
    for other in form.forms:
        if other.item.location != "body" or other.item.is_list:
            continue
        if other.identifies:
            _change_places(last, other, taken, found)
            _lead_on(form, other, taken, found)
        if other.identifies or not last.own.isdisjoint(other.own):
            _go_back_to_source(last, other, said, found)


def _change_places(
    last: Form, other: Form, taken: Mapping[tuple[str, ...], SaidValue], found: Assignment
) -> None:
    """What is merged is the one that a document calls the duplicate, though the path comes first."""
    first, second = taken.get(last.item.pointer), taken.get(other.item.pointer)
    if first is None or second is None or last.heads.isdisjoint(other.heads | other.own):
        return
    if not (may_be_id(first.value) and may_be_id(second.value)) or own_noun(first) != own_noun(second):
        return
    if not {last.item.pointer, other.item.pointer} <= found.known.keys() - found.more.keys():
        return
    is_source, is_target = not other.own.isdisjoint(_sources()), not other.own.isdisjoint(_targets())
    leads = [one.value.preposition in _LEADING for one in (first, second)]
    if is_source == is_target or leads[0] == leads[1] or leads[1] == is_target:
        return
    values = typed(last, second.value), typed(other, first.value)
    if MISSING in values or None in values:
        return
    found.known[last.item.pointer], found.known[other.item.pointer] = values  # type: ignore[assignment]
    found.used[first.at], found.used[second.at] = other.item.pointer, last.item.pointer


def _lead_on(
    form: OperationForm, other: Form, taken: Mapping[tuple[str, ...], SaidValue], found: Assignment
) -> None:
    """What something goes to is not what the path leads through: `toProjectId` for the project of `move issue 5 to project 7`."""
    if found.has(other.item.pointer) or other.own.isdisjoint(_targets()):
        return
    for pointer, one in taken.items():
        place = form.forms[form.by_pointer[pointer]]
        is_led = one.value.preposition in _LEADING and own_noun(one) in other.names
        is_led &= pointer in found.known and pointer not in found.more
        if (
            place.item.location != "path"
            or not is_led
            or (value := typed(other, one.value)) in (MISSING, None)
        ):
            continue
        del found.known[pointer]
        found.known[other.item.pointer], found.used[one.at] = value, other.item.pointer  # type: ignore[assignment]
        return


def _go_back_to_source(last: Form, other: Form, said: Sequence[SaidValue], found: Assignment) -> None:
    """The path holds what is led to by `from`, where what it would go to stands there: `transfer 50 from budget A-1 to A-2`."""
    is_target = words(other.item.name)[0] in _LEADING or not other.own.isdisjoint(_targets())
    if found.has(other.item.pointer) or not is_target:
        return
    there = next((one for one in said if one.local and found.used.get(one.at) == last.item.pointer), None)
    if there is None or there.value.preposition not in _LEADING or last.item.pointer in found.more:
        return
    sources = [
        one
        for one in said
        if one.local
        and one.at not in found.used
        and one.value.preposition == "from"
        and one.value.kind is there.value.kind
        and may_be_id(one.value)
    ]
    if len(sources) != 1:
        return
    values = typed(last, sources[0].value), typed(other, there.value)
    if MISSING in values or None in values:
        return
    found.known[last.item.pointer], found.known[other.item.pointer] = values  # type: ignore[assignment]
    found.used[sources[0].at], found.used[there.at] = last.item.pointer, other.item.pointer


def _sources() -> frozenset[str]:
    return stems(*table("inputs")["ends"]["from"].split(), *table("inputs")["joined"])


def _targets() -> frozenset[str]:
    return stems(*table("inputs")["ends"]["to"].split())
