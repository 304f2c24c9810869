"""MCP over HTTP: whose network is asked, what is read, and what becomes of the stream of notifications.

A host is resolved and checked for every request, and the connection goes to the address that was checked.
Redirects are followed by the SDK, within the server's origin only; each is a request of its own.
"""

import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from socket import SOCK_STREAM
from typing import cast

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client

from app.adapters.mcp.stdio import Streams
from app.adapters.mcp.wire import Meter
from app.domain.calling.addresses import check_address, is_loopback_name
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
    secure = endpoint.url.startswith("https:")
    inner = httpx2.AsyncHTTPTransport(
        verify=_trusting() if secure else _empty(),
        trust_env=False,
        limits=httpx2.Limits(max_connections=None),
    )
    headers = {name: value.get_secret_value() for name, value in endpoint.headers}
    client = httpx2.AsyncClient(
        transport=_Checked(inner, endpoint, meter, notifications),
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


@lru_cache(maxsize=1)
def _empty() -> ssl.SSLContext:
    """For plain HTTP, which uses none."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class _Checked(httpx2.AsyncBaseTransport):
    """Sends requests to checked addresses only and counts what comes back."""

    def __init__(
        self,
        inner: httpx2.AsyncHTTPTransport,
        endpoint: McpEndpoint,
        meter: Meter,
        notifications: NotificationStream,
    ) -> None:
        self._inner = inner
        self._endpoint = endpoint
        self._meter = meter
        self._notifications = notifications

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer of the first address of the host that takes the connection."""
        addresses = await self._addresses(request)
        for address in addresses[:-1]:
            try:
                return await self._ask(request, address)
            except httpx2.ConnectError:
                continue
        return await self._ask(request, addresses[-1])

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()

    async def _addresses(self, request: httpx2.Request) -> list[str]:
        host = request.url.host
        try:
            found = await anyio.getaddrinfo(host, request.url.port or 0, type=SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise self._refused(f"host {host!r} is not known: {error}", request) from error
        allow = self._endpoint.allow_private or is_loopback_name(host)
        try:
            return [
                str(check_address(text, allow_private=allow))
                for text in dict.fromkeys(str(item[4][0]) for item in found)
            ]
        except ValueError as error:
            raise self._refused(str(error), request) from error

    def _refused(self, problem: str, request: httpx2.Request) -> httpx2.ConnectError:
        self._meter.problem = problem
        return httpx2.ConnectError(problem, request=request)

    async def _ask(self, request: httpx2.Request, address: str) -> httpx2.Response:
        pinned = httpx2.Request(
            request.method,
            request.url.copy_with(host=address),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": request.url.host},
        )
        response = await self._inner.handle_async_request(pinned)
        status = response.status_code
        self._meter.http_error = str(status) if status >= 400 else ""
        if response.headers.get("content-encoding", "identity") != "identity":
            # Nobody can say how long it is before it is unpacked.
            await response.aclose()
            raise self._refused(
                "sent a compressed answer; accepted: uncompressed, as it was asked for", request
            )
        self._follow(request, response)
        streaming = request.method == "GET"
        stream = cast(httpx2.AsyncByteStream, response.stream)
        response.stream = _Metered(stream, self._meter, self._notifications.end if streaming else None)
        return response

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
