"""GET /v1/sources and what the syncs of a source changed."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.answers.sources import ChangesAnswer, SourcesAnswer, sources_answer
from app.api.dependencies import ComponentsDep
from app.api.problems import documented
from app.service.waiting import ask_graph
from app.usecases.source_changes import list_changes

router = APIRouter(prefix="/v1", tags=["sources"])


@router.get("/sources", summary="What was ingested", responses=documented(401, 503))
async def read_sources(components: ComponentsDep) -> SourcesAnswer:
    """Every source with what it provides, as the graph has it now."""
    found = await ask_graph(components, lambda explorer: explorer.source_counts())
    return sources_answer(found)


@router.get(
    "/sources/{source_id:path}/changes",
    summary="What the syncs of a source changed",
    responses=documented(401, 404, 422, 503),
)
async def read_changes(
    source_id: str,
    components: ComponentsDep,
    cursor: Annotated[
        str | None,
        Query(pattern="^[0-9]{1,12}$", description="`next_cursor` of the page before."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="Syncs on a page.")] = 20,
) -> ChangesAnswer:
    """Syncs that changed something or failed: which tools, how gravely, and which stored workflows that broke.

    The last 100 of a source are kept. A sync that found nothing new leaves no record, nor does one that failed for
    the same reason as the one before.
    """
    before = int(cursor) if cursor else None
    return await ask_graph(
        components, lambda explorer: list_changes(source_id, before=before, limit=limit, graph=explorer)
    )
