"""The connections to MCP servers that are open for calls and for news of changes, one for each server.

Everything in here runs in the event loop's one thread.
"""

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST

from app.adapters.mcp.connection import McpConnection, Subscription
from app.adapters.mcp.session import McpSession, open_session
from app.adapters.mcp.wire import EXPECTED, Meter, describe, where
from app.domain.calling.mcp_endpoints import McpChange, McpEndpoint, McpFailure, McpLimits, McpListing
from app.errors import McpServerError

_LOG = logging.getLogger(__name__)


class Pool:
    """The connections that are open, one for each server."""

    def __init__(self, limits: McpLimits, tasks: TaskGroup) -> None:
        self._limits = limits
        self._tasks = tasks
        self._connections: dict[McpEndpoint, McpConnection] = {}

    def close(self) -> None:
        """Stop notifying anybody."""
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
        """Be notified of changes; None where the server cannot notify.

        Raises:
            McpServerError: the server cannot be reached.
        """
        subscription: Subscription | None = None
        following = False
        try:
            async with self._session(endpoint, self._limits.total_s) as session:
                subscription = Subscription(self._connections[endpoint], on_change)
                with anyio.move_on_after(self._limits.connect_s):
                    if session.modern:
                        following = await self._tasks.start(subscription.follow_stream, session)
                    else:
                        following = await subscription.follow_notifications(session)
        finally:
            if subscription and not following:
                subscription.end()
        return subscription if following else None

    @asynccontextmanager
    async def _session(self, endpoint: McpEndpoint, within_s: float) -> AsyncIterator[McpSession]:
        """The session with a server, opened if needed, in use for a limited time."""
        connection = self._connections.get(endpoint)
        if connection is None or connection.ended:
            connection = self._connections[endpoint] = McpConnection(endpoint, self._limits)
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
            failure = await connection.failure(error)
            raise McpServerError(failure.reason, said=failure.said) from error
        finally:
            connection.users -= 1

    async def _hold(self, connection: McpConnection) -> None:
        try:
            await connection.run()
        except Exception as error:  # noqa: BLE001 - one server must not end the others' connections
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
    failure = McpFailure(f"did not answer within {limits.total_s:g} s")
    listing: McpListing | None = None
    try:
        with anyio.move_on_after(limits.total_s):
            async with open_session(endpoint, limits, meter) as session:
                listing = await session.list_tools()
    except* EXPECTED as group:
        failure = describe(group, meter, endpoint.secrets())
    if listing is None:
        raise McpServerError(failure.reason, said=failure.said)
    return listing


def _is_forgotten(error: MCPError) -> bool:
    return error.code == INVALID_REQUEST and error.message == "Session terminated"
