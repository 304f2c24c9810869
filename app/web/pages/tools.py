"""/ui/tools and /ui/tools/{id}. Twins: GET /v1/tools with GET /v1/facets, and GET /v1/tools/{id} with what
surrounds it and what became of it."""

import asyncio
from typing import Annotated

from pydantic import Field
from starlette.responses import Response

from app.answers.cards import ToolCard
from app.answers.sources import AllChangesAnswer
from app.domain.flows.values import SURE
from app.domain.nodes.graph_views import Neighbourhood
from app.domain.nodes.models import NodeKind
from app.errors import StoreUnavailableError
from app.service.waiting import ask_graph, origin_of
from app.usecases.browse.changes import list_all_changes
from app.usecases.browse.facets import facets
from app.usecases.cards import list_tools, tool_card
from app.usecases.graph.neighbourhoods import Reach, neighbourhood
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import ListFilters
from app.web.addresses import State
from app.web.pages.ask import FACETS
from app.web.parts.relations import SHOWN_KINDS, relations
from app.web.parts.schema_tree import schema_tree
from app.web.routes import page_router
from app.web.twins import reads
from app.web.visits import Visit, VisitDep

router = page_router()
_ROWS = 50
_EDGES = 200
_SYNCS = 10

_REACH = Reach(kinds=frozenset(SHOWN_KINDS), limit=_EDGES)


class ToolsState(State):
    """Which tools are listed."""

    q: Annotated[str, Field(max_length=200)] = ""
    server: str = ""
    category: str = ""
    read_only: bool | None = None
    reviewed: bool | None = None
    declared: bool | None = None
    deprecated: bool | None = None
    cursor: Annotated[str, Field(max_length=2000)] = ""

    def filters(self) -> ListFilters:
        """What the twin takes."""
        return ListFilters(
            q=self.q,
            servers=(self.server,) if self.server else (),
            categories=(self.category,) if self.category else (),
            read_only=self.read_only,
            reviewed=self.reviewed,
            declared=self.declared,
            deprecated=self.deprecated,
        )


@router.get("/tools")
@router.get("/tools.json")
async def tools_page(visit: VisitDep) -> Response:
    """Tools by id, 50 on a page."""
    state = visit.state(ToolsState)
    index = visit.components.keeper.index
    return await visit.components.memory_workers.run(lambda: _listed(visit, state, index))


def _listed(visit: Visit, state: ToolsState, index: SearchIndex) -> Response:
    found = list_tools(state.filters(), cursor=state.cursor or None, limit=_ROWS, index=index)
    if visit.as_json:
        return visit.document(found.model_dump_json())
    counted = facets(limit=FACETS, index=index, view=index.whole)
    return visit.page(
        "tools.html",
        title="Tools",
        here="tools",
        twins=[reads("tools", limit=_ROWS, **dict(state)), reads("facets", limit=FACETS)],
        live=f"{found.total} tools",
        state=state,
        found=found,
        facets=counted,
        newer=state.query(cursor=found.next_cursor) if found.next_cursor else "",
    )


# The nearest to the function is looked at first.
@router.get("/tools/{tool_id:path}")
@router.get("/tools/{tool_id:path}.json")
async def tool_page(tool_id: str, visit: VisitDep) -> Response:
    """All that is known of one tool."""
    components = visit.components
    index = components.keeper.index
    as_json = visit.as_json
    if as_json and f"{tool_id}.json" in index.positions:
        # An id may end like the twin of another one's page: what there is goes first.
        tool_id, as_json = f"{tool_id}.json", False
    tool_card(tool_id, index=index)  # what is not there asks nothing of the graph
    origin = await origin_of(components, tool_id)
    card = tool_card(tool_id, index=index, origin=origin, labels=not as_json)
    if as_json:
        return visit.document(card.model_dump_json())
    found: tuple[Neighbourhood | None, AllChangesAnswer | None]
    try:
        found = await asyncio.gather(
            ask_graph(
                components,
                lambda graph: neighbourhood(graph, tool_id, kind=NodeKind.TOOL, reach=_REACH),
            ),
            ask_graph(
                components,
                lambda graph: list_all_changes(tool=tool_id, cursor=None, limit=_SYNCS, graph=graph),
            ),
        )
    except StoreUnavailableError:
        found = None, None
    return await components.memory_workers.run(lambda: _card(visit, card, *found, index))


def _card(
    visit: Visit,
    card: ToolCard,
    around: Neighbourhood | None,
    changes: AllChangesAnswer | None,
    index: SearchIndex,
) -> Response:
    methods = {method.id: method.name for method in index.catalogue.methods if method.id in set(card.methods)}
    templates = {one.id: one.name for one in index.catalogue.templates if one.id in set(card.templates)}
    return visit.page(
        "tool.html",
        title=card.title or card.name,
        here="tools",
        twins=[
            reads("tools", card.id),
            reads("neighbours", card.id, kind="Tool", kinds=",".join(SHOWN_KINDS), limit=_EDGES),
            reads("changes", tool=card.id, limit=_SYNCS),
        ],
        card=card,
        sure=SURE,
        known=index.catalogue.tools[index.positions[card.id]],
        methods=methods,
        templates=templates,
        inputs=schema_tree(card.input_schema),
        outputs=schema_tree(card.output_schema),
        changes=changes,
        groups=None if around is None else relations(card.id, around),
        truncated=around is not None and around.truncated,
    )
