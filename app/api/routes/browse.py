"""GET /v1/facets and /v1/find."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.answers.browse import FacetsAnswer
from app.api.dependencies import ComponentsDep
from app.api.problems import documented
from app.domain.nodes.graph_views import GraphNode
from app.domain.nodes.models import NodeKind
from app.errors import InvalidInputError
from app.usecases.browse.facets import facets
from app.usecases.browse.find import FOUND_KINDS, find_nodes

router = APIRouter(prefix="/v1", tags=["tools"])


class FindAnswer(BaseModel):
    """Nodes that what was typed begins."""

    nodes: Annotated[list[GraphNode], Field(description="The nearest first; at most 10.")]


@router.get(
    "/facets", summary="Count tools by what they can be filtered by", responses=documented(401, 422, 503)
)
async def read_facets(
    components: ComponentsDep,
    limit: Annotated[int, Query(ge=1, le=10_000, description="Servers, and categories, at most.")] = 100,
) -> FacetsAnswer:
    """Servers and categories with their numbers of tools, and how many tools have each mark.

    A caller's view takes tools out of every number, and servers and categories of which it leaves none.
    """
    index = components.keeper.index
    return await components.memory_workers.run(lambda: facets(limit=limit, index=index, view=index.whole))


@router.get(
    "/find",
    summary="Find nodes by the beginning of their name",
    response_model=FindAnswer,
    responses=documented(401, 422, 503),
)
async def read_found(
    components: ComponentsDep,
    q: Annotated[
        str,
        Query(
            min_length=1, max_length=200, description="The beginning of an id, a name, or a word of a name."
        ),
    ],
    kinds: Annotated[
        str | None,
        Query(
            description="Kinds of nodes, separated by commas; all that have names unless given.",
            examples=["Tool,Method"],
        ),
    ] = None,
) -> dict[str, list[GraphNode]]:
    """At most 10 nodes: first those with this id or name, then those that begin with it, then those of which a word does.

    A caller's view takes hidden tools away, and nodes that lead to no other tool.
    """
    asked = _kinds(kinds)
    index = components.keeper.index
    return {
        "nodes": await components.memory_workers.run(
            lambda: find_nodes(q, kinds=asked, index=index, view=index.whole)
        )
    }


def _kinds(kinds: str | None) -> tuple[NodeKind, ...]:
    if kinds is None:
        return FOUND_KINDS
    asked = [kind.strip().capitalize() for kind in kinds.split(",") if kind.strip()]
    unknown = [kind for kind in asked if kind not in FOUND_KINDS]
    if unknown or not asked:
        raise InvalidInputError(
            f"kinds {kinds!r:.200}; accepted, separated by commas: {', '.join(FOUND_KINDS)}"
        )
    return tuple(NodeKind(kind) for kind in asked)
