"""HTTP requests of calls, over connections that are kept.

A host is resolved for every call and the connection goes to the address that was checked. Nothing is followed,
nothing is repeated, and a server that hangs, drips or floods is left when the time or the bytes are used up.
Messages name the server's origin alone: path, query and headers may hold what is not for others.
"""

import socket
import ssl
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeAlias

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError, NewConnectionError
from urllib3.response import BaseHTTPResponse

from app.domain.calling.addresses import check_address
from app.domain.calling.calls import CallLimits
from app.domain.calling.http_requests import HttpAnswer, HttpRequest, Server
from app.errors import CallFailedError

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
Key: TypeAlias = tuple[str, str, int, str]
_CHUNK = 65_536
_POOLS = 64
"""Servers whose connections are kept."""
_CONNECTIONS = 8
"""Connections kept for one server; more are opened and closed."""
_now = threading.local()


class _Watched(HTTPConnection):
    """A connection that its thread's watchdog can end."""

    def request(self, *args: Any, **kwargs: Any) -> None:
        _now.connection = self
        super().request(*args, **kwargs)


class _WatchedTls(HTTPSConnection):
    """As `_Watched`."""

    def request(self, *args: Any, **kwargs: Any) -> None:
        _now.connection = self
        super().request(*args, **kwargs)


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Watched


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _WatchedTls


class UrllibCaller:
    """Fits `HttpCaller`; safe to share between threads. A context manager: leaving it closes all connections.

    Args:
        resolve: host and port -> addresses; the system's resolver unless given.
        tls: whose certificates are accepted; the system's authorities unless given.
    """

    def __init__(self, resolve: Resolve | None = None, tls: ssl.SSLContext | None = None) -> None:
        self._resolve = resolve or _system_resolve
        self._pools: OrderedDict[Key, HTTPConnectionPool] = OrderedDict()
        self._lock = threading.Lock()
        self._tls = tls or ssl.create_default_context()

    def send(self, request: HttpRequest, limits: CallLimits) -> HttpAnswer:
        """What the server answers, whatever its status.

        Raises:
            CallFailedError: its address may not be called, it does not answer in time, or with too much. The
                message names its origin and the reason.
        """
        server = request.server
        deadline = time.monotonic() + limits.timeout_s
        pool = self._pool(server, self._address(server))
        with _watchdog(limits.timeout_s) as ended:
            try:
                response = pool.urlopen(
                    request.method,
                    request.target,
                    body=request.body,
                    headers={"User-Agent": "outfitter", "Accept-Encoding": "identity", **_headers(request)},
                    redirect=False,
                    retries=False,
                    timeout=urllib3.Timeout(total=limits.timeout_s),
                    preload_content=False,
                    decode_content=False,
                )
                answer = _read(response, request, limits, deadline)
                if ended.is_set():
                    # To the library the end of the connection is the end of the headers, too.
                    raise TimeoutError
                return answer  # noqa: TRY300 - what is above belongs to the request
            except (HTTPError, OSError, ValueError) as error:
                if ended.is_set() or _is_timeout(error):
                    raise CallFailedError(
                        f"{server.origin} did not answer within {limits.timeout_s:g} s"
                    ) from error
                # Not the message: it may repeat the path and the query.
                raise CallFailedError(f"{server.origin} did not answer: {_reason(error)}") from error

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            pools, self._pools = self._pools, OrderedDict()
        for pool in pools.values():
            pool.close()

    def __enter__(self) -> "UrllibCaller":
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _address(self, server: Server) -> str:
        try:
            found = list(dict.fromkeys(self._resolve(server.host, server.port)))
        except (OSError, UnicodeError) as error:
            raise CallFailedError(f"{server.origin}: its host is not known") from error
        if not found:
            raise CallFailedError(f"{server.origin}: its host has no address")
        try:
            allowed = [check_address(text, allow_private=server.named_by_operator) for text in found]
        except ValueError as error:
            raise CallFailedError(
                f"{server.origin} has an address that is private or never called; accepted: a public one, or a private"
                " one that the sources file names in 'call.base_url' or 'call.servers'"
            ) from error
        return str(allowed[0])

    def _pool(self, server: Server, address: str) -> HTTPConnectionPool:
        key = (server.scheme, server.host, server.port, address)
        with self._lock:
            pool = self._pools.pop(key, None) or self._opened(server, address)
            self._pools[key] = pool
            oldest = self._pools.popitem(last=False)[1] if len(self._pools) > _POOLS else None
        if oldest is not None:
            oldest.close()
        return pool

    def _opened(self, server: Server, address: str) -> HTTPConnectionPool:
        if server.scheme == "http":
            return _Pool(address, server.port, maxsize=_CONNECTIONS, block=False)
        return _TlsPool(
            address,
            server.port,
            maxsize=_CONNECTIONS,
            block=False,
            ssl_context=self._tls,
            server_hostname=server.host,
            assert_hostname=server.host,
        )


