"""How the service and the graph are now."""

from datetime import datetime, timedelta
from typing import Literal

from app.answers.status import LeaseStatus, MeaningStatus, StatusAnswer, WatchedSourceStatus
from app.domain.language.visible_text import visible
from app.domain.moments import utc_text
from app.domain.nodes.graph_views import GraphStatus
from app.ports.watching import FollowedSource, FollowedSources
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.snapshots import Snapshots


def service_status(
    keeper: Snapshots, graph: GraphStatus | None, watched: FollowedSources | None, *, now: datetime
) -> StatusAnswer:
    """How it stands.

    Args:
        keeper: Of the snapshot that answers come from.
        graph: What the graph says of itself; None while it gives no answer.
        watched: The sources that are followed; None where none are.
        now: What times are counted from.
    """
    current, health = keeper.current, keeper.health
    index = current.index if current else None
    state: Literal["ready", "degraded", "starting"] = "starting"
    if current is not None:
        state = "ready" if graph is not None and health.reachable else "degraded"
    return StatusAnswer(
        status=state,
        problem=visible(health.problem),
        generation=index.generation if index else None,
        tools=len(index.catalogue.tools) if index else None,
        snapshot_age_s=round(now.timestamp() - current.taken_at, 1) if current else None,
        from_memory=index is not None
        and (graph is None or graph.writing or graph.generation != index.generation),
        meaning=_meaning(index) if index else None,
        graph="unreachable" if graph is None else "reachable",
        graph_generation=graph.generation if graph else None,
        graph_generation_at=graph.generation_at or None if graph else None,
        writing=graph.writing if graph else health.writing,
        lease=_lease(graph, now) if graph else None,
        watched=None if watched is None else [_watched(one, now) for one in watched()],
    )


def _meaning(index: SearchIndex) -> MeaningStatus | None:
    vectors = index.meaning.vectors
    if vectors is None:
        return None
    return MeaningStatus(model=visible(vectors.model), encoded=vectors.scales.size - vectors.missing.size)


def _lease(graph: GraphStatus, now: datetime) -> LeaseStatus | None:
    if not graph.lease_owner:
        return None
    until = now + timedelta(seconds=graph.lease_left_s)
    return LeaseStatus(owner=visible(graph.lease_owner), until=utc_text(until))


def _watched(one: FollowedSource, now: datetime) -> WatchedSourceStatus:
    return WatchedSourceStatus(
        source=visible(one.source),
        next_look_at=None if one.due_s is None else utc_text(now + timedelta(seconds=one.due_s)),
        failures=one.failures,
        reports_changes=one.reports_changes,
    )
