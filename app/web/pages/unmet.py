"""/ui/unmet: requests that nothing met. Twins: GET /v1/unmet, and DELETE /v1/unmet/{id} for its button."""

import re
from typing import Annotated

from pydantic import Field
from starlette.responses import Response

from app.answers.unmet import unmet_json
from app.errors import InvalidInputError
from app.service.waiting import ask_unmet
from app.usecases.unmet.reading import list_unmet
from app.web.addresses import State
from app.web.routes import page_router
from app.web.twins import reads
from app.web.visits import VisitDep

router = page_router()
_GROUPS = 20
_ID = re.compile("[0-9a-f]{32}")


class UnmetState(State):
    """Which page of them."""

    cursor: Annotated[str, Field(max_length=2000)] = ""


@router.get("/unmet")
@router.get("/unmet.json")
async def unmet_page(visit: VisitDep) -> Response:
    """The most frequent first."""
    state = visit.state(UnmetState)
    index = visit.components.keeper.index
    found = await ask_unmet(
        visit.components,
        lambda unmet: list_unmet(
            unmet.store.entries(), mode=unmet.mode, cursor=state.cursor or None, limit=_GROUPS, index=index
        ),
    )
    if visit.as_json:
        return visit.document(unmet_json(found))
    return await visit.components.memory_workers.run(
        lambda: visit.page(
            "unmet.html",
            title="Unmet requests",
            here="unmet",
            twins=[reads("unmet", limit=_GROUPS, **dict(state))],
            found=found,
            older=state.query(cursor=found.next_cursor) if found.next_cursor else "",
        )
    )


@router.post("/unmet")
async def forget(visit: VisitDep) -> Response:
    """Remove one request, and show the rest."""
    unmet_id = (await visit.form()).get("id", "")
    if not _ID.fullmatch(unmet_id):
        raise InvalidInputError(f"id {unmet_id[:50]!r}; accepted: an id as the page names it")
    await ask_unmet(visit.components, lambda unmet: unmet.store.remove([unmet_id]))
    return visit.leads_to("unmet")
