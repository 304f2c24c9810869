"""GET /v1/tools and /v1/tools/{id}."""

import base64
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.answers.cards import ToolCard, ToolSummary, tool_summary
from app.api.components import IndexDep
from app.api.problems import documented
from app.errors import InvalidInputError
from app.usecases.cards import list_tools, tool_card
from app.usecases.questions import Filters

router = APIRouter(prefix="/v1", tags=["tools"])


class ToolPageAnswer(BaseModel):
    """A page of tools, by id."""

    tools: list[ToolSummary]
    next_cursor: Annotated[str | None, Field(description="`cursor` of the next page; null on the last one.")]
    total: Annotated[int, Field(description="Tools on all pages.")]
    generation: int


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
    page = list_tools(filters, after=_decoded(cursor) if cursor else "", limit=limit, index=index)
    return ToolPageAnswer.model_construct(
        tools=[tool_summary(tool) for tool in page.tools],
        next_cursor=_encoded(page.tools[-1].id) if page.more else None,
        total=page.total,
        generation=index.generation,
    )


@router.get("/tools/{tool_id:path}", summary="One tool", responses=documented(401, 404, 503))
async def read_tool(tool_id: str, index: IndexDep) -> ToolCard:
    """The card of a tool. Ids contain `/`: percent-encode them, or write them as they are."""
    return tool_card(tool_id, index=index)


def _encoded(tool_id: str) -> str:
    return base64.urlsafe_b64encode(tool_id.encode()).decode().rstrip("=")


def _decoded(cursor: str) -> str:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True).decode()
    except ValueError as error:
        raise InvalidInputError(
            f"cursor {cursor!r} is not valid; pass the `next_cursor` of a page"
        ) from error
