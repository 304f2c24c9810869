"""POST /v1/explain."""

import time
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from app.answers.standing import ExplainAnswer, explain_json
from app.api.bodies import json_body, read_body
from app.api.problems import documented
from app.service.components import Components
from app.service.waiting import answered
from app.usecases.questions import ExplainRequest, check_length
from app.usecases.standing.why_not import why_not

router = APIRouter(prefix="/v1", tags=["query"])


@router.post(
    "/explain",
    summary="Say why tools are not found by a request",
    response_model=ExplainAnswer,
    response_model_exclude_none=True,
    responses=documented(401, 413, 415, 422, 503),
    openapi_extra=json_body(ExplainRequest),
)
async def explain_tools(raw: Request) -> Response:
    """Where each tool stands in the answer to the same `POST /v1/query`, what the tools above it have, what would help.

    A caller's view takes tools away, which are then unknown, and with them the methods that lead to no other tool.
    """
    begin = time.perf_counter()
    components: Components = raw.state.components
    request = await read_body(raw, ExplainRequest)
    check_length("query", request.query, components.limits.max_query_chars)
    content = await answered(
        components, lambda graph: explain_json(why_not(request, graph), begin), what="explanation"
    )
    return Response(content, HTTPStatus.OK, media_type="application/json")
