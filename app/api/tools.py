"""GET /v1/tools and /v1/tools/{id}."""

import base64
import json
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.api.components import IndexDep
from app.api.problems import documented
from app.domain.models import Tool
from app.errors import InvalidInputError
from app.usecases.cards import find_tool, list_tools
from app.usecases.search_values import Filters

router = APIRouter(prefix="/v1", tags=["tools"])


class Annotations(BaseModel):
    """What the publisher says of the tool; absent is what it does not say."""

    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None


class ToolSummary(BaseModel):
    """A tool in a list."""

    id: Annotated[str, Field(examples=["payments/refund_charge"])]
    server: Annotated[str, Field(description="Empty when only a taxonomy names the tool.")]
    name: str
    title: str
    description: str
    declared: Annotated[bool, Field(description="A taxonomy names the tool; no source describes it.")]
    deprecated: bool
    annotations: Annotations


class ToolCard(ToolSummary):
    """All that is known of a tool."""

    input_schema: Annotated[dict[str, Any] | None, Field(description="JSON schema; null when none is known.")]
    output_schema: Annotated[
        dict[str, Any] | None, Field(description="JSON schema; null when none is known.")
    ]
    method: Annotated[str, Field(description="HTTP method; empty for MCP tools.")]
    path: Annotated[str, Field(description="HTTP path; empty for MCP tools.")]
    categories: Annotated[list[str], Field(description="Categories that the tool itself belongs to.")]
    methods: Annotated[list[str], Field(description="Ids of the methods that the tool implements.")]
    templates: Annotated[list[str], Field(description="Ids of the templates that use the tool.")]
    generation: int


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
        tools=[ToolSummary.model_construct(**_summary(tool)) for tool in page.tools],
        next_cursor=_encoded(page.tools[-1].id) if page.more else None,
        total=page.total,
        generation=index.generation,
    )


@router.get("/tools/{tool_id:path}", summary="One tool", responses=documented(401, 404, 503))
async def read_tool(tool_id: str, index: IndexDep) -> ToolCard:
    """The card of a tool. Ids contain `/`: percent-encode them, or write them as they are."""
    tool = find_tool(tool_id, index=index)
    catalogue = index.catalogue
    return ToolCard.model_construct(
        **_summary(tool),
        input_schema=json.loads(tool.input_schema) if tool.input_schema else None,
        output_schema=json.loads(tool.output_schema) if tool.output_schema else None,
        method=tool.method,
        path=tool.path,
        categories=list(tool.categories),
        methods=[method.id for method in catalogue.methods if tool.id in method.implements],
        templates=[template.id for template in catalogue.templates if tool.id in template.uses],
        generation=index.generation,
    )


def _summary(tool: Tool) -> dict[str, Any]:
    return {
        "id": tool.id,
        "server": tool.server,
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "declared": tool.declared,
        "deprecated": tool.deprecated,
        "annotations": Annotations.model_construct(
            read_only=tool.read_only,
            destructive=tool.destructive,
            idempotent=tool.idempotent,
            open_world=tool.open_world,
        ),
    }


def _encoded(tool_id: str) -> str:
    return base64.urlsafe_b64encode(tool_id.encode()).decode().rstrip("=")


def _decoded(cursor: str) -> str:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True).decode()
    except ValueError as error:
        raise InvalidInputError(f"cursor {cursor!r} is none; accepted: the next_cursor of a page") from error
