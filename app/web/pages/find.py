"""/ui/find: nodes by how they begin, as a page and as what a field suggests. Twin: GET /v1/find."""

import json
from typing import Annotated

from pydantic import Field
from starlette.responses import Response

from app.domain.nodes.graph_views import GraphNode
from app.domain.nodes.models import NodeKind
from app.errors import InvalidInputError
from app.usecases.browse.find import FOUND_KINDS, find_nodes
from app.usecases.index.search_index import SearchIndex
from app.web.addresses import State
from app.web.routes import page_router
from app.web.twins import reads
from app.web.visits import Visit, VisitDep

router = page_router()


class FindState(State):
    """What was typed, and which kind of nodes is looked for."""

    q: Annotated[str, Field(max_length=200)] = ""
    kinds: NodeKind | None = None


@router.get("/find")
@router.get("/find.json")
async def find_page(visit: VisitDep) -> Response:
    """At most ten, the nearest first."""
    state = visit.state(FindState)
    if state.kinds is not None and state.kinds not in FOUND_KINDS:
        raise InvalidInputError(f"kinds {state.kinds.value!r}; accepted: {', '.join(FOUND_KINDS)}")
    index = visit.components.keeper.index
    return await visit.components.memory_workers.run(lambda: _found(visit, state, index))


def _found(visit: Visit, state: FindState, index: SearchIndex) -> Response:
    kinds = FOUND_KINDS if state.kinds is None else (state.kinds,)
    nodes = find_nodes(state.q, kinds=kinds, index=index, view=index.whole) if state.q.strip() else []
    if visit.as_json:
        return visit.document(json.dumps({"nodes": [_document(node) for node in nodes]}))
    return visit.page(
        "find.html",
        title="Jump to",
        twins=[reads("find", q=state.q, kinds=state.kinds)] if state.q.strip() else [],
        live=f"{len(nodes)} found",
        state=state,
        nodes=nodes,
    )


def _document(node: GraphNode) -> dict[str, str]:
    return {"key": node.key, "kind": node.kind, "id": node.id, "name": node.name}
