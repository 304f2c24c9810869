"""The tools that fit a request. What is None is absent from the JSON."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, TypeAdapter


class Role(StrEnum):
    """Why a tool is in an answer."""

    MATCH = "match"
    """It fits the request."""
    PREREQUISITE = "prerequisite"
    """A match needs it, directly or through others."""


class ReasonKind(StrEnum):
    """What added to a score."""

    WORD = "word"
    """A word of the query in a field of the tool's document."""
    NAME = "name"
    """The share of the tool's name that the query says."""
    INTENT = "intent"
    """What the query wants done against what the tool does; may be below 0."""
    OBJECT = "object"
    """That the tool works on what the query is about."""
    RESOURCE = "resource"
    """The share of what the tool's path names that the query says."""
    METHOD = "method"
    """A method that the query's words found and that the tool implements."""
    NEIGHBOUR = "neighbour"
    """A method that is similar to, or enhanced by, one that the words found."""
    TEMPLATE = "template"
    """A template that the words found and that uses the tool."""
    CONCEPT = "concept"
    """A concept that the words found and that is related to a method of the tool."""
    MEANING = "meaning"
    """How close request and tool are in meaning, by their vectors."""
    NEED = "need"
    """How close the tool is to one of the things that are asked for, by its vector; the best by words, graph and servers counts as the
    closest."""
    SERVER = "server"
    """How well the tool's server as a whole fits."""
    FEEDBACK = "feedback"
    """Words of the best tools, added to the query."""
    PLACE = "place"
    """Where all that is known of the first tools put this one; adds nothing to its score."""
    RERANKER = "reranker"
    """Where a re-ranker put the tool; adds nothing to its score."""
    UNREVIEWED = "unreviewed"
    """Nobody has reviewed the tool: a baseline alone accepted what is said of it. Adds nothing, and stands first."""


class NearReason(StrEnum):
    """Why a tool is offered though nothing fits."""

    OUTSIDE_FILTERS = "outside_filters"
    SIMILAR_NAME = "similar_name"


@dataclass(frozen=True, slots=True)
class WhyStep:
    """A node on the way to the tool, and the kind of edge that leaves it."""

    id: str
    name: str
    edge: Annotated[str, Field(examples=["IMPLEMENTS"])]


@dataclass(frozen=True, slots=True)
class Why:
    """One part of a score; the parts of a tool add up to its score."""

    kind: ReasonKind
    contribution: float
    word: Annotated[str | None, Field(description="The word as the query has it.")] = None
    term: Annotated[str | None, Field(description="What the word was looked up as.")] = None
    fields: Annotated[
        tuple[str, ...] | None,
        Field(description="Where the term stands in the tool's texts, the field that counts most first."),
    ] = None
    path: Annotated[
        tuple[WhyStep, ...] | None,
        Field(
            description="The way through the graph, from what the words found to the node before the tool."
        ),
    ] = None
    detail: Annotated[str | None, Field(description="What the number was made of, in words.")] = None


@dataclass(frozen=True, slots=True)
class LexiconWord:
    """A word of a request that the lexicon says something of."""

    word: Annotated[
        str, Field(description="As the request has it, in lower case; a country as it stands there.")
    ]
    list: Annotated[
        str, Field(examples=["en.aliases"], description="The list that has it (docs/lexicon.md).")
    ]
    reads: Annotated[
        str | None,
        Field(
            description="What it is read as; of a verb, the actions that it asks for. Absent: it counts less, or not."
        ),
    ] = None
    yours: Annotated[bool, Field(description="From the file that OUTFITTER_LEXICON names.")] = False


@dataclass(frozen=True, slots=True)
class FoundTool:
    """A tool that fits."""

    id: Annotated[str, Field(examples=["payments/refund_charge"])]
    server: Annotated[str, Field(description="Empty when only a taxonomy names the tool.")]
    name: str
    title: str
    description: str
    score: Annotated[float, Field(description="Compares within one answer only.")]
    role: Annotated[Role, Field(description="`match`: it fits. `prerequisite`: a match needs it.")]
    needed_by: Annotated[
        str | None, Field(description="Of a tool that another one of the answer needs: that one's id.")
    ] = None
    parameter: Annotated[
        str | None,
        Field(description="The input of `needed_by` that it can fill; absent when it merely comes first."),
    ] = None
    input_schema: Annotated[
        dict[str, Any] | None, Field(description="With `schemas`; absent when none is known.")
    ] = None
    why: Annotated[
        tuple[Why, ...] | None,
        Field(
            description="With `explain`; largest contribution first. That nobody has reviewed the tool stands before all."
        ),
    ] = None
    declared: Annotated[bool, Field(exclude=True)] = False
    """A taxonomy names the tool; no server has brought it. Only tables say so."""


