"""Reads sources that take time, each in a thread: no source waits for another that hangs."""

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.domain.calling.mcp_endpoints import McpChange, McpEndpoint, McpFailure, McpListing
from app.errors import McpServerError, SourceRefusedError
from app.ports.servers import McpListener, McpSubscription
from ingest.sources.files import IngestInput, read_file

THREADS = 32


@dataclass(frozen=True, slots=True)
class WatchedAnswer:
    """What a source answered."""

    one: IngestInput
    """With the document, where it is one, or with why that could not be fetched."""
    answer: McpListing | McpFailure | None = None
    subscription: McpSubscription | None = None
    """A new one."""
    can_listen: bool = True


class RepeatedAnswers:
    """Fits `McpLister`; repeats what servers have answered."""

    def __init__(self, fetched: Sequence[WatchedAnswer]) -> None:
        self._answers: Mapping[McpEndpoint, McpListing | McpFailure] = {
            one.one.endpoint: one.answer for one in fetched if one.one.endpoint and one.answer
        }

    def list_tools(
        self, endpoints: Sequence[McpEndpoint], *, on_answer: Callable[[], None] | None = None
    ) -> list[McpListing | McpFailure]:
        """What each has answered."""
        for _ in endpoints:
            if on_answer:
                on_answer()
        return [self._answers[endpoint] for endpoint in endpoints]


class Threads:
    """Daemon threads, made when there is work: one that hangs keeps neither others nor the end waiting."""

    def __init__(self, most: int = THREADS) -> None:
        self._most = most
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._made = 0
        self._idle = 0

    def submit(self, work: Callable[[], None]) -> None:
        """Run it as soon as a thread is free."""
        with self._lock:
            if self._idle > self._work.qsize() or self._made >= self._most:
                self._work.put(work)
                return
            self._made += 1
            self._work.put(work)
        threading.Thread(target=self._run, name=f"watch-{self._made}", daemon=True).start()

    def _run(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            work = self._work.get()
            with self._lock:
                self._idle -= 1
            work()


def fetch(
    one: IngestInput,
    servers: McpListener,
    *,
    max_bytes: int,
    listen: bool,
    on_change: Callable[[McpChange], None],
) -> WatchedAnswer:
    """Read a document of the web, or the tools of a server; with `listen`, subscribe before reading, so that no change is missed."""
    if one.endpoint is None:
        try:
            return WatchedAnswer(replace(one, data=read_file(one, max_bytes=max_bytes)))
        except SourceRefusedError as error:
            return WatchedAnswer(replace(one, problem=str(error), problem_said=error.said))
    subscription = None
    try:
        if listen:
            subscription = servers.listen(one.endpoint, on_change)
    except McpServerError as error:
        # The label comes before the reason again when the source is refused.
        reason = str(error).removeprefix(f"{one.endpoint.label}: ")
        return WatchedAnswer(one, McpFailure(reason, error.said))
    (answer,) = servers.list_tools([one.endpoint])
    return WatchedAnswer(
        one, answer, subscription=subscription, can_listen=not listen or subscription is not None
    )
