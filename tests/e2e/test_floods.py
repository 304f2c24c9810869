"""Floods on the address of the service, as a process with the bounds that it has when nothing is set."""

import contextlib
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.service import Service, serving

ENDED_WITHIN_S = 15
GROWTH_BYTES = 20_000_000
FLOOD_BYTES = 60_000_000
ATTACKER, PROXY = "127.0.0.2", "127.0.0.3"
"""Addresses of loopback, so that whoever is flooded from one is asked from another."""
HEAD = b"POST /v1/query HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = HEAD + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"

pytestmark = pytest.mark.xdist_group("floods")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service on an empty graph."""
    folder = tmp_path_factory.mktemp("flooded") / "data"
    with serving(folder, OUTFITTER_TRUSTED_PROXIES=f'["{PROXY}/32"]') as found:
        yield found


def memory(service: Service) -> int:
    """Resident bytes of its process."""
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return 1024 * int(line.split()[1])


class Watched:
    """What happened to the service meanwhile."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.grew = 0
        self.slowest_s = 0.0
        self.asked = 0


@contextlib.contextmanager
def watched(service: Service) -> Iterator[Watched]:
    """Ask for its health again and again, and look how much memory it has."""
    found, stop, before = Watched(service), threading.Event(), memory(service)

    def look() -> None:
        while not stop.is_set():
            begin = time.monotonic()
            assert service.get("/healthz")[0] == 200
            found.slowest_s = max(found.slowest_s, time.monotonic() - begin)
            found.asked += 1
            found.grew = max(found.grew, memory(service) - before)
            time.sleep(0.02)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield found
    finally:
        stop.set()
        looking.join()
        found.grew = max(found.grew, memory(service) - before)


def connected(service: Service, source: str = ATTACKER) -> socket.socket:
    """A connection from that address."""
    address = urlsplit(service.url)
    assert address.hostname
    assert address.port
    return socket.create_connection(
        (address.hostname, address.port), timeout=ENDED_WITHIN_S, source_address=(source, 0)
    )


def flood(connection: socket.socket, begin: bytes, block: bytes) -> tuple[int, bytes]:
    """Send until it is closed or the flood is over: how much was taken, and what was answered."""
    sent, answer = 0, b""
    with contextlib.suppress(OSError):
        connection.sendall(begin)
        while sent < FLOOD_BYTES:
            connection.sendall(block)
            sent += len(block)
    with contextlib.suppress(OSError):
        while received := connection.recv(65536):
            answer += received
    return sent, answer


@pytest.mark.parametrize(
    ("begin", "block"),
    [
        (HEAD, b"x-a: b\r\n" * 8_000),
        (HEAD + b"x-a: ", b"b" * 64_000),
        (b"GET /", b"a" * 64_000),
        (CHUNKED + b"0\r\n", b"x-a: b\r\n" * 8_000),
        (CHUNKED + b"0\r\nx-a: ", b"b" * 64_000),
        (b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1_500),
    ],
    ids=["headers", "one-header", "address", "trailers", "one-trailer", "requests-ahead"],
)
def test_a_flood_on_one_connection_ends_soon_and_takes_no_memory(
    service: Service, begin: bytes, block: bytes
) -> None:
    """60 MB are not taken: the connection is refused within the first, and others are answered meanwhile."""
    with watched(service) as meanwhile, connected(service) as connection:
        start = time.monotonic()
        sent, answer = flood(connection, begin, block)
        took_s = time.monotonic() - start

    assert sent < FLOOD_BYTES / 2
    assert took_s < ENDED_WITHIN_S
    assert answer == b"" or answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 414", b"HTTP/1.1 200"))
    assert meanwhile.grew < GROWTH_BYTES
    assert meanwhile.asked > 0
    assert meanwhile.slowest_s < 2


def test_requests_that_are_never_whole_are_ended(service: Service) -> None:
    """900 half-sent ones from one address, and 300 from one that is not counted; a quarter goes on byte by byte."""
    begins = (b"", b"GET /healthz HT", HEAD, HEAD + b"x-a: ")
    with watched(service) as meanwhile:
        start = time.monotonic()
        half = [connected(service, ATTACKER) for _ in range(900)]
        half += [connected(service, PROXY) for _ in range(300)]
        for number, connection in enumerate(half):
            with contextlib.suppress(OSError):
                connection.sendall(begins[number % 4])
        slow = half[3::4]
        kept = Counter(one.getsockname()[0] for one in _open_at(time.monotonic() + 1, half, slow))
        left = _open_at(start + ENDED_WITHIN_S, half, slow)
        for connection in half:
            connection.close()

    # An address has 64; who speaks for many has all that come; ten seconds later nobody has any.
    assert kept == {ATTACKER: 64, PROXY: 300}
    assert left == []
    assert meanwhile.grew < GROWTH_BYTES
    assert meanwhile.asked > 50
    assert meanwhile.slowest_s < 2


def _open_at(
    end: float, connections: Sequence[socket.socket], slow: Sequence[socket.socket]
) -> list[socket.socket]:
    """Those that are not closed by then, or none as soon as all are; slow ones get a byte each half second."""
    left = list(connections)
    while left and time.monotonic() < end:
        for connection in slow:
            with contextlib.suppress(OSError):
                connection.send(b"a")
        time.sleep(0.5)
        left = [connection for connection in left if not _closed(connection)]
    return left


def _closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        while connection.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True
