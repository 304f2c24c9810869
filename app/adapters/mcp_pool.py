"""Connections to MCP servers that stay open for calls and for news of changes.

Everything in here runs in the event loop's one thread.
"""

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import anyio
from anyio.abc import TaskGroup, TaskStatus
from mcp.client.session import IncomingMessage
from mcp.client.subscriptions import SubscriptionLost, listen
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, ToolListChangedNotification

from app.adapters.mcp_session import McpSession, open_session
from app.adapters.mcp_wire import EXPECTED, Meter, Redactor, describe, is_closed, where
from app.domain.mcp_endpoints import McpChange, McpEndpoint, McpLimits, McpListing
from app.errors import McpServerError

_LOG = logging.getLogger(__name__)
_IDLE_S: Final = 60.0
"""A connection that nobody used for this long is closed."""
_LAST_WORDS_S: Final = 3.0
"""For a connection that broke to say why."""


class Connection:
    """One open connection, held by a task of its own and used by others."""

    def __init__(self, endpoint: McpEndpoint, limits: McpLimits) -> None:
        self.endpoint = endpoint
        self._limits = limits
        self._meter = Meter(limits.max_bytes)
        self._session: McpSession | None = None
        self._settled = anyio.Event()
        self._ended = anyio.Event()
        self._stop = anyio.Event()
        self._failure = ""
        self.users = 0
        """How many use it now; one that nobody uses is closed after a while."""
        self.subscriptions: set[Subscription] = set()

    @property
    def ended(self) -> bool:
        """Whether nobody can use it any more."""
        return self._ended.is_set() or self._stop.is_set()

    async def run(self) -> None:
        """Be open until stopped, idle or broken."""
        try:
            async with open_session(
                self.endpoint,
                self._limits,
                self._meter,
                on_message=self._on_message,
                on_close=self.stop,
            ) as session:
                session.notifications.on_end = self._on_stream_end
                self._session = session
                self._settled.set()
                await self._used()
            if self._meter.problem:
                # What a command said at its end is known after it.
                raise McpServerError(self._meter.problem)
        except* EXPECTED as group:
            self._failure = describe(group, self._meter, Redactor(self.endpoint.secrets()))
        finally:
            self._session = None
            self._settled.set()
            self._ended.set()
            self._on_stream_end()

    def stop(self) -> None:
        """Close it."""
        self._stop.set()

    async def session(self) -> McpSession:
        """The session, once it is open.

        Raises:
            McpServerError: it could not be opened.
        """
        await self._settled.wait()
        if self._session is None:
            raise McpServerError(self._failure or "closed the connection")
        return self._session

    async def failure(self, error: BaseException) -> str:
        """Why a request failed; the connection itself may know better."""
        if is_closed(error):
            with anyio.move_on_after(_LAST_WORDS_S):
                await self._ended.wait()
            if self._failure:
                return self._failure
        return describe(error, self._meter, Redactor(self.endpoint.secrets()))

    async def _used(self) -> None:
        while not self._stop.is_set():
            with anyio.move_on_after(_IDLE_S):
                await self._stop.wait()
            if self.users == 0:
                self._stop.set()

    async def _on_message(self, message: IncomingMessage) -> None:
        # A server of 2026-07-28 is followed by a stream of its own, which comes along here again.
        legacy = self._session is not None and not self._session.modern
        if legacy and isinstance(message, ToolListChangedNotification):
            for one in list(self.subscriptions):
                one.tell(McpChange.CHANGED)

    def _on_stream_end(self) -> None:
        for one in list(self.subscriptions):
            one.tell(McpChange.LOST)


class Subscription:
    """Tells one listener of the changes of one server."""

    def __init__(self, connection: Connection, on_change: Callable[[McpChange], None]) -> None:
        self._connection = connection
        self._on_change = on_change
        self._over = False
        self._scope = anyio.CancelScope()
        self.declared = False
        connection.users += 1
        connection.subscriptions.add(self)

    def tell(self, change: McpChange) -> None:
        """Pass on what happened."""
        if not self._over:
            if change is McpChange.LOST:
                self.end()
            self._on_change(change)

    def end(self) -> None:
        """Tell nothing any more."""
        if not self._over:
            self._over = True
            self._scope.cancel()
            self._connection.subscriptions.discard(self)
            self._connection.users -= 1

    async def follow_notifications(self, session: McpSession) -> bool:
        """Be told by a server of 2025-11-25; false where it has no way to tell."""
        self.declared = session.announces
        stream = session.notifications
        if self._connection.endpoint.url:
            if stream.session:
                await stream.answered.wait()
            if not stream.open:
                return False
        return True

    async def follow_stream(
        self, session: McpSession, *, task_status: TaskStatus[bool] = anyio.TASK_STATUS_IGNORED
    ) -> None:
        """Be told by a server of 2026-07-28, in a task of its own; false where it does not tell of tools."""
        opened = False
        with self._scope:
            try:
                async with listen(session.client, tools_list_changed=True) as events:
                    opened = self.declared = bool(events.honored.tools_list_changed)
                    task_status.started(opened)
                    if not opened:
                        return
                    async for _ in events:
                        self.tell(McpChange.CHANGED)
            except (MCPError, SubscriptionLost):
                if not opened:
                    task_status.started(False)
                    return
            self.tell(McpChange.LOST)


