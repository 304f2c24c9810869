"""What the planner's index keeps of a tool, as terms by field."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag, auto
from itertools import pairwise

from app.domain.choosing.recipe import RECIPE
from app.domain.filling.forms import is_dated, says_cents
from app.domain.filling.states.words import states_of
from app.domain.language.goal_words import STOP_WORDS
from app.domain.language.identifiers import ID_WORDS, pieces, singular, words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.indexed.id_shapes import id_starts, key_nouns
from app.domain.planning.operations import Operation
from app.domain.planning.traits import traits_of
from app.domain.ranking.documents import ANALYSED_CHARS

FIELDS = RECIPE.fields
NAMING = tuple(at for at, field in enumerate(FIELDS) if field in ("name", "path"))
"""Places of the fields whose words may be written together of two."""
_DESCRIPTION_CHARS = 500
_PARAMETERS = 25
_OUTPUTS = 40
_OUTPUTS_LOOKED_AT = 200
_OUTPUT_DEPTH = 3
_VALUES = 40
_SHORTEST_PART = 3
# A tag is no longer than this; without a bound, each `<` would be read to the end.
_MARKUP = re.compile(r"<[^>]{1,500}+>")
_PARAMETER = re.compile(r"\{[^{}]*+\}")


class Fact(IntEnum):
    """What is looked up by a term: the tools that have it."""

    RESOURCE = 0
    """Stems of what the call is about."""
    MADE = auto()
    """What a call makes, its words joined."""
    TAKES = auto()
    """Stems of names of inputs, of calls that change something."""
    BEGINS = auto()
    """Names of these inputs, but for switches, their words joined; how those of dates begin, as stems, and whose id one is:
    `return date` for `returnDate`, `owner id` for `ownerId`."""
    WORD = auto()
    """Stems of words of the name, path, title and inputs."""
    OPENS = auto()
    """The stem of the first word of the title."""
    PLACE = auto()
    """Stems of what stands before parameters in the path: (issu,) for `/issues/{number}`."""
    STATE = auto()
    """States that the call can set, the stems of each joined by spaces."""
    CLASS = auto()
    """Numbers of the groups of verbs that mean the same."""
    KEY = auto()
    """Nouns of ids such as `TEST-123`, as often as they are said."""
    START = auto()
    """Capital letters, or a prefix, that ids begin with, and the noun of these."""
    LITERAL = auto()
    """Literals of the path that may name a resource."""
    NEEDS = auto()
    """Required inputs, the words of each joined by spaces."""
    LEADS = auto()
    """Stems of the literals of the path."""
    CENTS = auto()
    """`CENTS` where an amount counts the smallest unit of a currency."""


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """The terms of one tool."""

    texts: tuple[Sequence[str], ...]
    """Stems by field of BM25F, but for the parts of words that are written together."""
    written: tuple[Sequence[str], ...]
    """The words of each of the `NAMING` fields."""
    facts: tuple[Sequence[str], ...]
    """By `Fact`."""
    kind: OperationKind
    mutating: bool
    categories: tuple[str, ...]
    """Those that a taxonomy or document puts the tool in itself."""
    lends: int
    """What tools on the same path take from it: `Lends`."""


class Lends(IntFlag):
    """What a tool has to do with others on its path."""

    VALUES = 1
    """It says values that are read there (`said_values`)."""
    BODY = 2
    """A PUT: a PATCH there may borrow its body."""
    BORROWS = 4
    """It is a PATCH."""


_METHODS = {"PUT": Lends.BODY, "PATCH": Lends.BORROWS}


def facts_of(operation: Operation, *, whole: Operation, values: Sequence[str]) -> PlanFacts:
    """The terms of a tool.

    Args:
        operation: The tool.
        whole: With the body that it borrows (`operations.with_body_of`).
        values: What can be said on its path (`said_values`).
    """
    tool, traits = operation.tool, traits_of(operation)
    texts = _texts(operation, values)
    mutating = traits.mutating
    setting = not whole.safe and whole.kind is not OperationKind.DELETE
    found: dict[Fact, Iterable[str]] = {
        Fact.RESOURCE: traits.resource,
        Fact.MADE: [stem("".join(singular(word) for word in operation.resource))]
        if mutating and traits.kind is OperationKind.CREATE
        else (),
        Fact.TAKES: {
            stem(word)
            for item in operation.inputs
            if len(item.pointer) < _OUTPUT_DEPTH
            for word in words(item.name)
        }
        if mutating
        else (),
        Fact.BEGINS: _beginnings(operation) if mutating else (),
        Fact.WORD: {
            stem(piece) for text in (tool.name, texts[NAMING[1]], tool.title) for piece in pieces(text)
        }
        | {stem(word) for item in operation.inputs for word in pieces(item.name)},
        Fact.OPENS: [stem(word) for word in pieces(tool.title)[:1] if word not in STOP_WORDS],
        Fact.PLACE: {
            stem(singular(pieces(literal.text)[-1]))
            for literal, behind in pairwise(operation.segments)
            if literal.is_noun and behind.is_parameter and pieces(literal.text)
        },
        Fact.STATE: {" ".join(state) for state in states_of(whole.inputs)} if setting else (),
        Fact.CLASS: map(str, traits.verb_classes),
        Fact.KEY: key_nouns(operation),
        Fact.START: {f"{start} {noun}" for start, noun in id_starts(operation)},
        Fact.LITERAL: {segment.text for segment in operation.segments if segment.is_noun},
        Fact.NEEDS: traits.required,
        Fact.LEADS: traits.path_words,
        Fact.CENTS: [Fact.CENTS.name] if any(says_cents(item) for item in operation.inputs) else (),
    }
    return PlanFacts(
        texts=tuple(text_terms(text) for text in texts),
        written=tuple(pieces(texts[at]) for at in NAMING),
        facts=tuple(sorted(found[fact]) for fact in Fact),
        kind=traits.kind,
        mutating=mutating,
        categories=tool.categories,
        lends=_METHODS.get(tool.method, Lends(0))
        | (Lends.VALUES if tool.path and said_values([operation]) else Lends(0)),
    )


def _beginnings(operation: Operation) -> set[str]:
    """`Fact.BEGINS` of a call that changes something."""
    found: set[str] = set()
    for item in operation.inputs:
        if len(item.pointer) >= _OUTPUT_DEPTH or item.is_container or item.type == "boolean":
            continue
        whole = words(item.name)
        name = [stem(word) for word in whole]
        found.add("".join(map(singular, whole)))
        if len(whole) > 1 and whole[-1] in ID_WORDS:
            found.add(f"{''.join(map(singular, whole[:-1]))} id")
        if is_dated(item):
            found |= {f"{''.join(name[:most])} date" for most in range(1, len(name) + 1)}
    return found


def text_terms(text: str) -> list[str]:
    """Stems of the words of a tool's text; single letters go, single digits stay."""
    return [stem(piece) for piece in pieces(text) if len(piece) > 1 or piece.isdigit()]


