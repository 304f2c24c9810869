"""Threads that calls are handed to."""

import asyncio
import threading

import pytest

from app.service.workers import Workers


def test_results_and_exceptions_come_back() -> None:
    """A call's result is awaited, and so is what it raises."""

    async def main() -> None:
        workers = Workers(2, name="test")
        assert await workers.run(lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await workers.run(lambda: 1 // 0)
        workers.close()

    asyncio.run(main())


def test_calls_run_beside_each_other_and_beside_the_loop() -> None:
    """As many at once as there are threads; the loop stays free."""

    async def main() -> None:
        workers = Workers(2, name="test")
        meeting = threading.Barrier(2, timeout=5)
        await asyncio.gather(workers.run(meeting.wait), workers.run(meeting.wait))
        workers.close()

    asyncio.run(main())


def test_a_call_that_was_given_up_before_it_began_never_begins() -> None:
    """Cancelling drops what waits; `started` tells what runs."""

    async def main() -> None:
        workers = Workers(1, name="test")
        free, began = threading.Event(), []
        first = workers.submit(free.wait)
        second = workers.submit(lambda: began.append(1))
        while first.started is None:
            await asyncio.sleep(0.001)
        assert second.started is None
        second.future.cancel()
        free.set()
        await first.future
        await workers.run(lambda: None)
        assert began == []
        workers.close()

    asyncio.run(main())


def test_a_call_that_ends_after_the_loop_is_dropped() -> None:
    """A thread that was stuck does not fail when nobody waits any more."""
    free = threading.Event()
    workers = Workers(1, name="test")

    async def main() -> None:
        job = workers.submit(free.wait)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(job.future, 0.05)

    asyncio.run(main())
    free.set()
    workers.close()
    for thread in workers.threads:
        thread.join(5)
        assert not thread.is_alive()
