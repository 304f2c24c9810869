"""Apply changes to the graph, step by step, so that a run that is killed can be run again.

A source, and what it says of a node, loses its content hash before anything of it changes and gets the new
one when all of it is there. So whatever a killed run began, a later run sees as not done.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from app.domain.nodes.edge_forms import stated_forms_from
from app.domain.nodes.models import EdgeForm, EdgeRow, NodeKind, SourceId
from app.ports.graph import WriterLease
from ingest.diff.changes import Changes
from ingest.run.request import Progress

T = TypeVar("T")
_CHUNK = 2_000
"""Rows between two steps of the progress bar; the store makes its own batches."""


def write_changes(changes: Changes, lease: WriterLease, progress: Progress) -> None:
    """Everything up to the last step, which is `close_sources`."""
    rows = len(changes.nodes) + changes.edge_count + len(changes.provisions)
    progress.begin("write", rows)
    if changes.vetoes:
        lease.put_provisions(changes.vetoes)
    if changes.renames:
        lease.rename_tools(changes.renames)
    if changes.moves:
        _write_moves(changes, lease)
    if changes.opened:
        lease.put_sources(changes.opened)
    # After what leaves a source to be read again: whoever agrees to a definition, and is killed, finds it served then.
    if changes.reviews:
        lease.put_reviews(changes.reviews)
    if changes.removed_reviews:
        lease.remove_reviews(changes.removed_reviews)
    if changes.pending:
        lease.put_provisions(changes.pending)
    for kind in dict.fromkeys(kind for kind, _ in changes.nodes):
        nodes = [row for (of, _), row in changes.nodes.items() if of is kind]
        _chunked(nodes, progress, partial(lease.put_nodes, kind))
    for (kind, source), nodes_cleared in changes.cleared.items():
        for form in stated_forms_from(kind):
            lease.remove_edges(form, nodes_cleared, stated_by=source)
    for form, edges in changes.edges.items():
        _chunked(edges, progress, partial(lease.put_edges, form))
    for (source, kind), nodes_released in changes.released.items():
        lease.remove_provisions(source, kind, nodes_released)
    for kind, nodes_removed in changes.removed.items():
        lease.remove_nodes(kind, nodes_removed)
    _chunked(changes.provisions, progress, lease.put_provisions)


def _write_moves(changes: Changes, lease: WriterLease) -> None:
    """Take what sources say from one tool to another.

    A source is at both tools until the last of its edges is at the new one, so that a later run finds what a killed
    one left, wherever the name leads by then.
    """
    lease.put_nodes(NodeKind.TOOL, changes.moved_nodes)
    lease.put_provisions(changes.moved_provisions)
    new: defaultdict[EdgeForm, list[EdgeRow]] = defaultdict(list)
    left: defaultdict[tuple[EdgeForm, SourceId], set[str]] = defaultdict(set)
    entered: defaultdict[EdgeForm, list[EdgeRow]] = defaultdict(list)
    gone = {(move.source, move.old) for move in changes.moves}
    for edge in changes.moved_edges:
        if edge.new is not None:
            new[edge.form].append(edge.new)
        stated_by = SourceId(str(edge.old.properties.get("stated_by") or ""))
        if edge.form.source is NodeKind.TOOL and (stated_by, edge.old.source) in gone:
            left[edge.form, stated_by].add(edge.old.source)
        else:
            entered[edge.form].append(edge.old)
    for form, rows in new.items():
        lease.put_edges(form, rows)
    for (form, source), tools in left.items():
        lease.remove_edges(form, sorted(tools), stated_by=source)
    for form, rows in entered.items():
        lease.remove_tool_references(form, rows)
    released: defaultdict[SourceId, list[str]] = defaultdict(list)
    for move in changes.moves:
        released[move.source].append(move.old)
    for source, tools_released in released.items():
        lease.remove_provisions(source, NodeKind.TOOL, tools_released)


def close_sources(changes: Changes, lease: WriterLease) -> None:
    """The last step of each source."""
    if changes.removed_sources:
        lease.remove_sources(changes.removed_sources)
    if changes.closed:
        lease.put_sources(changes.closed)


def _chunked(rows: Sequence[T], progress: Progress, write: Callable[[Sequence[T]], None]) -> None:
    for start in range(0, len(rows), _CHUNK):
        part = rows[start : start + _CHUNK]
        write(part)
        progress.advance(len(part))
