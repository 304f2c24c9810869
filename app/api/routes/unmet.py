"""GET /v1/unmet and DELETE /v1/unmet/{id}."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query

from app.answers.unmet import UnmetAnswer
from app.api.dependencies import ComponentsDep
from app.api.problems import documented
from app.service.waiting import ask_unmet
from app.usecases.unmet.reading import list_unmet

router = APIRouter(prefix="/v1/unmet", tags=["unmet"])


@router.get("", summary="Requests that nothing met", responses=documented(401, 422, 503))
async def read_unmet(
    components: ComponentsDep,
    cursor: Annotated[
        str | None, Query(max_length=2000, description="`next_cursor` of the page before.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="Groups on a page.")] = 20,
) -> UnmetAnswer:
    """What was asked for over REST or MCP and not found, in groups that share a rare word, the most frequent first.

    Nothing is kept unless OUTFITTER_UNMET says so. A caller's view takes nothing away: these are requests of all
    callers, so they are for whoever sees the whole catalogue.
    """
    index = components.keeper.index
    return await ask_unmet(
        components,
        lambda unmet: list_unmet(
            unmet.store.entries(), mode=unmet.mode, cursor=cursor, limit=limit, index=index
        ),
    )


@router.delete(
    "/{unmet_id}",
    summary="Forget a request that nothing met",
    status_code=HTTPStatus.NO_CONTENT,
    responses=documented(401, 404, 422, 503),
)
async def delete_unmet(
    unmet_id: Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="As the list names it.")],
    components: ComponentsDep,
) -> None:
    """Remove it from the graph. A caller's view takes nothing away: only who may read all of them may delete one."""
    await ask_unmet(components, lambda unmet: unmet.store.remove([unmet_id]))
