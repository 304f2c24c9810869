"""The graph's scores computed from a catalogue in memory."""

from collections.abc import Sequence

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import GraphState, MethodSeed, ScoredId
from app.domain.ranking.graph_scores import auto_contributions, channel_sums, kg_hybrid_contributions
from app.ports.ranking import GraphScores


class CatalogueRanker:
    """Fits `GraphRanker`. Answers while the graph is being written or is of another generation."""

    def __init__(self, catalogue: Catalogue, *, schema_version: int = 0) -> None:
        self._catalogue = catalogue
        self._schema_version = schema_version

    def kg_hybrid_scores(self, *, methods: Sequence[ScoredId], templates: Sequence[ScoredId]) -> GraphScores:
        """Channel `graph`: the graph score of KG-Hybrid for every tool that the seeds reach."""
        parts = kg_hybrid_contributions(self._catalogue, methods=methods, templates=templates)
        return GraphScores(self._catalogue.generation, consistent=True, channels=channel_sums(parts))

    def auto_scores(
        self, *, methods: Sequence[MethodSeed], templates: Sequence[ScoredId], concepts: Sequence[ScoredId]
    ) -> GraphScores:
        """Channels `power`, `sum`, `template`, `concept` of `auto` for every tool that the seeds reach."""
        parts = auto_contributions(self._catalogue, methods=methods, templates=templates, concepts=concepts)
        return GraphScores(self._catalogue.generation, consistent=True, channels=channel_sums(parts))

    def state(self) -> GraphState:
        """The catalogue's generation; nothing is ever written."""
        return GraphState(
            generation=self._catalogue.generation, writing=False, schema_version=self._schema_version
        )
