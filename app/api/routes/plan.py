"""POST /v1/plan."""

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
from app.api.routes.query import check_length
from app.domain.language.json_numbers import FiniteJson
from app.usecases.documents.plans import GoalAnswer, plan_json
from app.usecases.documents.search import QueryFilters, filters_of
from app.usecases.plan import MAX_STEPS, PlanRequest, make_plan

router = APIRouter(prefix="/v1", tags=["plans"])


class GoalRequest(BaseModel):
    """A goal in the words of the person or agent that has it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"goal": "cancel my order and refund the payment"},
                {"goal": "cancel the order", "known": {"order_id": "o-17"}, "max_steps": 5},
            ]
        },
    )

    goal: Annotated[
        str, Field(min_length=1, description="What is to be done. The longest accepted length is a setting.")
    ]
    known: Annotated[
        dict[str, FiniteJson],
        Field(
            default_factory=dict,
            max_length=100,
            description="Values that need no call, by name: `order_id` fits `orderId`, and `id` in `/orders/{id}`.",
        ),
    ]
    max_steps: Annotated[int, Field(ge=1, le=MAX_STEPS, description="How many calls at most.")] = 10
    filters: Annotated[QueryFilters, Field(default_factory=QueryFilters)]


@router.post(
    "/plan",
    summary="Find the calls that a goal takes, in order, with their inputs",
    response_model=GoalAnswer,
    responses=documented(401, 413, 415, 422, 503),
    openapi_extra=json_body(GoalRequest),
)
async def plan(raw: Request) -> Response:
    """The calls that a goal takes, in the order in which they work, each input bound to where it comes from.

    One call for each thing that the goal asks for; before it the reads that its required inputs need. A call
    that changes something is there only when the goal asks for it. Nothing is executed.
    """
    begin = time.perf_counter()
    components: Components = raw.state.components
    body = await read_body(raw, GoalRequest)
    check_length("goal", body.goal, components)
    request = PlanRequest.model_construct(
        goal=body.goal, known=body.known, max_steps=body.max_steps, filters=filters_of(body.filters)
    )

    def work() -> bytes:
        answer = make_plan(request, index=components.keeper.index, graph=components.planner)
        return plan_json(answer, begin)

    content = await answered(components, work, what="plan")
    components.metrics.plans.observe(time.perf_counter() - begin)
    return Response(content, HTTPStatus.OK, media_type="application/json")
