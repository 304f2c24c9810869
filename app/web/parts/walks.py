"""What the graph page shows: which nodes and edges, what is left out, and where everything stands."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.domain.nodes.graph_views import Direction, GraphEdge, GraphNode, NodeRef, TouchingEdge
from app.domain.nodes.models import EdgeKind, NodeKind
from app.errors import InvalidInputError
from app.web.parts.columns import Spot, column_layout

MAX_NODES = 300
"""Of one drawing: beyond it, panning is no longer smooth without a GPU (docs/decisions.md)."""
MAX_EDGES = 500
FIRST = 12
"""Nodes of one kind of edge and direction at first."""
MORE = 24
"""How many come with each `+ N more`."""
_ORDER = {kind: number for number, kind in enumerate(NodeKind)}
_GROUP = re.compile(r"(.+)~([A-Z_]{1,40})\.(in|out)~([0-9]{1,4})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """A node's edges of one kind and direction."""

    node: NodeRef
    kind: EdgeKind
    direction: Direction


@dataclass(frozen=True, slots=True)
class Opened:
    """What the address opens: nodes, and how many of a node's edges."""

    nodes: tuple[NodeRef, ...]
    shown: Mapping[EdgeGroup, int]

    def most(self, group: EdgeGroup) -> int:
        """How many edges of a group are shown."""
        return self.shown.get(group, FIRST)


def node_ref(text: str) -> NodeRef:
    """`Kind:id`.

    Raises:
        InvalidInputError: it names no kind of node, or no id.
    """
    kind, _, node_id = text.partition(":")
    if kind not in set(NodeKind) or not node_id or not node_id.isprintable() or len(node_id) > 1000:
        accepted = ", ".join(f"{one}:" for one in NodeKind)
        raise InvalidInputError(f"node {text[:80]!r}; accepted: an id behind one of {accepted}")
    return NodeRef(NodeKind(kind), node_id)


def read_opened(focus: NodeRef, texts: Iterable[str]) -> Opened:
    """What `open` of the address says: `Kind:id` opens a node, `Kind:id~REQUIRES.in~36` shows 36 of its edges.

    Raises:
        InvalidInputError: one of them is neither.
    """
    nodes, shown = {focus: None}, {}
    for text in texts:
        found = _GROUP.fullmatch(text)
        if found and found[2] in set(EdgeKind):
            node = node_ref(found[1])
            shown[EdgeGroup(node, EdgeKind(found[2]), Direction(found[3]))] = min(int(found[4]), MAX_NODES)
        else:
            node = node_ref(text)
        nodes[node] = None
    return Opened(tuple(nodes), shown)


@dataclass(frozen=True, slots=True)
class MoreEdges:
    """Edges of a group that are not shown."""

    group: EdgeGroup
    count: int
    open: str
    """What opens the next of them, for the address."""

    @property
    def key(self) -> str:
        """Its own, among those of nodes."""
        return f"~{self.group.node.key}~{self.group.kind}.{self.group.direction}"


@dataclass(frozen=True, slots=True)
class WalkView:
    """The graph page."""

    focus: GraphNode
    nodes: Mapping[str, GraphNode]
    edges: tuple[GraphEdge, ...]
    more: Mapping[str, MoreEdges]
    opened: frozenset[str]
    """Keys of the nodes whose edges are shown."""
    counts: Mapping[EdgeKind, int]
    """Edges of the focus by kind, shown or not."""
    full: bool
    """Something is left out because the drawing is full."""
    spots: Mapping[str, Spot]
    """Of nodes and of `more`."""


def walk_view(
    focus: GraphNode, touching: Sequence[TouchingEdge], opened: Opened, kinds: frozenset[EdgeKind]
) -> WalkView:
    """What is shown of the edges of the opened nodes.

    Args:
        focus: the node in the middle.
        touching: edges of all opened nodes, the first of each group before the second of any.
        opened: which, and how many of each.
        kinds: of the edges that are shown; those of others are only counted.
    """
    nodes: dict[str, GraphNode] = {focus.key: focus}
    edges: dict[GraphEdge, None] = {}
    left: dict[EdgeGroup, int] = {}
    full = False
    for one in touching:
        group = EdgeGroup(one.node.ref, one.edge.kind, one.direction)
        if one.edge.kind not in kinds or (one.node.key not in nodes and one.other.key not in nodes):
            continue
        wanted = one.place < opened.most(group)
        room = one.other.key in nodes or len(nodes) < MAX_NODES
        if wanted and room and (one.edge in edges or len(edges) < MAX_EDGES):
            nodes.setdefault(one.other.key, one.other)
            edges[one.edge] = None
        full = full or (wanted and not room)
        shown = min(one.count, opened.most(group))
        if one.count > shown:
            left[group] = one.count - shown
    more = {
        made.key: made for group, count in left.items() if not full and (made := _more(group, count, opened))
    }
    groups = {key: f"{_ORDER[node.kind]}{node.kind}" for key, node in nodes.items()}
    # Last in its column, whatever its neighbours.
    groups |= dict.fromkeys(more, "~")
    flows = [flow_of(edge) for edge in edges]
    flows += [_flow_of_more(one) for one in more.values()]
    counts: defaultdict[EdgeKind, int] = defaultdict(int)
    for node_key, kind, _direction, count in {
        (one.node.key, one.edge.kind, one.direction, one.count) for one in touching
    }:
        if node_key == focus.key:
            counts[kind] += count
    return WalkView(
        focus=focus,
        nodes=nodes,
        edges=tuple(edges),
        more=more,
        opened=frozenset(ref.key for ref in opened.nodes if ref.key in nodes),
        counts=counts,
        full=full,
        spots=column_layout(focus.key, groups, flows),
    )


def flow_of(edge: GraphEdge) -> tuple[str, str]:
    """Which node leads to which: a tool that fills an input leads to the one that needs it."""
    if edge.kind is EdgeKind.REQUIRES:
        return edge.target, edge.source
    return edge.source, edge.target


def _more(group: EdgeGroup, count: int, opened: Opened) -> MoreEdges:
    shown = opened.most(group) + MORE
    return MoreEdges(group, count, f"{group.node.key}~{group.kind}.{group.direction}~{shown}")


def _flow_of_more(more: MoreEdges) -> tuple[str, str]:
    leaves = more.group.direction is Direction.OUT
    if more.group.kind is EdgeKind.REQUIRES:
        leaves = not leaves
    key = more.group.node.key
    return (key, more.key) if leaves else (more.key, key)
