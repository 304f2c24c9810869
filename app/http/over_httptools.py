"""HTTP/1.1 by httptools, held to the bounds. The parser itself has none, and collects what it is given."""

import asyncio
from enum import Enum
from typing import Any, ClassVar

import httptools
from prometheus_client import Counter
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from app.http.bounds import HttpBounds
from app.http.connections import OpenConnections
from app.http.guard import Guard, Phase
from app.http.refusals import (
    NOT_HTTP,
    UPGRADE_WITH_BODY,
    Refusal,
    headers_refusal,
    late,
    too_large,
    too_many_ahead,
)

_PIECE = 8_192
"""What the parser gets at once. Sockets are read up to 256 kB at a time: one read could hold 14,000 requests."""

_BODY = frozenset({b"content-length", b"transfer-encoding"})


class _Reading(Enum):
    BETWEEN = "between requests"
    HEADERS = "headers"
    BODY = "body"


class BoundedHttptools(HttpToolsProtocol):
    """One connection, with a guard for as long as it lasts."""

    bounds: ClassVar[HttpBounds]
    held: ClassVar[OpenConnections]
    refused: ClassVar[Counter]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._guard = Guard(
            self.bounds,
            self.held,
            self.refused,
            loop=self.loop,
            late=self._late,
            common=lambda: server_state.default_headers,
        )
        self._reading = _Reading.BETWEEN
        # Bytes since a part of a request was whole: what the parser may be keeping.
        self._unseen = 0
        # Requests whose answer is not complete.
        self._unanswered = 0
        self._refusal: Refusal | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and wait for headers."""
        super().connection_made(transport)
        self._guard.opened(transport, self.client[0] if self.client else None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count one less."""
        self._guard.closed()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse it in pieces, so that what is too large is seen before it is kept."""
        if self._guard.deaf:
            self._guard.discard(data)
            return
        self._unset_keepalive_if_required()
        if len(data) <= _PIECE:
            self._parse(data)
        else:
            whole = memoryview(data)
            for begin in range(0, len(data), _PIECE):
                self._parse(whole[begin : begin + _PIECE])
                if self._guard.deaf or self.transport.is_closing():
                    return
        self._settle()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._reading = _Reading.HEADERS
        self._unseen = 0
        self._guard.phase = None

    def on_headers_complete(self) -> None:
        """Start the application, unless there is a reason not to."""
        self._refusal = self._headers_refusal()
        if self._refusal is not None:
            raise ValueError(self._refusal.detail)
        super().on_headers_complete()
        if self.parser.should_upgrade():
            # Answered as if nobody had asked for another protocol (RFC 9110, section 7.8), and read no further.
            self.cycle.keep_alive = False
        # Fields behind a body are not headers of the request.
        self.headers = []
        self._reading = _Reading.BODY
        self._unseen = 0
        self._unanswered += 1

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._unseen = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        super().on_message_complete()
        self._reading = _Reading.BETWEEN
        self._unseen = 0

    def on_response_complete(self) -> None:
        """An answer is written."""
        super().on_response_complete()
        self._unanswered -= 1
        if self._guard.deaf and not self._unanswered:
            self._guard.end()
        else:
            self._settle()

    def _parse(self, piece: bytes | memoryview) -> None:
        self._unseen += len(piece)
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            self._guard.end_with_answers()
        except httptools.HttpParserError:
            self._refuse(self._refusal or NOT_HTTP)
        else:
            if self._unseen > self.bounds.header_bytes:
                in_url = self._reading is _Reading.HEADERS and 2 * len(self.url) > self._unseen
                self._refuse(too_large(self.bounds, in_url=in_url))

    def _headers_refusal(self) -> Refusal | None:
        if len(self.pipeline) >= self.bounds.pipelined:
            return too_many_ahead(self.bounds)
        if reason := self._guard.too_many_answers():
            return Refusal(429, reason)
        if self.parser.should_upgrade() and any(name in _BODY for name, _ in self.headers):
            return UPGRADE_WITH_BODY
        # What began and ended in one piece is smaller than the bound; its number is not.
        if not self._unseen and len(self.headers) <= self.bounds.header_count:
            return None
        return headers_refusal(self.bounds, self.url, self.headers)

    def _settle(self) -> None:
        """Tell what the connection waits for now."""
        self._guard.enters(self._phase())

    def _phase(self) -> Phase:
        if self.pipeline:
            # What waits for its turn is not read on meanwhile.
            return Phase.ANSWER
        if self._reading is _Reading.BODY:
            return Phase.BODY
        if self._reading is _Reading.HEADERS:
            return Phase.HEADERS
        if self._unanswered:
            return Phase.ANSWER
        return Phase.HEADERS if self.timeout_keep_alive_task is None else Phase.IDLE

    def _late(self) -> None:
        """The deadline of a phase is over."""
        if self._reading is _Reading.BETWEEN:
            self._guard.end()
        else:
            self._refuse(late(self.bounds, body=self._reading is _Reading.BODY))

    def _refuse(self, refusal: Refusal) -> None:
        """Say why, once what was asked before is answered."""
        if self._reading is _Reading.BODY:
            cycle = self.cycle
            if cycle.response_complete:
                self._guard.end()
                return
            if cycle.response_started:
                self.transport.abort()
                return
            cycle.disconnected = True
            cycle.message_event.set()
            self._unanswered -= 1
            if self.pipeline:
                self.pipeline.popleft()
        if self._unanswered:
            self._guard.end_with_answers()
        else:
            self._guard.refuse(refusal.status, refusal.detail)
