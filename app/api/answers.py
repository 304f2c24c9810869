"""Questions that the graph helps to answer, and that the snapshot answers alone while the graph is away."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from app.api.components import Components
from app.errors import NotReadyError

T = TypeVar("T")


async def answered(components: Components, work: Callable[[], T], *, what: str) -> T:
    """The result of `work`, from the snapshot alone when the graph takes longer than the limit.

    Raises:
        NotReadyError: no thread was free in time.
    """
    keeper, timeout_s = components.keeper, components.limits.query_timeout_s
    if not keeper.health.reachable:
        return await components.memory_workers.run(work)
    job = components.graph_workers.submit(work)
    try:
        return await asyncio.wait_for(job.future, timeout_s)
    except TimeoutError:
        if job.started is None or time.monotonic() - job.started < timeout_s / 2:
            raise NotReadyError(
                f"busy: no thread was free for the {what} within {timeout_s:g} s"
                " (OUTFITTER_QUERY_TIMEOUT_S); ask again later, or more slowly"
            ) from None
        keeper.lost(f"a {what} got no answer within {timeout_s:g} s (OUTFITTER_QUERY_TIMEOUT_S)")
        return await components.memory_workers.run(work)
