"""POST /v1/plan."""

import time
from functools import partial
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from app.answers.plan import GoalAnswer, plan_json
from app.api.bodies import json_body, read_body
from app.api.problems import documented
from app.service.components import Components
from app.service.reading import model_reading
from app.service.waiting import answered
from app.usecases.plan import make_plan
from app.usecases.questions import PlanRequest, check_length

router = APIRouter(prefix="/v1", tags=["plans"])


@router.post(
    "/plan",
    summary="Find the calls that a goal takes, in order, with their inputs",
    response_model=GoalAnswer,
    responses=documented(401, 413, 415, 422, 503),
    openapi_extra=json_body(PlanRequest),
)
async def plan(raw: Request) -> Response:
    """The calls that a goal takes, in the order in which they work, each input bound to where it comes from.

    One call for each thing that the goal asks for; before it the reads that its required inputs need. A call
    that changes something is there only when the goal asks for it. Nothing is executed.
    """
    begin = time.perf_counter()
    components: Components = raw.state.components
    request = await read_body(raw, PlanRequest)
    check_length("goal", request.goal, components.limits.max_query_chars)
    read = await model_reading(components, request, partial(answered, components, what="plan", plans=True))
    content = await answered(
        components,
        lambda graph: plan_json(read.said_in(make_plan(read.request, graph)), begin),
        what="plan",
        plans=True,
    )
    components.metrics.plans.observe(time.perf_counter() - begin)
    return Response(content, HTTPStatus.OK, media_type="application/json")
