"""POST /v1/explain."""

import time
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from app.answers.standing import ExplainAnswer, explain_json
from app.api.bodies import json_body, read_body
from app.api.problems import documented
from app.service.components import Components
from app.service.explaining import caller_to_answer_for, withholding_from
from app.service.waiting import answered
from app.service.worlds import world_of
from app.usecases.questions import ExplainRequest, check_length
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.standing.why_not import why_not

router = APIRouter(prefix="/v1", tags=["query"])


@router.post(
    "/explain",
    summary="Say why tools are not found by a request",
    response_model=ExplainAnswer,
    response_model_exclude_none=True,
    responses=documented(401, 403, 413, 415, 422, 503),
    openapi_extra=json_body(ExplainRequest),
)
async def explain_tools(raw: Request) -> Response:
    """Where each tool stands in the answer to the same `POST /v1/query`, what the tools above it have, what would help.

    A caller's view takes tools away, which are then unknown, and with them the methods that lead to no other tool. Whoever has
    `catalogue:admin` may name a caller in `as`, and learns what keeps a tool from that one.
    """
    begin = time.perf_counter()
    components: Components = raw.state.components
    request = await read_body(raw, ExplainRequest)
    check_length("query", request.query, components.limits.max_query_chars)
    withholding = None
    if request.as_caller is not None:
        state = raw.state
        listed, rules = getattr(state, "callers", None), getattr(state, "rules", None)
        caller = caller_to_answer_for(request.as_caller, getattr(state, "caller", None), listed, rules)
        components = (await world_of(state.worlds, caller, components)).find
        withholding = await withholding_from(caller, request.tools, state.worlds)

    def work(graph: ConsistentGraph) -> bytes:
        answer = why_not(request, graph)
        return explain_json(withholding.added_to(answer) if withholding else answer, begin)

    content = await answered(components, work, what="explanation")
    return Response(content, HTTPStatus.OK, media_type="application/json")
