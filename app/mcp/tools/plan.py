"""`plan_workflow`: in which order, with which inputs."""

import time

from app.answers.plan import GoalAnswer, plan_json
from app.mcp.backend import Backend
from app.mcp.tools.served_tools import CatalogueTool
from app.usecases.plan import make_plan
from app.usecases.questions import PlanRequest, check_length


def plan_tool(backend: Backend) -> CatalogueTool[PlanRequest]:
    """The tool."""

    async def answer(request: PlanRequest) -> bytes:
        begin = time.perf_counter()
        check_length("goal", request.goal, backend.max_query_chars)
        document = await backend.ask(lambda graph: plan_json(make_plan(request, graph), begin), what="plan")
        backend.planned(time.perf_counter() - begin)
        return document

    return CatalogueTool(
        name="plan_workflow",
        title="Plan calls",
        description=(
            "Finds the calls that a goal takes, in the order in which they work, with where each input comes from:"
            " an earlier answer, a known value, or one that the caller has to give. Nothing is executed."
        ),
        arguments=PlanRequest,
        answers=GoalAnswer,
        answer=answer,
    )
