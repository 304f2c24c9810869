"""HTTP requests of calls, over connections that are kept.

Nothing is followed, nothing is repeated, and a server that hangs, drips or floods is left when the time or the bytes
are used up. Messages name the server's origin alone: path, query and headers may hold what is not for others.
"""

import ssl
import time
from contextlib import closing
from typing import Self

import httpx2

from app.adapters.http.guarded import (
    FAILURES,
    AddressGuard,
    GuardedTransport,
    RefusedAddressError,
    Resolve,
    UnknownHostError,
    causes,
    system_addresses,
)
from app.domain.calling.calls import CallLimits
from app.domain.calling.http_requests import HttpAnswer, HttpRequest, Server
from app.errors import CallFailedError

_KEPT = 32
"""Connections that stay open for later calls; more are opened and closed."""


class PooledHttpCaller:
    """Fits `HttpCaller`; safe to share between threads. A context manager: leaving it closes all connections.

    Args:
        resolve: host and port -> addresses; the system's resolver unless given.
        tls: whose certificates are accepted; the system's authorities unless given.
    """

    def __init__(self, resolve: Resolve = system_addresses, tls: ssl.SSLContext | None = None) -> None:
        tls = tls or ssl.create_default_context()
        # A connection to a private address serves those servers only that the operator named.
        self._named = GuardedTransport(AddressGuard(allow_private=True, resolve=resolve), tls, kept=_KEPT)
        self._other = GuardedTransport(AddressGuard(allow_private=False, resolve=resolve), tls, kept=_KEPT)

    def send(self, request: HttpRequest, limits: CallLimits) -> HttpAnswer:
        """What the server answers, whatever its status.

        Raises:
            CallFailedError: its address may not be called, it does not answer in time, or with too much. The
                message names its origin and the reason.
        """
        server = request.server
        transport = self._named if server.named_by_operator else self._other
        try:
            response = transport.ask(
                request.method,
                httpx2.URL(scheme=server.scheme, host=server.host, port=server.port),
                request.target,
                {
                    "User-Agent": "outfitter",
                    "Accept-Encoding": "identity",
                    **dict(request.headers),
                    "Host": server.origin.partition("://")[2],
                },
                deadline=time.monotonic() + limits.timeout_s,
                body=request.body,
            )
            with closing(response):
                return _answer(response, request, limits)
        except FAILURES as error:
            # Not the library's message: it may repeat the path and the query.
            raise CallFailedError(f"{server.origin}{_reason(error, limits)}") from error

    def close(self) -> None:
        """Close all connections."""
        self._named.close()
        self._other.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _answer(response: httpx2.Response, request: HttpRequest, limits: CallLimits) -> HttpAnswer:
    server = request.server
    if response.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise CallFailedError(f"{server.origin} answered in an encoding that was not asked for")
    length = response.headers.get("Content-Length", "")
    if request.method != "HEAD" and length.isdigit() and int(length) > limits.max_answer_bytes:
        raise CallFailedError(_too_large(server, limits))
    data = bytearray()
    for chunk in response.iter_raw():
        data += chunk
        if len(data) > limits.max_answer_bytes:
            raise CallFailedError(_too_large(server, limits))
    media_type, _, parameters = response.headers.get("Content-Type", "").partition(";")
    _, _, charset = parameters.lower().partition("charset=")
    return HttpAnswer(
        status=response.status_code,
        media_type=media_type.strip().lower(),
        charset=charset.partition(";")[0].strip("\"' ")[:40],
        body=bytes(data),
    )


def _too_large(server: Server, limits: CallLimits) -> str:
    return f"{server.origin} answered with more than {limits.max_answer_bytes:,} bytes"


def _reason(error: Exception, limits: CallLimits) -> str:
    found = list(causes(error))
    if any(isinstance(one, UnknownHostError) for one in found):
        return ": its host is not known"
    if any(isinstance(one, RefusedAddressError) for one in found):
        return (
            " has an address that is private or never called; accepted: a public one, or a private one that the"
            " sources file names in 'call.base_url' or 'call.servers'"
        )
    if isinstance(error, httpx2.TimeoutException):
        return f" did not answer within {limits.timeout_s:g} s"
    if any(isinstance(one, ssl.SSLError) for one in found):
        return " did not answer: its certificate is not accepted, or it speaks no TLS"
    if isinstance(error, httpx2.ConnectError):
        return " did not answer: nothing accepts the connection"
    return f" did not answer: the connection broke ({type(error).__name__})"
