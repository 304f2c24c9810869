"""Cards of tools, from the snapshot that queries are answered from."""

import base64
import json
from bisect import bisect_right

import numpy as np

from app.answers.cards import ToolCard, ToolPageAnswer, tool_summary
from app.domain.nodes.models import Tool
from app.domain.ranking.formulas import best
from app.errors import InvalidInputError, NotFoundError
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import Filters

_NAMED = 3
"""How many near ids a message names."""
_COMPARED = 200
"""Characters of an unknown id that near ones are looked for with: more than ids have, and an id may be a whole body."""


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


def list_tools(filters: Filters, *, cursor: str | None, limit: int, index: SearchIndex) -> ToolPageAnswer:
    """The first `limit` tools that the filters allow, after the page whose `next_cursor` is given.

    Raises:
        InvalidInputError: a filter names a server or category that this generation does not have, or the cursor is
            not one of a page.
    """
    after = _decoded(cursor) if cursor else ""
    tools = index.catalogue.tools
    allowed = index.allowed(filters)
    positions = np.arange(len(tools)) if allowed is None else allowed.everywhere()
    begin = bisect_right(tools, after, key=lambda tool: str(tool.id)) if after else 0
    page = positions[np.searchsorted(positions, begin) :][:limit].tolist()
    more = bool(page) and positions[-1] > page[-1]
    return ToolPageAnswer.model_construct(
        tools=[tool_summary(tools[position]) for position in page],
        next_cursor=_encoded(tools[page[-1]].id) if more else None,
        total=int(positions.size),
        generation=index.generation,
    )


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


def _find(tool_id: str, index: SearchIndex) -> Tool:
    if tool_id in index.positions:
        return index.catalogue.tools[index.positions[tool_id]]
    similar = index.names.similar(tool_id[:_COMPARED])
    nearest = similar.positions[best(similar.scores, _NAMED)]
    near = [index.catalogue.tools[position].id for position in nearest.tolist()]
    hint = f"; near ones are {', '.join(map(repr, near))}" if near else ""
    raise NotFoundError(f"no tool {tool_id!r}{hint}; an id is server/name")
