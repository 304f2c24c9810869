"""GET /v1/neighbours/{id} and GET /v1/nodes/{kind}/{id}."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.answers.cards import NodeCard
from app.api.dependencies import ComponentsDep, IndexDep
from app.api.problems import documented
from app.domain.nodes.edge_forms import DRAWN_KINDS
from app.domain.nodes.graph_views import Neighbourhood
from app.domain.nodes.models import EdgeKind, NodeKind
from app.errors import InvalidInputError
from app.service.waiting import ask_graph
from app.usecases.graph.neighbourhoods import (
    EDGES,
    MAX_EDGES,
    MAX_PER_KIND,
    PER_KIND,
    Reach,
    neighbourhood,
    read_cursor,
)
from app.usecases.graph.nodes import node_card

router = APIRouter(prefix="/v1", tags=["graph"])

_NOT_FOLLOWED = frozenset((EdgeKind.PROVIDED_BY, EdgeKind.STEP))
"""By default: what leads to sources, and to whatever users saved."""
_MAX_ID_CHARS = 1000


@router.get(
    "/neighbours/{node_id:path}", summary="What surrounds a node", responses=documented(401, 404, 422, 503)
)
async def read_neighbours(
    node_id: str,
    components: ComponentsDep,
    kind: Annotated[
        NodeKind | None, Query(description="Of the node; nodes of every kind that have the id unless given.")
    ] = None,
    depth: Annotated[int, Query(ge=1, le=3, description="How many edges far, in either direction.")] = 1,
    kinds: Annotated[
        str | None,
        Query(
            description="Kinds of edges to follow, separated by commas; all but those of workflows unless given.",
            examples=["IMPLEMENTS,SIMILAR"],
        ),
    ] = None,
    per_kind: Annotated[
        int, Query(ge=1, le=MAX_PER_KIND, description="Edges of one node, kind and direction at most.")
    ] = PER_KIND,
    cursor: Annotated[
        str | None,
        Query(
            max_length=100,
            description="`next_cursor` of a count: only further edges of that kind and direction, one edge far.",
        ),
    ] = None,
    min_confidence: Annotated[float, Query(ge=0, le=1, description="Less sure edges are left out.")] = 0.0,
    limit: Annotated[int, Query(ge=1, le=MAX_EDGES, description="Edges at most.")] = EDGES,
) -> Neighbourhood:
    """Nodes and edges around a node, as the graph has them now, with how many there are of each kind and direction.

    The id may be that of a tool, method, category, concept, template, example, generator or workflow. A limit takes
    from all kinds and directions alike, the least sure first. Hidden tools are left out, with their edges.
    """
    _check_id(node_id)
    page = None if cursor is None else read_cursor(cursor)
    reach = Reach(
        depth=depth if page is None else 1,
        kinds=_kinds(kinds),
        per_kind=per_kind,
        limit=limit,
        min_confidence=min_confidence,
        cursor=page,
    )
    return await ask_graph(
        components, lambda explorer: neighbourhood(explorer, node_id, kind=kind, reach=reach)
    )


@router.get("/nodes/{kind}/{node_id:path}", summary="One node", responses=documented(401, 404, 422, 503))
async def read_node(kind: NodeKind, node_id: str, index: IndexDep) -> NodeCard:
    """The card of a method, template, concept, category or generator; those of tools are at `/v1/tools`.

    Its tools are those that the caller may see.
    """
    _check_id(node_id)
    return node_card(kind, node_id, index=index)


def _check_id(node_id: str) -> None:
    if not node_id.isprintable() or len(node_id) > _MAX_ID_CHARS:
        raise InvalidInputError(
            f"id {node_id[:50]!r}: accepted are 1 to {_MAX_ID_CHARS} printable characters"
        )


def _kinds(kinds: str | None) -> frozenset[EdgeKind]:
    followed = DRAWN_KINDS - _NOT_FOLLOWED
    if kinds is None:
        return followed
    asked = frozenset(kind.strip().upper() for kind in kinds.split(",") if kind.strip())
    if not asked or not asked <= DRAWN_KINDS:
        accepted = ", ".join(sorted(DRAWN_KINDS))
        raise InvalidInputError(f"kinds {kinds!r}; accepted, separated by commas: {accepted}")
    return frozenset(map(EdgeKind, asked))
