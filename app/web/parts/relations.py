"""The edges of a tool, by what they mean for it."""

from dataclasses import dataclass

from app.domain.nodes.graph_views import GraphEdge, GraphNode, Neighbourhood, NodeRef
from app.domain.nodes.models import EdgeKind, NodeKind

SHOWN_KINDS = (EdgeKind.REQUIRES, EdgeKind.PRECEDES, EdgeKind.ALTERNATIVE, EdgeKind.SIMILAR)
_TITLES = {
    (EdgeKind.REQUIRES, True): "Fills its inputs",
    (EdgeKind.REQUIRES, False): "Takes values from it",
    (EdgeKind.PRECEDES, False): "Comes before it",
    (EdgeKind.PRECEDES, True): "Comes after it",
    (EdgeKind.ALTERNATIVE, True): "Does the same",
    (EdgeKind.ALTERNATIVE, False): "Does the same",
    (EdgeKind.SIMILAR, True): "Similar",
    (EdgeKind.SIMILAR, False): "Similar",
}
"""Kind of edge, and whether it leaves the tool -> what the tool at its other end is to it."""


@dataclass(frozen=True, slots=True)
class RelatedTool:
    """The tool at the other end of an edge."""

    node: GraphNode
    edge: GraphEdge


@dataclass(frozen=True, slots=True)
class RelationGroup:
    """Tools that are the same to this one."""

    title: str
    tools: tuple[RelatedTool, ...]


def relations(tool_id: str, around: Neighbourhood) -> list[RelationGroup]:
    """The tools around one, in the order of the titles; in a group the surest first, then by id."""
    found: dict[str, list[RelatedTool]] = {title: [] for title in _TITLES.values()}
    nodes = {node.key: node for node in around.nodes}
    own = NodeRef(NodeKind.TOOL, tool_id).key
    for edge in around.edges:
        leaves, enters = edge.source == own, edge.target == own
        title = _TITLES.get((edge.kind, leaves))
        if title is not None and leaves != enters:
            found[title].append(RelatedTool(nodes[edge.target if leaves else edge.source], edge))
    return [
        RelationGroup(title, tuple(sorted(tools, key=lambda one: (-one.edge.confidence, one.node.id))))
        for title, tools in found.items()
        if tools
    ]
