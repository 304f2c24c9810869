"""Sources whose edges go with another source's node: they are read again, so that the edges can come back."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from app.domain.nodes.edge_forms import STATED_FORMS
from app.domain.nodes.models import EdgeForm, NodeKind
from ingest.diff.changes import Changes
from ingest.diff.stored import NodeKey, Stored

_TARGETS = frozenset((NodeKind.METHOD, NodeKind.CATEGORY, NodeKind.TEMPLATE))
"""Kinds of nodes that another source may point at without providing them; a tool that it names it provides as well."""


def stale_reference_forms(changes: Changes) -> list[EdgeForm]:
    """The forms of edges that point at what these changes remove, and that others may have stated."""
    gone = {kind for kind, nodes in changes.removed.items() if nodes} & _TARGETS
    return [form for form in STATED_FORMS if form.target in gone]


def mark_stale_references(
    changes: Changes, stored: Stored, edges: Mapping[EdgeForm, Iterable[tuple[str, str, float]]]
) -> None:
    """Take the hashes from what states an edge to a node that goes, and from the sources of it.

    So the next sync of these sources, though nothing in them has changed, says that the reference means nothing, and
    writes the edge again once the node is back.

    Args:
        changes: gets the provisions and sources.
        stored: the graph before.
        edges: the stated edges of `stale_reference_forms`.
    """
    gone = {kind: set(nodes) for kind, nodes in changes.removed.items()}
    stale: set[NodeKey] = {
        (form.source, source)
        for form, pairs in edges.items()
        for source, target, _ in pairs
        if target in gone[form.target] and source not in gone.get(form.source, ())
    }
    if not stale:
        return
    written: defaultdict[NodeKey, set[str]] = defaultdict(set)
    for one in changes.provisions:
        written[one.kind, one.id].add(one.source)
    handled = {source.id for source in (*changes.opened, *changes.closed)} | set(changes.removed_sources)
    for provision in stored.provisions:
        if (provision.kind, provision.id) not in stale or not provision.content_hash:
            continue
        now = changes.followed(provision)
        if provision.source in written[now.kind, now.id]:
            continue
        changes.pending.append(now.model_copy(update={"content_hash": ""}))
        source = stored.sources[provision.source]
        if source.id not in handled and source.content_hash:
            handled.add(source.id)
            changes.opened.append(source.model_copy(update={"content_hash": ""}))
