"""Edges between tools that say how data can flow, and in which order calls usually come."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.models import ToolId

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
