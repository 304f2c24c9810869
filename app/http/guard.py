"""One connection: its deadlines, its place among those of its address, and its end."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from enum import Enum
from http import HTTPStatus
from typing import TypeAlias

from prometheus_client import Counter

from app.api.answer_headers import with_safe_headers
from app.api.problems import problem
from app.http.bounds import HttpBounds
from app.http.connections import AddressPlace, Kind, OpenConnections

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]

_DISCARDED_BYTES = 1_000_000
"""What is read and thrown away of a peer that sends on after its refusal: a request of the usual largest size."""

_log = logging.getLogger("app.access")


class Phase(Enum):
    """What a connection waits for."""

    IDLE = "idle"
    """A further request; the server's own keep-alive timeout ends it."""
    HEADERS = "headers"
    BODY = "body"
    ANSWER = "answer"


class Guard:
    """Holds one connection to the bounds; both protocol classes tell it what they read.

    Args:
        bounds: the limits.
        connections: those of all addresses.
        refused: counts refusals by status.
        loop: of the connection.
        late: called when the deadline of a phase is over.
        common: the headers that the server adds to each answer.
    """

    def __init__(
        self,
        bounds: HttpBounds,
        connections: OpenConnections,
        refused: Counter,
        *,
        loop: asyncio.AbstractEventLoop,
        late: Callable[[], None],
        common: Callable[[], Headers],
    ) -> None:
        self._bounds = bounds
        self._connections = connections
        self._refused = refused
        self._loop = loop
        self._late = late
        self._common = common
        self._place: AddressPlace | None = None
        self._kind: Kind | None = None
        self.phase: Phase | None = None
        """What it waits for; to be set to None where a request begins, which has a deadline of its own."""
        self._deadline: asyncio.TimerHandle | None = None
        self._discarded = 0
        self.deaf = False
        """Nothing more is read; the connection ends with the answers that are under way."""

    def opened(self, transport: asyncio.Transport, address: str | None) -> None:
        """Begin; one connection too many of an address gets that as its answer, without being read."""
        self._transport = transport
        self._address = address
        self._place = self._connections.place(address)
        if self._count(Kind.ASKING):
            self.enters(Phase.HEADERS)
        else:
            self.refuse(429, self._too_many("wait for requests", self._bounds.per_address))

    def closed(self) -> None:
        """Forget the connection, which has gone."""
        self.deaf = True
        self._set_deadline(None)
        self._count(None)
        if self._place is not None:
            self._connections.left(self._place)

    def enters(self, phase: Phase) -> None:
        """The connection waits for something else now."""
        if phase is self.phase or self.deaf:
            return
        self.phase = phase
        if self._transport.is_closing():
            self.end()
            return
        if phase is Phase.HEADERS:
            self._set_deadline(self._bounds.headers_s, self._late)
        elif phase is Phase.BODY:
            self._set_deadline(self._bounds.body_s, self._late)
        elif self._deadline is not None:
            self._set_deadline(None)
        kind = Kind.ANSWERED if phase is Phase.ANSWER else Kind.ASKING
        # After its answer a connection goes back among those that wait, if there is room.
        if kind is not self._kind and not self._count(kind) and kind is Kind.ASKING:
            self.end()

    def too_many_answers(self) -> str:
        """Why the address may get no further answer now; empty when it may."""
        if self._place is None or self._kind is Kind.ANSWERED or not self._place.full(Kind.ANSWERED):
            return ""
        return self._too_many("get answers or listen", self._bounds.answers_per_address)

    def refuse(self, status: int, detail: str) -> None:
        """Answer with a problem document and end the connection; log and count it."""
        self._refused.labels(status).inc()
        _log.info("refused", extra={"status": status, "detail": detail, "address": self._address or ""})
        if not self._count(Kind.REFUSED):
            self.deaf = True
            self._transport.abort()
            return
        if not self._transport.is_closing():
            self._transport.write(_answer(status, detail, self._common()))
        self.end()

    def end_with_answers(self) -> None:
        """Read nothing more; whoever writes the last answer that is under way calls `end`."""
        self.deaf = True
        self._set_deadline(None)

    def end(self) -> None:
        """Close, but let the peer read what was written: a reset while it still sends would take that away."""
        self.deaf = True
        self._set_deadline(None)
        if self._transport.is_closing():
            return
        if self._transport.can_write_eof():
            self._transport.write_eof()
            self._set_deadline(self._bounds.linger_s, self._cut)
        else:
            self._transport.close()

    def discard(self, data: bytes) -> None:
        """Throw away what comes after the end; a peer that does not stop is cut off."""
        self._discarded += len(data)
        if self._discarded > _DISCARDED_BYTES:
            self._transport.abort()

    def _count(self, kind: Kind | None) -> bool:
        if self._place is not None and not self._place.move(self._kind, kind):
            return False
        self._kind = kind
        return True

    def _cut(self) -> None:
        """Cut the peer off, unless it is still taking its answer."""
        if self._transport.get_write_buffer_size():
            self._set_deadline(self._bounds.linger_s, self._cut)
        else:
            self._transport.abort()

    def _set_deadline(self, seconds: float | None, call: Callable[[], object] = lambda: None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self._loop.call_later(seconds, call)

    def _too_many(self, what: str, most: int) -> str:
        return (
            f"{most} connections of {self._place.name if self._place else ''} {what}; accepted: that many, or an address in"
            " OUTFITTER_TRUSTED_PROXIES (OUTFITTER_MAX_CONNECTIONS_PER_ADDRESS)"
        )


def _answer(status: int, detail: str, common: Headers) -> bytes:
    request_id = secrets.token_hex(8)
    found = problem(status, detail, request_id=request_id, headers={"X-Request-ID": request_id})
    lines = [b"HTTP/1.1 %d %s" % (status, HTTPStatus(status).phrase.encode())]
    headers = with_safe_headers([*common, *found.raw_headers, (b"connection", b"close")])
    lines += [b"%s: %s" % header for header in headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + bytes(found.body)
