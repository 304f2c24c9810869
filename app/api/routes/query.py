"""POST /v1/query."""

import time
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.api.answers import answered
from app.api.bodies import read_body
from app.api.components import Components
from app.api.openapi import json_body
from app.api.problems import documented
from app.domain.schemas.tool_formats import ToolFormat
from app.errors import InvalidInputError
from app.usecases.documents.formats import FormattedAnswer, formatted_json
from app.usecases.documents.search import QueryAnswer, QueryFilters, filters_of
from app.usecases.search import search
from app.usecases.search_values import (
    MAX_PREREQUISITES,
    MAX_TOP_K,
    Order,
    SearchAnswer,
    SearchMethod,
    SearchRequest,
)

router = APIRouter(prefix="/v1", tags=["query"])


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
    format: Annotated[
        ToolFormat,
        Field(
            description="How the tools are given: `outfitter`, or ready for `openai`, `openai_tool_search`, "
            "`anthropic`, `anthropic_tool_reference`, `langchain`, `mcp`; then `names` leads back to the ids."
        ),
    ] = ToolFormat.OUTFITTER
    explain: Annotated[bool, Field(description="Say for each tool what gave how much of its score.")] = False
    schemas: Annotated[bool, Field(description="Give each tool's input schema; other formats always do.")] = (
        False
    )
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


@router.post(
    "/query",
    summary="Find the tools that fit a request",
    response_model=QueryAnswer | FormattedAnswer,
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
    body = await read_body(raw, QueryRequest)
    request = _request(body, components)
    method = request.method.value

    def work() -> tuple[SearchAnswer, bytes]:
        index = components.keeper.index
        answer = search(request, index=index, graph=components.ranker)
        return answer, formatted_json(answer, body.format, index=index, begin=begin)

    answer, content = await answered(components, work, what="query")
    components.metrics.count_query(answer, method, time.perf_counter() - begin)
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