@dataclass(frozen=True, slots=True)
class NearbyTool:
    """A tool that does not answer the request but may be what was meant."""

    id: str
    name: str
    description: str
    reason: NearReason
    similarity: Annotated[float, Field(description="Of the names, 0 to 1; 1 for tools outside the filters.")]


@dataclass(frozen=True, slots=True)
class TokenSaving:
    """Estimate: bytes of the tools' definitions as compact JSON, divided by 4, rounded up."""

    catalogue: Annotated[int, Field(description="All tools in a prompt.")]
    returned: Annotated[int, Field(description="This answer's tools.")]
    saved: Annotated[int, Field(description="`catalogue` - `returned`.")]


Nearest = Annotated[
    tuple[NearbyTool, ...], Field(description="Where no tool scores above 0: what may have been meant.")
]
LexiconWords = Annotated[
    tuple[LexiconWord, ...] | None,
    Field(description="With `explain`, of `auto`: which words of the lexicon took part."),
]
Confidence = Annotated[
    float | None,
    Field(
        description="How sure it is that one of the tools does what is asked for, 0 to 1, by `auto`; absent where"
        " no common taxonomy is there to compare with, or a taxonomy of yours says what tools do."
    ),
]
Abstained = Annotated[
    bool,
    Field(
        description="No tool that the filters allow fits: none scores above 0, `confidence` is below 0.37 and"
        " the tools are only the nearest ones."
    ),
]
Notes = Annotated[
    tuple[str, ...] | None,
    Field(description="What this answer had to do without, such as an encoder that did not answer in time."),
]
Generation = Annotated[int, Field(description="The generation of the graph that this answer comes from.")]


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """The tools that fit, best first."""

    tools: tuple[FoundTool, ...]
    abstained: Abstained
    nearest: Nearest
    tokens: TokenSaving
    generation: Generation
    took_ms: float
    confidence: Confidence = None
    lexicon: LexiconWords = None
    notes: Notes = None
    from_graph: Annotated[bool, Field(exclude=True)] = True
    """False when the snapshot gave the graph's scores: the graph was at work, away, or of another generation."""


@dataclass(frozen=True, slots=True)
class MatchEntry:
    """Why a tool is in the answer; the tool itself is in `tools`."""

    id: str
    score: Annotated[float, Field(description="Compares within one query only.")]
    role: Role
    needed_by: str | None = None
    parameter: str | None = None
    why: tuple[Why, ...] | None = None


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What one of several queries found."""

    query: str
    matches: Annotated[tuple[MatchEntry, ...], Field(description="Best first.")]
    abstained: bool
    nearest: tuple[NearbyTool, ...]
    confidence: Confidence = None
    lexicon: LexiconWords = None
    notes: Notes = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormattedAnswer:
    """The tools that fit, best first, in the form that was asked for."""

    tools: Annotated[
        Sequence[Any],
        Field(
            description="In the form asked for. Of several queries: each tool once; the best of each query first."
        ),
    ]
    names: Annotated[
        dict[str, str] | None,
        Field(description="Tool id by the name that a provider's form gives it; absent in the other forms."),
    ] = None
    arguments: Annotated[
        dict[str, dict[str, str]] | None,
        Field(
            description="By a tool's name in a provider's form: the tool's own name of each argument that has another"
            " one there. Absent where none has."
        ),
    ] = None
    definitions: Annotated[
        Sequence[dict[str, Any]] | None,
        Field(
            description="With `anthropic_tool_reference`: what the references name, for `tools` of the next request."
        ),
    ] = None
    matches: Annotated[
        tuple[MatchEntry, ...] | None,
        Field(description="Scores and reasons, where `tools` cannot hold them."),
    ] = None
    lexicon: LexiconWords = None
    notes: Notes = None
    confidence: Confidence = None
    answers: Annotated[
        tuple[PartAnswer, ...] | None,
        Field(description="Of several queries: what each found, in their order."),
    ] = None
    abstained: Abstained
    nearest: Nearest
    tokens: TokenSaving
    generation: Generation
    took_ms: float


_query = TypeAdapter(QueryAnswer)
_formatted = TypeAdapter(FormattedAnswer)
_tool = TypeAdapter(FoundTool)


def answer_json(answer: QueryAnswer | FormattedAnswer, begin: float) -> bytes:
    """An answer as it is sent; `begin` is when the request came, by `time.perf_counter`."""
    timed = replace(answer, took_ms=milliseconds_since(begin))
    if isinstance(timed, QueryAnswer):
        return _query.serializer.to_json(timed, exclude_none=True)
    return _formatted.serializer.to_json(timed, exclude_none=True)


def own_document(tool: FoundTool) -> dict[str, Any]:
    """A tool as an answer has it, for answers whose tools may have any form."""
    found: dict[str, Any] = _tool.dump_python(tool, mode="json", exclude_none=True)
    return found


def milliseconds_since(begin: float) -> float:
    """Milliseconds since `begin`, by `time.perf_counter`."""
    return round(1000 * (time.perf_counter() - begin), 3)
