"""read -> diff -> enrich -> write -> finish."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches

from app.domain.nodes.models import GraphState, NodeKind, Source, SourceId, Tool
from app.domain.nodes.syncs import SyncRecord
from app.errors import NotFoundError
from app.ports.graph import GraphWriter, WriterLease
from app.ports.servers import McpLister
from app.usecases.workflow_health import update_workflows
from ingest.diff.changes import Changes, Outcome
from ingest.diff.moves import edges_to_move, move_edges
from ingest.diff.renames import vanished_tools
from ingest.diff.stale_references import mark_stale_references, stale_reference_forms
from ingest.diff.stored import read_stored
from ingest.diff.sync import plan_changes
from ingest.enrich.requires.tool_dependencies import changed_servers, tools_before, update_dependencies
from ingest.enrich.similar.structure import foresee_structure, update_structure
from ingest.run.confirmations import hold_calls, redefined_tools
from ingest.run.progress import NoProgress, Progress
from ingest.run.prune import gone_sources, unlisted_sources
from ingest.run.reading import Options, Reading, read_documents, refuse
from ingest.run.report import Report
from ingest.run.request import Bounds, IngestRequest
from ingest.run.sync_records import (
    Failure,
    Moment,
    change_record,
    changed_tools,
    changing,
    failed_sources,
    failure_record,
    unhealthy,
)
from ingest.run.writing import close_sources, write_changes


def run_ingest(
    graph: GraphWriter,
    request: IngestRequest,
    *,
    owner: str,
    bounds: Bounds,
    progress: Progress | None = None,
    servers: McpLister | None = None,
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

    Raises:
        NotFoundError: a source to be removed is not in the graph.
        StoreUnavailableError: the database did not answer.
        LeaseHeldError: another writer is at work for longer than `lease_wait_s`.
        LeaseLostError: another writer took over, because this one was not heard of for too long.
    """
    run = _Run(graph, request, bounds, progress or NoProgress(), servers)
    begun = time.perf_counter()
    if not request.dry_run:
        graph.apply_schema()
    run.read()
    if request.dry_run:
        run.foresee()
    elif run.has_work():
        with graph.lease(owner=owner, wait_s=bounds.lease_wait_s) as lease:
            run.write(lease)
    run.report.seconds["total"] = time.perf_counter() - begun
    return run.report


