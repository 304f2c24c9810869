"""GET /v1/neighbours/{id}."""

from operator import attrgetter
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, BeforeValidator, Field

from app.api.dependencies import ComponentsDep
from app.api.problems import documented
from app.domain.nodes.graph_views import Neighbourhood
from app.domain.nodes.models import EdgeKind, NodeKind
from app.errors import InvalidInputError
from app.service.waiting import ask_graph

router = APIRouter(prefix="/v1", tags=["graph"])

_FOLLOWED = tuple(kind for kind in EdgeKind if kind not in (EdgeKind.PROVIDED_BY, EdgeKind.STEP))
_MAX_ID_CHARS = 1000


class Node(BaseModel):
    """A node; nodes of different kinds may have one id; `key` is unique."""

    key: Annotated[str, Field(examples=["Tool:payments/refund_charge"])]
    kind: NodeKind
    id: str
    name: str


_End = Annotated[str, BeforeValidator(attrgetter("key"))]


class Edge(BaseModel):
    """An edge between two of the nodes."""

    source: Annotated[_End, Field(description="`key` of the node that it leaves.")]
    target: Annotated[_End, Field(description="`key` of the node that it enters.")]
    kind: EdgeKind
    weight: float
    confidence: Annotated[float, Field(description="1 for what a source states.")]
    evidence: Annotated[str, Field(description="Where the edge comes from.")]
    reason: str


class NeighboursAnswer(BaseModel):
    """Nodes and edges around a node, for drawing."""

    nodes: list[Node]
    edges: Annotated[list[Edge], Field(description="Nearest first.")]
    truncated: Annotated[bool, Field(description="There are more edges than `limit`.")]


@router.get(
    "/neighbours/{node_id:path}",
    summary="What surrounds a node",
    response_model=NeighboursAnswer,
    responses=documented(401, 404, 422, 503),
)
async def read_neighbours(
    node_id: str,
    components: ComponentsDep,
    depth: Annotated[int, Query(ge=1, le=3, description="How many edges far, in either direction.")] = 1,
    kinds: Annotated[
        str | None,
        Query(
            description="Kinds of edges to follow, separated by commas; all unless given.",
            examples=["IMPLEMENTS,SIMILAR"],
        ),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="Edges at most.")] = 200,
) -> Neighbourhood:
    """Nodes and edges around a node of any kind, as the graph has them now.

    The id may be that of a tool, method, category, concept, template, example or generator.
    """
    if not node_id.isprintable() or len(node_id) > _MAX_ID_CHARS:
        raise InvalidInputError(
            f"id {node_id[:50]!r}: accepted are 1 to {_MAX_ID_CHARS} printable characters"
        )
    followed = _kinds(kinds)
    return await ask_graph(
        components,
        lambda explorer: explorer.neighbours(node_id, depth=depth, kinds=followed, limit=limit),
    )


def _kinds(kinds: str | None) -> tuple[EdgeKind, ...]:
    if kinds is None:
        return _FOLLOWED
    asked = [kind.strip().upper() for kind in kinds.split(",") if kind.strip()]
    unknown = [kind for kind in asked if kind not in _FOLLOWED]
    if unknown or not asked:
        raise InvalidInputError(f"kinds {kinds!r}; accepted, separated by commas: {', '.join(_FOLLOWED)}")
    return tuple(EdgeKind(kind) for kind in asked)
