"""`plan_workflow`: in which order, with which inputs."""

import time
from functools import partial

from app.answers.plan import GoalAnswer, PlanAnswer, plan_json
from app.domain.audit.events import SearchStep
from app.mcp.served_catalogue import ServedCatalogue
from app.mcp.tools.served_tools import CatalogueTool
from app.service.given import note_given
from app.service.reading import model_reading
from app.usecases.plan import make_plan
from app.usecases.questions import PlanRequest, check_length
from app.usecases.rankings.consistent import ConsistentGraph


def plan_tool(catalogue: ServedCatalogue) -> CatalogueTool[PlanRequest]:
    """The tool."""

    async def answer(request: PlanRequest) -> bytes:
        begin = time.perf_counter()
        check_length("goal", request.goal, catalogue.components.limits.max_query_chars)
        read = await model_reading(catalogue.components, request, partial(catalogue.ask, what="plan"))

        def work(graph: ConsistentGraph) -> tuple[PlanAnswer, bytes]:
            answer = read.said_in(make_plan(read.request, graph, catalogue.components.reach))
            return answer, plan_json(answer, begin)

        planned, document = await catalogue.ask(work, what="plan")
        tools = (step.tool_id for step in planned.plan.steps if step.tool_id)
        await note_given(catalogue.components, SearchStep.PLANNED, catalogue.asker, tools, planned.generation)
        catalogue.components.unmet.note_plan(planned.plan)
        catalogue.components.metrics.plans.observe(time.perf_counter() - begin)
        return document

    return CatalogueTool(
        name="plan_workflow",
        title="Plan calls",
        description=(
            "Finds the calls that a goal takes, in the order in which they work, with where each input comes from:"
            " an earlier answer, a known value, or one that the caller has to give. Nothing is executed.\n\n"
            "You understand the goal better than its words say: send it cut into `tasks` as well, one thing to do each, in"
            " their order, with the `values` that the goal states for it by name, `if` for what has to hold first, and"
            " `after` for the tasks that come before. Example:\n"
            '{"goal": "close issue 12 as fixed if CI is green", "tasks": [{"do": "get the CI status of the branch"},'
            ' {"do": "close the issue", "values": {"issue number": 12, "state reason": "fixed"}, "if": "CI is green",'
            ' "after": [1]}]}\n'
            "Read `unused` and `unmet` of the answer first: what is there, no call does."
        ),
        arguments=PlanRequest,
        answers=GoalAnswer,
        answer=answer,
    )
