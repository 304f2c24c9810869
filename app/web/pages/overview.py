"""/ui/: what there is, what is wrong, what changed.

Twins: GET /v1/status, GET /v1/facets, GET /v1/sources, GET /v1/workflows, GET /v1/changes,
GET /v1/unmet.
"""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from starlette.responses import Response

from app.answers.status import StatusAnswer
from app.answers.unmet import UnmetAnswer
from app.domain.nodes.models import Source
from app.domain.nodes.syncs import Severity, SyncRecord, SyncStatus
from app.domain.workflows.stored import Workflow
from app.errors import StoreUnavailableError
from app.ports.graph import GraphExplorer
from app.service.components import Components
from app.service.waiting import ask_graph, ask_unmet, ask_workflows
from app.usecases.browse.changes import list_all_changes
from app.usecases.browse.facets import facets
from app.usecases.browse.status import service_status
from app.usecases.unmet.reading import list_unmet
from app.web.routes import page_router
from app.web.twins import reads
from app.web.visits import Visit, VisitDep

T = TypeVar("T")
router = page_router()
_DAYS = 7
_SYNCS = 50
"""Syncs that are looked at for the gravest."""
_SHOWN = 6
_UNMET = 5


@router.get("")
async def without_slash(visit: VisitDep) -> Response:
    """To the address that others are relative to."""
    return visit.leads_to("")


@router.get("/")
@router.get("/overview.json")
async def overview_page(visit: VisitDep) -> Response:
    """What somebody looks at first."""
    components = visit.components
    if visit.as_json:
        return visit.document((await _status(components)).model_dump_json())
    since = (datetime.now(UTC) - timedelta(days=_DAYS)).date().isoformat()
    status, sources, workflows, changes, unmet = await asyncio.gather(
        _status(components),
        _sources(components),
        _workflows(components),
        _changes(components, since),
        _unmet(components),
    )
    return await components.memory_workers.run(
        lambda: _drawn(visit, status, sources, workflows, changes, unmet, since)
    )


def _drawn(
    visit: Visit,
    status: StatusAnswer,
    sources: list[Source] | None,
    workflows: list[Workflow] | None,
    changes: tuple[SyncRecord, ...] | None,
    unmet: UnmetAnswer | None,
    since: str,
) -> Response:
    index = visit.components.keeper.index
    failing = [source for source in sources or () if not source.healthy]
    return visit.page(
        "overview.html",
        title="Overview",
        twins=[
            reads("status"),
            reads("facets", limit=1),
            reads("sources"),
            reads("workflows"),
            reads("changes", since=since, limit=_SYNCS),
            reads("unmet", limit=_UNMET),
        ],
        service=status,
        facets=facets(limit=1, index=index, view=index.whole),
        sources=sources,
        failing=failing,
        workflows=workflows,
        changes=None if changes is None else sorted(changes, key=_gravity)[:_SHOWN],
        since=since,
        unmet=unmet,
        broken=[workflow for workflow in workflows or () if workflow.broken],
    )


@router.get("/generation.json")
async def generation(visit: VisitDep) -> Response:
    """What every open page looks at, whether it is still of the present; part of what GET /readyz says."""
    return visit.document(json.dumps({"generation": visit.components.keeper.index.generation}))


async def _status(components: Components) -> StatusAnswer:
    graph = await _unless_away(components, lambda explorer: explorer.status())
    return service_status(components.keeper, graph, components.watched, now=datetime.now(UTC))


async def _sources(components: Components) -> list[Source] | None:
    # Without their numbers of nodes, which take half a second for 2,000 sources.
    return await _unless_away(components, lambda explorer: explorer.sources())


async def _changes(components: Components, since: str) -> tuple[SyncRecord, ...] | None:
    found = await _unless_away(
        components, lambda explorer: list_all_changes(since=since, cursor=None, limit=_SYNCS, graph=explorer)
    )
    return None if found is None else found.changes


async def _unmet(components: Components) -> UnmetAnswer | None:
    index = components.keeper.index
    try:
        return await ask_unmet(
            components,
            lambda unmet: list_unmet(
                unmet.store.entries(), mode=unmet.mode, cursor=None, limit=_UNMET, index=index
            ),
        )
    except StoreUnavailableError:
        return None


def _gravity(record: SyncRecord) -> int:
    """Where it stands among the changes of a week: what broke calls first, what failed next."""
    if record.severity is Severity.BREAKING:
        return 0
    return 1 if record.status is SyncStatus.FAILED else 2


async def _workflows(components: Components) -> list[Workflow] | None:
    try:
        return await ask_workflows(components, lambda store: store.list())
    except StoreUnavailableError:
        return None


async def _unless_away(components: Components, question: Callable[[GraphExplorer], T]) -> T | None:
    """What the graph answers; None while it is away: the page says so and shows the rest."""
    try:
        return await ask_graph(components, question)
    except StoreUnavailableError:
        return None
