"""What a source says of a tool goes to another tool: provisions, vetoes and edges."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from app.domain.nodes.edge_forms import STEP_FORMS
from app.domain.nodes.models import (
    EdgeForm,
    EdgeRow,
    NodeKind,
    NodeName,
    NodeRow,
    Property,
    Provision,
    SourceId,
)
from ingest.diff.changes import Changes, Move, MovedEdge
from ingest.diff.claims import said_of
from ingest.diff.stored import NodeKey, Stored


def add_moves(changes: Changes, stored: Stored) -> Stored:
    """Add what the moves of `changes` write, but for the edges; the graph as it will be then.

    Args:
        changes: gets nodes and provisions.
        stored: the graph, under the ids after the renames.
    """
    if not changes.moves:
        return stored
    tools = dict(stored.names.get(NodeKind.TOOL, {}))
    for new in dict.fromkeys(move.new for move in changes.moves):
        if new not in tools:
            changes.moved_nodes.append(declared_tool(new))
            tools[new] = NodeName(id=new, name=new.partition("/")[2] or new, declared=True)
    goals = _goals(changes.moves)
    said = {(one.source, one.id) for one in stored.provisions if one.kind is NodeKind.TOOL}
    provisions: list[Provision] = []
    for one in stored.provisions:
        moved = _moved(one, goals.get(one.source, {}))
        if moved is None:
            provisions.append(one)
        elif moved.id == one.id or (moved.source, moved.id) not in said:
            provisions.append(moved)
            changes.moved_provisions.append(moved)
    return Stored(stored.sources, provisions, {**stored.names, NodeKind.TOOL: tools})


def edges_to_move(changes: Changes) -> list[str]:
    """The tools, under the ids before the renames, whose edges `move_edges` asks for."""
    old_id = {new: old for old, new in changes.renames}
    return sorted({old_id.get(tool, tool) for move in changes.moves for tool in (move.old, move.new)})


def move_edges(changes: Changes, stored: Stored, edges: Iterable[tuple[EdgeForm, EdgeRow]]) -> None:
    """Add the edges that follow the moves of `changes`.

    An edge of a method, a template or a generator is its source's, one between tools that of the source which
    states it. The steps of a workflow are what its plan says, and no name.

    Args:
        changes: gets the edges.
        stored: the graph before.
        edges: the stated edges of `edges_to_move`, as they are.
    """
    new_id = dict(changes.renames)
    renamed = [
        (
            form,
            EdgeRow(
                new_id.get(edge.source, edge.source) if form.source is NodeKind.TOOL else edge.source,
                new_id.get(edge.target, edge.target) if form.target is NodeKind.TOOL else edge.target,
                edge.properties,
            ),
        )
        for form, edge in edges
    ]
    there = {_identity(form, edge) for form, edge in renamed}
    goals = _goals(changes.moves)
    providers = _providers(stored)
    for form, edge in renamed:
        if form in STEP_FORMS:
            continue
        if stated_by := edge.properties.get("stated_by"):
            owners: Iterable[SourceId] = [SourceId(str(stated_by))]
        else:
            owners = providers.get((form.source, edge.source), ())
        goal = next((goals[owner] for owner in owners if owner in goals), {})
        source = goal.get(edge.source, edge.source) if form.source is NodeKind.TOOL else edge.source
        target = goal.get(edge.target, edge.target) if form.target is NodeKind.TOOL else edge.target
        if (source, target) == (edge.source, edge.target):
            continue
        new = EdgeRow(source, target, edge.properties)
        is_needless = (form.source is form.target and source == target) or _identity(form, new) in there
        changes.moved_edges.append(MovedEdge(form, edge, None if is_needless else new))


def declared_tool(tool: str) -> NodeRow:
    """A tool of which only the id is known."""
    server, _, name = tool.partition("/")
    properties: dict[str, Property] = {"name": name or tool, "declared": True, "deprecated": False}
    return NodeRow(id=tool, properties={**properties, "server": server} if name else properties)


def _goals(moves: Sequence[Move]) -> dict[SourceId, dict[str, str]]:
    found: defaultdict[SourceId, dict[str, str]] = defaultdict(dict)
    for move in moves:
        found[move.source][move.old] = move.new
    return dict(found)


def _moved(one: Provision, goal: Mapping[str, str]) -> Provision | None:
    """What a source says, of the tools that it means now; None where it is as it was."""
    vetoes = tuple(goal.get(tool, tool) for tool in one.not_requires)
    tool = goal.get(one.id, one.id) if one.kind is NodeKind.TOOL else one.id
    if tool == one.id:
        return one.model_copy(update={"not_requires": vetoes}) if vetoes != one.not_requires else None
    return one.model_copy(update={"id": tool, "not_requires": vetoes, "named": said_of(one)})


def _providers(stored: Stored) -> dict[NodeKey, list[SourceId]]:
    found: defaultdict[NodeKey, list[SourceId]] = defaultdict(list)
    for one in stored.provisions:
        if not one.declares:
            found[one.kind, one.id].append(one.source)
    return dict(found)


def _identity(form: EdgeForm, edge: EdgeRow) -> tuple[EdgeForm, str, str, str]:
    said = {name: value for name, value in edge.properties.items() if value is not None}
    return form, edge.source, edge.target, repr(sorted(said.items()))
