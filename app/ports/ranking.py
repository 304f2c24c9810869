"""Rankings in the graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.nodes.models import GraphState, MethodSeed, ScoredId


@dataclass(frozen=True, slots=True)
class GraphScores:
    """What one round trip to the graph gave.

    `channels` maps a channel's name to tool id -> score. `consistent` is false when an ingest was at
    work, or finished, while the statement ran: the scores may mix two generations.
    """

    generation: int
    consistent: bool
    channels: Mapping[str, Mapping[str, float]]


class RankedGraph(Protocol):
    """Re-ranking in the graph: one round trip a call."""

    def kg_hybrid_scores(self, *, methods: Sequence[ScoredId], templates: Sequence[ScoredId]) -> GraphScores:
        """Channel `graph`: the graph score of KG-Hybrid for every tool that the seeds reach."""

    def auto_scores(
        self,
        *,
        methods: Sequence[MethodSeed],
        templates: Sequence[ScoredId],
        concepts: Sequence[ScoredId],
    ) -> GraphScores:
        """The channels of `auto_contributions` for every tool that the seeds reach, but for suggestions."""

    def state(self) -> GraphState:
        """Generation, whether an ingest is at work, schema version."""
