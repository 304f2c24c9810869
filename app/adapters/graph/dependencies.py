"""REQUIRES and PRECEDES between tools, as values; and what tools need, in one round trip."""

from collections.abc import Iterable, Iterator, Sequence

from app.adapters.graph.connection import Row
from app.adapters.graph.queries import CypherQueries
from app.domain.nodes.dependencies import Evidence, Precedence, Requirement, strongest
from app.domain.nodes.models import ToolId
from app.ports.ranking import Prerequisites

_EVIDENCE = {evidence.value: evidence for evidence in Evidence}


class CypherPlanner(CypherQueries):
    """Fits `GraphPlanner`; safe to share between threads."""

    def prerequisites(
        self, tools: Sequence[ToolId], *, min_confidence: float, optional: bool
    ) -> Prerequisites:
        """The requirements of these tools, of what these need, and so on, four edges deep."""
        (row,) = self._graph.read(
            self._statements.find_prerequisites,
            timeout_s=self._timeout_s,
            tools=list(dict.fromkeys(tools)),
            confidence=min_confidence,
            optional=optional,
        )
        return Prerequisites(
            generation=row["generation"],
            consistent=not row["writing"]
            and not row["writing_after"]
            and row["generation"] == row["generation_after"],
            edges=strongest(_requirement(*edge) for edge in row["edges"]),
        )


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
