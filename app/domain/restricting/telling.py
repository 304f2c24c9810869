"""What an answer says of a condition: the fields that tell, and what they have to be."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache

from pydantic import JsonValue

from app.domain.filling.forms import switch_words
from app.domain.filling.members import negated_roots
from app.domain.filling.states.words import opposites
from app.domain.language.goal_words import STOP_WORDS
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
_SUBJECT = re.compile(
    r"((?:[^\s,]++\s++){1,8}?)(?:is|are|was|were|has|have|had|does|do|did|will|can|could)(?:n['\u2019]t)?\b(?=\s*+\S)",
    re.IGNORECASE,
)
"""What stands before the first auxiliary, where more follows: in `it not locked is`, from German, nothing does."""
_OF_THE = re.compile(
    r"\b(?:of|in|on|from|for|by|to|with)\s++(?:the|our|my|his|her|its|their|that|this)\s++"
    r"((?:(?!(?:is|are|was|were|has|have|had|does|do|did|will|can|could|that|which|who)\b)[\w'-]++\s*+){1,3})",
    re.IGNORECASE,
)
"""A thing behind a preposition."""
_SOME_NOT = re.compile(
    r"\b(?:that|which|who|any|some|an?|one|there (?:is|are))\b.{0,80}?(?:\bnot\b|n['\u2019]t\b)",
    re.IGNORECASE,
)
"""Something that is not so: `an invoice that isn't paid`, which is another thing than no invoice that is."""
_BEFORE = 3
"""Words before a number that say how it is compared: `no more than`."""
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
    words: frozenset[str] = frozenset()
    """Stems of the words of the condition that it says."""


@dataclass(frozen=True, slots=True)
class ConditionPart:
    """What stands between the conjunctions of a condition."""

    said: frozenset[str]
    """Its stems."""
    denied: frozenset[str]
    """Of these, what it denies."""
    compared: tuple[StatedValue, ...] = ()
    """Its numbers that an answer has to be above or below."""
    things: frozenset[str] = frozenset()
    """Stems of what it speaks of, and not of what that is like: (balanc, customer) of `the balance of the customer is 0`."""
    of_many: bool = False
    """Whether it says something of all of many, or denies something of some: no item of a list alone tells that."""


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
    is_either = not joints.isdisjoint(("or", "nor"))
    if is_either and (found[0].denied or "nor" in joints) and "and" not in joints:
        # `neither open nor paid`, `not open or paid`: none of them.
        return [found[0], *(replace(part, denied=part.said) for part in found[1:])], False
    return found, is_either


def _part(text: str, values: Sequence[StatedValue]) -> ConditionPart:
    stems = [stem(singular(piece)) for piece in pieces(text)]
    # `no more than 3` denies nothing.
    bare = [stem(singular(piece)) for piece in pieces(_NO_MORE.sub("", text))]
    subject = _SUBJECT.match(text)
    named = [subject[1] if subject else "", *(found[1] for found in _OF_THE.finditer(text))]
    return ConditionPart(
        frozenset(stems),
        denied_in_condition(bare),
        tuple(one for one in values if is_compared(text, one)),
        frozenset(stem(singular(piece)) for one in named for piece in pieces(one)),
        not {*table("reading")["each"]}.isdisjoint(pieces(text)) or _SOME_NOT.search(text) is not None,
    )


def is_compared(text: str, value: StatedValue) -> bool:
    """Whether a number of a condition says what an answer has to be above or below: `if it has more than 3 members`."""
    return value.kind in _NUMBERS and bool(_comparing(text, value))


def _comparing(text: str, value: StatedValue) -> str:
    """How a number is compared: `lower` or `upper` for a bound that it is not itself, `least` or `most` for one that it is; empty if not."""
    said, number = pieces(text), pieces(value.text)[:1]
    at = said.index(number[0]) if number and number[0] in said else 0
    before = said[max(0, at - _BEFORE) : at]
    lists = table("values")["comparing"]
    for word in reversed(before):
        if word in (_LEAST, _MOST):
            return word
        for side in ("lower", "upper"):
            if word in lists[side].split():
                if {"no", "not"}.isdisjoint(before[:1]):
                    return side
                # `no more than 20` is at most 20.
                return _MOST if side == "lower" else _LEAST
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
        spoken: Stems of the things that it speaks of.
    """
    said, denied = part.said, part.denied
    spoken = spoken | part.things
    if part.compared:
        return _told_number(index, at, part, text)
    for field in _telling_fields(index, at, said):
        if part.of_many and ITEM in field.pointer:
            continue
        path, members = json_pointer(field.pointer), [one for one in field.enum if isinstance(one, str)]
        for member in members if len(members) > 1 else ():
            key = frozenset(stem(word) for word in words(member))
            if not key or key <= STOP_WORDS:
                continue
            if key <= said and not key <= spoken:
                return Told(path, member, is_opposite=not key.isdisjoint(denied), words=key)
            # `it is still unpaid`, where a document knows what is paid.
            unlike = next((word for word in said if len(key) == 1 and key <= {*negated_roots(word)}), None)
            if unlike is not None and ITEM not in field.pointer:
                return Told(path, member, is_opposite=unlike not in denied, words=frozenset((unlike,)))
        if not members and (own := switch_words(field.name)):
            # `if it has no forks` is no question of what each fork is.
            known = spoken if ITEM in field.pointer else part.things
            if frozenset(own) <= said and not frozenset(own) <= known:
                return Told(path, True, is_opposite=not denied.isdisjoint(own), words=frozenset(own))
            if len(own) == 1 and (other := opposites().get(own[0], frozenset()) & said):
                return Told(path, False, is_opposite=not denied.isdisjoint(other), words=other)
    return None


