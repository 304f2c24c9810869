"""A listener that agrees on a version of Bolt and writes down what it is sent, as somebody after a password would."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_BIND_S = 10.0
HANDSHAKE_BYTES = 20
"""Bolt's magic and four versions: all that a client says before it has an answer."""


@dataclass(slots=True)
class BoltListener:
    """What came in, one entry for each connection."""

    port: int
    received: list[bytearray] = field(default_factory=list)

    @property
    def data(self) -> bytes:
        """Everything, in one piece."""
        return b"|".join(map(bytes, self.received))


@contextmanager
def bolt_listener(port: int = 0, *, version: tuple[int, int]) -> Iterator[BoltListener]:
    """Listen on a port of loopback, at the first instant at which it can be had."""
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bind(server, port)
        server.listen(64)
        listener = BoltListener(server.getsockname()[1])
        threading.Thread(target=_accept, args=(server, listener, version), daemon=True).start()
        yield listener
        # A thread that accepts keeps a closed socket open.
        server.shutdown(socket.SHUT_RDWR)


def _bind(server: socket.socket, port: int) -> None:
    deadline = time.monotonic() + _BIND_S
    while True:
        try:
            server.bind(("127.0.0.1", port))
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.001)
        else:
            return


def _accept(server: socket.socket, listener: BoltListener, version: tuple[int, int]) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        data = bytearray()
        listener.received.append(data)
        threading.Thread(target=_read, args=(connection, data, version), daemon=True).start()


def _read(connection: socket.socket, data: bytearray, version: tuple[int, int]) -> None:
    major, minor = version
    answered = False
    with connection:
        connection.settimeout(30)
        try:
            while chunk := connection.recv(65_536):
                data += chunk
                if not answered and len(data) >= HANDSHAKE_BYTES:
                    connection.sendall(bytes([0, 0, minor, major]))
                    answered = True
        except OSError:
            return
