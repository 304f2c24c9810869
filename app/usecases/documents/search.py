"""What a query filters by and its answer, as JSON, the same over every interface."""

import json
import time
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.usecases.search_values import (
    Filters,
    Match,
    NearReason,
    Reason,
    ReasonKind,
    Role,
    SearchAnswer,
    TokenEstimate,
)


class QueryFilters(BaseModel):
    """Which tools may be found; what is left out does not restrict."""

    model_config = ConfigDict(extra="forbid")

    servers: Annotated[tuple[str, ...], Field(max_length=1000, description="Any of these servers.")] = ()
    categories: Annotated[
        tuple[str, ...],
        Field(max_length=1000, description="In any of these categories, or implementing a method in one."),
    ] = ()
    read_only: Annotated[
        bool | None,
        Field(description="true: only tools that say that they change nothing; false: only the others."),
    ] = None


def filters_of(body: QueryFilters) -> Filters:
    """The filters of a request."""
    return Filters.model_construct(servers=body.servers, categories=body.categories, read_only=body.read_only)


class WhyStep(BaseModel):
    """A node on the way to the tool, and the kind of edge that leaves it."""

    id: str
    name: str
    edge: Annotated[str, Field(examples=["IMPLEMENTS"])]


class Why(BaseModel):
    """One part of a score; the parts of a tool add up to its score."""

    kind: ReasonKind
    contribution: float
    word: Annotated[str | None, Field(description="The word as the query has it.")] = None
    term: Annotated[str | None, Field(description="What the word was looked up as.")] = None
    fields: Annotated[list[str] | None, Field(description="Where the term stands in the tool's texts.")] = (
        None
    )
    path: Annotated[list[WhyStep] | None, Field(description="The way through the graph.")] = None
    detail: str | None = None


class FoundTool(BaseModel):
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
    parameter: Annotated[str | None, Field(description="The input of `needed_by` that it can fill.")] = None
    input_schema: Annotated[
        dict[str, Any] | None, Field(description="With `schemas`; absent when none is known.")
    ] = None
    why: Annotated[list[Why] | None, Field(description="With `explain`; largest contribution first.")] = None


class NearbyTool(BaseModel):
    """A tool that does not answer the request but may be what was meant."""

    id: str
    name: str
    description: str
    reason: NearReason
    similarity: Annotated[float, Field(description="Of the names, 0 to 1.")]


class TokenSaving(BaseModel):
    """Estimate: bytes of the tools' definitions as compact JSON, divided by 4, rounded up."""

    catalogue: Annotated[int, Field(description="All tools in a prompt.")]
    returned: Annotated[int, Field(description="This answer's tools.")]
    saved: int


class QueryAnswer(BaseModel):
    """The tools that fit, best first."""

    tools: list[FoundTool]
    abstained: Annotated[bool, Field(description="No tool that the filters allow scores above 0.")]
    nearest: Annotated[list[NearbyTool], Field(description="Empty unless `abstained`.")]
    tokens: TokenSaving
    expanded: Annotated[list[str] | None, Field(description="With `explain`: terms added by feedback.")] = (
        None
    )
    generation: Annotated[int, Field(description="The generation of the graph that this answer comes from.")]
    took_ms: float


def answer_json(answer: SearchAnswer, begin: float) -> bytes:
    """An answer as JSON; absent is what is None. `begin` is when the request came, by `time.perf_counter`."""
    document = QueryAnswer.model_construct(
        tools=[found_tool(match) for match in answer.tools],
        abstained=answer.abstained,
        nearest=nearby_tools(answer),
        tokens=token_saving(answer.tokens),
        generation=answer.generation,
        took_ms=round(1000 * (time.perf_counter() - begin), 3),
    )
    return document.__pydantic_serializer__.to_json(document, exclude_none=True)


def found_tool(match: Match) -> FoundTool:
    """A match."""
    return FoundTool.model_construct(
        id=match.id,
        server=match.server,
        name=match.name,
        title=match.title,
        description=match.description,
        score=match.score,
        role=match.role,
        needed_by=match.needed_by or None,
        parameter=match.parameter or None,
        input_schema=json.loads(match.input_schema) if match.input_schema else None,
        why=None if match.why is None else reasons(match.why),
    )


def nearby_tools(answer: SearchAnswer) -> list[NearbyTool]:
    """What may have been meant."""
    return [
        NearbyTool.model_construct(
            id=near.id,
            name=near.name,
            description=near.description,
            reason=near.reason,
            similarity=near.similarity,
        )
        for near in answer.nearest
    ]


def token_saving(tokens: TokenEstimate) -> TokenSaving:
    """An estimate."""
    return TokenSaving.model_construct(
        catalogue=tokens.catalogue, returned=tokens.returned, saved=tokens.saved
    )


def reasons(found: Iterable[Reason]) -> list[Why]:
    """The parts of a score."""
    return [
        Why.model_construct(
            kind=reason.kind,
            contribution=reason.contribution,
            word=reason.word or None,
            term=reason.term or None,
            fields=list(reason.fields) or None,
            path=[WhyStep.model_construct(id=step.id, name=step.name, edge=step.edge) for step in reason.path]
            or None,
            detail=reason.detail or None,
        )
        for reason in found
    ]
