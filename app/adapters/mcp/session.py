"""One connection to an MCP server, whichever way and era: open it, list, call."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

import anyio
from mcp.client.session import ClientSession, MessageHandlerFnT
from mcp.shared.exceptions import MCPError
from mcp_types import (
    HEADER_MISMATCH,
    UNSUPPORTED_PROTOCOL_VERSION,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    PaginatedRequestParams,
)
from mcp_types.version import LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from app.adapters.mcp.http import NotificationStream, http_streams
from app.adapters.mcp.stdio import stdio_streams
from app.adapters.mcp.wire import STRUCK_OUT, Meter, RawDispatcher, capturing
from app.domain.calling.mcp_endpoints import Era, McpEndpoint, McpLimits, McpListing
from app.domain.calling.secret_words import cleared, redacted
from app.errors import McpServerError

_PROBE_SHARE: Final = 0.5
"""Part of the time to connect that a server has for the question of 2026-07-28; some older ones are silent."""


class McpSession:
    """An open connection."""

    def __init__(
        self,
        endpoint: McpEndpoint,
        limits: McpLimits,
        client: ClientSession,
        meter: Meter,
        notifications: NotificationStream,
    ) -> None:
        self._endpoint = endpoint
        self._limits = limits
        self._meter = meter
        self._secrets = endpoint.secrets()
        self.client = client
        self.notifications = notifications

    @property
    def modern(self) -> bool:
        """Whether the server speaks a revision without sessions."""
        return self.client.protocol_version in MODERN_PROTOCOL_VERSIONS

    @property
    def announces(self) -> bool:
        """Whether the server says that it notifies when its tools change."""
        found = self.client.server_capabilities
        return bool(found and found.tools and found.tools.list_changed)

    async def list_tools(self) -> McpListing:
        """All tools, page by page.

        Raises:
            McpServerError: a page is not valid, or there are more pages, tools or bytes than are read.
        """
        self._meter.begin()
        tools: list[object] = []
        ttls: list[int] = []
        seen: set[str] = set()
        cursor: str | None = None
        for _ in range(self._limits.max_pages):
            page = await self._page(cursor)
            found = page.get("tools")
            if not isinstance(found, list):
                raise McpServerError(f"answered tools/list without a list of tools (page {len(seen) + 1})")
            tools += found
            if len(tools) > self._limits.max_tools:
                raise McpServerError(f"has more than {self._limits.max_tools:,} tools")
            ttl = page.get("ttlMs")
            if isinstance(ttl, int) and not isinstance(ttl, bool) and self.modern:
                ttls.append(max(ttl, 0))
            following = page.get("nextCursor")
            if not following:
                return self._listing(tools, ttls)
            if not isinstance(following, str):
                raise McpServerError(f"gave a nextCursor that is not text (page {len(seen) + 1})")
            if following in seen:
                raise McpServerError(
                    f"gave the same nextCursor twice (page {len(seen) + 1}): its list has no end"
                )
            seen.add(following)
            cursor = following
        raise McpServerError(f"has more than {self._limits.max_pages:,} pages of tools")

    async def call(self, tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        """The result of a call, as the server sent it."""
        self._meter.begin()
        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=dict(arguments)))
        try:
            return await self._call(request)
        except MCPError as error:
            if error.code != HEADER_MISMATCH or not self.modern:
                raise
            # Some arguments travel as headers, which only a listing shows; the server has refused the call.
            await self.client.list_tools()
            return await self._call(request)

    async def _call(self, request: CallToolRequest) -> dict[str, Any]:
        with capturing() as answers:
            await self.client.send_request(request, CallToolResult)
        return answers[0]

    async def _page(self, cursor: str | None) -> dict[str, Any]:
        with capturing() as answers:
            await self.client.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        return answers[0]

    def _listing(self, tools: list[object], ttls: list[int]) -> McpListing:
        info = self.client.server_info
        return McpListing(
            server_name=redacted(info.name, self._secrets, mark=STRUCK_OUT) if info else "",
            server_version=redacted(info.version, self._secrets, mark=STRUCK_OUT) if info else "",
            protocol=str(self.client.protocol_version),
            tools=tuple(cleared(tool, self._secrets, mark=STRUCK_OUT) for tool in tools),
            ttl_ms=min(ttls) if ttls else None,
            announces=self.announces,
        )


def _nothing() -> None:
    pass


@asynccontextmanager
async def open_session(
    endpoint: McpEndpoint,
    limits: McpLimits,
    meter: Meter,
    *,
    on_message: MessageHandlerFnT | None = None,
    on_close: Callable[[], None] = _nothing,
) -> AsyncIterator[McpSession]:
    """Connect, and agree on a revision of the protocol.

    Args:
        endpoint: the server.
        limits: what it may take.
        meter: counts what it sends, and knows why it failed.
        on_message: called with each notification.
        on_close: called when a command sends no more; an address has nothing that ends.

    Raises:
        Exception: any of `mcp_wire.EXPECTED`, alone or in groups.
    """
    notifications = NotificationStream()
    opened = (
        http_streams(endpoint, meter, limits, notifications)
        if endpoint.url
        else stdio_streams(endpoint, meter, on_close)
    )
    async with opened as (received, to_send):
        client = ClientSession(
            dispatcher=RawDispatcher(received, to_send),
            client_info=Implementation(name="outfitter", version=version("outfitter")),
            message_handler=on_message,
        )
        async with client:
            try:
                with anyio.fail_after(limits.connect_s):
                    await _negotiate(client, endpoint.era, limits)
            except TimeoutError as error:
                raise TimeoutError(f"did not connect within {limits.connect_s:g} s") from error
            yield McpSession(endpoint, limits, client, meter, notifications)


async def _negotiate(client: ClientSession, era: Era, limits: McpLimits) -> None:
    if era is not Era.LEGACY and await _discovered(client, era, limits):
        return
    try:
        await client.initialize()
    except MCPError as error:
        if error.code != UNSUPPORTED_PROTOCOL_VERSION or era is Era.LEGACY:
            raise
        # A slow server took the first question after all, and has settled on 2026-07-28 by now.
        await client.discover()


async def _discovered(client: ClientSession, era: Era, limits: McpLimits) -> bool:
    share = 1.0 if era is Era.MODERN else _PROBE_SHARE
    with anyio.move_on_after(limits.connect_s * share):
        try:
            await client.discover()
        except (MCPError, ValidationError, RuntimeError):
            # Every kind of refusal is met: the handshake shows whether there is an MCP server at all.
            if era is Era.MODERN:
                raise
            return False
        return True
    if era is Era.MODERN:
        raise TimeoutError(f"does not answer as of {LATEST_MODERN_VERSION}")
    return False
