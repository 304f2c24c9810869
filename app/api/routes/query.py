"""POST /v1/query."""

import time
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from app.answers.search import FormattedAnswer, QueryAnswer
from app.api.bodies import json_body, read_body
from app.api.problems import documented
from app.domain.audit.events import SearchStep
from app.service.components import Components
from app.service.given import asker_of, note_given
from app.service.waiting import answered
from app.usecases.formats import formatted_json
from app.usecases.questions import SearchRequest, check_length
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search

router = APIRouter(prefix="/v1", tags=["query"])


@router.post(
    "/query",
    summary="Find the tools that fit a request",
    response_model=QueryAnswer | FormattedAnswer,
    response_model_exclude_none=True,
    responses=documented(401, 413, 415, 422, 503),
    openapi_extra=json_body(SearchRequest),
)
async def query(raw: Request) -> Response:
    """The tools that fit a request, best first, all from one generation of the graph.

    While an ingest is at work, or the graph database is away, answers come from the last generation.
    An unknown server or category in the filters is refused with what there is.
    """
    begin = time.perf_counter()
    components: Components = raw.state.components
    request = await read_body(raw, SearchRequest)
    for name, text in (("query", request.query), *(("phrasings", one) for one in request.phrasings)):
        check_length(name, text, components.limits.max_query_chars)

    def work(graph: ConsistentGraph) -> tuple[QueryAnswer, bytes]:
        answer = search(request, graph)
        return answer, formatted_json(answer, request.format, index=graph.index, begin=begin)

    answer, content = await answered(components, work, what="query")
    asker = asker_of(getattr(raw.state, "caller", None))
    await note_given(
        components, SearchStep.SEARCHED, asker, (tool.id for tool in answer.tools), answer.generation
    )
    components.unmet.note_search(request.query, answer)
    components.metrics.count_query(answer, request.method.value, time.perf_counter() - begin)
    return Response(content, HTTPStatus.OK, media_type="application/json")
