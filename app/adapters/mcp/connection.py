"""A connection to an MCP server that stays open, held by a task of its own, and those who are notified of changes."""

from collections.abc import Callable
from typing import Final

import anyio
from anyio.abc import TaskStatus
from mcp.client.session import IncomingMessage
from mcp.client.subscriptions import SubscriptionLost, listen
from mcp.shared.exceptions import MCPError
from mcp_types import ToolListChangedNotification

from app.adapters.mcp.session import McpSession, open_session
from app.adapters.mcp.wire import EXPECTED, Meter, describe, is_closed
from app.domain.calling.mcp_endpoints import McpChange, McpEndpoint, McpFailure, McpLimits
from app.errors import McpServerError

_IDLE_S: Final = 60.0
"""A connection that nobody used for this long is closed."""
_LAST_WORDS_S: Final = 3.0
"""For a connection that broke to say why."""


class McpConnection:
    """One open connection, held by a task of its own and used by others."""

    def __init__(self, endpoint: McpEndpoint, limits: McpLimits) -> None:
        self.endpoint = endpoint
        self._limits = limits
        self._meter = Meter(limits.max_bytes)
        self._session: McpSession | None = None
        self._settled = anyio.Event()
        self._ended = anyio.Event()
        self._stop = anyio.Event()
        self._failure: McpFailure | None = None
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
                raise McpServerError(self._meter.problem, said=self._meter.said)
        except* EXPECTED as group:
            self._failure = describe(group, self._meter, self.endpoint.secrets())
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
            failure = self._failure or McpFailure("closed the connection")
            raise McpServerError(failure.reason, said=failure.said)
        return self._session

    async def failure(self, error: BaseException) -> McpFailure:
        """Why a request failed; the connection itself may know better."""
        if is_closed(error):
            with anyio.move_on_after(_LAST_WORDS_S):
                await self._ended.wait()
            if self._failure:
                return self._failure
        return describe(error, self._meter, self.endpoint.secrets())

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
                one.notify(McpChange.CHANGED)

    def _on_stream_end(self) -> None:
        for one in list(self.subscriptions):
            one.notify(McpChange.LOST)


class Subscription:
    """Notifies one listener of the changes of one server."""

    def __init__(self, connection: McpConnection, on_change: Callable[[McpChange], None]) -> None:
        self._connection = connection
        self._on_change = on_change
        self._over = False
        self._scope = anyio.CancelScope()
        self.declared = False
        connection.users += 1
        connection.subscriptions.add(self)

    def notify(self, change: McpChange) -> None:
        """Pass on what happened."""
        if not self._over:
            if change is McpChange.LOST:
                self.end()
            self._on_change(change)

    def end(self) -> None:
        """Stop notifying."""
        if not self._over:
            self._over = True
            self._scope.cancel()
            self._connection.subscriptions.discard(self)
            self._connection.users -= 1

    async def follow_notifications(self, session: McpSession) -> bool:
        """Be notified by a server of 2025-11-25; false where it cannot notify."""
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
        """Be notified by a server of 2026-07-28, in a task of its own; false where it does not report changes of tools."""
        opened = False
        with self._scope:
            try:
                async with listen(session.client, tools_list_changed=True) as events:
                    opened = self.declared = bool(events.honored.tools_list_changed)
                    task_status.started(opened)
                    if not opened:
                        return
                    async for _ in events:
                        self.notify(McpChange.CHANGED)
            except (MCPError, SubscriptionLost):
                if not opened:
                    task_status.started(False)
                    return
            self.notify(McpChange.LOST)
