"""What an answer says of a condition: the fields that tell, and what they have to be."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pydantic import JsonValue

from app.domain.filling.forms import switch_words
from app.domain.filling.members import negated_roots
from app.domain.filling.states import opposites
from app.domain.language.identifiers import pieces, singular, words
from app.domain.language.negation import denied_in_condition
from app.domain.language.text import stem
from app.domain.planning.index import PlanIndex
from app.domain.planning.operations import is_envelope
from app.domain.reading.models import GoalCondition, StatedValue, ValueKind
from app.domain.schemas.tool_schemas import ITEM, Output
from app.domain.schemas.walk import json_pointer
from app.domain.workflows.plans import Comparison
from app.lexicon.lists import table

_DEEPEST = 3
"""Members of the pointer to a field that tells."""
_JOINTS = re.compile(r"\b(and|or|nor)\b", re.IGNORECASE)
_COUNTING = frozenset(map(stem, ("count", "number", "num", "total", "size")))
"""Stems of words by which a field that counts things is called, beside these."""
_NUMBERS = (ValueKind.NUMBER, ValueKind.AMOUNT, ValueKind.MEASURE)
_NO_MORE = re.compile(r"\b(?:no|not)\s++(?=[a-z]++\s++than\b)", re.IGNORECASE)
_LEAST, _MOST = "least", "most"


@dataclass(frozen=True, slots=True)
class Told:
    """A field of an answer that says what a condition says."""

    path: str
    """JSON pointer into the answer."""
    value: JsonValue
    op: Comparison = "eq"
    is_opposite: bool = False
    """Whether the condition holds where the field is anything else."""
    said_by: StatedValue | None = None
    """The value of the condition that it is compared with."""


@dataclass(frozen=True, slots=True)
class ConditionPart:
    """What stands between the conjunctions of a condition."""

    said: frozenset[str]
    """Its stems."""
    denied: frozenset[str]
    """Of these, what it denies."""
    compared: tuple[StatedValue, ...] = ()
    """Its numbers that an answer has to be above or below."""


def parts_of(condition: GoalCondition) -> tuple[Sequence[ConditionPart], bool]:
    """The parts of a condition that say something, and whether one of them is enough: `it is open or has no owner`."""
    text = condition.text
    for value in condition.values:
        # `between 08:00 and 12:00` joins no clauses, and neither does a quoted text.
        text = text.replace(value.text, " " * len(value.text), 1)
    starts, joints = [0], set[str]()
    for joint in _JOINTS.finditer(text):
        if text[starts[-1] : joint.start()].strip() and text[joint.end() :].strip():
            starts.append(joint.start())
            joints.add(joint[1].lower())
    found = [
        _part(condition.text[begin:end], condition.values)
        for begin, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]
    return found, not joints.isdisjoint(("or", "nor"))


def _part(text: str, values: Sequence[StatedValue]) -> ConditionPart:
    stems = [stem(singular(piece)) for piece in pieces(text)]
    # `no more than 3` denies nothing.
    bare = [stem(singular(piece)) for piece in pieces(_NO_MORE.sub("", text))]
    return ConditionPart(
        frozenset(stems), denied_in_condition(bare), tuple(one for one in values if is_compared(text, one))
    )


def is_compared(text: str, value: StatedValue) -> bool:
    """Whether a number of a condition says what an answer has to be above or below: `if it has more than 3 members`."""
    return value.kind in _NUMBERS and value.text in text and bool(_comparing(text, value))


def _comparing(text: str, value: StatedValue) -> str:
    """How a number is compared: `lower` or `upper` for a bound that it is not itself, `least` or `most` for one that it is; empty if not."""
    before = pieces(text.partition(value.text)[0])[-3:]
    lists = table("values")["comparing"]
    for word in reversed(before):
        if word in (_LEAST, _MOST):
            return word
        for side in ("lower", "upper"):
            if word in lists[side].split():
                # `no more than 20` is at most 20.
                return (
                    side
                    if not {"no", "not"}.intersection(before[:1])
                    else _MOST
                    if side == "lower"
                    else _LEAST
                )
    return ""


def told_by(
    index: PlanIndex, at: int, part: ConditionPart, *, text: str = "", spoken: AbstractSet[str] = frozenset()
) -> Told | None:
    """The field of a call's answer that says what a part of a condition says; None where none does.

    Args:
        index: The catalogue.
        at: Position of the call.
        part: Of the condition.
        text: The condition, for its numbers.
        spoken: Stems of other things that it speaks of.
    """
    said, denied = part.said - spoken, part.denied
    if part.compared:
        return _told_number(index, at, part, text)
    for field in _telling_fields(index, at, said):
        path, members = json_pointer(field.pointer), [one for one in field.enum if isinstance(one, str)]
        for member in members:
            key = frozenset(stem(word) for word in words(member))
            if key and key <= said:
                return Told(path, member, is_opposite=not key.isdisjoint(denied))
            # `it is still unpaid`, where a document knows what is paid.
            unlike = next((word for word in said if len(key) == 1 and key <= {*negated_roots(word)}), None)
            if unlike is not None:
                return Told(path, member, is_opposite=unlike not in denied)
        if not members and (own := switch_words(field.name)):
            if frozenset(own) <= said:
                return Told(path, True, is_opposite=not denied.isdisjoint(own))
            if len(own) == 1 and (other := opposites().get(own[0], frozenset()) & said):
                return Told(path, False, is_opposite=not denied.isdisjoint(other))
    return None


def _told_number(index: PlanIndex, at: int, part: ConditionPart, text: str) -> Told | None:
    """The only number of an answer that has the name of what a condition compares: `/comments` for `more than 3 comments`.

    Amounts and measures are told by none: an answer may count them in another unit.
    """
    value = part.compared[0]
    if len(part.compared) > 1 or value.kind is not ValueKind.NUMBER or not isinstance(value.value, int):
        return None
    named = [
        field
        for field in index.operation(at).answer.fields
        if field.type == "integer"
        and len(field.pointer) <= _DEEPEST
        and ITEM not in field.pointer
        and (key := {stem(singular(word)) for word in words(field.name)} - _COUNTING)
        and key <= part.said
    ]
    if len(named) != 1 or part.denied:
        return None
    number, path = value.value, json_pointer(named[0].pointer)
    match _comparing(text, value):
        case "lower":
            return Told(path, number, "gt", said_by=value)
        case "upper":
            return Told(path, number, "lt", said_by=value)
        case "least":
            return Told(path, number - 1, "gt", said_by=value)
        case _:
            return Told(path, number + 1, "lt", said_by=value)


def _telling_fields(index: PlanIndex, at: int, said: AbstractSet[str]) -> Iterator[Output]:
    """Switches and enums of what a call answers, or of a part of it that is named: not the state of an issue's milestone.

    A text that calls about the same things take as one of several is an enum, too.
    """
    traits = index.traits[at]
    own = traits.resource | traits.path_words | said
    enums = {
        item.name: item.enum
        for other in index.of_server(traits.tool.server)
        if index.traits[other].resource == traits.resource
        for item in index.operation(other).inputs
        if item.enum and item.type == "string"
    }
    for field in index.operation(at).answer.fields:
        others = (part for part in field.pointer[:-1] if part != ITEM and not is_envelope(part))
        if len(field.pointer) > _DEEPEST or any(
            _is_other_thing(index, traits.tool.server, part, own) for part in others
        ):
            continue
        if field.type == "string" and not field.enum and field.name in enums:
            yield replace(field, enum=enums[field.name])
        elif field.type == "boolean" or any(isinstance(one, str) for one in field.enum):
            yield field


def _is_other_thing(index: PlanIndex, server: str, name: str, own: AbstractSet[str]) -> bool:
    """Whether a property holds another thing than a call is about."""
    stems = [stem(singular(word)) for word in words(name)]
    return bool(stems) and own.isdisjoint(stems) and index.is_thing((server,), stems[-1])
