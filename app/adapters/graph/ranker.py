"""What re-ranks in the graph, one round trip a question; and the edges between tools, as values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.adapters.graph.connection import Row
from app.adapters.graph.queries import CypherQueries
from app.domain.nodes.dependencies import Evidence, Precedence, Requirement
from app.domain.nodes.models import MethodSeed, ScoredId, ToolId
from app.domain.ranking.graph_scores import Channel
from app.domain.ranking.recipe import RECIPE
from app.ports.ranking import GraphScores


class CypherRanker(CypherQueries):
    """Fits `RankedGraph`; safe to share between threads."""

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
        self,
        *,
        methods: Sequence[MethodSeed],
        templates: Sequence[ScoredId],
        concepts: Sequence[ScoredId],
    ) -> GraphScores:
        """The channels of `auto_contributions` for every tool that the seeds reach, but for suggestions."""
        (row,) = self._graph.read(
            self._statements.find_auto_scores,
            timeout_s=self._timeout_s,
            methods=[{"id": seed.id, "power": seed.power, "sum": seed.sum} for seed in methods],
            templates=_seeds(templates),
            concepts=_seeds(concepts),
            template_decay=RECIPE.template_decay,
            concept_decay=RECIPE.concept_decay,
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


_EVIDENCE = {evidence.value: evidence for evidence in Evidence}


def read_requirements(rows: Iterable[Row]) -> Iterator[Requirement]:
    """Rows of `list_requirements` or `find_requirements`."""
    for row in rows:
        columns = ("producers", "parameters", "optionals", "fields", "confidences", "evidences", "ranks")
        for edge in zip(*(row[column] for column in columns), strict=True):
            yield _requirement(row["consumer"], *edge)


def read_precedences(rows: Iterable[Row]) -> Iterator[Precedence]:
    """Rows of `list_precedences` or `find_precedences`."""
    for row in rows:
        for then, confidence, evidence in zip(
            row["thens"], row["confidences"], row["evidences"], strict=True
        ):
            yield Precedence(ToolId(row["first"]), ToolId(then), confidence, _evidence(evidence))


def _requirement(
    consumer: str,
    producer: str,
    parameter: str,
    optional: bool,
    field: str,
    confidence: float,
    evidence: str,
    rank: int,
) -> Requirement:
    return Requirement(
        consumer=ToolId(consumer),
        producer=ToolId(producer),
        parameter=parameter,
        required=not optional,
        field=field,
        confidence=confidence,
        evidence=_evidence(evidence),
        rank=rank,
    )


def _evidence(text: str) -> Evidence:
    """An edge without evidence was drawn by hand."""
    return _EVIDENCE.get(text, Evidence.MANUAL)
