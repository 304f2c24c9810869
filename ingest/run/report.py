"""What a run did: its report, which becomes JSON or tables, and the records that are kept of each source's syncs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.domain.nodes.models import NodeKind, Source, SourceId, Tool
from app.domain.nodes.syncs import (
    LISTED,
    PROBLEM_CHARS,
    BrokenWorkflow,
    NodeChanges,
    Severity,
    SyncRecord,
    SyncStatus,
    ToolChange,
    worst,
)
from app.domain.notices import Notice
from app.domain.schemas.tool_changes import changed, created, removed
from app.usecases.workflow_health import WorkflowCounts
from ingest.diff.changes import Changes, Counts, SourceOutcome, Status
from ingest.enrich.requests.kept import RequestCounts
from ingest.enrich.requires.tool_dependencies import DependencyCounts
from ingest.enrich.suggests.common_methods import SuggestionCounts
from ingest.sources.files import IngestInput

if TYPE_CHECKING:
    from ingest.enrich.similar.structure import Structure

_TOOL = NodeKind.TOOL.value


@dataclass(slots=True)
class Report:
    """What a run did, or would do."""

    dry_run: bool
    generation: int = 0
    outcomes: list[SourceOutcome] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Sources whose file is gone from a folder that was ingested, and which stay."""
    passed_over: list[str] = field(default_factory=list)
    """Files of folders that are no documents, with the reason."""
    nodes_written: int = 0
    nodes_removed: int = 0
    edges_written: int = 0
    structure: "Structure | None" = None
    """None when no edge that fingerprints count has changed."""
    dependencies: DependencyCounts | None = None
    """None when no tool has changed."""
    suggestions: SuggestionCounts | None = None
    """Likewise."""
    requests: RequestCounts | None = None
    """None when no requests are kept for any tool."""
    notices: tuple[Notice, ...] = ()
    """What an operator is notified of; nothing of a dry run."""
    workflows: WorkflowCounts = field(default_factory=WorkflowCounts)
    """Stored workflows that the run broke, or mended."""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def rejected(self) -> int:
        """Items, references and sources that did not make it into the graph."""
        return sum(len(outcome.rejected) for outcome in self.outcomes)

    def count(self, changes: Changes) -> None:
        """Take over what was, or would be, written."""
        self.nodes_written = len(changes.nodes)
        self.nodes_removed = sum(len(nodes) for nodes in changes.removed.values())
        self.edges_written = changes.edge_count


