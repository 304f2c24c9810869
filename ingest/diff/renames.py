"""A tool under another id: its source renamed it, or what others say of it goes to another tool."""

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
    Tool,
)
from app.ports.graph import GraphWriter
from ingest.cards import SourceDocument, canonical_json, sha256
from ingest.diff.changes import Changes, Move, MovedEdge, Stored
from ingest.diff.claims import said_of

_COMPARED = ("description", "input_schema", "output_schema", "method", "path")
_HINTS = ("read_only", "destructive", "idempotent", "open_world", "deprecated")


def find_renames(
    stored: Stored, documents: Sequence[SourceDocument], graph: GraphWriter
) -> dict[SourceId, list[tuple[str, str]]]:
    """Per source: (old id, new id) of tools that are equal but for name and title, one to one.

    Where several tools that vanished or came are equal, nobody can say which is which, and none is renamed. A
    tool without a description is equal to too many to be recognised.

    Args:
        stored: the graph before.
        documents: what sources say now.
        graph: has the tools that vanished.
    """
    vanished = _vanished(stored, documents)
    if not vanished:
        return {}
    ids = [tool for tools in vanished.values() for tool in tools]
    tools: dict[str, Tool] = {tool.id: tool for tool in graph.found_tools(ids)}
    known = _known(stored)
    found: dict[SourceId, list[tuple[str, str]]] = {}
    for document in documents:
        gone, came = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for node in vanished.get(document.source.id, ()):
            if node in tools and tools[node].description:
                gone[_body(tools[node].model_dump())].append(node)
        for card in document.cards if gone else ():
            if card.kind is NodeKind.TOOL and card.id not in known:
                came[_body(card.properties)].append(card.id)
        renames = [
            (old[0], came[key][0]) for key, old in gone.items() if len(old) == 1 and len(came[key]) == 1
        ]
        if renames:
            found[document.source.id] = sorted(renames)
    return found


def _vanished(stored: Stored, documents: Iterable[SourceDocument]) -> dict[SourceId, list[str]]:
    """Tools that a source alone described so far and no longer has, for sources that have new ones as well."""
    by_source = stored.by_source()
    by_node = stored.by_node()
    known = _known(stored)
    found: dict[SourceId, list[str]] = {}
    for document in documents:
        if document.is_reviewed:
            # What is said of a tool does not go over to one of another name.
            continue
        source = document.source.id
        there = {card.id for card in document.cards if card.kind is NodeKind.TOOL}
        there |= {entry.id for entry in document.rejected if entry.kind is NodeKind.TOOL}
        gone = [
            node
            for (kind, node), provision in by_source.get(source, {}).items()
            if kind is NodeKind.TOOL
            and node not in there
            and not provision.declares
            and all(other.declares for of, other in by_node[kind, node].items() if of != source)
        ]
        if gone and not there <= known:
            found[source] = gone
    return found


def _known(stored: Stored) -> set[str]:
    return {node for kind in (NodeKind.TOOL, NodeKind.GENERATOR) for node in stored.names[kind]}


def _body(properties: Mapping[str, Property]) -> str:
    """SHA-256 of all that a tool is but for its names."""
    texts = [properties.get(name) or "" for name in _COMPARED]
    return sha256(canonical_json([*texts, *(_hint(properties, name) for name in _HINTS)]))


def _hint(properties: Mapping[str, Property], name: str) -> Property:
    value = properties.get(name)
    return value or False if name == "deprecated" else value


def add_moves(changes: Changes, stored: Stored) -> Stored:
    """Add what the moves of `changes` write, but for the edges; the graph as it will be then.

    Args:
        changes: gets nodes and provisions.
        stored: the graph, under the ids after the renames.
    """
    if not changes.moves:
        return stored
    tools = dict(stored.names[NodeKind.TOOL])
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


def move_edges(changes: Changes, stored: Stored, graph: GraphWriter) -> None:
    """Add the edges that follow the moves of `changes`.

    An edge of a method, a template or a generator is its source's, one between tools that of the source which
    states it. The steps of a workflow are what its plan says, and no name.

    Args:
        changes: gets the edges.
        stored: the graph before.
        graph: has the stated edges so far, under the ids before the renames.
    """
    if not changes.moves:
        return
    new_id = dict(changes.renames)
    old_id = {new: old for old, new in changes.renames}
    tools = sorted({old_id.get(tool, tool) for move in changes.moves for tool in (move.old, move.new)})
    renamed = [
        (
            form,
            EdgeRow(
                new_id.get(edge.source, edge.source) if form.source is NodeKind.TOOL else edge.source,
                new_id.get(edge.target, edge.target) if form.target is NodeKind.TOOL else edge.target,
                edge.properties,
            ),
        )
        for form, edge in graph.tool_edges(tools)
    ]
    there = {_identity(form, edge) for form, edge in renamed}
    goals = _goals(changes.moves)
    providers = stored.by_node()
    for form, edge in renamed:
        if form in STEP_FORMS:
            continue
        if stated_by := edge.properties.get("stated_by"):
            owners: Iterable[SourceId] = [SourceId(str(stated_by))]
        else:
            said = providers.get((form.source, edge.source), {})
            owners = (owner for owner, one in said.items() if not one.declares)
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


def _identity(form: EdgeForm, edge: EdgeRow) -> tuple[EdgeForm, str, str, str]:
    said = {name: value for name, value in edge.properties.items() if value is not None}
    return form, edge.source, edge.target, repr(sorted(said.items()))
