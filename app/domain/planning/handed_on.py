"""What a task of the caller hands on to one that comes after it, where both call it the same: the `uri` of what is added to a queue."""

from collections.abc import Sequence
from functools import cache

from app.domain.choosing.targets import PlanTarget
from app.domain.filling.forms import Form
from app.domain.language.identifiers import ID_WORDS, pieces, singular, words
from app.domain.language.text import stem
from app.domain.planning.closure import LIKELY, Closure
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.lookups import fill_from
from app.domain.planning.operations import is_envelope
from app.domain.schemas.tool_schemas import ITEM, Output
from app.domain.schemas.walk import json_pointer

_SHALLOW = 2
"""Members of a JSON pointer, from which on an input is of a part of the body."""
_DEEPEST = 4
"""Members of a JSON pointer to a field of a thing in a list within an envelope: `/albums/items/*/uri`."""


def fill_handed_on(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    target: PlanTarget,
    earlier: Sequence[PlanTarget],
) -> None:
    """Fill what stands open from a read that the caller puts before the task, and of whose thing the task speaks.

    Documents have no edge for it where neither the input nor the field says which thing it is of.
    """
    said = {*context.words[target.number].stems}
    for found in earlier:
        words_of = context.words[found.number]
        things = (words_of.object,) if words_of.object else words_of.nouns
        thing = next((noun for noun in things if noun in said), "")
        named = {number + 1 for number in found.numbers}
        if (
            not thing
            or not index.traits[found.at].safe
            or named.isdisjoint(context.tasks[target.number].after)
            or closure.depends_on(target.at, found.at)
        ):
            continue
        fields = [
            (one, field)
            for one in _open(index, context, closure, target, thing)
            if (field := _field(index, found.at, one, thing))
        ]
        for one, field in fields:
            # Some calls take the same in their query and in their body.
            if one.name_stems == fields[0][0].name_stems:
                fill_from(index, closure, target.at, found.at, one.item, field, LIKELY)


def _open(
    index: PlanIndex, context: GoalContext, closure: Closure, target: PlanTarget, thing: str
) -> list[Form]:
    """Inputs that identify something and that nothing fills: required ones first, then those that are said to be of a thing."""
    form = index.form(target.at)
    assigned = context.assigned(target.number, target.at, form)
    found = [
        one
        for one in form.forms
        if {*one.name_stems[-1:]} <= _identifying()
        and len(one.item.pointer) - (one.item.pointer[0] == form.whole) < _SHALLOW
        and one.item.location in ("path", "query", "body")
        and not assigned.has(one.item.pointer)
        and _is_open(closure, target.at, one)
    ]
    return sorted(found, key=lambda one: (not one.item.required, not _says(one, thing)))


def _is_open(closure: Closure, at: int, one: Form) -> bool:
    """Whether nothing fills an input, or only a step that fills another one already: a playlist is not its own track."""
    filled = closure.filled.get((at, one.item.parameter))
    return filled is None or any(
        (consumer, producer) == (at, filled[0]) and parameter != one.item.parameter
        for (consumer, parameter), (producer, _) in closure.filled.items()
    )


@cache
def _identifying() -> frozenset[str]:
    return frozenset(map(stem, ID_WORDS))


def _says(one: Form, thing: str) -> bool:
    return thing in {stem(singular(piece)) for piece in pieces(one.item.description)}


def _field(index: PlanIndex, at: int, one: Form, thing: str) -> str:
    """JSON pointer to what an answer calls as an input is called: of the thing itself, where it holds several kinds."""
    # `location_id` takes the `id` of a location, and `context_uri` the `uri` of an album, of which it says so.
    is_of = one.name_stems[:-1] == (thing,) or _says(one, thing)
    names = {one.name_stems} | ({one.name_stems[-1:]} if is_of else set())
    same = [
        field
        for field in index.operation(at).answer.fields
        if tuple(map(stem, words(field.name))) in names and len(field.pointer) <= _DEEPEST
    ]
    return json_pointer(min(same, key=lambda field: _distance(field, thing)).pointer) if same else ""


def _distance(field: Output, thing: str) -> tuple[bool, bool, int]:
    """How far a field is from being that of a thing: `/albums/items/*/uri` of an album, or `/item/uri`."""
    parents = [part for part in field.pointer[:-1] if part != ITEM]
    is_of = any(stem(singular(part)) == thing for part in parents)
    return not is_of, not all(map(is_envelope, parents)), len(field.pointer)
