"""A small application behind the server's own protocol classes, and a peer that speaks raw bytes to it."""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import uvicorn
from prometheus_client import CollectorRegistry, Counter

from app.http.bounds import HttpBounds
from app.http.connections import AddressRange
from app.http.protocol import cut_off_stalled, http_protocol

LARGE = 8_000_000
"""Bytes of an answer that no buffer between two processes of a machine takes at once."""


@dataclass
class Served:
    """The application, and what it saw."""

    port: int
    seen: list[dict[str, Any]] = field(default_factory=list)
    """The scope of each request."""
    left: list[str] = field(default_factory=list)
    """Paths whose client left before its answer."""
    refused: Counter = field(
        default_factory=lambda: Counter("refused", "By status.", ("status",), registry=CollectorRegistry())
    )

    def connected(self, source: str = "127.0.0.1") -> "Peer":
        """A new connection from this address."""
        return Peer(
            socket.create_connection(("127.0.0.1", self.port), timeout=10, source_address=(source, 0))
        )

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        """The application."""
        if scope["type"] != "http":
            return
        self.seen.append(scope)
        path = scope["path"]
        start = {"type": "http.response.start", "status": 200}
        if path in {"/echo", "/soon"}:
            body = b""
            while path == "/echo":
                message = await receive()
                if message["type"] == "http.disconnect":
                    self.left.append(path)
                    return
                body += message["body"]
                if not message["more_body"]:
                    break
            length = b"%d" % len(body)
            await send({**start, "headers": [(b"content-length", b"%d" % len(length))]})
            await send({"type": "http.response.body", "body": length})
        elif path == "/large":
            await send({**start, "headers": [(b"content-length", b"%d" % LARGE)]})
            for _ in range(LARGE // 100_000):
                await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
            if (await receive())["type"] == "http.disconnect":
                self.left.append(path)
        elif path == "/listen":
            await send({**start, "headers": []})
            await send({"type": "http.response.body", "body": b"listening", "more_body": True})
            while (await receive())["type"] != "http.disconnect":
                pass
            self.left.append(path)
        else:
            await asyncio.sleep(0.3 if path == "/slow" else 0)
            await send({**start, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"ok"})


class Peer:
    """The other end of one connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """Whether it could be sent."""
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def get(self, path: str, *headers: str) -> None:
        """Ask, without waiting."""
        lines = [f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]
        assert self.send("\r\n".join(lines).encode())

    def until(self, text: bytes, timeout_s: float = 10) -> bytes:
        """What comes until this does."""
        found = b""
        self.socket.settimeout(timeout_s)
        while text not in found:
            received = self.socket.recv(65536)
            assert received, f"closed after {found[-500:]!r}"
            found += received
        return found

    def rest(self, timeout_s: float = 10) -> bytes:
        """What comes until the connection is closed."""
        found = bytearray()
        self.socket.settimeout(timeout_s)
        with contextlib.suppress(ConnectionError):
            while received := self.socket.recv(1_000_000):
                found += received
        return bytes(found)

    def dribble(self, data: bytes, *, every_s: float = 0.05, at_most_s: float = 10) -> bytes:
        """Send byte after byte, again and again, until the connection is closed; what was answered."""
        end = time.monotonic() + at_most_s
        found = b""
        self.socket.settimeout(every_s)
        while time.monotonic() < end:
            for byte in data:
                try:
                    self.socket.send(bytes([byte]))
                    received = self.socket.recv(65536)
                except TimeoutError:
                    continue
                except OSError:
                    return found
                if not received:
                    return found
                found += received
        raise AssertionError(f"still open after {at_most_s} s; answered: {found!r}")


@contextlib.contextmanager
def served(bounds: HttpBounds, *, exempt: Sequence[AddressRange] = ()) -> Iterator[Served]:
    """The application on a free port of loopback."""
    found = Served(0)
    protocol = http_protocol(bounds, exempt=exempt, refused=found.refused)
    with running(found.answer, bounds, protocol, lifespan="off") as found.port:
        yield found


@contextlib.contextmanager
def running(
    app: Any, bounds: HttpBounds, protocol: type[asyncio.Protocol], *, lifespan: Literal["on", "off"]
) -> Iterator[int]:
    """An application in a thread; the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    cut_off_stalled(listener, bounds)
    config = uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        interface="asgi3",
        lifespan=lifespan,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield int(listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
