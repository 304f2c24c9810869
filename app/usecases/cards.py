"""Cards of tools, from the snapshot that queries are answered from."""

import json
from bisect import bisect_right

import numpy as np

from app.answers.cards import ToolCard, ToolPageAnswer, tool_summary
from app.domain.nodes.graph_views import ToolOrigin
from app.domain.nodes.models import Tool
from app.domain.ranking.formulas import Positions, best
from app.errors import NotFoundError
from app.usecases.browse.cursors import decoded, encoded
from app.usecases.index.listing import folded_words
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView
from app.usecases.questions import ListFilters
from app.usecases.rankings.channels import seen_of

_NAMED = 3
"""How many near ids a message names."""
_COMPARED = 200
"""Characters of an unknown id that near ones are looked for with: more than ids have, and an id may be a whole body."""


def tool_card(tool_id: str, *, index: SearchIndex, origin: ToolOrigin | None = None) -> ToolCard:
    """All that a generation knows of the tool with this id.

    Args:
        tool_id: Of a tool.
        index: Of the generation.
        origin: What only the graph knows; None while it is away.

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
        workflows=[
            one.id for one in catalogue.workflows if any(step.tool_id == tool.id for step in one.steps)
        ],
        sources=None if origin is None else list(origin.sources),
        former_ids=None if origin is None else list(origin.former_ids),
        unconfirmed=list(tool.unconfirmed),
        requests=list(tool.requests),
        generation=index.generation,
    )


def list_tools(filters: ListFilters, *, cursor: str | None, limit: int, index: SearchIndex) -> ToolPageAnswer:
    """The first `limit` tools that the filters allow, after the page whose `next_cursor` is given.

    Work for each tool of the catalogue where `q` is given: 8 ms a word for 50,000.

    Raises:
        InvalidInputError: a filter names a server or category that this generation does not have, or the cursor is
            not one of a page.
    """
    after = decoded(cursor) if cursor else ""
    tools = index.catalogue.tools
    positions = _listed(filters, index)
    begin = bisect_right(tools, after, key=lambda tool: str(tool.id)) if after else 0
    page = positions[np.searchsorted(positions, begin) :][:limit].tolist()
    more = bool(page) and positions[-1] > page[-1]
    return ToolPageAnswer.model_construct(
        tools=[tool_summary(tools[position]) for position in page],
        next_cursor=encoded(tools[page[-1]].id) if more else None,
        total=int(positions.size),
        generation=index.generation,
    )


def _listed(filters: ListFilters, index: SearchIndex) -> Positions:
    """The tools that pass every filter, rising."""
    allowed = index.allowed(filters)
    found = np.arange(len(index.catalogue.tools)) if allowed is None else allowed.everywhere()
    if filters.declared is not None:
        found = found[index.listing.declared[found] == filters.declared]
    if filters.deprecated is not None:
        found = found[index.listing.deprecated[found] == filters.deprecated]
    for word in folded_words(filters.q):
        texts = index.listing.tools
        found = np.array([at for at in found.tolist() if word in texts[at]], np.intp)
    return found


def near_tools(text: str, *, index: SearchIndex, view: CatalogueView, least: float = 0.0) -> list[str]:
    """Ids of the visible tools whose names look most like a text, or an id that no tool has; at least `least` (0 to 1)."""
    similar = seen_of(index.names.similar(text[:_COMPARED]), view)
    scores = np.where(similar.scores < least, 0.0, similar.scores)
    nearest = similar.positions[best(scores, _NAMED)]
    return [index.catalogue.tools[position].id for position in nearest.tolist()]


def _find(tool_id: str, index: SearchIndex) -> Tool:
    if tool_id in index.positions:
        return index.catalogue.tools[index.positions[tool_id]]
    near = near_tools(tool_id, index=index, view=index.whole)
    hint = f"; near ones are {', '.join(map(repr, near))}" if near else ""
    raise NotFoundError(f"no tool {tool_id!r}{hint}; an id is server/name")
