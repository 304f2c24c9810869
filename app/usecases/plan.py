"""Which calls a goal takes, in which order, with which inputs."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from app.answers.plan import LikeWorkflow, PlanAnswer
from app.domain.choosing.servers import reviewed_first
from app.domain.flows.warnings import with_flow_warnings
from app.domain.language.visible_text import squeezed, without_hidden
from app.domain.nodes.dependencies import Requirement
from app.domain.nodes.models import ToolId
from app.domain.planning.draft import Requirements, draft_plan
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.ranking.runs import are_among
from app.domain.reading.clauses.words import goal_terms
from app.domain.workflows.hidden_values import reading_without_secrets, without_secrets
from app.domain.workflows.plans import Plan, PlanWarning, with_unused_first
from app.domain.workflows.stored import Workflow
from app.errors import NotPermittedError
from app.ports.spans import note, traced
from app.usecases.index.search_index import SearchIndex
from app.usecases.plans.closed import DraftedPlan, PlanDrafter, closed_plan, marked
from app.usecases.plans.meant import MeantTasks
from app.usecases.plans.reach import EVERYTHING_IN_REACH, CallReach
from app.usecases.questions import Filters, PlanRequest
from app.usecases.rankings.consistent import ConsistentGraph

_LIKE = 0.6
"""Share of common words from which a stored workflow is offered."""
_OFFERED = 3
_WORDS_ALONE = PlanWarning(
    code="encoder_unavailable",
    message="the encoder did not answer: calls were chosen by words and graph alone",
)


@traced("outfitter.plan")
def make_plan(
    request: PlanRequest, graph: ConsistentGraph, reach: CallReach = EVERYTHING_IN_REACH
) -> PlanAnswer:
    """The calls that a goal takes, in the order in which they work; empty when no tool shares a word with it.

    One round trip to the graph, for everything that the candidates need; a second where a call comes from behind them. Every goal comes through here, wherever it
    was asked: it loses hidden characters, as others may be shown it, and its white space is squeezed.

    Args:
        request: The goal, and what is known.
        graph: What may be planned with.
        reach: What of it whoever asks can call. A plan is closed over that where the request wants it so, or says nothing
            and `reach` does.

    Raises:
        InvalidInputError: a filter names a server or category that the catalogue does not have.
        NotPermittedError: data would flow in the plan as policies refuse it to whoever asks.
        StoreUnavailableError: the graph did not answer, and must.
    """
    index = graph.index
    goal = squeezed(without_hidden(request.goal))
    plan_index = index.plan_index

    def yields(at: int) -> bool:
        tool = plan_index.tools[at]
        return tool.reviewed is False and tool.server not in request.filters.servers

    meant = MeantTasks(graph)
    drafted = partial(
        draft_plan,
        plan_index,
        goal,
        requirements=partial(_own_producers_first, graph.requirements, plan_index, yields),
        known=request.known,
        scope=_scope(request.filters, index),
        max_steps=request.max_steps,
        tasks=request.tasks,
        now=request.moment(),
        timezone=request.timezone,
        yields=yields,
        meant=meant,
        find=lambda text: meant.first(text, request.filters),
    )
    found = _reached(drafted, plan_index, index, request, reach)
    draft = found.draft
    secrets = {name: request.known[name] for name in request.secret}
    plan = without_secrets(found.plan, secrets)
    called = {str(step.tool_id): plan_index.position[step.tool_id] for step in plan.steps}
    tools = {tool: plan_index.tools[at] for tool, at in called.items()}
    plan = with_flow_warnings(plan, tools, read=lambda tool: plan_index.operation(called[tool.id]))
    if meant.lacks_vectors:
        plan = plan.model_copy(update={"warnings": (*plan.warnings, _WORDS_ALONE)})
    if reach.refuses_high_flows:
        _refuse_high_flows(plan)
    note(steps=len(plan.steps), generation=index.generation)
    return PlanAnswer(
        plan=with_unused_first(plan),
        reading=reading_without_secrets(draft.context.reading, goal, secrets),
        workflows=_like(goal, index.catalogue.workflows),
        generation=index.generation,
        from_graph=graph.from_graph,
    )


def _refuse_high_flows(plan: Plan) -> None:
    flow = next((one for one in plan.warnings if one.severity == "high"), None)
    if flow is not None:
        raise NotPermittedError(
            f"policies refuse you plans with a high flow, and in this one {flow.message}; accepted: {flow.instead}"
        )


def _reached(
    drafted: PlanDrafter, plan_index: PlanIndex, index: SearchIndex, request: PlanRequest, reach: CallReach
) -> DraftedPlan:
    """The plan, closed over what can be called where that is wanted; where anybody asks, each step says whether it can be."""
    if not reach.is_ruled and request.only_callable is None:
        draft = drafted()
        return DraftedPlan(finish_plan(plan_index, draft), draft)
    now = reach.now()
    is_closed = reach.is_closed if request.only_callable is None else request.only_callable
    if is_closed:
        return closed_plan(plan_index, index.catalogue.methods, drafted, now)
    draft = drafted()
    return DraftedPlan(marked(finish_plan(plan_index, draft), now), draft)


def _own_producers_first(
    requirements: Requirements, index: PlanIndex, yields: Callable[[int], bool], consumers: Sequence[ToolId]
) -> Sequence[Requirement]:
    """The edges without those of producers that give way: an input that another producer fills, and not on their server."""
    return reviewed_first(requirements(consumers), index, yields)


def _scope(filters: Filters, index: SearchIndex) -> set[int] | None:
    """Positions in the plan index of the tools that the filters allow; None when they allow all."""
    allowed = index.allowed(filters)
    if allowed is None:
        return None
    return set(np.flatnonzero(are_among(index.callable_at, allowed.everywhere())).tolist())


def _like(goal: str, workflows: Sequence[Workflow]) -> tuple[LikeWorkflow, ...]:
    """Stored workflows whose goal or name has most of the words of this one."""
    asked = set(goal_terms(goal))
    found = []
    for one in workflows:
        said = max(
            (set(goal_terms(text)) for text in (one.goal, one.name)),
            key=lambda terms: len(terms & asked) / max(1, len(terms | asked)),
        )
        similarity = len(said & asked) / max(1, len(said | asked))
        if similarity >= _LIKE:
            found.append(LikeWorkflow(one.id, one.goal, round(similarity, 3), one.broken))
    return tuple(sorted(found, key=lambda one: (-one.similarity, one.id))[:_OFFERED])
