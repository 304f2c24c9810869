"""/ui/sources and /ui/sources/{id}. Twins: GET /v1/sources and GET /v1/sources/{id}/changes."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field
from starlette.responses import Response

from app.answers.sources import SourceEntry, sources_answer
from app.domain.nodes.models import Source, Trust
from app.errors import NotFoundError
from app.service.waiting import ask_graph
from app.usecases.source_changes import list_changes
from app.web.addresses import State
from app.web.routes import page_router
from app.web.twins import reads
from app.web.visits import Visit, VisitDep

router = page_router()
_ROWS = 50
_SYNCS = 20


class SourcesState(State):
    """Which sources are listed."""

    q: Annotated[str, Field(max_length=200)] = ""
    """Part of an id."""
    page: Annotated[int, Field(ge=1, le=1_000_000)] = 1


class SourceState(State):
    """Which syncs of a source."""

    cursor: Annotated[str, Field(pattern="^[0-9]{0,12}$")] = ""


@router.get("/sources")
@router.get("/sources.json")
async def sources_page(visit: VisitDep) -> Response:
    """All sources, those that fail first, 50 on a page."""
    state = visit.state(SourcesState)
    components = visit.components
    if visit.as_json:
        found = await ask_graph(components, lambda graph: graph.source_counts())
        return visit.document(sources_answer(found).model_dump_json())
    every = await ask_graph(components, lambda graph: graph.sources())
    part = state.q.strip().casefold()
    ordered = sorted(
        (source for source in every if part in source.id.casefold()),
        key=lambda source: (source.healthy, source.id),
    )
    end = state.page * _ROWS
    # To count what all of them provide takes longer than to draw the page.
    ids = [source.id for source in ordered[end - _ROWS : end]]
    counted = sources_answer(await ask_graph(components, lambda graph: graph.source_counts(ids))).sources
    shown = sorted(counted, key=lambda source: (source.healthy, source.id))
    return await components.memory_workers.run(lambda: _listed(visit, state, every, ordered, shown))


def _listed(
    visit: Visit,
    state: SourcesState,
    every: Sequence[Source],
    ordered: Sequence[Source],
    shown: Sequence[SourceEntry],
) -> Response:
    return visit.page(
        "sources.html",
        title="Sources",
        here="sources",
        twins=[reads("sources")],
        live=f"{len(ordered)} sources",
        state=state,
        sources=shown,
        found=len(ordered),
        total=len(every),
        failing=sum(not source.healthy for source in every),
        reviewed=sum(source.trust is not Trust.FULL for source in every),
        more=state.query(page=state.page + 1) if len(ordered) > state.page * _ROWS else "",
    )


# The nearest to the function is looked at first.
@router.get("/sources/{source_id:path}")
@router.get("/sources/{source_id:path}.json")
async def source_page(source_id: str, visit: VisitDep) -> Response:
    """One source: what it is, and what its syncs changed."""
    state = visit.state(SourceState)
    before = int(state.cursor) if state.cursor else None
    changes = await ask_graph(
        visit.components, lambda graph: list_changes(source_id, before=before, limit=_SYNCS, graph=graph)
    )
    if visit.as_json:
        return visit.document(changes.model_dump_json())
    found = await ask_graph(visit.components, lambda graph: graph.source_counts([source_id]))
    if not found:
        raise NotFoundError(f"no source {source_id!r}")
    (source,) = sources_answer(found).sources
    older = state.query(cursor=changes.next_cursor) if changes.next_cursor else ""
    return await visit.components.memory_workers.run(
        lambda: visit.page(
            "source.html",
            title=source.id,
            here="sources",
            twins=[
                reads("sources", source_id, "changes", cursor=state.cursor, limit=_SYNCS),
                reads("sources"),
            ],
            source=source,
            changes=changes,
            older=older,
        )
    )
