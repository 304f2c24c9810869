"""`plan_workflow`: in which order, with which inputs."""

import time
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.domain.language.json_numbers import FiniteJson
from app.mcp.backend import Backend
from app.mcp.tools.limits import check_length
from app.mcp.tools.served_tools import CatalogueTool
from app.usecases.documents.plans import GoalAnswer, plan_json
from app.usecases.documents.search import QueryFilters, filters_of
from app.usecases.plan import MAX_STEPS, PlanRequest, make_plan


class PlanArguments(BaseModel):
    """A goal, and what is known already."""

    model_config = ConfigDict(extra="forbid")

    goal: Annotated[str, Field(min_length=1, description="What is to be reached, in plain words.")]
    known: Annotated[
        dict[str, FiniteJson],
        Field(
            default_factory=dict,
            max_length=100,
            description='Values that need no call, by name, such as {"order_id": "o-17"}.',
        ),
    ]
    max_steps: Annotated[int, Field(ge=1, le=MAX_STEPS, description="How many calls at most.")] = 10
    filters: Annotated[QueryFilters, Field(default_factory=QueryFilters)]


def plan_tool(backend: Backend) -> CatalogueTool[PlanArguments]:
    """The tool."""

    async def answer(arguments: PlanArguments) -> bytes:
        begin = time.perf_counter()
        check_length("goal", arguments.goal, backend.max_query_chars)
        request = PlanRequest.model_construct(
            goal=arguments.goal,
            known=arguments.known,
            max_steps=arguments.max_steps,
            filters=filters_of(arguments.filters),
        )
        document = await backend.ask(
            lambda index, graph: plan_json(make_plan(request, index=index, graph=graph), begin), what="plan"
        )
        backend.planned(time.perf_counter() - begin)
        return document

    return CatalogueTool(
        name="plan_workflow",
        title="Plan calls",
        description=(
            "Finds the calls that a goal takes, in the order in which they work, with where each input comes from:"
            " an earlier answer, a known value, or one that the caller has to give. Nothing is executed."
        ),
        arguments=PlanArguments,
        answers=GoalAnswer,
        answer=answer,
    )
