"""Threads for calls that block, so that the event loop never does."""

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from app.ports.spans import is_recording

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Job(Generic[T]):
    """A call on its way through a thread."""

    call: Callable[[], T]
    future: "asyncio.Future[T]"
    loop: asyncio.AbstractEventLoop
    started: float | None = field(default=None)
    """When a thread took it up, by `time.monotonic`; None while it waits for one."""


class Workers:
    """A fixed number of daemon threads.

    One hop costs about half of what `run_in_threadpool` does, and a thread that hangs in a database call
    keeps neither the event loop nor the end of the process waiting.
    """

    def __init__(self, threads: int, *, name: str) -> None:
        self._queue: SimpleQueue[Job[Any] | None] = SimpleQueue()
        self.threads = [
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self.threads:
            thread.start()

    def submit(self, call: Callable[[], T]) -> Job[T]:
        """Queue a call; await the job's `future`. Cancelling the future drops a call that has not begun."""
        loop = asyncio.get_running_loop()
        if is_recording():
            # What the thread does is a part of what is under way here.
            call = partial(contextvars.copy_context().run, call)
        job = Job(call, loop.create_future(), loop)
        self._queue.put(job)
        return job

    async def run(self, call: Callable[[], T]) -> T:
        """The call's result, or its exception."""
        return await self.submit(call).future

    def close(self) -> None:
        """Let the threads end after what is queued; does not wait for them."""
        for _ in self.threads:
            self._queue.put(None)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            if job.future.cancelled():
                continue
            job.started = time.monotonic()
            try:
                result = job.call()
            except BaseException as error:  # noqa: BLE001 - handed to whoever awaits the job
                _tell(job, _fail, error)
            else:
                _tell(job, _succeed, result)
            del job


def _tell(job: Job[Any], how: Callable[[Job[Any], Any], None], value: object) -> None:
    if not job.loop.is_closed():
        job.loop.call_soon_threadsafe(how, job, value)


def _succeed(job: Job[Any], result: object) -> None:
    if not job.future.done():
        job.future.set_result(result)


def _fail(job: Job[Any], error: BaseException) -> None:
    if not job.future.done():
        job.future.set_exception(error)
