"""Re-ranking in the graph: the two statements that answer queries."""

from collections.abc import Mapping, Sequence

from app.adapters.graph_connection import Row
from app.adapters.graph_queries import CypherQueries
from app.domain.graph_scores import CONCEPT_DECAY, TEMPLATE_DECAY, Channel
from app.domain.models import MethodSeed, ScoredId
from app.ports.ranking import GraphScores


class CypherRanker(CypherQueries):
    """Fits `GraphRanker`; safe to share between threads."""

    def kg_hybrid_scores(self, *, methods: Sequence[ScoredId], templates: Sequence[ScoredId]) -> GraphScores:
        """Channel `graph`: the graph score of KG-Hybrid for every tool that the seeds reach."""
        (row,) = self._graph.read(
            self._statements.find_kg_hybrid_scores,
            timeout_s=self._timeout_s,
            methods=_seeds(methods),
            templates=_seeds(templates),
        )
        return _scores(row, {Channel.GRAPH: "scores"})

    def auto_scores(
        self, *, methods: Sequence[MethodSeed], templates: Sequence[ScoredId], concepts: Sequence[ScoredId]
    ) -> GraphScores:
        """Channels `power`, `sum`, `template`, `concept` of `auto` for every tool that the seeds reach."""
        (row,) = self._graph.read(
            self._statements.find_auto_scores,
            timeout_s=self._timeout_s,
            methods=[{"id": seed.id, "power": seed.power, "sum": seed.sum} for seed in methods],
            templates=_seeds(templates),
            concepts=_seeds(concepts),
            template_decay=TEMPLATE_DECAY,
            concept_decay=CONCEPT_DECAY,
        )
        return _scores(row, _AUTO_COLUMNS)


_AUTO_COLUMNS = {
    Channel.POWER: "powers",
    Channel.SUM: "sums",
    Channel.TEMPLATE: "templates",
    Channel.CONCEPT: "concepts",
}


def _seeds(seeds: Sequence[ScoredId]) -> list[dict[str, str | float]]:
    return [{"id": seed.id, "score": seed.score} for seed in seeds]


def _scores(row: Row, columns: Mapping[Channel, str]) -> GraphScores:
    """Lists of the one row as channels; a tool that a channel does not reach has 0 there and is left out."""
    tools = row["tools"]
    return GraphScores(
        generation=row["generation"],
        consistent=not row["writing"]
        and not row["writing_after"]
        and row["generation"] == row["generation_after"],
        channels={
            channel.value: {tool: score for tool, score in zip(tools, row[column], strict=True) if score}
            for channel, column in columns.items()
        },
    )