class Pool:
    """The connections that are open, one for each server."""

    def __init__(self, limits: McpLimits, tasks: TaskGroup) -> None:
        self._limits = limits
        self._tasks = tasks
        self._connections: dict[McpEndpoint, Connection] = {}

    def close(self) -> None:
        """Tell nobody anything any more."""
        for connection in self._connections.values():
            for one in list(connection.subscriptions):
                one.end()

    def has(self, endpoint: McpEndpoint) -> bool:
        """Whether a connection to a server is open."""
        found = self._connections.get(endpoint)
        return found is not None and not found.ended

    async def list_tools(self, endpoint: McpEndpoint) -> McpListing:
        """The tools of a server, over the connection to it.

        Raises:
            McpServerError: it fails.
        """
        async with self._session(endpoint, self._limits.total_s) as session:
            return await session.list_tools()

    async def call(
        self, endpoint: McpEndpoint, tool: str, arguments: Mapping[str, object], timeout_s: float
    ) -> dict[str, Any]:
        """Call a tool over the connection to its server.

        Raises:
            McpServerError: it fails.
        """
        async with self._session(endpoint, timeout_s) as session:
            try:
                return await session.call(tool, arguments)
            except MCPError as error:
                # The server has forgotten the session, so it has not run the call.
                if not _is_forgotten(error):
                    raise
        self._connections.pop(endpoint).stop()
        async with self._session(endpoint, timeout_s) as session:
            return await session.call(tool, arguments)

    async def listen(
        self, endpoint: McpEndpoint, on_change: Callable[[McpChange], None]
    ) -> Subscription | None:
        """Be told of changes; None where the server has no way to tell.

        Raises:
            McpServerError: the server cannot be reached.
        """
        subscription: Subscription | None = None
        told = False
        try:
            async with self._session(endpoint, self._limits.total_s) as session:
                subscription = Subscription(self._connections[endpoint], on_change)
                with anyio.move_on_after(self._limits.connect_s):
                    if session.modern:
                        told = await self._tasks.start(subscription.follow_stream, session)
                    else:
                        told = await subscription.follow_notifications(session)
        finally:
            if subscription and not told:
                subscription.end()
        return subscription if told else None

    @asynccontextmanager
    async def _session(self, endpoint: McpEndpoint, within_s: float) -> AsyncIterator[McpSession]:
        """The session with a server, opened if there is none, in use for a limited time."""
        connection = self._connections.get(endpoint)
        if connection is None or connection.ended:
            connection = self._connections[endpoint] = Connection(endpoint, self._limits)
            self._tasks.start_soon(self._hold, connection)
        connection.users += 1
        try:
            with anyio.fail_after(within_s):
                yield await connection.session()
        except McpServerError:
            raise
        except TimeoutError as error:
            raise McpServerError(f"did not answer within {within_s:g} s") from error
        except EXPECTED as error:
            raise McpServerError(await connection.failure(error)) from error
        finally:
            connection.users -= 1

    async def _hold(self, connection: Connection) -> None:
        try:
            await connection.run()
        except Exception as error:  # noqa: BLE001 - what one server brings out shall not end the others' connections
            _LOG.error("the connection to %s failed: %s", connection.endpoint.label, where(error))
        finally:
            if self._connections.get(connection.endpoint) is connection:
                del self._connections[connection.endpoint]


async def list_alone(endpoint: McpEndpoint, limits: McpLimits) -> McpListing:
    """The tools of a server, over a connection of its own that is closed afterwards.

    Raises:
        McpServerError: it fails.
    """
    meter = Meter(limits.max_bytes)
    reason = ""
    listing: McpListing | None = None
    try:
        with anyio.move_on_after(limits.total_s):
            async with open_session(endpoint, limits, meter) as session:
                listing = await session.list_tools()
    except* EXPECTED as group:
        reason = describe(group, meter, Redactor(endpoint.secrets()))
    if listing is None:
        raise McpServerError(reason or f"did not answer within {limits.total_s:g} s")
    return listing


def _is_forgotten(error: MCPError) -> bool:
    return error.code == INVALID_REQUEST and error.message == "Session terminated"