class _Run:
    """One run, step by step."""

    def __init__(
        self,
        graph: GraphWriter,
        request: IngestRequest,
        bounds: Bounds,
        progress: Progress,
        servers: McpLister | None,
    ) -> None:
        self._graph = graph
        self._servers = servers
        self._request = request
        self._bounds = bounds
        self._progress = progress
        self._sources: Mapping[SourceId, Source] = {}
        self._reading = Reading()
        self._removals: list[SourceId] = []
        self._planned: tuple[GraphState, Changes] | None = None
        self._at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        self.report = Report(dry_run=request.dry_run, passed_over=list(request.passed_over))

    def read(self) -> None:
        """Read what the graph does not have as it is."""
        with self._timed("read"):
            self._sources = self._graph_sources()
            self._progress.begin("read", len(self._request.inputs))
            self._reading = read_documents(
                self._request.inputs,
                self._sources,
                options=Options(
                    self._bounds.limits,
                    self._bounds.max_file_bytes,
                ),
                tools_of=self._tools_of,
                progress=self._progress,
                servers=self._servers,
            )
            for source, reason in self._request.refused.items():
                refuse(self._reading, source, reason)
            self._removals = self._to_remove()
            self.report.generation = self._graph.state().generation
            self.report.outcomes = list(self._reading.outcomes.values())

    def has_work(self) -> bool:
        """Whether anything has to be written, as far as can be known before this is the one writer."""
        if self._graph.state().writing:
            return True
        if not self._reading.documents and not self._removals:
            return bool(self._reading.noted or self._failures({}))
        changes = self.plan()
        return not changes.empty or bool(self._notes(changes) or self._failures(changes.outcomes))

    def plan(self) -> Changes:
        """Compare the documents with the graph; once for each state of it."""
        state = self._graph.state()
        if self._planned is not None and self._planned[0] == state:
            return self._planned[1]
        with self._timed("diff"):
            stored = read_stored(self._graph)
            gone = vanished_tools(stored, self._reading.documents)
            changes = plan_changes(
                stored,
                self._reading.documents,
                removals=self._removals,
                allow_shrink=self._request.allow_shrink,
                recovering=state.writing,
                gone=self._tools([tool for tools in gone.values() for tool in tools]),
            )
            if changes.moves:
                move_edges(changes, stored, self._graph.tool_edges(edges_to_move(changes)))
            hold_calls(changes, self._graph.definitions(redefined_tools(changes, stored)))
            if forms := stale_reference_forms(changes):
                edges = {form: self._graph.edge_pairs(form, stated=True) for form in forms}
                mark_stale_references(changes, stored, edges)
        self._planned = state, changes
        self.report.generation = state.generation
        outcomes = {**self._reading.outcomes, **changes.outcomes}
        asked = [one.source for one in self._request.inputs if one.source in outcomes]
        self.report.outcomes = [outcomes[source] for source in dict.fromkeys([*asked, *outcomes])]
        self.report.count(changes)
        return changes

    def foresee(self) -> None:
        """Plan, and write nothing."""
        changes = self.plan()
        if changes.structure:
            with self._timed("structure"):
                self.report.structure = foresee_structure(self._graph, changes)

    def write(self, lease: WriterLease) -> None:
        """Write what is new, if anything is."""
        recovering = self._graph.state().writing
        if self._graph_sources() != self._sources:
            # Another writer was at work before this one got the lease.
            self._planned = None
            self.read()
        changes = self.plan()
        failures = self._failures(changes.outcomes)
        if changes.empty and not recovering:
            self._note(lease, changes, failures)
            return
        servers = None if recovering else changed_servers(changes)
        before = tools_before(self._graph, servers) if servers else []
        changed_outcomes = changing(changes.outcomes.values(), self._removals)
        pairs = changed_tools(changed_outcomes)
        were = self._tools([old for old, _ in pairs])
        with self._timed("write"):
            lease.begin()
            write_changes(changes, lease, self._progress)
        if changes.structure:
            with self._timed("structure"):
                self._progress.begin("structure", 0)
                self.report.structure = update_structure(self._graph, lease)
        if servers is None or servers:
            with self._timed("dependencies"):
                self._progress.begin("dependencies", 0)
                self.report.dependencies = update_dependencies(self._graph, lease, servers, before=before)
        with self._timed("workflows"):
            self.report.workflows = update_workflows(self._graph, lease)
        with self._timed("write"):
            close_sources(changes, lease)
            self._note(lease, changes, failures)
            moment = Moment(self._at, self._graph.state().generation + 1)
            are = self._tools([new for _, new in pairs])
            lease.put_syncs(
                [
                    change_record(
                        outcome,
                        self._last(outcome.source),
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

    def _notes(self, changes: Changes) -> list[Source]:
        return [*self._reading.noted, *changes.noted]

    def _note(self, lease: WriterLease, changes: Changes, failures: Sequence[Failure]) -> None:
        """Write which sources are healthy and which are not: no new generation, nobody's answers change."""
        moment = Moment(self._at, self._graph.state().generation)
        sick = [unhealthy(failure, moment) for failure in failures]
        if notes := [*self._notes(changes), *sick]:
            # What this run has marked to be read again stays marked.
            marked = {source.id for source in changes.opened}
            lease.put_sources(
                [one.model_copy(update={"content_hash": ""}) if one.id in marked else one for one in notes]
            )
        records = [failure_record(failure, self._last(failure.source.id), moment) for failure in failures]
        if records:
            lease.put_syncs(records)

    def _failures(self, outcomes: Mapping[str, Outcome]) -> list[Failure]:
        """What is wrong with sources, where that is news."""
        known = {**self._reading.outcomes, **outcomes}
        return failed_sources(known.values(), self._sources, self._request.inputs)

    def _last(self, source: str) -> SyncRecord | None:
        """The newest record of a source; one that is new to the graph has none."""
        if SourceId(source) not in self._sources:
            return None
        return next(iter(self._graph.syncs(source)), None)

    def _tools(self, ids: Sequence[str]) -> dict[str, Tool]:
        return {tool.id: tool for tool in self._graph.found_tools(ids)} if ids else {}

    def _to_remove(self) -> list[SourceId]:
        for source in self._request.removals:
            if source not in self._sources:
                raise NotFoundError(f"no source {source!r}; {_near_sources(source, self._sources)}")
        gone = gone_sources(self._sources.values(), self._request.inputs, self._request.folders)
        if self._request.listed_in is not None:
            gone += unlisted_sources(self._sources.values(), self._request.listed_in)
        if not self._request.prune:
            self.report.kept = [str(source) for source in gone if self._sources[source].synced_at]
            # One that was never read has nothing to be kept.
            gone = [source for source in gone if not self._sources[source].synced_at]
        return [*self._request.removals, *gone]

    def _tools_of(self, server: str) -> list[Tool]:
        names = self._graph.node_names(NodeKind.TOOL)
        return self._graph.found_tools([one.id for one in names if one.id.startswith(f"{server}/")])

    def _graph_sources(self) -> Mapping[SourceId, Source]:
        return {source.id: source for source in self._graph.sources()}

    @contextmanager
    def _timed(self, phase: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        spent = time.perf_counter() - begun
        self.report.seconds[phase] = self.report.seconds.get(phase, 0.0) + spent


def _near_sources(source: str, known: Iterable[str]) -> str:
    ids = list(known)
    near = get_close_matches(source, ids, n=3, cutoff=0.4)
    if near:
        return f"known near ones: {', '.join(near)}"
    return f"`outfitter sources` lists all {len(ids)}"
