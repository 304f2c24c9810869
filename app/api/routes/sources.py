"""GET /v1/sources and what the syncs of a source changed."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.answers.sources import AllChangesAnswer, ChangesAnswer, SourcesAnswer, sources_answer
from app.api.dependencies import ComponentsDep
from app.api.problems import documented
from app.errors import InvalidInputError
from app.service.waiting import ask_graph
from app.usecases.browse.changes import SEVERITIES, list_all_changes
from app.usecases.source_changes import list_changes

router = APIRouter(prefix="/v1", tags=["sources"])


@router.get("/sources", summary="What was ingested", responses=documented(401, 503))
async def read_sources(components: ComponentsDep) -> SourcesAnswer:
    """Every source with what it provides, as the graph has it now."""
    found = await ask_graph(components, lambda explorer: explorer.source_counts())
    return sources_answer(found)


@router.get(
    "/changes",
    summary="What the syncs of all sources changed, or of one tool",
    responses=documented(401, 422, 503),
)
async def read_all_changes(
    components: ComponentsDep,
    tool: Annotated[
        str,
        Query(
            max_length=600, description="Only what became of the tool with this id, also under former ids."
        ),
    ] = "",
    severity: Annotated[
        str | None,
        Query(
            description=f"Only syncs of these severities, separated by commas: {', '.join(SEVERITIES)}. With `tool` that"
            " of its own changes.",
            examples=["breaking,failed"],
        ),
    ] = None,
    since: Annotated[
        str, Query(max_length=40, description="A day or a time, ISO 8601; UTC where it names no offset.")
    ] = "",
    cursor: Annotated[
        str | None, Query(max_length=2000, description="`next_cursor` of the page before.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="Syncs on a page.")] = 20,
) -> AllChangesAnswer:
    """The newest syncs first, as `GET /v1/sources/{source_id}/changes` has them. Of a source the last 100 are kept.

    The graph keeps what changed in words, the id before a renaming, and the definition that calls were trusted with; it
    keeps no earlier text or schema of a tool. A caller's view takes tools out of the syncs, and syncs of which none is left.
    """
    asked = _severities(severity)
    return await ask_graph(
        components,
        lambda explorer: list_all_changes(
            tool=tool, severities=asked, since=since, cursor=cursor, limit=limit, graph=explorer
        ),
    )


def _severities(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    asked = tuple(one.strip().lower() for one in text.split(",") if one.strip())
    if not asked or any(one not in SEVERITIES for one in asked):
        raise InvalidInputError(
            f"severity {text!r:.100}; accepted, separated by commas: {', '.join(SEVERITIES)}"
        )
    return asked


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
