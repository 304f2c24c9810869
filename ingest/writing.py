"""Apply changes to the graph, step by step, so that a run that is killed can be run again.

A source, and what it says of a node, loses its content hash before anything of it changes and gets the new
one when all of it is there. So whatever a killed run began, a later run sees as not done.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from app.domain.edge_forms import stated_forms_from
from app.ports.graph import WriterLease
from ingest.changes import Changes
from ingest.progress import Progress

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
    if changes.opened:
        lease.put_sources(changes.opened)
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
