"""One ingest: read -> diff -> write -> enrich -> record. Each step takes what the one before it found."""

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from app.domain.moments import utc_text
from app.domain.nodes.models import GraphState, NodeKind, Source, SourceId, Tool
from app.domain.nodes.syncs import SyncRecord
from app.domain.notices import notices_of
from app.ports.graph import GraphWriter, WriterLease
from app.ports.servers import McpLister
from app.ports.spans import phase
from app.usecases.workflow_health import update_workflows
from ingest.cards import COMMON, OURS
from ingest.diff.changes import Changes
from ingest.diff.review import pass_gate
from ingest.diff.sync import plan_changes
from ingest.enrich.read_tools import ReadTools
from ingest.enrich.requests.kept import has_requests, update_requests
from ingest.enrich.requires.tool_dependencies import changed_servers, update_dependencies
from ingest.enrich.suggests.common_methods import is_current, servers_to_link, update_suggestions
from ingest.run.reading import DocumentReading, read_documents, stored_sources
from ingest.run.report import (
    Failure,
    Moment,
    Report,
    change_record,
    changed_tools,
    changing,
    failed_sources,
    failure_record,
    unhealthy,
)
from ingest.run.request import Bounds, IngestRequest, NoProgress, Progress
from ingest.run.writing import close_sources, write_changes
from ingest.sources.taxonomy.common import CommonTaxonomy


