"""POST /v1/plan."""

import time
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.answers.plan import GoalAnswer, PlanAnswer, plan_json
from app.api.bodies import json_body, read_body
from app.api.problems import documented
from app.api.routes.plan_edits import FORMAT_IS, MERMAID, ArazzoDocument, exported
from app.domain.audit.events import SearchStep
from app.service.components import Components
from app.service.given import asker_of, note_given
from app.service.reading import model_reading
from app.service.waiting import answered
from app.usecases.plan import make_plan
from app.usecases.plans.export import PlanFormat
from app.usecases.questions import PlanRequest, check_length
from app.usecases.rankings.consistent import ConsistentGraph

router = APIRouter(prefix="/v1", tags=["plans"])


@router.post(
    "/plan",
    summary="Find the calls that a goal takes, in order, with their inputs",
    response_model=GoalAnswer | ArazzoDocument,
    responses={**MERMAID, **documented(401, 403, 413, 415, 422, 503)},
    openapi_extra=json_body(PlanRequest),
)
async def plan(
    raw: Request,
    format: Annotated[PlanFormat, Query(description=FORMAT_IS)] = PlanFormat.JSON,  # noqa: A002
) -> Response:
    """The calls that a goal takes, in the order in which they work, each input bound to where it comes from.

    One call for each thing that the goal asks for; before it the reads that its required inputs need. A call
    that changes something is there only when the goal asks for it. Nothing is executed.
    """
    begin = time.perf_counter()
    components: Components = raw.state.components
    request = await read_body(raw, PlanRequest)
    check_length("goal", request.goal, components.limits.max_query_chars)
    read = await model_reading(components, request, partial(answered, components, what="plan"))

    def work(graph: ConsistentGraph) -> tuple[PlanAnswer, bytes]:
        answer = read.said_in(make_plan(read.request, graph, components.reach))
        return answer, plan_json(answer, begin)

    answer, content = await answered(components, work, what="plan")
    asker = asker_of(getattr(raw.state, "caller", None))
    tools = (step.tool_id for step in answer.plan.steps if step.tool_id)
    await note_given(components, SearchStep.PLANNED, asker, tools, answer.generation)
    components.unmet.note_plan(answer.plan)
    if format is not PlanFormat.JSON:
        components.metrics.plans.observe(time.perf_counter() - begin)
        return await exported(components, answer.plan, format, name=answer.plan.goal)
    components.metrics.plans.observe(time.perf_counter() - begin)
    return Response(content, HTTPStatus.OK, media_type="application/json")
