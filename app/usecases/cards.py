"""Cards of tools, from the snapshot that queries are answered from."""

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.answers.cards import ToolCard, tool_summary
from app.domain.nodes.models import Tool
from app.domain.ranking.formulas import best
from app.errors import NotFoundError
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import Filters

_NAMED = 3
"""How many near ids a message names."""
_COMPARED = 200
"""Characters of an unknown id that near ones are looked for with: more than ids have, and an id may be a whole body."""


@dataclass(frozen=True, slots=True)
class ToolPage:
    """Some tools, by id."""

    tools: Sequence[Tool]
    more: bool
    """True when tools come after the last of these."""
    total: int
    """How many tools the filters allow, on all pages."""


def tool_card(tool_id: str, *, index: SearchIndex) -> ToolCard:
    """All that a generation knows of the tool with this id.

    Raises:
        NotFoundError: no tool has it; the message names near ones.
    """
    tool = _find(tool_id, index)
    catalogue = index.catalogue
    return ToolCard.model_construct(
        **dict(tool_summary(tool)),
        input_schema=json.loads(tool.input_schema) if tool.input_schema else None,
        output_schema=json.loads(tool.output_schema) if tool.output_schema else None,
        method=tool.method,
        path=tool.path,
        categories=list(tool.categories),
        methods=[method.id for method in catalogue.methods if tool.id in method.implements],
        templates=[template.id for template in catalogue.templates if tool.id in template.uses],
        unconfirmed=list(tool.unconfirmed),
        generation=index.generation,
    )


def list_tools(filters: Filters, *, after: str, limit: int, index: SearchIndex) -> ToolPage:
    """The first `limit` tools after the id `after` ("" for the first page) that the filters allow.

    Raises:
        InvalidInputError: a filter names a server or category that this generation does not have.
    """
    tools = index.catalogue.tools
    allowed = index.allowed(filters)
    positions = np.arange(len(tools)) if allowed is None else np.flatnonzero(allowed)
    begin = bisect_right(tools, after, key=lambda tool: str(tool.id)) if after else 0
    page = positions[np.searchsorted(positions, begin) :][:limit].tolist()
    last = page[-1] if page else len(tools)
    return ToolPage(
        tools=[tools[position] for position in page],
        more=bool(positions.size and positions[-1] > last),
        total=int(positions.size),
    )


def _find(tool_id: str, index: SearchIndex) -> Tool:
    tool = index.catalogue.tool_by_id.get(tool_id)
    if tool is not None:
        return tool
    similar = best(index.names.similarities(tool_id[:_COMPARED]), _NAMED)
    near = [index.catalogue.tools[position].id for position in similar.tolist()]
    hint = f"; near ones are {', '.join(map(repr, near))}" if near else ""
    raise NotFoundError(f"no tool {tool_id!r}{hint}; an id is server/name")
