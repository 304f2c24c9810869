"""The edges of a tool, by what they mean for it."""

from dataclasses import dataclass

from app.domain.nodes.graph_views import GraphEdge, GraphNode, Neighbourhood, NodeRef
from app.domain.nodes.models import EdgeKind, NodeKind

SHOWN_KINDS = (
    EdgeKind.REQUIRES,
    EdgeKind.PRECEDES,
    EdgeKind.ALTERNATIVE,
    EdgeKind.SIMILAR,
    EdgeKind.SUGGESTS,
)
_TITLES = {
    (EdgeKind.REQUIRES, True): "Fills its inputs",
    (EdgeKind.REQUIRES, False): "Takes values from it",
    (EdgeKind.PRECEDES, False): "Comes before it",
    (EdgeKind.PRECEDES, True): "Comes after it",
    (EdgeKind.ALTERNATIVE, True): "Does the same",
    (EdgeKind.ALTERNATIVE, False): "Does the same",
    (EdgeKind.SIMILAR, True): "Similar",
    (EdgeKind.SIMILAR, False): "Similar",
    (EdgeKind.SUGGESTS, False): "Common methods that suggest it",
}
"""Kind of edge, and whether it leaves the tool -> what the node at its other end is to it."""


@dataclass(frozen=True, slots=True)
class RelatedNode:
    """The node at the other end of an edge."""

    node: GraphNode
    edge: GraphEdge


@dataclass(frozen=True, slots=True)
class RelationGroup:
    """Tools, or methods, that are the same to this one."""

    title: str
    nodes: tuple[RelatedNode, ...]


def relations(tool_id: str, around: Neighbourhood) -> list[RelationGroup]:
    """What is around a tool, in the order of the titles; in a group the surest first, then by id."""
    found: dict[str, list[RelatedNode]] = {title: [] for title in _TITLES.values()}
    nodes = {node.key: node for node in around.nodes}
    own = NodeRef(NodeKind.TOOL, tool_id).key
    for edge in around.edges:
        leaves, enters = edge.source == own, edge.target == own
        title = _TITLES.get((edge.kind, leaves))
        if title is not None and leaves != enters:
            found[title].append(RelatedNode(nodes[edge.target if leaves else edge.source], edge))
    return [
        RelationGroup(title, tuple(sorted(related, key=lambda one: (-one.edge.confidence, one.node.id))))
        for title, related in found.items()
        if related
    ]
