"""Requests byte by byte: no client library mends them on the way."""

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any

ANSWER_S = 30.0
"""Six times what a query may take by default: a request without an answer by then hangs."""


class NoAnswerError(AssertionError):
    """The service closed the connection, or let it wait, without an answer."""


@dataclass(frozen=True, slots=True)
class HostileRequest:
    """A request as it goes over the wire, without `Host` and `Content-Length`."""

    method: str
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""
    chunk: int = 0
    """Bytes of each chunk; 0 sends the body whole."""

    def encoded(self, host: str) -> bytes:
        """All bytes of it."""
        lines = [b"%s %s HTTP/1.1" % (self.method.encode(), self.target), b"Host: %s" % host.encode()]
        lines += [b"%s: %s" % pair for pair in self.headers]
        if self.chunk:
            parts = [self.body[at : at + self.chunk] for at in range(0, len(self.body), self.chunk)]
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (*parts, b""))
            return b"\r\n".join((*lines, b"Transfer-Encoding: chunked", b"", body))
        return b"\r\n".join((*lines, b"Content-Length: %d" % len(self.body), b"", self.body))


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; a stream is not read."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """Without parameters; empty without a body."""
        return self.headers.get("content-type", "").partition(";")[0]

    def document(self) -> Any:
        """The body as JSON that every language reads: UTF-8, no NaN, no Infinity.

        Raises:
            ValueError: it is something else.
        """

        def refused(constant: str) -> float:
            raise ValueError(f"{constant} is not JSON")

        return json.loads(self.body.decode("utf-8"), parse_constant=refused)


class Wire:
    """One connection to the service at a time, opened again where the service closed it."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._connection: socket.socket | None = None

    def ask(self, request: HostileRequest) -> Answer:
        """Send a request and read its answer.

        Raises:
            NoAnswerError: there is none within `ANSWER_S`.
        """
        sent = request.encoded(self._host)
        kept = self._connection is not None
        try:
            return self._asked(sent, request.method)
        except NoAnswerError:
            if not kept:
                raise
        # The service may have closed an idle connection in the moment in which it was used again.
        return self._asked(sent, request.method)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _asked(self, sent: bytes, method: str) -> Answer:
        if self._connection is None:
            address, _, port = self._host.rpartition(":")
            self._connection = socket.create_connection((address, int(port)), timeout=ANSWER_S)
        response = HTTPResponse(self._connection, method=method)
        try:
            _send(self._connection, sent)
            response.begin()
            headers = {name.lower(): value for name, value in response.getheaders()}
            stream = headers.get("content-type", "").startswith("text/event-stream")
            answer = Answer(response.status, headers, b"" if stream else response.read())
        except (OSError, HTTPException) as error:
            self.close()
            raise NoAnswerError(f"no answer: {error!r}") from error
        if stream or response.will_close:
            self.close()
        return answer


def _send(connection: socket.socket, sent: bytes) -> None:
    try:
        connection.sendall(sent)
    except (BrokenPipeError, ConnectionResetError):
        # Refused before it was sent whole; the answer is there to be read.
        return
