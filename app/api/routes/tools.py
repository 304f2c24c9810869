"""GET /v1/tools and /v1/tools/{id}."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.answers.cards import ToolCard, ToolPageAnswer
from app.api.dependencies import IndexDep
from app.api.problems import documented
from app.usecases.cards import list_tools, tool_card
from app.usecases.questions import Filters

router = APIRouter(prefix="/v1", tags=["tools"])


@router.get("/tools", summary="List tools", responses=documented(401, 422, 503))
async def read_tools(
    index: IndexDep,
    server: Annotated[
        str | None, Query(description="Only tools of this server.", examples=["orders"])
    ] = None,
    category: Annotated[
        str | None, Query(description="Only tools in this category, or implementing a method in it.")
    ] = None,
    cursor: Annotated[
        str | None, Query(max_length=2000, description="`next_cursor` of the page before.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=500, description="Tools on a page.")] = 100,
) -> ToolPageAnswer:
    """Tools by id, page by page.

    A cursor names the last tool of its page, so it stays good when the catalogue changes in between.
    """
    filters = Filters(
        servers=() if server is None else (server,), categories=() if category is None else (category,)
    )
    return list_tools(filters, cursor=cursor, limit=limit, index=index)


@router.get("/tools/{tool_id:path}", summary="One tool", responses=documented(401, 404, 503))
async def read_tool(tool_id: str, index: IndexDep) -> ToolCard:
    """The card of a tool. Ids contain `/`: percent-encode them, or write them as they are."""
    return tool_card(tool_id, index=index)
