"""What an earlier answer has to say before a step runs, as far as it can be said."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from app.domain.filling.forms import SPOKEN_IDS
from app.domain.planning.index import PlanIndex
from app.domain.reading.models import StatedValue
from app.domain.restricting.checks import Check
from app.domain.restricting.telling import Told
from app.domain.schemas.tool_schemas import ITEM
from app.domain.schemas.walk import json_pointer
from app.domain.workflows.plans import When

Known = Mapping[tuple[str, ...], JsonValue]
"""What a call is given, by pointer."""


def whens_of(
    index: PlanIndex, check: Check, *, step: int, read: Known, changed: Known, taken: Sequence[StatedValue]
) -> tuple[tuple[When, ...], bool]:
    """A condition in terms of the answer of the read that tells, and whether that is all that it says.

    Args:
        index: The catalogue.
        check: The condition.
        step: Of the read, from 1.
        read: What the read is given.
        changed: What the call is given that depends on it.
        taken: The values that either takes.
    """
    told = check.told or tuple(_told_by_list(index, check, read, changed))
    if not _is_of_thing(index, check, read, changed):
        # Some room is out of service, whichever is meant.
        told = tuple(one for one in told if "*" not in one.path.split("/") and one.value != [])
    said = {one.start for one in taken} | {one.said_by.start for one in told if one.said_by is not None}
    is_whole = bool(told) and (check.is_whole or not check.told)
    is_whole = is_whole and all(one.weak or one.start in said for one in check.condition.values)
    return tuple(_when(one, step, negated=check.condition.negated) for one in told), is_whole


def _when(told: Told, step: int, *, negated: bool) -> When:
    if negated == told.is_opposite:
        return When(step=step, path=told.path, op=told.op, value=told.value)
    if told.op == "eq":
        return When(step=step, path=told.path, op="ne", value=told.value)
    # The opposite of more than 5 is less than 6.
    number = told.value if isinstance(told.value, int) else 0
    if told.op == "gt":
        return When(step=step, path=told.path, op="lt", value=number + 1)
    return When(step=step, path=told.path, op="gt", value=number - 1)


def _told_by_list(index: PlanIndex, check: Check, read: Known, changed: Known) -> Iterator[Told]:
    """That a list holds what a change adds to it, or that there is something in it at all."""
    if check.at is None:
        return
    fields = index.operation(check.at).answer.fields
    if check.is_membership:
        # In the list of team 7 everybody is of team 7.
        of_all = _in_path(index, check.at, read)
        form = index.form(check.target)
        for one in form.forms:
            value = changed.get(one.item.pointer)
            is_name = one.may_identify or one.item.name.lower() in SPOKEN_IDS
            if not is_name or value in of_all or not isinstance(value, str | int):
                continue
            found = next(
                (field for field in fields if field.name == one.item.name and field.pointer.count(ITEM) == 1),
                None,
            )
            if found is not None:
                yield Told(json_pointer(found.pointer), value, is_opposite=check.denies)
                return
    lists = {one.pointer[: one.pointer.index(ITEM)] for one in fields if ITEM in one.pointer}
    if check.is_existence and len(lists) == 1:
        yield Told(json_pointer(next(iter(lists))), [], is_opposite=not check.denies)


def _in_path(index: PlanIndex, at: int, known: Known) -> list[JsonValue]:
    """What a call is given for the parameters of its path."""
    places = (one.pointer for one in index.operation(at).inputs if one.location == "path")
    return [known[pointer] for pointer in places if pointer in known]


def _is_of_thing(index: PlanIndex, check: Check, read: Known, changed: Known) -> bool:
    """Whether a list is asked for by what is changed or named in the condition, if either is anything."""
    things = [*_in_path(index, check.target, changed), *(one.value for one in check.condition.values)]
    return check.is_membership or not things or any(value in things for value in read.values())
