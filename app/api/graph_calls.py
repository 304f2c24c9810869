"""Requests that only the graph can answer."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from app.api.components import Components
from app.errors import StoreUnavailableError
from app.ports.graph import GraphExplorer

T = TypeVar("T")


async def ask_graph(components: Components, call: Callable[[GraphExplorer], T]) -> T:
    """Ask in a thread, for at most the query's time limit.

    Raises:
        StoreUnavailableError: the graph is away, or takes too long.
    """
    if not components.keeper.health.reachable:
        raise StoreUnavailableError("the graph database is away; /v1/query and /v1/tools answer meanwhile")
    timeout_s = components.limits.query_timeout_s
    job = components.graph_workers.submit(lambda: call(components.explorer))
    try:
        return await asyncio.wait_for(job.future, timeout_s)
    except TimeoutError:
        raise StoreUnavailableError(
            f"the graph database gave no answer within {timeout_s:g} s (OUTFITTER_QUERY_TIMEOUT_S)"
        ) from None
