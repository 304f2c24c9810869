"""/ui/changes: what the syncs of all sources changed. Twin: GET /v1/changes."""

from typing import Annotated, Literal

from pydantic import Field
from starlette.responses import Response

from app.service.waiting import ask_graph
from app.usecases.browse.changes import SEVERITIES, list_all_changes
from app.web.addresses import State
from app.web.routes import page_router
from app.web.twins import reads
from app.web.visits import VisitDep

router = page_router()
_SYNCS = 20


class ChangesState(State):
    """Which syncs."""

    severity: Literal["", "breaking", "compatible", "description", "failed"] = ""
    since: Annotated[str, Field(max_length=40)] = ""
    tool: Annotated[str, Field(max_length=600)] = ""
    cursor: Annotated[str, Field(max_length=2000)] = ""


@router.get("/changes")
@router.get("/changes.json")
async def changes_page(visit: VisitDep) -> Response:
    """The newest first."""
    state = visit.state(ChangesState)
    found = await ask_graph(
        visit.components,
        lambda graph: list_all_changes(
            tool=state.tool.strip(),
            severities=(state.severity,) if state.severity else (),
            since=state.since,
            cursor=state.cursor or None,
            limit=_SYNCS,
            graph=graph,
        ),
    )
    if visit.as_json:
        return visit.document(found.model_dump_json())
    return await visit.components.memory_workers.run(
        lambda: visit.page(
            "changes.html",
            title="Changes",
            here="changes",
            twins=[reads("changes", limit=_SYNCS, **dict(state))],
            live=f"{len(found.changes)} syncs",
            state=state,
            severities=SEVERITIES,
            changes=found.changes,
            older=state.query(cursor=found.next_cursor) if found.next_cursor else "",
        )
    )
