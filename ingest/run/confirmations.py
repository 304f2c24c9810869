"""Calls of a tool wait when its definition changes to something that nobody has agreed to."""

from collections.abc import Iterable, Mapping

from app.domain.calling.definitions import Definition, KnownDefinition, definition_of, unsafe_changes
from app.domain.nodes.models import NodeKind, NodeRow, Property
from ingest.diff.changes import Changes, Outcome
from ingest.diff.stored import Stored

_NAMED = 3
"""Tools that a warning names; more would hide what to do."""


def redefined_tools(changes: Changes, stored: Stored) -> list[str]:
    """Tools of the graph that are written again, by the ids that they have before the run."""
    old_id = {new: old for old, new in changes.renames}
    there = stored.names.get(NodeKind.TOOL, {})
    ids = (old_id.get(node, node) for kind, node in changes.nodes if kind is NodeKind.TOOL)
    return sorted(node for node in ids if node in there)


def hold_calls(changes: Changes, before: Iterable[KnownDefinition]) -> None:
    """Keep with each tool the definition that was trusted last, where the new one is another.

    The first definition that a source gives is trusted. A later one that may send calls elsewhere, or makes a tool
    look more harmless, waits, through renames and while no source describes the tool, until it is confirmed or is
    again what it was.

    Args:
        changes: gets the properties of tools, and a warning for each source.
        before: the definitions of `redefined_tools`.
    """
    new_id = dict(changes.renames)
    waiting: set[str] = set()
    for known in before:
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