def _told_number(index: PlanIndex, at: int, part: ConditionPart, text: str) -> Told | None:
    """The only number of an answer that has the name of what a condition compares: `/comments` for `more than 3 comments`.

    Amounts and measures are left out: an answer may count them in another unit.
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
    for field in index.operation(at).answer.fields:
        others = (part for part in field.pointer[:-1] if part != ITEM and not is_envelope(part))
        if len(field.pointer) > _DEEPEST or any(
            _is_other_thing(index, traits.tool.server, part, own) for part in others
        ):
            continue
        if field.type == "boolean" or any(isinstance(one, str) for one in field.enum):
            yield field
        elif field.type == "string" and not field.enum and (enum := _set_enum(index, at, field.name)):
            yield replace(field, enum=enum)


def _set_enum(index: PlanIndex, at: int, name: str) -> tuple[str | int | float | bool, ...]:
    """The members of an input of this name of a change to the things that a call reads; empty without one."""
    traits = index.traits[at]
    # The last that a document names counts.
    return next(
        (
            item.enum
            for other in reversed(index.updates_of(traits.tool.server, traits.resource))
            for item in reversed(index.operation(other).inputs)
            if item.enum and item.type == "string" and item.name == name
        ),
        (),
    )


def _is_other_thing(index: PlanIndex, server: str, name: str, own: AbstractSet[str]) -> bool:
    """Whether a property holds another thing than a call is about."""
    stems = [stem(singular(word)) for word in words(name)]
    return bool(stems) and own.isdisjoint(stems) and index.is_thing((server,), stems[-1])


def leaves_out(part: ConditionPart, field: Told, spoken: AbstractSet[str]) -> bool:
    """Whether a part of a condition says more than a field does: `it was closed as not planned`, of a state `closed`.

    Args:
        part: Of the condition.
        field: What an answer says of it.
        spoken: Stems of things that it speaks of, and of its values.
    """
    return field.said_by is None and bool(part.said - part.things - field.words - spoken - saying_nothing())


@cache
def saying_nothing() -> frozenset[str]:
    """Stems of words by which a condition says nothing of what it asks: `if nobody has it yet`."""
    reading = table("reading")
    lists = (
        "statement_subjects",
        "anybody",
        "everybody",
        "since_when",
        "auxiliaries",
        "pronouns",
        "membership",
    )
    return STOP_WORDS | {stem(piece) for name in lists for word in reading[name] for piece in pieces(word)}
