"""The way of every outgoing request: whose network may be asked, and until when.

A host is resolved for each connection, all of its addresses are checked, and the connection goes to one of those; TLS
still asks for the name. A kept connection serves the name that it was opened for. There are no proxies, no cookies, and
no redirects.
"""

import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import httpcore2
import httpx2
from anyio import to_thread

from app.domain.calling.addresses import check_address

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
"""Host and port -> addresses."""

FAILURES: Final = (httpx2.HTTPError, httpx2.InvalidURL, ValueError)
"""What a server, the way to it, or a text that HTTP cannot carry can cause."""
_MAX_HEADERS: Final = 100
"""Of one answer, as `_MAXHEADERS` of Python's http.client; h11 bounds their bytes alone."""


class UnknownHostError(httpcore2.ConnectError):
    """A host has no address; the message is the system's reason."""


class RefusedAddressError(httpcore2.ConnectError):
    """A host has an address that may not be asked; the message names it."""


def system_addresses(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
    return [str(item[4][0]) for item in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what it came from, the libraries' first."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@dataclass(frozen=True, slots=True)
class AddressGuard:
    """Whose network may be asked."""

    allow_private: bool
    resolve: Resolve = system_addresses

    def addresses(self, host: str, port: int) -> list[str]:
        """Where a connection may go.

        Raises:
            UnknownHostError: the host has no address.
            RefusedAddressError: one of its addresses may not be asked.
        """
        try:
            found = list(dict.fromkeys(self.resolve(host, port)))
        except (OSError, UnicodeError) as error:
            raise UnknownHostError(str(error)) from error
        if not found:
            raise UnknownHostError("no address")
        try:
            return [str(check_address(text, allow_private=self.allow_private)) for text in found]
        except ValueError as error:
            raise RefusedAddressError(str(error)) from error


class GuardedTransport(httpx2.HTTPTransport):
    """Asks servers from any thread. A context manager: leaving it closes its connections.

    Args:
        guard: whose network may be asked.
        tls: whose certificates are accepted; nobody's unless given.
        kept: connections that stay open for the next request.
    """

    def __init__(self, guard: AddressGuard, tls: ssl.SSLContext | None = None, *, kept: int = 0) -> None:
        # Not the constructor of httpx2, which takes no backend: its own would resolve without asking us.
        self._pool = httpcore2.ConnectionPool(
            ssl_context=tls or _trusting_nobody(),
            max_connections=None,
            max_keepalive_connections=kept,
            network_backend=_Backend(guard),
        )

    def ask(
        self,
        method: str,
        server: httpx2.URL,
        target: str,
        headers: Mapping[str, str],
        *,
        deadline: float,
        body: bytes | None = None,
    ) -> httpx2.Response:
        """The head of an answer; whoever asks reads its body in time, and closes it.

        Args:
            method: of HTTP.
            server: scheme, host and port.
            target: path and query, sent as they are.
            headers: of which `Host` is added where it is missing.
            deadline: of `time.monotonic`, for all that is sent and read.
            body: its length is added to the headers.

        Raises:
            httpx2.HTTPError: nothing answered, not in time, not in HTTP, or with too many headers. Among its
                `causes` may be `UnknownHostError` or `RefusedAddressError`.
            ValueError: HTTP cannot carry the target or a header.
        """
        request = httpx2.Request(
            method,
            server,
            headers=headers,
            content=body,
            extensions={
                "target": target.encode("ascii"),
                "timeout": dict.fromkeys(("connect", "read", "write"), deadline),
            },
        )
        return self.handle_request(request)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """As `ask`, with a point in time for each time-out of the request."""
        response = super().handle_request(request)
        stream = response.extensions["network_stream"]
        if isinstance(stream, _Stream):
            response.stream = _Body(response.stream, stream)
        if problem := _too_many_headers(response):
            response.close()
            raise problem
        return response


class AsyncGuardedTransport(httpx2.AsyncHTTPTransport):
    """The same for coroutines, whose time is bounded where they are awaited.

    Args:
        guard: whose network may be asked.
        tls: whose certificates are accepted; nobody's unless given.
    """

    def __init__(self, guard: AddressGuard, tls: ssl.SSLContext | None = None) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls or _trusting_nobody(),
            max_connections=None,
            keepalive_expiry=5.0,
            network_backend=_AsyncBackend(guard),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """As the library's, within the same bound of headers."""
        response = await super().handle_async_request(request)
        if problem := _too_many_headers(response):
            await response.aclose()
            raise problem
        return response


class _Backend(httpcore2.SyncBackend):
    """Opens connections to checked addresses. A time-out is a point in time, here and in its streams."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *args: Any, **kwargs: Any
    ) -> httpcore2.NetworkStream:
        """A connection to the first address that takes it."""
        *others, last = self._guard.addresses(host, port)
        for address in others:
            try:
                return _Stream(super().connect_tcp(address, port, _left(timeout), *args, **kwargs))
            except httpcore2.ConnectError:
                continue
        return _Stream(super().connect_tcp(last, port, _left(timeout), *args, **kwargs))


class _Stream(httpcore2.NetworkStream):
    """A connection that is used until a point in time: a socket's own time-out starts again with every byte."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream
        self.surplus = False
        """More came than the answer, and is with the parser."""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # The library's starts again, too, with every piece that the server takes.
        sock: socket.socket = self._stream.get_extra_info("socket")
        unsent = memoryview(buffer)
        try:
            while unsent:
                sock.settimeout(_left(timeout))
                unsent = unsent[sock.send(unsent) :]
        except TimeoutError as error:
            raise httpcore2.WriteTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.WriteError(str(error)) from error

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> object:
        # To the library an idle connection with something to read is one to be closed.
        return (info == "is_readable" and self.surplus) or self._stream.get_extra_info(info)


class _Body(httpx2.SyncByteStream):
    """The body of one answer: what a server sends behind it, unasked, must not be read as the next one's."""

    def __init__(self, body: Any, stream: _Stream) -> None:
        self._body = body
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._body

    def close(self) -> None:
        # The parser drops nothing between two answers, and nothing public leads to it.
        parser = self._body._httpcore_stream._stream._connection._h11_state
        self._stream.surplus = bool(parser.trailing_data[0])
        self._body.close()


class _AsyncBackend(httpcore2.AnyIOBackend):
    """As `_Backend`, with time-outs as the library has them."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *args: Any, **kwargs: Any
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to the first address that takes it."""
        *others, last = await to_thread.run_sync(self._guard.addresses, host, port, abandon_on_cancel=True)
        for address in others:
            try:
                return await super().connect_tcp(address, port, timeout, *args, **kwargs)
            except httpcore2.ConnectError:
                continue
        return await super().connect_tcp(last, port, timeout, *args, **kwargs)


def _too_many_headers(response: httpx2.Response) -> httpx2.RemoteProtocolError | None:
    found = len(response.headers.raw)
    return httpx2.RemoteProtocolError(f"{found} headers") if found > _MAX_HEADERS else None


def _left(deadline: float | None) -> float:
    """Seconds until then; no deadline is one that is over."""
    left = (deadline or 0.0) - time.monotonic()
    if left <= 0:
        raise httpcore2.TimeoutException("the time is over")
    return left


def _trusting_nobody() -> ssl.SSLContext:
    """For plain HTTP; reading the system's authorities takes longer than a server takes to answer."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
