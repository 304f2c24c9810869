"""Read the whole graph into a backup, while nobody writes to it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from app.domain.backup.lines import (
    FORMAT,
    LEFT_OUT,
    BackupEdge,
    BackupHead,
    BackupLines,
    BackupNode,
    BackupPart,
    edge_order,
)
from app.domain.nodes.models import GraphState, NodeKind
from app.domain.nodes.syncs import SyncPage, SyncRecord, record_id
from app.errors import ChangedMeanwhileError, InvalidInputError, NotReadyError
from app.ports.graph import GraphWriter

_AT_ONCE: Final = 500
"""Nodes of one read: a few megabytes of texts, as most tools go."""
_RECORDS_AT_ONCE: Final = 2_000
"""Records of one page; each names up to a hundred tools."""
T = TypeVar("T", bound=str)


class BackupProgress(Protocol):
    """Called at each step, and for the units of it that are done."""

    def begin(self, step: str, total: int) -> None:
        """A step of this many units begins; 0 where nobody knows."""

    def advance(self, units: int) -> None:
        """This many more units are done."""


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup holds."""

    generation: int
    schema_version: int
    nodes: Mapping[NodeKind, int]
    lines: Mapping[BackupPart, int]
    sha256: str
    """Of all lines but the last."""


def take_backup(
    graph: GraphWriter,
    put: Callable[[bytes], None],
    *,
    owner: str,
    lease_wait_s: float,
    progress: BackupProgress,
) -> BackupReport:
    """Write every node, edge, provision, source and record of syncs as lines, all of one generation.

    Args:
        graph: which one.
        put: takes each line.
        owner: who reads, for writers that wait meanwhile.
        lease_wait_s: how long to wait for another writer.
        progress: called as parts are read.

    Raises:
        InvalidInputError: there is nothing in the graph.
        NotReadyError: an ingest or a restore was killed and has to be finished first.
        ChangedMeanwhileError: somebody wrote all the same; what was put is no backup.
        LeaseHeldError: another writer is at work for longer than `lease_wait_s`.
        SchemaVersionError: the graph was written by a newer version.
    """
    if graph.state().schema_version:
        graph.apply_schema()
    if not graph.state().generation:
        raise InvalidInputError("the graph is empty: there is nothing to back up")
    with graph.lease(owner=owner, wait_s=lease_wait_s):
        state = graph.state()
        if state.writing:
            raise NotReadyError("an ingest or a restore was killed before its end; run it again first")
        report = _written(graph, put, state, progress)
        if graph.state() != state:
            raise ChangedMeanwhileError("the graph was written while it was read; try again")
    return report


def _written(
    graph: GraphWriter, put: Callable[[bytes], None], state: GraphState, progress: BackupProgress
) -> BackupReport:
    head = BackupHead(
        format=FORMAT,
        schema_version=state.schema_version,
        generation=state.generation,
        left_out=LEFT_OUT,
    )
    lines = BackupLines(put, head)
    sources = graph.sources()
    for source in sources:
        lines.add(source)
    ids = {kind: [one.id for one in graph.node_names(kind)] for kind in NodeKind}
    total = sum(map(len, ids.values()))
    progress.begin("nodes", total)
    for kind, some in _batches(ids, progress):
        for row in graph.node_rows(kind, some):
            lines.add(BackupNode(kind, row))
    progress.begin("edges", total)
    for kind, some in _batches(ids, progress):
        edges = [BackupEdge(form, row) for form, row in graph.edges_from(kind, some)]
        for edge in sorted(edges, key=edge_order):
            lines.add(edge)
    progress.begin("provisions", total)
    for kind, some in _batches(ids, progress):
        for provision in graph.providers(kind, some):
            lines.add(provision)
    reviewed = [one.id for one in graph.reviews()]
    progress.begin("reviews", len(reviewed))
    for some in _parts(reviewed, progress):
        for review in sorted(graph.found_reviews(some), key=lambda one: one.id):
            lines.add(review)
    progress.begin("syncs", 0)
    for record in _records(graph, progress):
        lines.add(record)
    end = lines.end()
    return BackupReport(
        generation=state.generation,
        schema_version=state.schema_version,
        nodes={kind: len(found) for kind, found in ids.items() if found},
        lines={part: found.lines for part, found in end.parts.items()},
        sha256=end.sha256,
    )


def _records(graph: GraphWriter, progress: BackupProgress) -> Iterator[SyncRecord]:
    """Of all sources, the newest first; one by one they would take a round trip for each source."""
    page = SyncPage(_RECORDS_AT_ONCE)
    while found := graph.all_syncs(page):
        yield from found
        progress.advance(len(found))
        page = SyncPage(_RECORDS_AT_ONCE, before=found[-1].at, after_id=record_id(found[-1]))


def _batches(
    ids: Mapping[NodeKind, Sequence[str]], progress: BackupProgress
) -> Iterator[tuple[NodeKind, Sequence[str]]]:
    for kind, found in ids.items():
        for some in _parts(found, progress):
            yield kind, some


def _parts(ids: Sequence[T], progress: BackupProgress) -> Iterator[Sequence[T]]:
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        yield some
        progress.advance(len(some))
