"""What every outgoing request is held to, whoever sends it: a fetch of a document, a call of an operation, MCP.

Names that lead elsewhere, redirects, proxies of the environment, cookies, encodings, and servers that trickle or flood.
"""

import contextlib
import gzip
import socket
import ssl
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.adapters.http.caller import PooledHttpCaller
from app.adapters.http.fetch import FetchLimits, fetch
from app.adapters.mcp.client import McpClient
from app.domain.calling.calls import CallLimits, CallRules
from app.domain.calling.http_calls import http_call
from app.domain.calling.http_requests import HttpRequest, request_to, server_of
from app.domain.calling.mcp_endpoints import McpEndpoint, McpFailure, McpLimits, McpListing, http_endpoint
from app.errors import CallFailedError, SourceRefusedError
from tests.certificates import own_certificate
from tests.http_server import Asked, Handler, web_server
from tests.lying_server import lying_http

OWN = FetchLimits(allow_private=True, timeout_s=5.0)
HASTY = FetchLimits(allow_private=True, timeout_s=0.5)
CALL = CallLimits(timeout_s=5.0, max_answer_bytes=100_000)
HASTY_CALL = CallLimits(timeout_s=0.5, max_answer_bytes=100_000)
PATIENCE_S = 2.5
"""Within which a request with half a second has to end, on a busy machine too."""
REFUSED = (SourceRefusedError, CallFailedError)

