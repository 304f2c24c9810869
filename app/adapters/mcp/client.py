"""MCP servers asked from synchronous code: an event loop in a thread of its own, the SDK inside.

Only the modules `app/adapters/mcp_*.py` know the SDK.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, as_completed
from contextlib import ExitStack, suppress
from typing import Final, Self, TypeVar

import anyio
from anyio.abc import TaskStatus
from anyio.from_thread import BlockingPortal, start_blocking_portal

from app.adapters.mcp.connection import Subscription
from app.adapters.mcp.pool import Pool, list_alone
from app.adapters.mcp.wire import where
from app.domain.calling.mcp_endpoints import McpChange, McpEndpoint, McpFailure, McpLimits, McpListing
from app.errors import McpServerError

Result = TypeVar("Result")
_LOG = logging.getLogger(__name__)
_TALKATIVE: Final = ("client", "httpcore2", "httpx2", "mcp.client")
"""Loggers of the SDK that write addresses with their queries, and what servers sent."""


class McpClient:
    """Lists, listens and calls; `McpLister`, `McpListener` and `McpCaller` in one. Used by any thread.

    A context manager: at its end every connection is closed and every command that it started is gone.
    """

    def __init__(self, limits: McpLimits | None = None) -> None:
        self._limits = limits or McpLimits()
        self._stack = ExitStack()
        self._portal: BlockingPortal
        self._pool: Pool
        self._at_once: anyio.Semaphore

    def __enter__(self) -> Self:
        for name in _TALKATIVE:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        with ExitStack() as stack:
            self._portal = stack.enter_context(start_blocking_portal("asyncio", name="mcp-client"))
            self._portal.start_task(self._serve)
            stack.callback(self._cancel_all)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def list_tools(
        self, endpoints: Sequence[McpEndpoint], *, on_answer: Callable[[], None] | None = None
    ) -> list[McpListing | McpFailure]:
        """What each server answers, in the order of the endpoints; see `McpLister`."""
        futures = [self._portal.start_task_soon(self._list, endpoint) for endpoint in endpoints]
        try:
            for _ in as_completed(futures):
                if on_answer:
                    on_answer()
        finally:
            for future in futures:
                future.cancel()
        return [_answer(endpoint, future) for endpoint, future in zip(endpoints, futures, strict=True)]

    def listen(
        self, endpoint: McpEndpoint, on_change: Callable[[McpChange], None]
    ) -> "OpenSubscription | None":
        """Be notified of changes; see `McpListener`."""
        found = self._ask(endpoint, self._pool.listen, on_change)
        return OpenSubscription(self._portal, found) if found else None

    def call(
        self, endpoint: McpEndpoint, tool: str, arguments: Mapping[str, object], *, timeout_s: float
    ) -> Mapping[str, object]:
        """The result of a call as the server sent it; see `McpCaller`."""
        return self._ask(endpoint, self._pool.call, tool, arguments, timeout_s)

    def _ask(
        self, endpoint: McpEndpoint, function: Callable[..., Awaitable[Result]], *arguments: object
    ) -> Result:
        try:
            return self._portal.call(function, endpoint, *arguments)
        except McpServerError as error:
            raise McpServerError(f"{endpoint.label}: {error}", said=error.said) from error
        except CancelledError as error:
            raise McpServerError(f"{endpoint.label}: the client was closed meanwhile") from error

    def _cancel_all(self) -> None:
        self._portal.call(self._pool.close)
        # Not `call`: it would be among the tasks that are cancelled.
        self._portal.start_task_soon(self._portal.stop, True)

    async def _serve(self, *, task_status: TaskStatus[None]) -> None:
        async with anyio.create_task_group() as tasks:
            self._at_once = anyio.Semaphore(self._limits.at_once)
            self._pool = Pool(self._limits, tasks)
            task_status.started()
            await anyio.sleep_forever()

    async def _list(self, endpoint: McpEndpoint) -> McpListing:
        async with self._at_once:
            if self._pool.has(endpoint):
                try:
                    return await self._pool.list_tools(endpoint)
                except McpServerError:
                    # Only one that broke is no word on the server: a silent one was given its time.
                    if self._pool.has(endpoint):
                        raise
            return await list_alone(endpoint, self._limits)


class OpenSubscription:
    """A subscription as other threads see it."""

    def __init__(self, portal: BlockingPortal, inner: Subscription) -> None:
        self._portal = portal
        self._inner = inner
        self.declared = inner.declared

    def close(self) -> None:
        """End it; after the client's own end there is nothing to do."""
        with suppress(RuntimeError, CancelledError):
            self._portal.call(self._inner.end)


def _answer(endpoint: McpEndpoint, future: Future[McpListing]) -> McpListing | McpFailure:
    if future.cancelled():
        return McpFailure("the client was closed meanwhile")
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, McpServerError):
        return McpFailure(str(error), error.said)
    # A bug triggered by one server fails that server alone and is logged.
    _LOG.error("listing the tools of %s failed: %s", endpoint.label, where(error))
    return McpFailure(f"could not be asked: {where(error)}")