def word_parts(word: str, is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """Stems of the two words that one is written together of: (work, log) for `worklog`; none for other words."""
    return next(all_word_parts(word, is_known), ())


def all_word_parts(word: str, is_known: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Every way to read a word as two: the first one counts."""
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        first = word[:at]
        if is_known(first) and stem(first) == first and is_known(second := stem(word[at:])):
            yield (first, second)


def said_values(operations: Iterable[Operation]) -> tuple[str, ...]:
    """Members of the enums that the calls on one path take: what can be said there may be read there."""
    found: dict[str, None] = {}
    for operation in operations:
        for item in operation.inputs:
            if item.location == "body" and len(item.pointer) < _OUTPUT_DEPTH:
                for member in item.enum:
                    if isinstance(member, str) and len(found) < _VALUES:
                        found[member] = None
    return tuple(found)


def _texts(operation: Operation, values: Sequence[str]) -> tuple[str, ...]:
    tool = operation.tool
    outputs: dict[str, None] = {}
    for field in operation.answer.fields[:_OUTPUTS_LOOKED_AT]:
        if len(field.pointer) - field.pointer.count("*") <= _OUTPUT_DEPTH and len(outputs) < _OUTPUTS:
            outputs[field.name] = None
    return (
        tool.name if operation.name_words else "",
        _PARAMETER.sub(" ", tool.path),
        tool.title,
        " ".join(tool.categories),
        _MARKUP.sub(" ", tool.description.removeprefix(tool.title)[:ANALYSED_CHARS])[:_DESCRIPTION_CHARS],
        " ".join(item.name for item in operation.inputs[:_PARAMETERS]),
        " ".join(outputs),
        " ".join(values),
    )
