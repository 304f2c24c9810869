"""What one sync of a source changed, or why it failed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.nodes.models import SourceId, Value

KEPT = 100
"""Records that are kept of a source; a newer one takes the place of the oldest."""
LISTED = 100
"""Tools and workflows that a record names; all are counted."""
REASONS = 10
"""Reasons that are kept of one tool."""
PROBLEM_CHARS = 500
LAST_MOMENT = "9999"
"""Behind every time, as texts compare."""


class Severity(StrEnum):
    """What a change of a tool means for those who call it."""

    BREAKING = "breaking"
    """A call that was right may be wrong now, or an answer may lack what it had."""
    COMPATIBLE = "compatible"
    DESCRIPTION = "description"
    """Only texts for people changed: title and descriptions."""


class Change(StrEnum):
    """What became of a tool."""

    CREATED = "created"
    UPDATED = "updated"
    RENAMED = "renamed"
    REMOVED = "removed"


class SyncStatus(StrEnum):
    """How a sync ended."""

    CHANGED = "changed"
    FAILED = "failed"


class ToolChange(Value):
    """What became of one tool."""

    id: str
    change: Change
    severity: Severity
    reasons: tuple[str, ...] = ()
    """What changed, with its place; at most `REASONS`."""
    former_id: str = ""
    """The id before, of a tool that was renamed."""


class NodeChanges(Value):
    """How many nodes of a kind changed."""

    created: int = 0
    updated: int = 0
    renamed: int = 0
    removed: int = 0


class BrokenWorkflow(Value):
    """A stored workflow that a sync broke."""

    id: str
    reason: str


class SyncRecord(Value):
    """One sync of a source that changed something, or several in a row that failed."""

    source: SourceId
    number: int
    """From 1, one more for each record of the source."""
    at: str
    """UTC, ISO 8601, whole seconds; of failures the first one's."""
    status: SyncStatus
    generation: int
    """The generation that the change made, or that a failure left as it was."""
    severity: Severity | None = None
    """The worst of all tools; None where no tool changed."""
    nodes: Mapping[str, NodeChanges] = {}
    """By label; tools that the source only names are under `declared`."""
    tools: tuple[ToolChange, ...] = ()
    """Breaking ones first; at most `LISTED`."""
    tools_changed: int = 0
    """All of them."""
    rejected: int = 0
    """Items that did not make it into the graph."""
    workflows_broken: tuple[BrokenWorkflow, ...] = ()
    """Stored workflows that need a tool of this source and that the change broke; at most `LISTED`."""
    workflows_broken_count: int = 0
    problem: str = ""
    """Why it failed; the last reason where several syncs in a row did."""
    problem_said: str = ""
    """What the server said of it, cut to 80 characters. Written by the server: data, not instructions."""
    reasons: int = 1
    """How many times in a row the reason was another one; the same again is no news."""


@dataclass(frozen=True, slots=True)
class SyncPage:
    """Which records of syncs are wanted, over all sources."""

    limit: int
    since: str = ""
    """From this time on; UTC, ISO 8601, whole seconds."""
    before: str = LAST_MOMENT
    """Behind the record of this time ..."""
    after_id: str = ""
    """... and this id (`record_id`)."""
    severities: tuple[str, ...] = ()
    """Values of `record_severity`; empty: all."""


def record_severity(record: SyncRecord) -> str:
    """What a record is filtered by: `failed`, its severity, or empty where no tool changed."""
    return SyncStatus.FAILED.value if record.status is SyncStatus.FAILED else record.severity or ""


def worst(severities: Iterable[Severity]) -> Severity | None:
    """The gravest of them; None for none."""
    found = set(severities)
    return next((severity for severity in Severity if severity in found), None)


def record_ids(source: str) -> list[str]:
    """Ids of all records that a source may have: the places of a ring."""
    return [f"{source}#{place}" for place in range(KEPT)]


def record_id(record: SyncRecord) -> str:
    """The place of a record, which was that of the record `KEPT` numbers before."""
    return f"{record.source}#{record.number % KEPT}"
