"""Edges between tools that say how data can flow, and in which order calls usually come."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.nodes.models import ToolId

CERTAIN = 1.6
"""Score of a producer that a document states itself; inferred scores lie below, confidence = score / CERTAIN."""
PRODUCERS_KEPT = 5
"""Producers that are stored per input."""
PRODUCERS_COUNTED = 3
"""Ranks that are shown by default: the knee of recall over edges."""


class Evidence(StrEnum):
    """Why an edge is there."""

    LINK = "link"
    SCHEMA = "schema"
    PATH = "path"
    NAME = "name"
    ARAZZO = "arazzo"
    TAXONOMY = "taxonomy"
    MANUAL = "manual"


INFERRED = frozenset((Evidence.SCHEMA, Evidence.PATH, Evidence.NAME))
"""What only inference writes; other edges are stated by a source."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """That an input of a tool can be filled from another tool's answer. It need not be: the value may be known."""

    consumer: ToolId
    producer: ToolId
    parameter: str
    """Name of the input, or a JSON pointer into the input schema when it is nested; empty when not known."""
    required: bool
    """False for an optional input."""
    field: str
    """JSON pointer into the answer, `*` for any item of a list; empty when the place is not known."""
    confidence: float
    evidence: Evidence
    rank: int
    """Place among the producers of this parameter, from 1."""


@dataclass(frozen=True, slots=True)
class Precedence:
    """That a tool is usually called before another, without a value going from one to the other."""

    first: ToolId
    then: ToolId
    confidence: float
    evidence: Evidence


def strongest(edges: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """Of the edges that say the same of (consumer, producer, parameter) the surest; by consumer, parameter, rank."""
    best: dict[tuple[str, str, str], Requirement] = {}
    for edge in edges:
        key = (edge.consumer, edge.producer, edge.parameter)
        if key not in best or _sureness(edge) < _sureness(best[key]):
            best[key] = edge
    return tuple(sorted(best.values(), key=requirement_order))


def requirement_order(edge: Requirement) -> tuple[str, str, int, str]:
    """Consumer, parameter, rank, producer."""
    return edge.consumer, edge.parameter, edge.rank, edge.producer


def _sureness(edge: Requirement) -> tuple[bool, float, int, str, str]:
    return edge.evidence in INFERRED, -edge.confidence, edge.rank, edge.evidence, edge.field


def sorted_precedences(edges: Iterable[Precedence]) -> tuple[Precedence, ...]:
    """Each (first, then) once, the surest; by first and then."""
    best: dict[tuple[str, str], Precedence] = {}
    for edge in sorted(edges, key=lambda edge: (-edge.confidence, edge.evidence)):
        best.setdefault((edge.first, edge.then), edge)
    return tuple(edge for _, edge in sorted(best.items()))


LEVELS = 4
"""How many edges deep prerequisites are looked for."""


def prerequisites(
    requirements_of: Mapping[str, Sequence[Requirement]],
    tools: Iterable[str],
    *,
    min_confidence: float,
    optional: bool,
) -> tuple[Requirement, ...]:
    """The requirements of these tools, of what these need, and so on, `LEVELS` edges deep; by consumer.

    Less sure edges than `min_confidence` are neither given nor followed, nor are, without `optional`,
    edges that fill optional inputs.
    """
    found: list[Requirement] = []
    level = list(dict.fromkeys(tools))
    seen = set(level)
    for _ in range(LEVELS):
        edges = [
            edge
            for tool in level
            for edge in requirements_of.get(tool, ())
            if edge.confidence >= min_confidence and (optional or edge.required)
        ]
        found += edges
        level = list(dict.fromkeys(edge.producer for edge in edges if edge.producer not in seen))
        seen.update(level)
    return strongest(found)
