"""The one place from which the measurements ask for plans: what stands in it is all that they know of the planner."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from app.domain.catalogue import Catalogue
from app.domain.nodes.dependencies import Requirement
from app.domain.nodes.models import Tool
from app.domain.planning.draft import PlanDraft, Requirements, draft_plan, requirements_within
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import Plan
from app.usecases.plan import make_plan
from app.usecases.plans.meant import MeantTasks
from app.usecases.questions import PlanRequest
from app.usecases.rankings.consistent import ConsistentGraph
from bench.sets import datasets
from bench.sets.suggested import served_index
from ingest.enrich.requires.dependencies import infer_dependencies


@dataclass(frozen=True, eq=False)
class PlanCatalogue:
    """Tools with what a planner needs of them, in memory."""

    tools: Sequence[Tool]
    edges: Sequence[Requirement]

    @property
    def index(self) -> PlanIndex:
        """The tools as the service plans with them."""
        return self.graph.index.plan_index

    @cached_property
    def graph(self) -> ConsistentGraph:
        """What the service answers from, without a database: its formulas are those that both engines are held to."""
        ordered = sorted(self.edges, key=lambda edge: (edge.consumer, edge.parameter, edge.rank))
        catalogue: Catalogue = replace(datasets.catalogue_of(self.tools), requirements=tuple(ordered))
        graph = ConsistentGraph(served_index(catalogue))
        _ = graph.index.plan_index  # else the first plan would wait for it
        return graph

    def draft(self, goal: str, *, server: str = "") -> PlanDraft:
        """The calls of a plan without any known value, of one server or of all: they have no bindings yet."""
        meant = MeantTasks(self.graph)
        scope = frozenset(self.index.of_server(server)) if server else None
        return draft_plan(
            self.index, goal, requirements=self._requirements, known={}, scope=scope, meant=meant
        )

    def plan(self, request: PlanRequest) -> Plan:
        """A whole plan, as the service gives it."""
        return make_plan(request, self.graph).plan

    def ids(self, positions: Iterable[int]) -> list[str]:
        """Tool ids of positions."""
        return [self.index.tools[at].id for at in positions]

    @cached_property
    def _requirements(self) -> Requirements:
        return requirements_within(self.edges)


def catalogue_of(tools: Sequence[Tool]) -> PlanCatalogue:
    """These tools and the edges that ingest infers between them."""
    return PlanCatalogue(tools, infer_dependencies(tools).requires)
