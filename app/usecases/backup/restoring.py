"""Fill an empty graph from a backup: all of it is checked before anything of it is written."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from itertools import islice
from typing import Final, TypeAlias

from app.domain.backup.lines import HALF_RESTORED, BackupEdge, BackupEnd, BackupHead, BackupItem, BackupNode
from app.domain.backup.reading import BackupReader
from app.domain.nodes.models import EdgeForm, EdgeRow, NodeKind, NodeRow, Provision, Source
from app.domain.nodes.syncs import SyncRecord
from app.domain.review.records import Review
from app.errors import ChangedMeanwhileError, InvalidInputError
from app.ports.graph import GraphWriter, WriterLease
from app.usecases.backup.taking import BackupProgress, BackupReport

OpenBackup: TypeAlias = Callable[[], AbstractContextManager[Iterable[bytes]]]
"""Opens the lines of a backup, from the first one each time."""
_AT_ONCE: Final = 2_000
"""Things between two steps of the progress bar; the store makes its own batches."""


def restore_backup(
    graph: GraphWriter,
    opened: OpenBackup,
    *,
    owner: str,
    lease_wait_s: float,
    progress: BackupProgress,
) -> BackupReport:
    """Bring an empty graph to what a backup says, at its generation.

    A restore that ends before its end leaves the graph marked, so that nothing else writes to it; the next restore
    removes what is there and begins from an empty graph.

    Args:
        graph: a new one, or one that a restore was killed on.
        opened: the backup.
        owner: who writes.
        lease_wait_s: how long to wait for another writer.
        progress: called as lines are checked and written.

    Raises:
        InvalidInputError: the graph is not empty, or the file is not what is accepted; nothing is written.
        ChangedMeanwhileError: the file changed after it was checked; the restore is to be run again.
        LeaseHeldError: another writer is at work for longer than `lease_wait_s`.
        SchemaVersionError: the graph was written by a newer version.
    """
    graph.apply_schema()
    _refuse_filled(graph)
    checked = _checked(graph, opened, progress)
    with graph.lease(owner=owner, wait_s=lease_wait_s) as lease:
        _refuse_filled(graph)
        left = bool(graph.half_restored())
        lease.begin_restore(checked.end.sha256, generation=checked.head.generation)
        if left:
            _empty(graph, lease)
        _write(graph, lease, opened, checked, progress)
        lease.finish()
    return BackupReport(
        generation=checked.head.generation,
        schema_version=checked.head.schema_version,
        nodes=checked.nodes,
        lines={part: found.lines for part, found in checked.end.parts.items()},
        sha256=checked.end.sha256,
    )


class _Checked:
    """What a backup says of itself, once every line was read."""

    def __init__(self, head: BackupHead, end: BackupEnd, nodes: Counter[NodeKind]) -> None:
        self.head = head
        self.end = end
        self.nodes = nodes

    @property
    def lines(self) -> int:
        """Of all parts."""
        return sum(part.lines for part in self.end.parts.values())


def _refuse_filled(graph: GraphWriter) -> None:
    if graph.half_restored():
        return
    generation, sources = graph.state().generation, graph.sources()
    if generation or sources or graph.state().writing:
        raise InvalidInputError(
            f"the graph is not empty: it is at generation {generation} and has {len(sources)} sources; accepted: an empty"
            " one, in another folder (--data-dir) or another database (NEO4J_URI)"
        )


def _checked(graph: GraphWriter, opened: OpenBackup, progress: BackupProgress) -> _Checked:
    """Read it all, and write nothing."""
    reader = BackupReader(schema_version=graph.state().schema_version)
    nodes: Counter[NodeKind] = Counter()
    progress.begin("check", 0)
    with opened() as lines:
        for item in reader.items(lines):
            if isinstance(item, BackupNode):
                nodes[item.kind] += 1
            progress.advance(1)
    if reader.head is None or reader.end is None:
        raise InvalidInputError("it has no lines; accepted: a file that `outfitter backup` wrote")
    return _Checked(reader.head, reader.end, nodes)


def _empty(graph: GraphWriter, lease: WriterLease) -> None:
    """Remove what the restore that was killed had written."""
    for kind in NodeKind:
        lease.remove_nodes(kind, [one.id for one in graph.node_names(kind)])
    lease.remove_reviews([one.id for one in graph.reviews()])
    lease.remove_sources([one.id for one in graph.sources()])


def _write(
    graph: GraphWriter, lease: WriterLease, opened: OpenBackup, checked: _Checked, progress: BackupProgress
) -> None:
    """Write what the file says now, if that is what was checked."""
    reader = BackupReader(schema_version=graph.state().schema_version)
    progress.begin("write", checked.lines)
    with opened() as lines:
        items = reader.items(lines)
        while some := list(islice(items, _AT_ONCE)):
            _put(lease, some)
            progress.advance(len(some))
    if reader.end != checked.end:
        raise ChangedMeanwhileError(f"the file changed while it was read: {HALF_RESTORED}")


def _put(lease: WriterLease, items: Iterable[BackupItem]) -> None:
    """Write things, those that others refer to first."""
    nodes: defaultdict[NodeKind, list[NodeRow]] = defaultdict(list)
    edges: defaultdict[EdgeForm, list[EdgeRow]] = defaultdict(list)
    sources: list[Source] = []
    provisions: list[Provision] = []
    reviews: list[Review] = []
    records: list[SyncRecord] = []
    for item in items:
        match item:
            case Source():
                sources.append(item)
            case BackupNode():
                nodes[item.kind].append(item.row)
            case BackupEdge():
                edges[item.form].append(item.row)
            case Provision():
                provisions.append(item)
            case Review():
                reviews.append(item)
            case SyncRecord():
                records.append(item)
    if sources:
        lease.put_sources(sources)
    for kind, node_rows in nodes.items():
        lease.put_nodes(kind, node_rows)
    for form, edge_rows in edges.items():
        lease.put_edges(form, edge_rows)
    if provisions:
        lease.put_provisions(provisions)
    if reviews:
        lease.put_reviews(reviews)
    if records:
        lease.put_syncs(records)
