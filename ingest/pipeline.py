"""read -> diff -> enrich -> write -> finish."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from app.domain.models import NodeKind, Source, SourceId, Tool
from app.errors import NotFoundError
from app.ports import GraphWriter, McpLister, WriterLease
from app.usecases.workflow_health import update_workflows
from ingest.changes import Changes
from ingest.enrich.structure import foresee_structure, update_structure
from ingest.enrich.tool_dependencies import changed_servers, tools_before, update_dependencies
from ingest.progress import NoProgress, Progress
from ingest.prune import gone_sources
from ingest.reading import Options, Reading, read_documents
from ingest.report import Report
from ingest.sources.files import Input
from ingest.sources.openapi import ALL_OPERATIONS, Selection
from ingest.sources.texts import Limits
from ingest.stored import read_stored
from ingest.sync import plan_changes
from ingest.writing import close_sources, write_changes


@dataclass(frozen=True, slots=True)
class Order:
    """What one run is asked to do."""

    inputs: Sequence[Input] = ()
    removals: Sequence[SourceId] = ()
    """Sources that go; in the graph, and not among the inputs."""
    folders: Sequence[Path] = ()
    """Folders whose files the inputs are."""
    prune: bool = False
    """Remove sources whose file is gone from these folders; otherwise they are reported as kept."""
    allow_shrink: bool = False
    selection: Selection = ALL_OPERATIONS
    """Which operations of OpenAPI documents."""
    allow_private: bool = False
    """Fetch documents from one's own network, too."""
    passed_over: Sequence[str] = ()
    """Files of folders that are no documents; for the report."""
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a run accepts and how long it waits."""

    limits: Limits
    max_file_bytes: int
    lease_wait_s: float


def run_ingest(
    graph: GraphWriter,
    order: Order,
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
        order: what to do.
        owner: who does it, for others that wait.
        bounds: what is accepted.
        progress: told of each step.
        servers: asks live servers; needed where an input is one.

    Raises:
        NotFoundError: a source to be removed is not in the graph.
        StoreUnavailableError: the database did not answer.
        LeaseHeldError: another writer is at work for longer than `lease_wait_s`.
        LeaseLostError: another writer took over, because this one was not heard of for too long.
    """
    run = _Run(graph, order, bounds, progress or NoProgress(), servers)
    begun = time.perf_counter()
    if not order.dry_run:
        graph.apply_schema()
    run.read()
    if order.dry_run:
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
        order: Order,
        bounds: Bounds,
        progress: Progress,
        servers: McpLister | None,
    ) -> None:
        self._graph = graph
        self._servers = servers
        self._order = order
        self._bounds = bounds
        self._progress = progress
        self._sources: Mapping[SourceId, Source] = {}
        self._reading = Reading()
        self._removals: list[SourceId] = []
        self.report = Report(dry_run=order.dry_run, passed_over=list(order.passed_over))

    def read(self) -> None:
        """Read what the graph does not have as it is."""
        with self._timed("read"):
            self._sources = self._graph_sources()
            self._progress.begin("read", len(self._order.inputs))
            self._reading = read_documents(
                self._order.inputs,
                self._sources,
                options=Options(
                    self._bounds.limits,
                    self._bounds.max_file_bytes,
                    selection=self._order.selection,
                    allow_private=self._order.allow_private,
                ),
                tools_of=self._tools_of,
                progress=self._progress,
                servers=self._servers,
            )
            self._removals = self._to_remove()
            self.report.generation = self._graph.state().generation
            self.report.outcomes = list(self._reading.outcomes.values())

    def has_work(self) -> bool:
        """Whether anything may have to be written."""
        return bool(self._reading.documents or self._removals) or self._graph.state().writing

    def plan(self) -> Changes:
        """Compare the documents with the graph."""
        with self._timed("diff"):
            state = self._graph.state()
            changes = plan_changes(
                read_stored(self._graph),
                self._reading.documents,
                removals=self._removals,
                allow_shrink=self._order.allow_shrink,
                recovering=state.writing,
            )
        self.report.generation = state.generation
        outcomes = {**self._reading.outcomes, **changes.outcomes}
        asked = [one.source for one in self._order.inputs if one.source in outcomes]
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
            self.read()
        changes = self.plan()
        if changes.empty and not recovering:
            return
        servers = None if recovering else changed_servers(changes)
        before = tools_before(self._graph, servers) if servers else []
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
            self.report.generation = lease.finish()

    def _to_remove(self) -> list[SourceId]:
        for source in self._order.removals:
            if source not in self._sources:
                raise NotFoundError(f"no source {source!r}; {_near_sources(source, self._sources)}")
        gone = gone_sources(self._sources.values(), self._order.inputs, self._order.folders)
        if not self._order.prune:
            self.report.kept = [str(source) for source in gone]
            gone = []
        return [*self._order.removals, *gone]

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
