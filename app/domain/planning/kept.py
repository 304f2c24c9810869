"""What a change has to send though it is to stay as it is: it is read from the thing itself."""

from collections.abc import Callable, Iterator

from app.domain.choosing.targets import PlanTarget
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import Requirement
from app.domain.planning.closure import LIKELY, MAX_ADDED, Closure
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.lookups import named_edge
from app.domain.planning.operations import is_envelope
from app.domain.schemas.tool_schemas import ITEM, Input
from app.domain.schemas.walk import json_pointer

_WHOLE = "body"
"""What the only input is called that is the whole of a body."""


def fill_kept(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    target: PlanTarget,
    *,
    is_banned: Callable[[int], bool],
    looked_up: bool,
) -> None:
    """Fill what a change requires and the goal leaves with what the thing has: the subject of a template that is renamed.

    PUT replaces all of a thing with what is sent (RFC 9110, section 9.3.4). What a list gives in which the thing was looked
    up comes from its item there; else the call that reads the thing is added.

    Args:
        index: The catalogue.
        context: The goal.
        closure: The plan so far.
        target: The change.
        is_banned: Whether the goal forbids a call.
        looked_up: Whether what identifies the thing has been looked up already; else only what the goal says is known.
    """
    form = index.form(target.at)
    found = context.assigned(target.number, target.at, form)
    # What state a thing is in may be what is to be changed.
    body = [one.item for one in form.forms if one.item.location == "body" and not one.is_state]
    if index.traits[target.at].kind is not OperationKind.UPDATE or not any(
        found.has(item.pointer) for item in body
    ):
        return
    left = [
        item
        for item in body
        if item.required
        and not item.is_container
        and ITEM not in item.pointer
        and not found.has(item.pointer)
        and (target.at, item.parameter) not in closure.filled
    ]
    places = [one.item for one in form.forms if one.item.location == "path"]
    if not left or not (looked_up or all(found.has(item.pointer) for item in places)):
        return
    for item, producer, edge in [*_of_item(index, closure, target.at, left)]:
        closure.filled[target.at, item.parameter] = (producer, edge)
    reading = index.reading_of(target.at)
    if reading is None or is_banned(reading):
        return
    fields = _fields(index, reading)
    for item in left:
        field = fields.get(_within(item))
        if (target.at, item.parameter) in closure.filled or field is None:
            continue
        edge = named_edge(index, target.at, reading, item, field, LIKELY)
        if reading in closure.members:
            closure.filled[target.at, item.parameter] = (reading, edge)
        elif len(closure.added) < MAX_ADDED:
            closure.add(target.at, item.parameter, (reading, edge))
            _lead_to_it(index, closure, target.at, reading)


def _of_item(
    index: PlanIndex, closure: Closure, at: int, left: list[Input]
) -> Iterator[tuple[Input, int, Requirement]]:
    """What the list gives in which the thing was looked up that a change is of."""
    last = index.operation(at).ends_with_parameter
    named = next((item for item in index.operation(at).inputs if item.name == last and last), None)
    source = closure.filled.get((at, named.parameter)) if named is not None else None
    if source is None or f"/{ITEM}/" not in source[1].field:
        return
    producer, looked_up = source
    begin = looked_up.field.rpartition("/")[0]
    given = {json_pointer(output.pointer) for output in index.operation(producer).answer.fields}
    for item in left:
        if (field := f"{begin}{json_pointer(_within(item))}") in given:
            yield item, producer, named_edge(index, at, producer, item, field, LIKELY)


def _within(item: Input) -> tuple[str, ...]:
    """Where an input stands in the thing that is sent."""
    return item.pointer[item.pointer[0] == _WHOLE :]


def _fields(index: PlanIndex, reading: int) -> dict[tuple[str, ...], str]:
    """Place in a thing -> JSON pointer of the scalar that an answer holds there, by itself or in an envelope: `/data/name`."""
    found: dict[tuple[str, ...], str] = {}
    for output in sorted(index.operation(reading).answer.fields, key=lambda one: len(one.pointer)):
        if ITEM not in output.pointer:
            is_wrapped = len(output.pointer) > 1 and is_envelope(output.pointer[0])
            found.setdefault(output.pointer[is_wrapped:], json_pointer(output.pointer))
    return found


def _lead_to_it(index: PlanIndex, closure: Closure, at: int, reading: int) -> None:
    """Have the call that reads a thing find it as the change of it does."""
    for item in index.operation(reading).inputs:
        if item.location == "path" and (at, item.parameter) in closure.filled:
            closure.filled[reading, item.parameter] = closure.filled[at, item.parameter]