@dataclass(frozen=True, slots=True)
class Moment:
    """When, and at which generation."""

    at: str
    generation: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A source that could not be synced, as the graph has it, and why."""

    source: Source
    problem: str
    said: str = ""
    """What its server said of it."""


def changed_tools(outcomes: Iterable[SourceOutcome]) -> list[tuple[str, str]]:
    """(old id, new id) of all tools of which something else is said now; the ids are equal but for renamed ones."""
    found: list[tuple[str, str]] = []
    for outcome in outcomes:
        old = {new: former for former, new in outcome.renamed}
        found += [(old.get(tool, tool), tool) for tool in _tools(outcome).updated]
    return found


def change_record(
    outcome: SourceOutcome,
    last: SyncRecord | None,
    moment: Moment,
    *,
    before: Mapping[str, Tool],
    after: Mapping[str, Tool],
    unsafe: Mapping[str, Sequence[str]],
    workflows: WorkflowCounts,
) -> SyncRecord:
    """The record of a sync that changed something.

    Args:
        outcome: what became of the source.
        last: its record before.
        moment: when.
        before: its tools of `changed_tools` as they were, by their old ids.
        after: the same as they are, by their new ids.
        unsafe: by new id: `unsafe_changes` of the tools' definitions.
        workflows: stored workflows that the run broke.
    """
    tools = list(_tool_changes(outcome, before, after, unsafe))
    touched = {one.id for one in tools} | {one.former_id for one in tools}
    broken = [
        BrokenWorkflow(id=one, reason=reason[:PROBLEM_CHARS])
        for one, reason in workflows.broken
        if not touched.isdisjoint(workflows.tools_of.get(one, frozenset()))
    ]
    order = list(Severity)
    return SyncRecord(
        source=SourceId(outcome.source),
        number=last.number + 1 if last else 1,
        at=moment.at,
        status=SyncStatus.CHANGED,
        generation=moment.generation,
        severity=worst(one.severity for one in tools),
        nodes={label: _counted(label, one, outcome) for label, one in sorted(outcome.nodes.items())},
        tools=tuple(sorted(tools, key=lambda one: (order.index(one.severity), one.id))[:LISTED]),
        tools_changed=len(tools),
        rejected=len(outcome.rejected),
        workflows_broken=tuple(broken[:LISTED]),
        workflows_broken_count=len(broken),
    )


def failure_record(failure: Failure, last: SyncRecord | None, moment: Moment) -> SyncRecord:
    """The record of a sync that failed: a new one, or the one of the failure before with the newer reason."""
    record = SyncRecord(
        source=failure.source.id,
        number=last.number + 1 if last else 1,
        at=moment.at,
        status=SyncStatus.FAILED,
        generation=moment.generation,
        problem=failure.problem,
        problem_said=failure.said,
    )
    if last is None or last.status is not SyncStatus.FAILED:
        return record
    return record.model_copy(update={"number": last.number, "at": last.at, "reasons": last.reasons + 1})


def failed_sources(
    outcomes: Iterable[SourceOutcome], sources: Mapping[SourceId, Source], inputs: Iterable[IngestInput]
) -> list[Failure]:
    """Which sources were refused, where that is news.

    A source that the sources file names is known from its first failure on; one that was given by hand, once
    something of it was read. A document of the same name from another place is no failure of the source, unless
    the sources file says so.
    """
    places = {one.source: one for one in inputs}
    found: list[Failure] = []
    for outcome in outcomes:
        if outcome.status is not Status.REFUSED:
            continue
        place = places.get(SourceId(outcome.source))
        source = sources.get(SourceId(outcome.source))
        if source is None and place and place.listed_in:
            source = _never_read(place)
        if source is None:
            continue
        ours = place is None or place.uri == source.uri or bool(place.listed_in)
        problem = _problem(outcome)
        if ours and (source.healthy or source.problem != problem):
            said = next((entry.said for entry in outcome.rejected if entry.said), "")
            found.append(Failure(source, problem, said))
    return found


def _never_read(place: IngestInput) -> Source:
    """A source of which nothing has been read yet."""
    return Source(
        id=place.source,
        kind=place.kind,
        name=place.name,
        uri=place.uri,
        version="",
        content_hash="",
        synced_at="",
        listed_in=place.listed_in,
    )


def _problem(outcome: SourceOutcome) -> str:
    """Why a source was refused, cut to what is kept."""
    return "; ".join(entry.reason for entry in outcome.rejected)[:PROBLEM_CHARS]


def unhealthy(failure: Failure, moment: Moment) -> Source:
    """The source with what is wrong with it."""
    now = {
        "healthy": False,
        "problem": failure.problem,
        "problem_said": failure.said,
        "problem_at": moment.at,
    }
    return failure.source.model_copy(update=now)


def _tool_changes(
    outcome: SourceOutcome,
    before: Mapping[str, Tool],
    after: Mapping[str, Tool],
    unsafe: Mapping[str, Sequence[str]],
) -> Iterator[ToolChange]:
    counts = _tools(outcome)
    old = {new: former for former, new in outcome.renamed}
    for tool in counts.created:
        yield created(tool)
    for tool in counts.updated:
        former = old.get(tool, tool)
        if former in before and tool in after:
            yield changed(before[former], after[tool], unsafe=unsafe.get(tool, ()))
    for tool in counts.removed:
        yield removed(tool)


def _tools(outcome: SourceOutcome) -> Counts:
    return outcome.nodes.get(_TOOL) or Counts()


def _counted(label: str, counts: Counts, outcome: SourceOutcome) -> NodeChanges:
    renamed = len(outcome.renamed) if label == _TOOL else 0
    return NodeChanges(
        created=len(counts.created),
        updated=len(counts.updated) - renamed,
        renamed=renamed,
        removed=len(counts.removed),
    )


def changing(outcomes: Iterable[SourceOutcome], gone: Sequence[str]) -> list[SourceOutcome]:
    """Outcomes of sources that stay and of which a node came, changed or went."""
    return [one for one in outcomes if one.changed and one.source not in gone]
