"""The graph as answers see it: always of the generation that they are made from."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from app.domain.nodes.dependencies import Requirement, prerequisites
from app.domain.nodes.models import GraphState, MethodSeed, ScoredId, ToolId
from app.domain.planning.closure import LEAST
from app.domain.ranking.graph_scores import auto_contributions, channel_sums, kg_hybrid_contributions
from app.domain.ranking.recipe import RECIPE
from app.errors import StoreUnavailableError
from app.ports.ranking import GraphScores, RankedGraph
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.snapshots import Snapshots
from app.usecases.index.views import CatalogueView
from app.usecases.rankings.outside import ALONE, Outside

Channels = Mapping[str, Mapping[str, float]]
"""Channel -> tool id -> score."""


G = TypeVar("G", GraphScores, GraphState)


@dataclass(frozen=True)
class VisibleRequirements(Mapping[str, Sequence[Requirement]]):
    """Requirements by consumer as a view has them, looked up one by one."""

    index: SearchIndex
    view: CatalogueView

    def __getitem__(self, consumer: str) -> Sequence[Requirement]:
        found = self.index.catalogue.requirements_of[consumer]
        if not self._sees(consumer):
            raise KeyError(consumer)
        return tuple(edge for edge in found if self._sees(edge.producer))

    def __iter__(self) -> Iterator[str]:
        return (consumer for consumer in self.index.catalogue.requirements_of if self._sees(consumer))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _sees(self, tool: str) -> bool:
        position = self.index.positions.get(tool)
        return position is not None and (self.view.visible is None or bool(self.view.visible[position]))


class ConsistentGraph:
    """Scores and edges of one index's generation, for one answer.

    Scores come from the graph, one round trip each, while it has that generation, and are computed from the index,
    with the same result, while it is written, has another one, or is away. Edges come from the index.

    Args:
        index: What the answer is made from.
        graph: Without one, everything comes from the index.
        keeper: Is notified which generation the graph has, and when it does not answer. Without one, a graph that is
            away is an error.
        view: What of the index whoever asks may see; everything unless given.
        outside: Whom the answer may ask beside the graph; nobody unless given.
    """

    def __init__(
        self,
        index: SearchIndex,
        graph: RankedGraph | None = None,
        *,
        keeper: Snapshots | None = None,
        view: CatalogueView | None = None,
        outside: Outside = ALONE,
    ) -> None:
        self.index = index
        self.outside = outside
        self.waited_s = 0.0
        """For encoder and re-ranker."""
        self.view = view or index.whole
        self.from_graph = True
        """False once something came from the index."""
        # The database computes with the service's weights.
        self._graph = graph if index.recipe == RECIPE else None
        self._keeper = keeper

    @property
    def patience_s(self) -> float:
        """Seconds that the answer may still wait for others."""
        return self.outside.patience_s - self.waited_s

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Takes what this lasts from the answer's patience."""
        begin = time.monotonic()
        try:
            yield
        finally:
            self.waited_s += time.monotonic() - begin

    def kg_hybrid_scores(self, *, methods: Sequence[ScoredId], templates: Sequence[ScoredId]) -> Channels:
        """Channel `graph`: the graph score of KG-Hybrid for every tool that the seeds reach.

        Raises:
            StoreUnavailableError: the graph did not answer, and there is no keeper.
        """
        found = self._fitting(lambda graph: graph.kg_hybrid_scores(methods=methods, templates=templates))
        if found is not None:
            return found.channels
        return channel_sums(
            kg_hybrid_contributions(
                self.index.catalogue, methods=methods, templates=templates, recipe=self.index.recipe
            )
        )

    def auto_scores(
        self,
        *,
        methods: Sequence[MethodSeed],
        templates: Sequence[ScoredId],
        concepts: Sequence[ScoredId],
    ) -> Channels:
        """The channels of `auto_contributions` for every tool that the seeds reach, but for suggestions.

        Raises:
            StoreUnavailableError: as for `kg_hybrid_scores`.
        """
        found = self._fitting(
            lambda graph: graph.auto_scores(methods=methods, templates=templates, concepts=concepts)
        )
        if found is not None:
            return found.channels
        return channel_sums(
            auto_contributions(
                self.index.catalogue,
                methods=methods,
                templates=templates,
                concepts=concepts,
                recipe=self.index.recipe,
            )
        )

    def requirements(self, consumers: Sequence[ToolId]) -> Sequence[Requirement]:
        """What these tools need that is at least likely, and what that needs, and so on; from the index.

        Raises:
            StoreUnavailableError: as for `look`.
        """
        self.look()
        edges_of = self.index.catalogue.requirements_of
        return prerequisites(edges_of, consumers, min_confidence=LEAST, optional=True)

    @property
    def visible_requirements(self) -> Mapping[str, Sequence[Requirement]]:
        """What visible tools need of visible tools, by consumer; from the index."""
        found = self.index.catalogue.requirements_of
        return found if self.view.visible is None else VisibleRequirements(self.index, self.view)

    def look(self) -> None:
        """Only see whether the graph has moved on: words alone need none of its scores.

        Where there is a keeper, it looks beside the answer, which does not wait for a graph that is busy.

        Raises:
            StoreUnavailableError: as for `kg_hybrid_scores`.
        """
        if self._keeper is not None:
            self._keeper.look_soon()
            if self._is_writing:
                self.from_graph = False
            return
        state = self._asked(lambda graph: graph.state())
        if state is not None and (state.writing or state.generation != self.index.generation):
            self.from_graph = False

    def _fitting(self, question: Callable[[RankedGraph], GraphScores]) -> GraphScores | None:
        """What the graph says, if it is of the index's generation."""
        found = None if self._is_writing else self._asked(question)
        if found is not None and found.consistent and found.generation == self.index.generation:
            return found
        self.from_graph = False
        return None

    @property
    def _is_writing(self) -> bool:
        """Whether the graph has no whole generation now as far as is known: it need not be asked to say so again."""
        return self._keeper is not None and self._keeper.health.writing

    def _asked(self, question: Callable[[RankedGraph], G]) -> G | None:
        """What the graph says; None while it is away."""
        keeper = self._keeper
        if self._graph is None or (keeper is not None and not keeper.health.reachable):
            return None
        try:
            found = question(self._graph)
        except StoreUnavailableError as error:
            if keeper is None:
                raise
            keeper.lost(str(error))
            return None
        if keeper is not None:
            keeper.notice(found.generation)
        return found
