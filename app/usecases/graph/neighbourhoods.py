"""What surrounds a node: the surest edges of each kind and direction, and how many there are."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.nodes.edge_forms import DRAWN_KINDS
from app.domain.nodes.graph_views import (
    Direction,
    EdgeCount,
    GraphEdge,
    GraphNode,
    Neighbourhood,
    NodeRef,
    TouchingEdge,
)
from app.domain.nodes.models import EdgeKind, NodeKind
from app.errors import InvalidInputError, NotFoundError

PER_KIND = 50
MAX_PER_KIND = 500
EDGES = 200
MAX_EDGES = 1000
_CURSOR = re.compile(r"([A-Z_]{1,40})\.(in|out)\.([0-9]{1,7})")


class EdgeReader(Protocol):
    """The part of `GraphExplorer` that is asked."""

    def nodes_with_id(self, node_id: str) -> list[GraphNode]:
        """The nodes of any kind that have this id, by kind."""

    def touching(
        self,
        nodes: Collection[NodeRef],
        *,
        kinds: Iterable[EdgeKind],
        per_kind: int,
        skip: int = 0,
        min_confidence: float = 0.0,
    ) -> list[TouchingEdge]:
        """The edges that leave or enter nodes, for each node, kind and direction those from place `skip` on."""


@dataclass(frozen=True, slots=True)
class EdgeCursor:
    """Where a page of a node's edges begins."""

    kind: EdgeKind
    direction: Direction
    skip: int

    def __str__(self) -> str:
        """As `read_cursor` reads it."""
        return f"{self.kind}.{self.direction}.{self.skip}"


def read_cursor(text: str) -> EdgeCursor:
    """What an answer gave as `next_cursor`.

    Raises:
        InvalidInputError: it is something else.
    """
    found = _CURSOR.fullmatch(text)
    if found is None or found[1] not in DRAWN_KINDS:
        raise InvalidInputError(f"cursor {text[:100]!r} is not valid; accepted: the `next_cursor` of a count")
    return EdgeCursor(EdgeKind(found[1]), Direction(found[2]), int(found[3]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far one looks."""

    depth: int = 1
    """How many edges far, in either direction."""
    kinds: frozenset[EdgeKind] = DRAWN_KINDS
    per_kind: int = PER_KIND
    """Most edges of one node, kind and direction."""
    limit: int = EDGES
    """Most edges in all."""
    min_confidence: float = 0.0
    cursor: EdgeCursor | None = None
    """Only these edges of the node in the middle, and no others."""


def found_nodes(reader: EdgeReader, node_id: str, kind: NodeKind | None = None) -> list[GraphNode]:
    """The nodes with an id, of one kind or of any.

    Raises:
        NotFoundError: there is no such node.
    """
    found = reader.nodes_with_id(node_id)
    fitting = [node for node in found if kind in (None, node.kind)]
    if not fitting:
        others = f"; it is the id of a {', a '.join(node.kind for node in found)}" if found else ""
        raise NotFoundError(f"no node {node_id!r} of {f'kind {kind}' if kind else 'any kind'}{others}")
    return fitting


def neighbourhood(
    reader: EdgeReader, node_id: str, *, kind: NodeKind | None = None, reach: Reach
) -> Neighbourhood:
    """Nodes and edges around the nodes that have an id; one round trip for the ids, and one for each edge of depth.

    What a limit cuts off is cut from all kinds and directions alike: the first of each come before the second of any.

    Raises:
        NotFoundError: there is no such node.
    """
    middle = found_nodes(reader, node_id, kind)
    nodes = {node.ref: node for node in middle}
    edges: dict[GraphEdge, None] = {}
    counts: tuple[EdgeCount, ...] = ()
    more = False
    frontier = middle
    for level in range(reach.depth):
        if not frontier or len(edges) > reach.limit:
            break
        touching = _asked(reader, [node.ref for node in frontier], reach)
        if level == 0:
            counts = _counts(touching)
        more = more or any(one.count > one.place + 1 for one in _last_of_each(touching))
        kept = [one for one in touching if one.edge not in edges][: reach.limit + 1 - len(edges)]
        edges |= dict.fromkeys(one.edge for one in kept)
        shown = set(list(edges)[: reach.limit])
        ends = {one.other.ref: one.other for one in kept if one.edge in shown}
        frontier = [node for ref, node in ends.items() if ref not in nodes]
        nodes |= ends
    return Neighbourhood(
        nodes=tuple(sorted(nodes.values(), key=lambda node: node.ref)),
        edges=tuple(edges)[: reach.limit],
        counts=counts,
        truncated=more or len(edges) > reach.limit,
    )


def _asked(reader: EdgeReader, nodes: Sequence[NodeRef], reach: Reach) -> list[TouchingEdge]:
    cursor = reach.cursor
    if cursor is None:
        return reader.touching(
            nodes, kinds=reach.kinds, per_kind=reach.per_kind, min_confidence=reach.min_confidence
        )
    found = reader.touching(
        nodes,
        kinds=[cursor.kind],
        per_kind=reach.per_kind,
        skip=cursor.skip,
        min_confidence=reach.min_confidence,
    )
    return [one for one in found if one.direction is cursor.direction]


def _last_of_each(touching: Sequence[TouchingEdge]) -> list[TouchingEdge]:
    """Of each node, kind and direction the last edge that there is."""
    last = {(one.node.ref, one.edge.kind, one.direction): one for one in touching}
    return list(last.values())


def _counts(touching: Sequence[TouchingEdge]) -> tuple[EdgeCount, ...]:
    key: Callable[[TouchingEdge], tuple[str, str, str]] = lambda one: (  # noqa: E731
        one.node.key,
        one.edge.kind,
        one.direction,
    )
    return tuple(
        EdgeCount(
            node=one.node.key,
            kind=one.edge.kind,
            direction=one.direction,
            count=one.count,
            next_cursor=(
                str(EdgeCursor(one.edge.kind, one.direction, one.place + 1))
                if one.place + 1 < one.count
                else None
            ),
        )
        for one in sorted(_last_of_each(touching), key=key)
    )