NOT_PUBLIC = [
    *("127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "0.0.0.0", "169.254.169.254"),
    *("::1", "::", "fc00::1", "fe80::1", "fe80::1%lo", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1"),
    *("::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fec0::1", "224.0.0.1", "255.255.255.255"),
]


def request(url: str, *, body: object = None, named: bool = True) -> HttpRequest:
    schema = {"properties": {"body": {"x-in": "body"}}, "x-body": "body", "x-media-type": "application/json"}
    arguments = {} if body is None else {"body": body}
    call = http_call(method="GET" if body is None else "POST", path="/x", schema=schema, arguments=arguments)
    return request_to(server_of(url, CallRules(base_url=url) if named else CallRules()), call, [])


@contextlib.contextmanager
def raw_server(behave: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a server that does with every connection what it likes."""

    def serve(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            behave(connection)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]


def fetched(port: int, limits: FetchLimits = OWN, scheme: str = "http") -> bytes:
    return fetch(f"{scheme}://127.0.0.1:{port}/x", limits=limits).data


def called(port: int, limits: CallLimits = CALL, scheme: str = "http") -> bytes:
    with PooledHttpCaller() as caller:
        return caller.send(request(f"{scheme}://127.0.0.1:{port}"), limits).body


def hasty_fetch(port: int, scheme: str = "http") -> bytes:
    return fetched(port, HASTY, scheme)


def hasty_call(port: int, scheme: str = "http") -> bytes:
    return called(port, HASTY_CALL, scheme)


# Names and addresses


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_no_document_leads_to_an_address_that_is_not_public(address: str) -> None:
    """In whatever notation, IPv4 inside IPv6 included, and beside a public address too."""
    for found in ([address], ["93.184.216.34", address]):
        with pytest.raises(SourceRefusedError, match=r"private address|never asked"):
            fetch(
                "http://api.example/", limits=FetchLimits(timeout_s=5), resolve=lambda *_, found=found: found
            )


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_no_call_leads_to_an_address_that_is_not_public(address: str) -> None:
    """As for documents."""
    for found in ([address], ["93.184.216.34", address]):
        with (
            PooledHttpCaller(lambda *_, found=found: found) as caller,
            pytest.raises(CallFailedError, match="private or never called"),
        ):
            caller.send(request("http://api.example", named=False), HASTY_CALL)


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1"])
def test_a_number_that_systems_take_for_an_address_is_one(host: str) -> None:
    """Decimal, hexadecimal, octal and short forms of loopback."""
    with pytest.raises(SourceRefusedError):
        fetch(f"http://{host}:9/", limits=FetchLimits(timeout_s=5))
    with PooledHttpCaller() as caller, pytest.raises(CallFailedError):
        caller.send(request(f"http://{host}:9", named=False), HASTY_CALL)


def test_a_redirect_to_a_name_that_leads_inside_is_refused() -> None:
    """Each hop is looked up and checked by itself."""
    addresses = {"api.example": ["127.0.0.1"], "inside.example": ["169.254.169.254"]}
    with web_server(lambda handler, _: handler.reply(302, Location="http://inside.example/")) as server:
        port = server.url.rpartition(":")[2]
        with pytest.raises(SourceRefusedError, match=r"redirected: .* never asked"):
            fetch(f"http://api.example:{port}/", limits=OWN, resolve=lambda host, _: addresses[host])

    assert len(server.asked) == 1


def test_a_connection_that_the_operator_opened_is_not_used_by_a_document() -> None:
    """A kept connection to a private address serves those only who may have opened it."""
    with web_server(lambda handler, _: handler.reply(200, b"{}")) as server, PooledHttpCaller() as caller:
        assert caller.send(request(server.url), CALL).status == 200
        with pytest.raises(CallFailedError, match="private or never called"):
            caller.send(request(server.url, named=False), CALL)

    assert len(server.asked) == 1


def names_led_to(monkeypatch: pytest.MonkeyPatch, addresses: dict[str, list[str]]) -> list[str]:
    """Let the system's resolver answer this; the names that it was asked for."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: object, port: object, *args: object, **kwargs: object) -> list[tuple[object, ...]]:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if name not in addresses:
            return real(host, port, *args, **kwargs)  # type: ignore[arg-type,return-value]
        asked.append(name)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses[name]]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def listed(url: str, *, allow_private: bool = False) -> McpListing | McpFailure:
    endpoint: McpEndpoint = http_endpoint(url, environ={}, allow_private=allow_private)
    with McpClient(McpLimits(connect_s=3.0, total_s=4.0)) as client:
        (found,) = client.list_tools([endpoint])
    return found


def test_an_mcp_server_is_asked_at_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is looked up by us and checked; the server sees the name that was asked for."""
    asked = names_led_to(
        monkeypatch, {"mcp.example": ["127.0.0.1"], "both.example": ["93.184.216.34", "10.0.0.1"]}
    )
    with lying_http("plain") as (url, seen):
        found = listed(url.replace("127.0.0.1", "mcp.example"), allow_private=True)
        private = listed(url.replace("127.0.0.1", "mcp.example"))
        mixed = listed(url.replace("127.0.0.1", "both.example"))

    assert isinstance(found, McpListing)
    assert {one["Host"].partition(":")[0] for one in seen} == {"mcp.example"}
    for refused in (private, mixed):
        assert isinstance(refused, McpFailure)
        assert "private address" in refused.reason
    assert set(asked) == {"mcp.example", "both.example"}


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of api.example."""
    return own_certificate(tmp_path_factory.mktemp("tls"), "api.example")


def secure(certificate: Path) -> tuple[ssl.SSLContext, list[str | None]]:
    """A server's side, and the names that clients ask for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    names: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    return context, names


def test_a_fetch_over_tls_asks_for_the_name_at_the_address(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate of another name is refused, and nothing is asked of its server."""
    trusting = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(ssl, "create_default_context", lambda *_, **__: trusting)
    theirs, names = secure(certificate)
    with web_server(lambda handler, _: handler.reply(200, b"{}"), theirs) as server:
        port = server.url.rpartition(":")[2]
        found = fetch(f"https://api.example:{port}/", limits=OWN, resolve=lambda *_: ["127.0.0.1"])
        with pytest.raises(SourceRefusedError, match="no secure connection"):
            fetch(f"https://other.example:{port}/", limits=OWN, resolve=lambda *_: ["127.0.0.1"])

    assert found.data == b"{}"
    assert names == ["api.example", "other.example"]
    assert [asked.headers["host"] for asked in server.asked] == [f"api.example:{port}"]


def test_a_redirect_from_https_to_http_is_refused(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it leads."""
    trusting = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(ssl, "create_default_context", lambda *_, **__: trusting)
    theirs, _ = secure(certificate)
    with (
        web_server(lambda handler, _: handler.reply(200, b"{}")) as clear,
        web_server(lambda handler, _: handler.reply(302, Location=clear.url), theirs) as server,
        pytest.raises(SourceRefusedError, match="leads from https to http"),
    ):
        fetch(server.url.replace("127.0.0.1", "api.example"), limits=OWN, resolve=lambda *_: ["127.0.0.1"])

    assert clear.asked == []


def test_a_kept_connection_serves_the_name_alone_that_its_certificate_has(certificate: Path) -> None:
    """Two names at one address: what one has proved does not hold for the other."""
    theirs, names = secure(certificate)
    ours = ssl.create_default_context(cafile=str(certificate))
    with (
        web_server(lambda handler, _: handler.reply(200, b"{}"), theirs) as server,
        PooledHttpCaller(lambda *_: ["127.0.0.1"], ours) as caller,
    ):
        port = server.url.rpartition(":")[2]
        for _ in range(2):
            assert caller.send(request(f"https://api.example:{port}"), CALL).status == 200
        with pytest.raises(CallFailedError, match="certificate"):
            caller.send(request(f"https://other.example:{port}"), CALL)

    assert names == ["api.example", "other.example"]
    assert len(server.asked) == 2


# Proxies, cookies, credentials


def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would look names up themselves, where nobody checks the address."""
    with web_server(lambda handler, _: handler.reply(200, b"proxied")) as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
            monkeypatch.setenv(name.upper(), proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        with (
            web_server(lambda handler, _: handler.reply(200, b"direct")) as server,
            PooledHttpCaller() as caller,
        ):
            assert fetch(server.url, limits=OWN).data == b"direct"
            assert caller.send(request(server.url), CALL).body == b"direct"
        with lying_http("plain") as (url, _):
            assert isinstance(listed(url), McpListing)

    assert proxy.asked == []


def test_a_redirect_gets_nothing_of_the_request_before() -> None:
    """No cookie that was set on the way, no address where one came from."""

    def answer(handler: Handler, asked: Asked) -> None:
        if asked.target == "/first?key=s3cret":
            handler.reply(302, Location="/second", Set_Cookie="session=s3cret")
        else:
            handler.reply(200, b"{}")

    with web_server(answer) as server:
        fetch(f"{server.url}/first?key=s3cret", limits=OWN)

    first, second = server.asked
    assert second.target == "/second"
    assert second.headers == first.headers
    assert "s3cret" not in str(second.headers)


def test_no_cookie_is_kept_from_one_call_to_the_next() -> None:
    """Calls of different people go over the same connection."""
    with (
        web_server(lambda handler, _: handler.reply(200, b"{}", Set_Cookie="session=1; Path=/")) as server,
        PooledHttpCaller() as caller,
    ):
        for _ in range(2):
            caller.send(request(server.url), CALL)

    assert [asked.headers.get("cookie") for asked in server.asked] == [None, None]
    assert len({asked.client_port for asked in server.asked}) == 1


# Time


def drip(connection: socket.socket, head: bytes, piece: bytes, *, pause_s: float = 0.05) -> None:
    """Answer a request with a head, and then a piece at a time for ever."""
    connection.recv(65_536)
    connection.sendall(head)
    while True:
        connection.sendall(piece)
        time.sleep(pause_s)


def trickles_its_body(connection: socket.socket) -> None:
    drip(connection, b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"x")


def trickles_chunks(connection: socket.socket) -> None:
    drip(connection, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n")


def trickles_its_status(connection: socket.socket) -> None:
    connection.recv(65_536)
    for _ in range(200):
        connection.sendall(b"H")
        time.sleep(0.05)


def trickles_its_headers(connection: socket.socket) -> None:
    drip(connection, b"HTTP/1.1 200 OK\r\n", b"A: b\r\n")


def says_continue_for_ever(connection: socket.socket) -> None:
    drip(connection, b"", b"HTTP/1.1 100 Continue\r\n\r\n", pause_s=0.02)


def says_nothing_at_all(connection: socket.socket) -> None:
    time.sleep(10)
    connection.close()


@pytest.mark.parametrize("ask", [hasty_fetch, hasty_call])
@pytest.mark.parametrize(
    "behave",
    [
        trickles_its_body,
        trickles_chunks,
        trickles_its_status,
        trickles_its_headers,
        says_continue_for_ever,
        says_nothing_at_all,
    ],
)
def test_the_time_is_over_all_and_not_from_byte_to_byte(
    ask: Callable[[int], bytes], behave: Callable[[socket.socket], None]
) -> None:
    """Whatever a server sends in between, and wherever in its answer it is."""
    with raw_server(behave) as port:
        begin = time.monotonic()
        with pytest.raises(REFUSED, match=r"took too long|did not answer within 0\.5 s"):
            ask(port)

    assert time.monotonic() - begin < PATIENCE_S


def trickles_a_handshake(connection: socket.socket) -> None:
    # A record of a handshake that is 16,000 bytes long.
    drip(connection, b"\x16\x03\x03\x3e\x80\x02\x00\x3e\x7c", b"\x00")


@pytest.mark.parametrize("ask", [hasty_fetch, hasty_call])
@pytest.mark.parametrize("behave", [says_nothing_at_all, trickles_a_handshake])
def test_a_handshake_has_no_time_of_its_own(
    ask: Callable[..., bytes], behave: Callable[[socket.socket], None]
) -> None:
    """TLS is a part of the request."""
    with raw_server(behave) as port:
        begin = time.monotonic()
        with pytest.raises(REFUSED):
            ask(port, scheme="https")

    assert time.monotonic() - begin < PATIENCE_S


def test_a_server_that_hardly_reads_is_left_in_time() -> None:
    """A body that nobody takes is not waited for."""

    def sips(connection: socket.socket) -> None:
        while connection.recv(256):
            time.sleep(0.02)

    with raw_server(sips) as port, PooledHttpCaller() as caller:
        begin = time.monotonic()
        with pytest.raises(CallFailedError, match=r"did not answer within 0\.5 s"):
            caller.send(request(f"http://127.0.0.1:{port}", body="x" * 30_000_000), HASTY_CALL)

    assert time.monotonic() - begin < PATIENCE_S + 1


# Size


def flood(connection: socket.socket, head: bytes, piece: bytes) -> None:
    """Answer a request with a head, and then a piece a thousand times."""
    connection.recv(65_536)
    connection.sendall(head)
    for _ in range(1_000):
        connection.sendall(piece)


def floods_with_one_header(connection: socket.socket) -> None:
    flood(connection, b"HTTP/1.1 200 OK\r\nA: ", b"x" * 65_536)


def floods_with_headers(connection: socket.socket) -> None:
    flood(connection, b"HTTP/1.1 200 OK\r\n", b"A: b\r\n" * 10_000)


def floods_with_a_chunk_size(connection: socket.socket) -> None:
    flood(connection, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0" * 65_536)


@pytest.mark.parametrize("ask", [fetched, called])
@pytest.mark.parametrize("behave", [floods_with_one_header, floods_with_headers, floods_with_a_chunk_size])
def test_what_is_around_a_body_is_bounded_as_well(
    ask: Callable[[int], bytes], behave: Callable[[socket.socket], None]
) -> None:
    """65 MB of headers, or of what says how long a chunk is, are not read to their end."""
    with raw_server(behave) as port:
        tracemalloc.start()
        try:
            with pytest.raises(REFUSED):
                ask(port)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak < 10_000_000


def answers_with_headers(count: int) -> Callable[[socket.socket], None]:
    def behave(connection: socket.socket) -> None:
        connection.recv(65_536)
        lines = ["HTTP/1.1 200 OK", "Content-Length: 2", *["A: b"] * (count - 1)]
        connection.sendall("\r\n".join([*lines, "", "{}"]).encode())

    return behave


@pytest.mark.parametrize("ask", [fetched, called])
def test_an_answer_has_at_most_a_hundred_headers(ask: Callable[[int], bytes]) -> None:
    """However short they are."""
    with raw_server(answers_with_headers(100)) as port:
        assert ask(port) == b"{}"
    with raw_server(answers_with_headers(101)) as port, pytest.raises(REFUSED, match="RemoteProtocolError"):
        ask(port)


def test_an_mcp_server_answers_with_at_most_a_hundred_headers() -> None:
    """As documents and calls do."""
    with raw_server(answers_with_headers(101)) as port:
        found = listed(f"http://127.0.0.1:{port}/mcp")

    assert isinstance(found, McpFailure)
    assert "RemoteProtocolError" in found.reason


def bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(wbits=31)
    return b"".join([*(packer.compress(bytes(1_000_000)) for _ in range(megabytes)), packer.flush()])


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("gzip", bomb(300)), ("gzip, gzip", gzip.compress(bomb(1_500)))],
    ids=["bomb", "bomb in a bomb"],
)
def test_a_document_is_measured_as_it_is_unpacked(encoding: str, body: bytes) -> None:
    """Some servers compress whatever they are asked for; what comes out is bounded, not only what comes."""
    limits = FetchLimits(allow_private=True, max_bytes=4_000_000, timeout_s=20)
    with web_server(lambda handler, _: handler.reply(200, body, Content_Encoding=encoding)) as server:
        tracemalloc.start()
        try:
            with pytest.raises(SourceRefusedError, match="more than 4,000,000 bytes"):
                fetch(server.url, limits=limits)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # What was put together, a piece that is being unpacked, and what the server of the test holds.
    assert peak < 40_000_000


def test_a_document_of_two_thousand_encodings_is_refused() -> None:
    """Each would be unpacked by the next."""
    encodings = ", ".join(["gzip"] * 2_000)
    with (
        web_server(
            lambda handler, _: handler.reply(200, gzip.compress(b"{}"), Content_Encoding=encodings)
        ) as server,
        pytest.raises(SourceRefusedError),
    ):
        fetch(server.url, limits=OWN)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_document_that_comes_compressed_is_unpacked(encoding: str) -> None:
    """Though it was asked for as it is."""
    body = gzip.compress(b'{"a": 1}') if encoding == "gzip" else zlib.compress(b'{"a": 1}')
    with web_server(lambda handler, _: handler.reply(200, body, Content_Encoding=encoding)) as server:
        assert fetch(server.url, limits=OWN).data == b'{"a": 1}'

    assert server.asked[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "x-own", "GZIP"])
def test_a_call_takes_no_encoding(encoding: str) -> None:
    """Whatever it is: what is passed on is what came."""
    with (
        web_server(
            lambda handler, _: handler.reply(200, gzip.compress(b"{}"), Content_Encoding=encoding)
        ) as server,
        PooledHttpCaller() as caller,
        pytest.raises(CallFailedError, match="an encoding that was not asked for"),
    ):
        caller.send(request(server.url), CALL)


# Answers that mean two things


@pytest.mark.parametrize("ask", [fetched, called])
@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}abc",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}",
        b"HTTP/1.1 two hundred\r\n\r\n{}",
    ],
    ids=["two lengths", "half a body", "half a chunk", "no size of a chunk", "no status"],
)
def test_what_is_no_whole_answer_is_refused(ask: Callable[[int], bytes], head: bytes) -> None:
    """Half a document is none, and neither is one whose end two readers see in two places."""

    def answers(connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(head)

    with raw_server(answers) as port, pytest.raises(REFUSED):
        ask(port)


def test_what_is_left_of_an_answer_is_not_the_next_one() -> None:
    """A server that sends more than it stated cannot answer the next call with it."""
    smuggled = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled"

    def answers(connection: socket.socket) -> None:
        while connection.recv(65_536):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}" + smuggled)

    with raw_server(answers) as port, PooledHttpCaller() as caller:
        for _ in range(3):
            with contextlib.suppress(CallFailedError):
                assert caller.send(request(f"http://127.0.0.1:{port}"), CALL).body == b"{}"
