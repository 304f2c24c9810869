"""What changes mean for what they do not write: calls that wait to be confirmed, references that are read again."""

from collections import defaultdict
from collections.abc import Mapping

from app.domain.calling.definitions import Definition, definition_of, unsafe_changes
from app.domain.nodes.edge_forms import STATED_FORMS
from app.domain.nodes.models import NodeKind, NodeRow, Property
from app.ports.graph import GraphWriter
from ingest.diff.changes import Changes, NodeKey, Outcome, Stored

_NAMED = 3
"""Tools that a warning names; more would hide what to do."""
_TARGETS = frozenset((NodeKind.METHOD, NodeKind.CATEGORY, NodeKind.TEMPLATE))
"""Kinds of nodes that another source may point at without providing them; a tool that it names it provides as well."""


def hold_calls(changes: Changes, stored: Stored, graph: GraphWriter) -> None:
    """Keep with each tool the definition that was trusted last, where the new one is another.

    The first definition that a source gives is trusted. A later one that may send calls elsewhere, or makes a tool
    look more harmless, waits, through renames and while no source describes the tool, until it is confirmed or is
    again what it was.

    Args:
        changes: gets the properties of tools, and a warning for each source.
        stored: the graph before.
        graph: has the definitions so far.
    """
    new_id = dict(changes.renames)
    old_id = {new: old for old, new in changes.renames}
    there = stored.names[NodeKind.TOOL]
    ids = (old_id.get(node, node) for kind, node in changes.nodes if kind is NodeKind.TOOL)
    waiting: set[str] = set()
    for known in graph.definitions(sorted(node for node in ids if node in there)):
        trusted = known.trusted
        if trusted is None:
            continue
        tool = new_id.get(known.id, known.id)
        row = changes.nodes[NodeKind.TOOL, tool]
        properties, reasons = _held(trusted, row.properties)
        changes.nodes[NodeKind.TOOL, tool] = NodeRow(id=tool, properties=properties)
        if reasons:
            waiting.add(tool)
        if not row.properties.get("declared") and not known.declared:
            changes.unsafe[tool] = tuple(unsafe_changes(known.now, definition_of(row.properties)))
    for outcome in changes.outcomes.values() if waiting else ():
        _warn(outcome, waiting)


def _held(
    trusted: Definition, properties: Mapping[str, Property]
) -> tuple[Mapping[str, Property], tuple[str, ...]]:
    """The properties of a tool with what was trusted and what is not, and the latter."""
    now = definition_of(properties)
    if properties.get("declared"):
        return {**properties, "confirmed": trusted.model_dump_json()}, ()
    if now == trusted:
        return properties, ()
    reasons = tuple(unsafe_changes(trusted, now))
    return {
        **properties,
        "confirmed": trusted.model_dump_json(),
        "unconfirmed": list(reasons) or None,
    }, reasons


def _warn(outcome: Outcome, waiting: set[str]) -> None:
    counts = outcome.nodes.get(NodeKind.TOOL.value)
    tools = sorted(waiting.intersection((*counts.created, *counts.updated))) if counts else []
    if tools:
        more = f" and {len(tools) - _NAMED} more" if len(tools) > _NAMED else ""
        outcome.warnings.append(
            f"calls of {', '.join(tools[:_NAMED])}{more} are refused until `outfitter confirm --source"
            f" {outcome.source}`: where they go, or what the tools promise, has changed"
        )


def mark_stale_references(changes: Changes, stored: Stored, graph: GraphWriter) -> None:
    """Take the hashes from what states an edge to a node that goes, and from the sources of it.

    So the next sync of these sources, though nothing in them has changed, says that the reference means nothing, and
    writes the edge again once the node is back.

    Args:
        changes: gets the provisions and sources.
        stored: the graph before.
        graph: has the stated edges so far.
    """
    gone = {kind: set(nodes) for kind, nodes in changes.removed.items() if nodes}
    stale: set[NodeKey] = {
        (form.source, source)
        for form in STATED_FORMS
        if form.target in _TARGETS and form.target in gone
        for source, target, _ in graph.edge_pairs(form, stated=True)
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
        changes.pend(now)
        source = stored.sources[provision.source]
        if source.id not in handled and source.content_hash:
            handled.add(source.id)
            changes.open_source(source)