def _headers(request: HttpRequest) -> dict[str, str]:
    return {**dict(request.headers), "Host": request.server.origin.partition("://")[2]}


@contextmanager
def _watchdog(seconds: float) -> Iterator[threading.Event]:
    """Ends this thread's connection when the time is over: a socket's own timeout starts again with every byte."""
    ended = threading.Event()
    lock = threading.Lock()
    owner = _now.__dict__
    owner.pop("connection", None)

    def end() -> None:
        with lock:
            ended.set()
            sock = getattr(owner.get("connection"), "sock", None)
            if sock is not None:
                try:
                    sock.shutdown(socket.SHUT_RDWR)
                except OSError:
                    return

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield ended
    finally:
        timer.cancel()
        with lock:
            # From here on the connection may be another call's.
            owner.pop("connection", None)


def _read(
    response: BaseHTTPResponse, request: HttpRequest, limits: CallLimits, deadline: float
) -> HttpAnswer:
    server = request.server
    data = bytearray()
    whole = False
    try:
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise CallFailedError(f"{server.origin} answered in an encoding that was not asked for")
        length = response.headers.get("Content-Length", "")
        if request.method != "HEAD" and length.isdigit() and int(length) > limits.max_answer_bytes:
            raise CallFailedError(_too_large(server, limits))
        while chunk := response.read1(_CHUNK):
            data += chunk
            if len(data) > limits.max_answer_bytes:
                raise CallFailedError(_too_large(server, limits))
            if time.monotonic() > deadline:
                raise CallFailedError(f"{server.origin} did not answer within {limits.timeout_s:g} s")
        whole = True
    finally:
        # What is left of an answer must not be read as the next one's.
        if whole:
            _now.__dict__.pop("connection", None)
            response.release_conn()
        else:
            response.close()
    media_type, _, parameters = response.headers.get("Content-Type", "").partition(";")
    _, _, charset = parameters.lower().partition("charset=")
    return HttpAnswer(
        status=response.status,
        media_type=media_type.strip().lower(),
        charset=charset.partition(";")[0].strip("\"' ")[:40],
        body=bytes(data),
    )


def _too_large(server: Server, limits: CallLimits) -> str:
    return f"{server.origin} answered with more than {limits.max_answer_bytes:,} bytes"


def _is_timeout(error: Exception) -> bool:
    # A refused connection is a kind of time-out to the library.
    return isinstance(error, TimeoutError | urllib3.exceptions.TimeoutError) and not isinstance(
        error, NewConnectionError
    )


def _reason(error: Exception) -> str:
    if isinstance(error, urllib3.exceptions.SSLError):
        return "its certificate is not accepted, or it speaks no TLS"
    if isinstance(error, NewConnectionError):
        return "nothing accepts the connection"
    return f"the connection broke ({type(error).__name__})"


def _system_resolve(host: str, port: int) -> list[str]:
    return [str(item[4][0]) for item in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
