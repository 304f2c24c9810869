"""POST /v1/query."""

import json
import time
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.api.answers import answered
from app.api.bodies import read_body
from app.api.components import Components
from app.api.openapi import json_body
from app.api.problems import documented
from app.errors import InvalidInputError
from app.usecases.search import search
from app.usecases.search_values import (
    MAX_PREREQUISITES,
    MAX_TOP_K,
    Filters,
    Match,
    NearReason,
    Order,
    Reason,
    ReasonKind,
    Role,
    SearchAnswer,
    SearchMethod,
    SearchRequest,
)

router = APIRouter(prefix="/v1", tags=["query"])


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


class QueryRequest(BaseModel):
    """A request in the words of the person or agent that has it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"query": "Sneakers were too tight; he'd like his cash back"},
                {
                    "query": "Let loyal shoppers know about the autumn range",
                    "top_k": 3,
                    "explain": True,
                    "schemas": True,
                },
                {"query": "look up an order", "filters": {"servers": ["orders"], "read_only": True}},
            ]
        },
    )

    query: Annotated[
        str, Field(min_length=1, description="What is to be done. The longest accepted length is a setting.")
    ]
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K, description="How many tools at most.")] = 5
    filters: Annotated[QueryFilters, Field(default_factory=QueryFilters)]
    method: Annotated[
        SearchMethod,
        Field(
            description="`auto`: the service's own ranking. `kg_hybrid`: the published reference, BM25 fused "
            "with methods, their neighbours and templates. `bm25`: words alone."
        ),
    ] = SearchMethod.AUTO
    explain: Annotated[bool, Field(description="Say for each tool what gave how much of its score.")] = False
    schemas: Annotated[bool, Field(description="Give each tool's input schema.")] = False
    prerequisites: Annotated[
        int,
        Field(
            ge=0,
            le=MAX_PREREQUISITES,
            description="How many tools that the matches need may be added; they displace no match.",
        ),
    ] = 5
    order: Annotated[
        Order,
        Field(
            description="`matches`: prerequisites behind all matches. `blocks`: directly behind their match."
        ),
    ] = Order.MATCHES


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


@router.post(
    "/query",
    summary="Find the tools that fit a request",
    response_model=QueryAnswer,
    response_model_exclude_none=True,
    responses=documented(401, 413, 415, 422, 503),
    openapi_extra=json_body(QueryRequest),
)
async def query(raw: Request) -> Response:
    """The tools that fit a request, best first, all from one generation of the graph.

    While an ingest is at work, or the graph database is away, answers come from the last generation.
    An unknown server or category in the filters is refused with what there is.
    """
    begin = time.perf_counter()
    components: Components = raw.state.components
    request = _request(await read_body(raw, QueryRequest), components)
    method = request.method.value

    def work() -> tuple[SearchAnswer, bytes]:
        answer = search(request, index=components.keeper.index, graph=components.ranker)
        return answer, answer_json(answer, begin)

    answer, content = await answered(components, work, what="query")
    components.metrics.queries.labels(method).observe(time.perf_counter() - begin)
    if answer.abstained:
        components.metrics.abstained.labels(method).inc()
    if not answer.from_graph:
        components.metrics.from_memory.labels(method).inc()
    return Response(content, HTTPStatus.OK, media_type="application/json")


def check_length(name: str, text: str, components: Components) -> None:
    """Refuse a text that is longer than the setting.

    Raises:
        InvalidInputError: it is.
    """
    limit = components.limits.max_query_chars
    if len(text) > limit:
        raise InvalidInputError(
            f"{name}: {len(text)} characters; accepted: at most {limit} (OUTFITTER_MAX_QUERY_CHARS)"
        )


def filters_of(body: QueryFilters) -> Filters:
    """The filters of a request."""
    return Filters.model_construct(servers=body.servers, categories=body.categories, read_only=body.read_only)


def _request(body: QueryRequest, components: Components) -> SearchRequest:
    check_length("query", body.query, components)
    return SearchRequest.model_construct(
        query=body.query,
        top_k=body.top_k,
        filters=filters_of(body.filters),
        method=body.method,
        explain=body.explain,
        schemas=body.schemas,
        prerequisites=body.prerequisites,
        order=body.order,
    )


def answer_json(answer: SearchAnswer, begin: float) -> bytes:
    """An answer as JSON; absent is what is None. `begin` is when the request came, by `time.perf_counter`."""
    document = QueryAnswer.model_construct(
        tools=[_tool(match) for match in answer.tools],
        abstained=answer.abstained,
        nearest=[
            NearbyTool.model_construct(
                id=near.id,
                name=near.name,
                description=near.description,
                reason=near.reason,
                similarity=near.similarity,
            )
            for near in answer.nearest
        ],
        tokens=TokenSaving.model_construct(
            catalogue=answer.tokens.catalogue, returned=answer.tokens.returned, saved=answer.tokens.saved
        ),
        generation=answer.generation,
        took_ms=round(1000 * (time.perf_counter() - begin), 3),
    )
    return document.__pydantic_serializer__.to_json(document, exclude_none=True)


def _tool(match: Match) -> FoundTool:
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
        why=None if match.why is None else [_why(reason) for reason in match.why],
    )


def _why(reason: Reason) -> Why:
    return Why.model_construct(
        kind=reason.kind,
        contribution=reason.contribution,
        word=reason.word or None,
        term=reason.term or None,
        fields=list(reason.fields) or None,
        path=[WhyStep.model_construct(id=step.id, name=step.name, edge=step.edge) for step in reason.path]
        or None,
        detail=reason.detail or None,
    )
