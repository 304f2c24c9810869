"""The graph as people look at it: a tool with what surrounds it, a neighbourhood to draw, sources with counts."""

from collections.abc import Mapping

from app.domain.nodes.models import EdgeKind, NodeKind, Source, SourceId, Tool, Value


class GraphNode(Value):
    """A node by kind and id; nodes of different kinds may have one id."""

    kind: NodeKind
    """`Generator` for a generator, which is a tool as well."""
    id: str
    name: str
    """An example's text; empty where a node has no name."""

    @property
    def key(self) -> str:
        """Names it among nodes of all kinds."""
        return f"{self.kind.value}:{self.id}"


class GraphEdge(Value):
    """An edge with both ends and what is said about it."""

    source: GraphNode
    kind: EdgeKind
    target: GraphNode
    weight: float
    """1 where the edge has none."""
    confidence: float
    """1 for what a source states."""
    evidence: str
    reason: str


class Neighbourhood(Value):
    """Nodes and the edges between them, around one id."""

    nodes: tuple[GraphNode, ...]
    """By kind and id; the nodes asked for are among them."""
    edges: tuple[GraphEdge, ...]
    truncated: bool
    """True when there are more edges than the limit."""


class ToolSource(Value):
    """That a source provides a tool."""

    source: SourceId
    declares: bool
    """True when the source only names the tool."""


class ToolDetails(Value):
    """A tool with everything that touches it."""

    tool: Tool
    sources: tuple[ToolSource, ...]
    edges: tuple[GraphEdge, ...]
    """At most the limit asked for."""


class SourceCounts(Value):
    """A source and how many nodes of each kind it provides."""

    source: Source
    nodes: Mapping[NodeKind, int]
    declared: int
    """How many of its tools it only names."""
