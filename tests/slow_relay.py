"""A relay before a server, whose words can be held back."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.service import wait_until


@dataclass(slots=True)
class SlowRelay:
    """Passes everything on; what the server says only while `go_on` is set."""

    uri: str
    go_on: threading.Event = field(default_factory=threading.Event)
    opened: int = 0
    """Connections that clients made."""
    ended: int = 0
    """Connections that clients closed again."""

    def await_opened(self, number: int, timeout_s: float = 10.0) -> None:
        """Wait until clients have made as many connections."""
        wait_until(lambda: self.opened >= number, timeout_s)

    def await_ended(self, timeout_s: float = 10.0) -> None:
        """Wait until clients have closed every connection."""
        wait_until(lambda: self.ended == self.opened, timeout_s)


@contextmanager
def slow_relay(uri: str) -> Iterator[SlowRelay]:
    """Listen on a free port of loopback before the server at this address."""
    parts = urlsplit(uri)
    target = (parts.hostname or "", parts.port or 0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        relay = SlowRelay(f"{parts.scheme}://127.0.0.1:{server.getsockname()[1]}")
        threading.Thread(target=_accept, args=(server, relay, target), daemon=True).start()
        yield relay
        relay.go_on.set()
        # A thread that accepts keeps a closed socket open.
        server.shutdown(socket.SHUT_RDWR)


def _accept(server: socket.socket, relay: SlowRelay, target: tuple[str, int]) -> None:
    while True:
        try:
            client, _ = server.accept()
        except OSError:
            return
        relay.opened += 1
        threading.Thread(target=_pass_on, args=(client, relay, target), daemon=True).start()


def _pass_on(client: socket.socket, relay: SlowRelay, target: tuple[str, int]) -> None:
    with client, socket.create_connection(target) as theirs:
        back = threading.Thread(target=_pass_back, args=(theirs, client, relay), daemon=True)
        back.start()
        while said := client.recv(65_536):
            theirs.sendall(said)
        relay.ended += 1
        theirs.shutdown(socket.SHUT_RDWR)
        back.join()


def _pass_back(theirs: socket.socket, client: socket.socket, relay: SlowRelay) -> None:
    while said := theirs.recv(65_536):
        relay.go_on.wait()
        try:
            client.sendall(said)
        except OSError:
            return
