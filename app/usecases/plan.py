"""Which calls a goal takes, in which order, with which inputs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field, JsonValue

from app.domain.language.visible_text import squeezed, without_hidden
from app.domain.nodes.dependencies import Requirement, prerequisites
from app.domain.nodes.models import ToolId, Value
from app.domain.planning.clauses import goal_terms
from app.domain.planning.closure import LIKELY
from app.domain.planning.draft import draft_plan
from app.domain.planning.finish import finish_plan
from app.domain.workflows.plans import Plan
from app.domain.workflows.stored import Workflow
from app.ports.ranking import GraphPlanner
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.filters import allowed_tools
from app.usecases.search_values import Filters

MAX_STEPS = 50
_LIKE = 0.6
"""Share of common words from which a stored workflow is offered."""
_OFFERED = 3


class PlanRequest(Value):
    """A goal."""

    goal: str
    known: Mapping[str, JsonValue] = {}
    """Values that the caller has, by name: `order_id` fits `orderId`, and `id` in `/orders/{id}`."""
    max_steps: Annotated[int, Field(ge=1, le=MAX_STEPS)] = 10
    filters: Filters = Filters()


@dataclass(frozen=True, slots=True)
class LikeWorkflow:
    """A stored workflow that is for something similar."""

    id: str
    goal: str
    similarity: float
    """Share of the words that both goals have, 0 to 1."""
    broken: bool


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """A plan, from one generation."""

    plan: Plan
    workflows: tuple[LikeWorkflow, ...]
    """Most similar first."""
    generation: int
    """The generation of the snapshot that the plan comes from."""
    graph_generation: int
    """The generation that the graph had meanwhile."""
    from_graph: bool
    """False when the snapshot gave the edges: the graph was at work, away, or of another generation."""


def make_plan(request: PlanRequest, *, index: SearchIndex, graph: GraphPlanner) -> PlanAnswer:
    """The calls that a goal takes, in the order in which they work; empty when no tool shares a word with it.

    One round trip to the graph, for everything that the candidates need. Where the graph is being written, or
    has another generation than the index, the same edges come from the index. Every goal comes through here,
    wherever it was asked: it loses hidden characters, as others may be shown it, and its white space is squeezed.

    Raises:
        InvalidInputError: a filter names a server or category that the catalogue does not have.
        StoreUnavailableError: the graph did not answer.
    """
    goal = squeezed(without_hidden(request.goal))
    plan_index = index.plan_index
    edges = _Edges(index, graph)
    draft = draft_plan(
        plan_index,
        goal,
        requirements=edges,
        known=request.known,
        scope=_scope(request.filters, index),
        max_steps=request.max_steps,
    )
    return PlanAnswer(
        plan=finish_plan(plan_index, draft, known=request.known),
        workflows=_like(goal, index.catalogue.workflows),
        generation=index.generation,
        graph_generation=edges.generation,
        from_graph=edges.from_graph,
    )


class _Edges:
    """Fits `planning.Requirements`."""

    def __init__(self, index: SearchIndex, graph: GraphPlanner) -> None:
        self._index = index
        self._graph = graph
        self.generation = index.generation
        self.from_graph = True

    def __call__(self, consumers: Sequence[ToolId]) -> Sequence[Requirement]:
        found = self._graph.prerequisites(consumers, min_confidence=LIKELY, optional=True)
        self.generation = found.generation
        if found.consistent and found.generation == self._index.generation:
            return found.edges
        self.from_graph = False
        edges_of = self._index.catalogue.requirements_of
        return prerequisites(edges_of, consumers, min_confidence=LIKELY, optional=True)


def _scope(filters: Filters, index: SearchIndex) -> set[int] | None:
    """Positions in the plan index of the tools that the filters allow; None when they allow all."""
    allowed = allowed_tools(filters, index)
    if allowed is None:
        return None
    tools, position = index.catalogue.tools, index.plan_index.position
    ids = (tools[at].id for at in np.flatnonzero(allowed).tolist())
    return {position[tool] for tool in ids if tool in position}


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
