"""Where a tool stands in the answer to a request, why not higher, and what would help. What is None is absent."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

from pydantic import Field, TypeAdapter

from app.answers.search import Generation, Why, milliseconds_since
from app.domain.review.records import ReviewState


class StandingCase(StrEnum):
    """Which of the cases it is; the first that fits, in this order."""

    UNKNOWN = "unknown"
    """No tool of the catalogue has this id."""
    FOUND = "found"
    """It is in the answer."""
    OUTSIDE_FILTERS = "outside_filters"
    """The filters leave it out."""
    DECLARED = "declared"
    """A taxonomy names it; no source describes it, so it has no words but those of its methods."""
    NOT_REACHED = "not_reached"
    """No word of the request stands in its texts, and no path leads to it."""
    BELOW_CUT = "below_cut"
    """It fits; others fit better."""


class RemedyKind(StrEnum):
    """What would help a tool."""

    EXAMPLE = "example"
    """The request as an example of a method that the tool implements."""
    IMPLEMENTS = "implements"
    """The tool in the `implements` of a method that brought the tools above."""
    METHOD = "method"
    """A new method of a taxonomy."""
    SOURCE = "source"
    """A source that describes the tool."""
    FILTERS = "filters"
    """Fewer filters."""


class WithheldBy(StrEnum):
    """What keeps a tool from a caller."""

    RULE = "rule"
    """Their policies: a rule denies it, or none grants it."""
    REVIEW = "review"
    """Nobody has agreed to its definition yet, or somebody blocked it."""
    OUTAGE = "outage"
    """Its sources have failed for ten minutes; it is found, and plans go without it where they can."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why a caller does not get a tool; for operators alone."""

    by: WithheldBy
    text: Annotated[str, Field(description="The same in words.")]
    rule: Annotated[
        str | None, Field(description="Id of the rule that denies it; absent: none grants it.")
    ] = None
    state: Annotated[
        ReviewState | None, Field(description="Of a tool that waits for review, or is blocked.")
    ] = None


@dataclass(frozen=True, slots=True)
class Remedy:
    """Something that would help a tool to be found."""

    kind: RemedyKind
    text: Annotated[str, Field(description="What to do, in words.")]
    method: Annotated[str | None, Field(description="The method that it is about.")] = None
    taxonomy: Annotated[
        str | None,
        Field(description="What to write in a taxonomy, as YAML: new lines of an entry, or all of it."),
    ] = None


@dataclass(frozen=True, slots=True)
class Lack:
    """What a tool above has, and this one has less of."""

    gap: Annotated[float, Field(description="How much more the tool above has of it.")]
    tool: Annotated[str, Field(description="The tool above that has most of it.")]
    why: Annotated[Why, Field(description="The part, as that tool has it.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStanding:
    """Where one tool stands."""

    id: str
    case: Annotated[
        StandingCase,
        Field(
            description="`found`: it is in the answer. Else the first that fits: `unknown`: no tool has this id."
            " `outside_filters`: see `filters`. `declared`: only a taxonomy names it. `not_reached`: no word of the"
            " request and no path leads to it. `below_cut`: others fit better, see `lacks`."
        ),
    ]
    place: Annotated[
        int | None,
        Field(description="From 1, among the tools that the filters allow; absent: it has no score."),
    ] = None
    score: Annotated[float, Field(description="Compares within one answer only.")] = 0.0
    why: Annotated[tuple[Why, ...], Field(description="What adds up to the score, largest first.")] = ()
    near: Annotated[
        tuple[str, ...] | None, Field(description="Of an unknown id: tools with similar names.")
    ] = None
    filters: Annotated[tuple[str, ...] | None, Field(description="The filters that leave it out.")] = None
    missing_words: Annotated[
        tuple[str, ...], Field(description="Words of the request that stand in none of its texts.")
    ] = ()
    lacks: Annotated[
        tuple[Lack, ...],
        Field(description="What the tools above it in the answer have more of, largest first."),
    ] = ()
    remedies: Annotated[tuple[Remedy, ...], Field(description="What would help, the surest first.")] = ()
    withheld: Annotated[
        Withheld | None,
        Field(
            description="Where `as` names a caller: what keeps the tool from that caller; absent: nothing."
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ExplainAnswer:
    """Where each of the tools stands that were asked about."""

    tools: Annotated[tuple[ToolStanding, ...], Field(description="In the order of the request.")]
    allowed: Annotated[int, Field(description="Tools that the filters allow.")]
    generation: Generation
    took_ms: float
    cut: Annotated[
        float | None, Field(description="Score of the answer's last tool; absent: nothing fits.")
    ] = None


_answer = TypeAdapter(ExplainAnswer)


def explain_json(answer: ExplainAnswer, begin: float) -> bytes:
    """An answer as it is sent; `begin` is when the request came, by `time.perf_counter`."""
    timed = replace(answer, took_ms=milliseconds_since(begin))
    return _answer.serializer.to_json(timed, exclude_none=True)
