"""Requests that wait for a thread, and those who are gone before it answers."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from app.errors import StoreUnavailableError
from app.ports.graph import GraphExplorer
from app.roots.service import components_over
from app.service.components import RequestLimits
from app.service.metrics import Metrics
from app.service.waiting import ask_graph
from app.service.workers import Job, Workers
from tests.fakes import InMemoryGraph

T = TypeVar("T")
LIMITS = RequestLimits(max_query_chars=500, query_timeout_s=5.0, lease_wait_s=5.0)


class _Seen(Workers):
    """Threads whose last job can be looked at."""

    def submit(self, call: Callable[[], T]) -> Job[T]:
        self.job: Job[Any] = super().submit(call)
        return self.job


def test_who_is_cancelled_as_the_answer_comes_does_not_go_on() -> None:
    """Else a task that looks at the graph again and again would outlive the service that waits for its end."""
    free = threading.Event()

    async def main() -> None:
        with components_over(InMemoryGraph(), refresh_s=60, limits=LIMITS, metrics=Metrics()) as components:
            threads = _Seen(1, name="test")
            task = asyncio.create_task(
                ask_graph(replace(components, graph_workers=threads), lambda _: free.wait())
            )
            await asyncio.sleep(0)

            threads.job.future.set_result(True)
            task.cancel()

            with pytest.raises(asyncio.CancelledError):
                await task
            free.set()
            threads.close()

    asyncio.run(main())


def test_who_asks_does_not_learn_where_the_graph_is() -> None:
    """Why it gave no answer names its address and a user, which the log has."""

    def refused(_: GraphExplorer) -> None:
        raise StoreUnavailableError("bolt://10.1.2.3:7687 refuses user 'ada': check NEO4J_PASSWORD")

    async def main() -> str:
        with components_over(InMemoryGraph(), refresh_s=60, limits=LIMITS, metrics=Metrics()) as components:
            with pytest.raises(StoreUnavailableError) as caught:
                await ask_graph(components, refused)
            return str(caught.value)

    told = asyncio.run(main())

    assert "the graph database is away" in told
    assert not any(secret in told for secret in ("10.1.2.3", "7687", "ada", "NEO4J"))
