"""The graph as people look at it: a tool with what surrounds it, a neighbourhood to draw, sources with counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field, computed_field

from app.domain.nodes.models import EdgeKind, NodeKind, Source, SourceId, Tool, Value


class NodeRef(NamedTuple):
    """A node by kind and id; nodes of different kinds may have one id."""

    kind: NodeKind
    id: str

    @property
    def key(self) -> str:
        """Names it among nodes of all kinds."""
        return f"{self.kind.value}:{self.id}"


class GraphNode(Value):
    """A node as it is drawn."""

    kind: NodeKind
    """`Generator` for a generator, which is a tool as well."""
    id: str
    name: str
    """An example's text; empty where a node has no name."""

    # mypy accepts nothing above `property`.
    @computed_field(  # type: ignore[prop-decorator]
        description="Names it among nodes of all kinds.", examples=["Tool:payments/refund_charge"]
    )
    @property
    def key(self) -> str:
        """Names it among nodes of all kinds."""
        return self.ref.key

    @property
    def ref(self) -> NodeRef:
        """Kind and id."""
        return NodeRef(self.kind, self.id)


class GraphEdge(Value):
    """An edge with what is said about it."""

    source: Annotated[str, Field(description="`key` of the node that it leaves.")]
    target: Annotated[str, Field(description="`key` of the node that it enters.")]
    kind: EdgeKind
    weight: Annotated[float, Field(description="1 where the edge has none.")]
    confidence: Annotated[float, Field(description="1 for what a source states.")]
    evidence: Annotated[str, Field(description="Where the edge comes from.")]
    reason: str
    parameter: Annotated[
        str,
        Field(
            description="Of `REQUIRES`: the input of the source that the target fills; empty if not known."
        ),
    ] = ""
    field: Annotated[
        str, Field(description="Of `REQUIRES`: JSON pointer into the target's answer; empty if not known.")
    ] = ""
    required: Annotated[
        bool | None, Field(description="Of `REQUIRES` between tools: whether the input is required.")
    ] = None
    rank: Annotated[
        int | None, Field(description="Place among the tools that fill the input, from 1; null without one.")
    ] = None
    position: Annotated[
        int | None, Field(description="Place in the list of the edge's source; null without one.")
    ] = None


class Direction(StrEnum):
    """Seen from a node."""

    OUT = "out"
    """The edge leaves it."""
    IN = "in"
    """The edge enters it."""


@dataclass(frozen=True, slots=True)
class TouchingEdge:
    """An edge as one of its ends sees it."""

    node: GraphNode
    """The end."""
    direction: Direction
    other: GraphNode
    edge: GraphEdge
    place: int
    """Among the node's edges of this kind and direction, the surest first, from 0."""
    count: int
    """How many of these there are."""


def touching_order(one: TouchingEdge) -> tuple[int, str, str, str, str, str]:
    """The first edge of each node, kind and direction before the second of any."""
    edge = one.edge
    return one.place, one.node.key, edge.kind, one.direction, one.other.key, edge.parameter


class EdgeCount(Value):
    """How many edges of one kind leave, or enter, the node in the middle."""

    node: Annotated[str, Field(description="Its `key`.")]
    kind: EdgeKind
    direction: Direction
    count: int
    next_cursor: Annotated[
        str | None, Field(description="`cursor` for more of these; null where all are there.")
    ]


class Neighbourhood(Value):
    """Nodes and the edges between them, around one id."""

    nodes: Annotated[
        tuple[GraphNode, ...], Field(description="By kind and id; the nodes asked for are among them.")
    ]
    edges: Annotated[
        tuple[GraphEdge, ...],
        Field(description="Nearest first, then the surest of each kind and direction in turn."),
    ]
    counts: Annotated[
        tuple[EdgeCount, ...],
        Field(description="Of the nodes asked for: their edges by kind and direction, whether given or not."),
    ]
    truncated: Annotated[
        bool, Field(description="There are more edges than `limit` or `per_kind` let through.")
    ]


class ToolSource(Value):
    """That a source provides a tool."""

    source: SourceId
    declares: bool
    """True when the source only names the tool."""


class ToolOrigin(Value):
    """Where a tool comes from."""

    sources: tuple[ToolSource, ...]
    """By id."""
    former_ids: tuple[str, ...]
    """Ids that it had before it was renamed, the newest first."""


class ToolDetails(ToolOrigin):
    """A tool with everything that touches it."""

    tool: Tool
    nodes: tuple[GraphNode, ...]
    """The tool, and what its edges lead to or come from."""
    edges: tuple[GraphEdge, ...]
    """At most the limit asked for of each kind and direction."""


class GraphStatus(Value):
    """Where the graph stands, and who writes it."""

    generation: int
    writing: bool
    """An ingest is at work, or was killed before its end."""
    generation_at: str
    """Since when it has that generation; UTC, ISO 8601, whole seconds. Empty: the graph does not say."""
    lease_owner: str
    """Who may write now; empty: nobody."""
    lease_left_s: float
    """For how long, unless it is renewed; by the database's clock."""


class SourceCounts(Value):
    """A source and how many nodes of each kind it provides."""

    source: Source
    nodes: Mapping[NodeKind, int]
    declared: int
    """How many of its tools it only names."""
