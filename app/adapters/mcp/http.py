"""MCP over HTTP: what is read, and what becomes of the stream of notifications.

Redirects are followed by the SDK, within the server's origin only; each is a request of its own.
"""

import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import cast

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client

from app.adapters.http.guarded import (
    AddressGuard,
    AsyncGuardedTransport,
    RefusedAddressError,
    UnknownHostError,
    causes,
)
from app.adapters.mcp.stdio import Streams
from app.adapters.mcp.wire import Meter
from app.domain.calling.addresses import is_loopback_name
from app.domain.calling.mcp_endpoints import McpEndpoint, McpLimits


class NotificationStream:
    """The stream by which a server of 2025-11-25 notifies: whether there is one, and when it ends."""

    def __init__(self) -> None:
        self.session = False
        """Whether the server has opened a session; without one there is no stream."""
        self.answered = anyio.Event()
        """Set once the server has said whether it has the stream."""
        self.open = False
        self.on_end: Callable[[], None] | None = None

    def end(self) -> None:
        """The stream is over."""
        if self.open:
            self.open = False
            if self.on_end:
                self.on_end()


@asynccontextmanager
async def http_streams(
    endpoint: McpEndpoint, meter: Meter, limits: McpLimits, notifications: NotificationStream
) -> AsyncIterator[Streams]:
    """Talk to the server at the endpoint's address."""
    url = httpx2.URL(endpoint.url)
    guard = AddressGuard(allow_private=endpoint.allow_private or is_loopback_name(url.host))
    inner = AsyncGuardedTransport(guard, _trusting() if url.scheme == "https" else None)
    headers = {name: value.get_secret_value() for name, value in endpoint.headers}
    client = httpx2.AsyncClient(
        transport=_Metering(inner, meter, notifications),
        headers={"User-Agent": "outfitter", **headers, "Accept-Encoding": "identity"},
        # Answers are timed where they are awaited; a stream of notifications is silent for hours.
        timeout=httpx2.Timeout(limits.total_s, connect=limits.connect_s, read=None),
        trust_env=False,
    )
    async with (
        client,
        streamable_http_client(endpoint.url, http_client=client, max_sse_event_size=limits.max_bytes) as (
            received,
            to_send,
        ),
    ):
        yield received, to_send  # type: ignore[misc]  # the SDK's wrappers of the same streams


@lru_cache(maxsize=1)
def _trusting() -> ssl.SSLContext:
    """The system's authorities; reading them takes longer than a server takes to answer."""
    return ssl.create_default_context()


class _Metering(httpx2.AsyncBaseTransport):
    """Counts what comes back, and keeps why nothing does."""

    def __init__(self, inner: AsyncGuardedTransport, meter: Meter, notifications: NotificationStream) -> None:
        self._inner = inner
        self._meter = meter
        self._notifications = notifications

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer, with a body that is counted."""
        try:
            response = await self._inner.handle_async_request(request)
        except httpx2.ConnectError as error:
            for cause in causes(error):
                if isinstance(cause, RefusedAddressError):
                    self._meter.problem = str(cause)
                if isinstance(cause, UnknownHostError):
                    self._meter.problem = f"host {request.url.host!r} is not known: {cause}"
            raise
        status = response.status_code
        self._meter.http_error = str(status) if status >= 400 else ""
        if response.headers.get("content-encoding", "identity") != "identity":
            # Nobody can say how long it is before it is unpacked.
            await response.aclose()
            self._meter.problem = "sent a compressed answer; accepted: uncompressed, as it was asked for"
            raise httpx2.ConnectError(self._meter.problem, request=request)
        self._follow(request, response)
        streaming = request.method == "GET"
        stream = cast(httpx2.AsyncByteStream, response.stream)
        response.stream = _Metered(stream, self._meter, self._notifications.end if streaming else None)
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()

    def _follow(self, request: httpx2.Request, response: httpx2.Response) -> None:
        if "mcp-session-id" in response.headers:
            self._notifications.session = True
        if request.method == "GET" and not 300 <= response.status_code < 400:
            self._notifications.open = response.status_code == 200
            self._notifications.answered.set()


class _Metered(httpx2.AsyncByteStream):
    """A body whose bytes are counted as they come."""

    def __init__(
        self, stream: httpx2.AsyncByteStream, meter: Meter, on_end: Callable[[], None] | None
    ) -> None:
        self._stream = stream
        self._meter = meter
        self._on_end = on_end

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._meter.add(len(chunk))
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
        if self._on_end:
            self._on_end()
