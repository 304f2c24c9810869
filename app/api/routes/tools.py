"""GET /v1/tools and /v1/tools/{id}."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.answers.cards import ToolCard, ToolPageAnswer
from app.api.dependencies import ComponentsDep, IndexDep
from app.api.problems import documented
from app.service.waiting import origin_of
from app.usecases.cards import list_tools, tool_card
from app.usecases.questions import ListFilters

router = APIRouter(prefix="/v1", tags=["tools"])


def _said(field: str) -> str | None:
    """What the question itself says of a field."""
    return ListFilters.model_fields[field].description


@router.get("/tools", summary="List tools", responses=documented(401, 422, 503))
async def read_tools(
    components: ComponentsDep,
    q: Annotated[str, Query(max_length=200, description=_said("q"), examples=["refund"])] = "",
    server: Annotated[
        str | None, Query(description="Only tools of this server.", examples=["orders"])
    ] = None,
    category: Annotated[
        str | None, Query(description="Only tools in this category, or implementing a method in it.")
    ] = None,
    read_only: Annotated[bool | None, Query(description=_said("read_only"))] = None,
    declared: Annotated[bool | None, Query(description=_said("declared"))] = None,
    deprecated: Annotated[bool | None, Query(description=_said("deprecated"))] = None,
    cursor: Annotated[
        str | None, Query(max_length=2000, description="`next_cursor` of the page before.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=500, description="Tools on a page.")] = 100,
) -> ToolPageAnswer:
    """Tools by id, page by page.

    A cursor names the last tool of its page, so it stays good when the catalogue changes in between.
    A caller's view takes tools off the pages and out of `total`.
    """
    filters = ListFilters(
        servers=() if server is None else (server,),
        categories=() if category is None else (category,),
        q=q,
        read_only=read_only,
        declared=declared,
        deprecated=deprecated,
    )
    index = components.keeper.index
    return await components.memory_workers.run(
        lambda: list_tools(filters, cursor=cursor, limit=limit, index=index)
    )


@router.get("/tools/{tool_id:path}", summary="One tool", responses=documented(401, 404, 422, 503))
async def read_tool(
    tool_id: str,
    components: ComponentsDep,
    index: IndexDep,
    labels: Annotated[
        bool, Query(description="Also what is inferred of its flows, where no taxonomy says anything.")
    ] = False,
) -> ToolCard:
    """The card of a tool. Ids contain `/`: percent-encode them, or write them as they are.

    A caller's view takes hidden tools away, which are then not found.
    """
    origin = await origin_of(components, tool_id) if tool_id in index.positions else None
    return tool_card(tool_id, index=index, origin=origin, labels=labels)
