"""Requests that wait for a thread: what becomes of them while the graph is away, hangs or is busy."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TypeVar

from app.domain.nodes.graph_views import ToolOrigin
from app.errors import NotReadyError, OutfitterError, StoreUnavailableError
from app.ports.graph import GraphExplorer
from app.ports.reviewing import ReviewDesk
from app.service.components import Components
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.unmet.keeper import UnmetKeeper
from app.usecases.workflows import WorkflowStore

T = TypeVar("T")
_log = logging.getLogger(__name__)


async def answered(components: Components, work: Callable[[ConsistentGraph], T], *, what: str) -> T:
    """The result of `work`, from the snapshot alone when the graph takes longer than the limit.

    Args:
        components: What is open.
        work: Done with the graph, in a thread.
        what: Its name in messages.

    Raises:
        NotReadyError: nothing is loaded yet, or no thread was free in time.
    """
    keeper = components.keeper
    # A graph that is asked quickly does not pass for a slow one because others are waited for.
    timeout_s = components.limits.query_timeout_s + components.limits.outside_s

    def call() -> T:
        return work(
            ConsistentGraph(keeper.index, components.graph, keeper=keeper, outside=components.outside)
        )

    if not keeper.health.reachable:
        return await components.memory_workers.run(call)
    job = components.graph_workers.submit(call)
    try:
        return await _within(timeout_s, job.future)
    except TimeoutError:
        if job.started is None or time.monotonic() - job.started < timeout_s / 2:
            raise NotReadyError(
                f"busy: no thread was free for the {what} within {timeout_s:g} s"
                " (OUTFITTER_QUERY_TIMEOUT_S); ask again later, or more slowly"
            ) from None
        keeper.lost(f"a {what} got no answer within {timeout_s:g} s (OUTFITTER_QUERY_TIMEOUT_S)")
        return await components.memory_workers.run(call)


async def ask_graph(components: Components, question: Callable[[GraphExplorer], T]) -> T:
    """What only the graph can answer.

    Raises:
        StoreUnavailableError: the graph is away, or takes longer than a query may.
    """
    timeout_s = components.limits.query_timeout_s
    late = StoreUnavailableError(
        f"the graph database gave no answer within {timeout_s:g} s (OUTFITTER_QUERY_TIMEOUT_S)"
    )
    return await _from_graph(
        components,
        lambda: question(components.explorer),
        away="/v1/query and /v1/tools answer meanwhile",
        timeout_s=timeout_s,
        late=late,
    )


async def origin_of(components: Components, tool_id: str) -> ToolOrigin | None:
    """Where a tool comes from, which only the graph knows; None while it is away: its card does without."""
    try:
        return await ask_graph(components, lambda explorer: explorer.tool_origin(tool_id))
    except StoreUnavailableError:
        return None


async def ask_workflows(components: Components, question: Callable[[WorkflowStore], T]) -> T:
    """What stored workflows answer; a change may wait for another writer.

    Raises:
        StoreUnavailableError: the graph is away.
        NotReadyError: it takes longer than a query and another writer may.
    """
    timeout_s = components.limits.query_timeout_s + components.limits.lease_wait_s
    late = NotReadyError(f"the graph gave no answer within {timeout_s:g} s; ask again later")
    return await _from_graph(
        components,
        lambda: question(components.workflows),
        away="workflows are kept in it",
        timeout_s=timeout_s,
        late=late,
    )


async def ask_unmet(components: Components, question: Callable[[UnmetKeeper], T]) -> T:
    """What is kept of requests that nothing met answers; a deletion may wait for another writer.

    Raises:
        StoreUnavailableError: the graph is away.
        NotReadyError: it takes longer than a query and another writer may.
    """
    timeout_s = components.limits.query_timeout_s + components.limits.lease_wait_s
    return await _from_graph(
        components,
        lambda: question(components.unmet),
        away="unmet requests are kept in it",
        timeout_s=timeout_s,
        late=NotReadyError(f"the graph gave no answer within {timeout_s:g} s; ask again later"),
    )


async def ask_reviews(components: Components, question: Callable[[ReviewDesk], T]) -> T:
    """What is done with decisions on definitions; it may wait for another writer.

    Raises:
        StoreUnavailableError: the graph is away, or nothing here carries decisions out.
        NotReadyError: it takes longer than a query and another writer may.
    """
    desk = components.reviews
    if desk is None:
        raise StoreUnavailableError("nothing here carries out what is decided of definitions")
    timeout_s = components.limits.query_timeout_s + components.limits.lease_wait_s
    return await _from_graph(
        components,
        lambda: question(desk),
        away="definitions are kept in it",
        timeout_s=timeout_s,
        late=NotReadyError(
            f"the graph gave no answer within {timeout_s:g} s; look at the list again before you decide once more"
        ),
    )


async def _within(timeout_s: float, future: "asyncio.Future[T]") -> T:
    # Not `wait_for`: up to Python 3.11 whoever is cancelled just when the result comes goes on, and a task that looks
    # again and again is then waited for without end.
    async with asyncio.timeout(timeout_s):
        return await future


async def _from_graph(
    components: Components, call: Callable[[], T], *, away: str, timeout_s: float, late: OutfitterError
) -> T:
    if not components.keeper.health.reachable:
        raise StoreUnavailableError(f"the graph database is away; {away}")
    try:
        return await _within(timeout_s, components.graph_workers.submit(call).future)
    except TimeoutError:
        raise late from None
    except StoreUnavailableError as error:
        # Why names the address of the database and a user of it, which few of those who ask may know.
        _log.warning("the graph gave no answer", extra={"problem": str(error)})
        raise StoreUnavailableError(f"the graph database is away; {away}") from error
