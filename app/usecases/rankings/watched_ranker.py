"""The graph as queries see it: what it answers is passed on, and its absence is not an error."""

from collections.abc import Callable, Sequence
from typing import Protocol

from app.domain.nodes.models import GraphState, MethodSeed, ScoredId, ToolId
from app.errors import StoreUnavailableError
from app.ports.ranking import GraphPlanner, GraphRanker, GraphScores, Prerequisites
from app.usecases.index.snapshots import SnapshotKeeper


class WatchedGraph(GraphRanker, GraphPlanner, Protocol):
    """What is watched."""


class WatchedRanker:
    """Fits `GraphRanker` and `GraphPlanner`. Lets the keeper know which generation the graph has, and when it does not answer.

    Without the graph it answers at once with scores that are marked as not consistent, so that a search
    computes them from its snapshot.
    """

    def __init__(self, ranker: WatchedGraph, keeper: SnapshotKeeper) -> None:
        self._ranker = ranker
        self._keeper = keeper

    def kg_hybrid_scores(self, *, methods: Sequence[ScoredId], templates: Sequence[ScoredId]) -> GraphScores:
        """Channel `graph` of KG-Hybrid."""
        return self._scores(lambda: self._ranker.kg_hybrid_scores(methods=methods, templates=templates))

    def auto_scores(
        self, *, methods: Sequence[MethodSeed], templates: Sequence[ScoredId], concepts: Sequence[ScoredId]
    ) -> GraphScores:
        """Channels `power`, `sum`, `template`, `concept` of `auto`."""
        return self._scores(
            lambda: self._ranker.auto_scores(methods=methods, templates=templates, concepts=concepts)
        )

    def prerequisites(
        self, tools: Sequence[ToolId], *, min_confidence: float, optional: bool
    ) -> Prerequisites:
        """What tools need; marked as not consistent and empty while the graph is away."""
        if self._keeper.health.reachable:
            try:
                found = self._ranker.prerequisites(tools, min_confidence=min_confidence, optional=optional)
            except StoreUnavailableError as error:
                self._keeper.lost(str(error))
            else:
                self._keeper.notice(found.generation)
                return found
        return Prerequisites(self._generation(), consistent=False, edges=())

    def state(self) -> GraphState:
        """The graph's state, or the snapshot's while the graph is away."""
        if self._keeper.health.reachable:
            try:
                state = self._ranker.state()
            except StoreUnavailableError as error:
                self._keeper.lost(str(error))
            else:
                self._keeper.notice(state.generation)
                return state
        return GraphState(generation=self._generation(), writing=False, schema_version=0)

    def _scores(self, ask: Callable[[], GraphScores]) -> GraphScores:
        if self._keeper.health.reachable:
            try:
                scores = ask()
            except StoreUnavailableError as error:
                self._keeper.lost(str(error))
            else:
                self._keeper.notice(scores.generation)
                return scores
        return GraphScores(self._generation(), consistent=False, channels={})

    def _generation(self) -> int:
        current = self._keeper.current
        return current.index.generation if current else 0