def run_ingest(
    graph: GraphWriter,
    request: IngestRequest,
    *,
    owner: str,
    bounds: Bounds,
    progress: Progress | None = None,
    servers: McpLister | None = None,
    common: CommonTaxonomy | None = None,
) -> Report:
    """Bring the graph to what the documents say, as one new generation; nothing new leaves it as it is.

    A source that fails does not stop the others. A store that fails does; running the same again finishes.

    Args:
        graph: to be changed.
        request: what to do.
        owner: who does it, for others that wait.
        bounds: what is accepted.
        progress: called at each step.
        servers: asks live servers; needed where an input is one.
        common: the common taxonomy, as far as its methods suggest tools; None: nothing of it.

    Raises:
        NotFoundError: a source to be removed is not in the graph.
        InvalidInputError: it is that of the common taxonomy, which a setting takes away.
        StoreUnavailableError: the database did not answer.
        LeaseHeldError: another writer is at work for longer than `lease_wait_s`.
        LeaseLostError: another writer took over, because this one was not heard of for too long.
    """
    begun = time.perf_counter()
    at = utc_text(request.at or datetime.now(UTC))
    report = Report(dry_run=request.dry_run, passed_over=list(request.passed_over))
    run = _Run(graph, request, bounds, progress or NoProgress(), servers, common, at, report)
    if not request.dry_run:
        graph.apply_schema()
    reading = run.read()
    if request.dry_run:
        run.foresee(run.diff(reading))
    else:
        # What another run is writing, or has left unfinished, is compared once this is the one writer.
        plan = None if graph.state().writing else run.diff(reading)
        if plan is None or plan.has_news:
            with graph.lease(owner=owner, wait_s=bounds.lease_wait_s) as lease:
                plan = run.current(reading, plan)
                # Texts are let go of as they are written.
                del reading
                run.write(plan, lease)
    report.seconds["total"] = time.perf_counter() - begun
    return report


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be written, as long as the graph is in the state that it was made for."""

    reading: DocumentReading
    state: GraphState
    changes: Changes
    notes: Sequence[Source]
    """Sources of which only their state is new."""
    failures: Sequence[Failure]
    """What is wrong with sources, where that is news."""
    relinks: bool
    """Whether what common methods suggest was made with another taxonomy."""

    @property
    def has_news(self) -> bool:
        """Whether anything has to be written."""
        return not self.changes.empty or self.relinks or bool(self.notes or self.failures)


@dataclass(frozen=True, slots=True)
class _Run:
    """The steps of one run, and the report that they fill."""

    graph: GraphWriter
    request: IngestRequest
    bounds: Bounds
    progress: Progress
    servers: McpLister | None
    common: CommonTaxonomy | None
    at: str
    report: Report

    def read(self) -> DocumentReading:
        """Read what the graph does not have as it is."""
        with self._timed("read"):
            reading = read_documents(
                self.request,
                self.graph,
                bounds=self.bounds,
                at=self.at,
                progress=self.progress,
                servers=self.servers,
            )
        self.report.kept = reading.kept
        return reading

    def diff(self, reading: DocumentReading) -> _Plan:
        """Compare the documents with the graph as it is now."""
        state = self.graph.state()
        changes = Changes()
        if reading.documents or reading.removals or state.writing or self.request.decisions:
            with self._timed("diff"):
                self.progress.begin("diff", 0)
                gated = pass_gate(
                    self.graph,
                    reading.documents,
                    stored=reading.sources,
                    removals=reading.removals,
                    decisions=self.request.decisions,
                    at=self.at,
                )
                changes = plan_changes(
                    self.graph,
                    gated.documents,
                    removals=reading.removals,
                    allow_shrink=self.request.allow_shrink,
                    recovering=state.writing,
                )
                changes.reviews.extend(gated.reviews)
                changes.removed_reviews.extend(gated.removed)
        outcomes = {**reading.outcomes, **changes.outcomes}
        asked = [one.source for one in self.request.inputs if one.source in outcomes]
        self.report.outcomes = [outcomes[source] for source in dict.fromkeys([*asked, *outcomes])]
        self.report.generation = state.generation
        self.report.count(changes)
        failures = failed_sources(outcomes.values(), reading.sources, self.request.inputs)
        relinks = bool(reading.sources or not changes.empty) and not is_current(
            reading.sources.values(), self.common
        )
        return _Plan(reading, state, changes, [*reading.noted, *changes.noted], failures, relinks)

    def foresee(self, plan: _Plan) -> None:
        """Say what writing would do, and write nothing."""
        if plan.changes.structure:
            # With its mathematics; tools alone change no structure.
            from ingest.enrich.similar.structure import foresee_structure

            with self._timed("structure"):
                self.report.structure = foresee_structure(self.graph, plan.changes)

    def current(self, reading: DocumentReading, plan: _Plan | None) -> _Plan:
        """The plan, made again where another writer was at work before this one got the lease."""
        if stored_sources(self.graph) != reading.sources:
            return self.diff(self.read())
        return plan if plan is not None and plan.state == self.graph.state() else self.diff(reading)

    def write(self, plan: _Plan, lease: WriterLease) -> None:
        """Write what is new, if anything is."""
        self._write(plan, lease)
        # Who was not read before either has been named already.
        down = [one.source.id for one in plan.failures if one.source.healthy]
        self.report.notices = notices_of(
            plan.changes.reviews, down, generation=self.report.generation, at=self.at
        )

    def _write(self, plan: _Plan, lease: WriterLease) -> None:
        changes, recovering = plan.changes, plan.state.writing
        if changes.empty and not recovering and not plan.relinks:
            self._note(plan, lease)
            return
        servers = None if recovering else changed_servers(changes)
        linked = None if recovering or plan.relinks else servers_to_link(changes, servers)
        tools_before = self.graph.tools_of_servers(servers) if servers else []
        changed_outcomes = changing(changes.outcomes.values(), plan.reading.removals)
        pairs = changed_tools(changed_outcomes)
        were = self._tools([old for old, _ in pairs])
        written = None if recovering else _written_tools(changes)
        with self._timed("write"):
            lease.begin()
            write_changes(changes, lease, self.progress)
            # From here on their texts are in the graph.
            changes.forget_written()
            plan.reading.documents.clear()
        self._drop_requests(lease, written)
        self._enrich(changes, lease, servers, tools_before, linked, plan.reading.sources)
        with self._timed("write"):
            close_sources(changes, lease)
            self._note(plan, lease)
            moment = Moment(self.at, self.graph.state().generation + 1)
            are = self._tools([new for _, new in pairs])
            lease.put_syncs(
                [
                    change_record(
                        outcome,
                        self._last(outcome.source, plan),
                        moment,
                        before=were,
                        after=are,
                        unsafe=changes.unsafe,
                        workflows=self.report.workflows,
                    )
                    for outcome in changed_outcomes
                ]
            )
            self.report.generation = lease.finish()

    def _drop_requests(self, lease: WriterLease, written: Collection[str] | None) -> None:
        """Take out what was written for tools that are others now, or gone."""
        if has_requests(self.graph):
            with self._timed("requests"):
                self.report.requests = update_requests(self.graph, lease, written)

    def _enrich(
        self,
        changes: Changes,
        lease: WriterLease,
        servers: set[str] | None,
        tools_before: Sequence[Tool],
        linked: Collection[str] | None,
        before: Collection[SourceId],
    ) -> None:
        """Bring what is inferred to what was written; `before` are the sources that were there."""
        if changes.structure:
            from ingest.enrich.similar.structure import update_structure

            with self._timed("structure"):
                self.progress.begin("structure", 0)
                self.report.structure = update_structure(self.graph, lease)
        tools = ReadTools(self.graph)
        if servers is None or servers:
            with self._timed("dependencies"):
                self.progress.begin("dependencies", 0)
                self.report.dependencies = update_dependencies(
                    self.graph, lease, servers, tools=tools, before=tools_before
                )
        # With the last source of tools goes what was said of them.
        common = self.common if self._has_tools_left(changes, before) else None
        is_concerned = linked is None or linked or common is not self.common
        if is_concerned and (common is not None or self.graph.sources([COMMON])):
            with self._timed("suggestions"):
                self.progress.begin("suggestions", 0)
                self.report.suggestions = update_suggestions(
                    self.graph, lease, linked, common, tools=tools, at=self.at
                )
        with self._timed("workflows"):
            self.report.workflows = update_workflows(self.graph, lease)

    def _has_tools_left(self, changes: Changes, before: Collection[SourceId]) -> bool:
        """Whether a source of tools is there after the run; all of them are read only where none of before stays."""
        gone = {*OURS, *changes.removed_sources}
        return not gone.issuperset(before) or not gone.issuperset(one.id for one in self.graph.sources())

    def _note(self, plan: _Plan, lease: WriterLease) -> None:
        """Write which sources are healthy and which are not: no new generation, nobody's answers change."""
        moment = Moment(self.at, self.graph.state().generation)
        sick = [unhealthy(failure, moment) for failure in plan.failures]
        if notes := [*plan.notes, *sick]:
            # What this run has marked to be read again stays marked.
            marked = {source.id for source in plan.changes.opened}
            lease.put_sources(
                [one.model_copy(update={"content_hash": ""}) if one.id in marked else one for one in notes]
            )
        records = [
            failure_record(failure, self._last(failure.source.id, plan), moment) for failure in plan.failures
        ]
        if records:
            lease.put_syncs(records)

    def _last(self, source: str, plan: _Plan) -> SyncRecord | None:
        """The newest record of a source; one that is new to the graph has none."""
        if SourceId(source) not in plan.reading.sources:
            return None
        return next(iter(self.graph.syncs(source)), None)

    def _tools(self, ids: Sequence[str]) -> dict[str, Tool]:
        return {tool.id: tool for tool in self.graph.found_tools(ids)} if ids else {}

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        with phase(f"outfitter.sync.{name}"):
            yield
        spent = time.perf_counter() - begun
        self.report.seconds[name] = self.report.seconds.get(name, 0.0) + spent


def _written_tools(changes: Changes) -> set[str]:
    """Tools whose nodes a run writes, by the ids that they have afterwards."""
    written = {node for kind, node in changes.nodes if kind is NodeKind.TOOL}
    return written.union(
        (one.id for one in changes.moved_nodes),
        (move.new for move in changes.moves),
        dict(changes.renames).values(),
    )
