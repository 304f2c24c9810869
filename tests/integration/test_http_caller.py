"""Operations called over real connections on loopback: servers that answer, hang, drip, flood, redirect and break."""

import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from app.adapters.http.caller import PooledHttpCaller
from app.domain.calling.calls import CallLimits, CallRules
from app.domain.calling.credentials import Credential, CredentialPlace
from app.domain.calling.http_calls import http_call
from app.domain.calling.http_requests import HttpRequest, request_to, server_of
from app.errors import CallFailedError
from tests.certificates import own_certificate
from tests.http_server import Asked, Handler, web_server

LIMITS = CallLimits(timeout_s=5.0, max_answer_bytes=20_000)
SHORT = CallLimits(timeout_s=0.4, max_answer_bytes=20_000)
SECRET = "k3y-in-the-query"


@pytest.fixture
def caller() -> Iterator[PooledHttpCaller]:
    with PooledHttpCaller() as opened:
        yield opened


def request(url: str, *, method: str = "GET", body: object = None, named: bool = True) -> HttpRequest:
    schema = {"properties": {"body": {"x-in": "body"}}, "x-body": "body", "x-media-type": "application/json"}
    arguments = {} if body is None else {"body": body}
    call = http_call(method=method, path="/a b", schema=schema, arguments=arguments)
    server = server_of(url, CallRules(base_url=url) if named else CallRules())
    return request_to(
        server, call, [Credential(CredentialPlace.QUERY, "key", SecretStr(SECRET))] if named else []
    )


def ok(handler: Handler, _: Asked) -> None:
    handler.reply(200, b'{"a": 1}', "application/json; charset=UTF-8")


def test_a_call_arrives_as_it_was_built(caller: PooledHttpCaller) -> None:
    """Method, target, headers and body; the answer's status, type and bytes come back."""
    with web_server(ok) as server:
        answer = caller.send(request(server.url + "/v1", method="POST", body={"é": 1}), LIMITS)

    (asked,) = server.asked
    assert (asked.method, asked.target) == ("POST", f"/v1/a%20b?key={SECRET}")
    assert asked.body == '{"é":1}'.encode()
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["host"] == server.url.removeprefix("http://")
    assert asked.headers["accept-encoding"] == "identity"
    assert asked.headers["user-agent"] == "outfitter"
    assert (answer.status, answer.media_type, answer.charset, answer.body) == (
        200,
        "application/json",
        "utf-8",
        b'{"a": 1}',
    )


def test_connections_are_kept(caller: PooledHttpCaller) -> None:
    """Call after call over one connection; calls at the same time each have their own."""
    barrier = threading.Barrier(4, timeout=10)

    def answer(handler: Handler, asked: Asked) -> None:
        if asked.method == "POST":
            barrier.wait()
        handler.reply(200, b"{}")

    with web_server(answer) as server:
        for _ in range(5):
            caller.send(request(server.url), LIMITS)
        one = {asked.client_port for asked in server.asked}
        with ThreadPoolExecutor(4) as threads:
            list(
                threads.map(
                    lambda _: caller.send(request(server.url, method="POST", body=1), LIMITS), range(4)
                )
            )

    assert len(one) == 1
    assert len({asked.client_port for asked in server.asked}) == 4


def test_a_connection_that_the_server_closed_is_opened_again(caller: PooledHttpCaller) -> None:
    """A kept connection may be gone by the next call."""

    def answer(handler: Handler, _: Asked) -> None:
        handler.reply(200, b"{}")
        handler.close_connection = True

    with web_server(answer) as server:
        for _ in range(3):
            assert caller.send(request(server.url), LIMITS).status == 200
            time.sleep(0.05)

    assert len({asked.client_port for asked in server.asked}) == 3


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_an_answer(caller: PooledHttpCaller, status: int) -> None:
    """It is not followed, wherever it leads."""
    with web_server(ok) as elsewhere:
        with web_server(lambda handler, _: handler.reply(status, b"", Location=elsewhere.url)) as server:
            assert caller.send(request(server.url), LIMITS).status == status

        assert len(server.asked) == 1
        assert elsewhere.asked == []


def test_an_error_of_the_server_is_an_answer_and_is_not_repeated(caller: PooledHttpCaller) -> None:
    """500 and 429 have bodies that say why."""
    with web_server(lambda handler, _: handler.reply(503, b'{"why": "x"}', Retry_After="1")) as server:
        answer = caller.send(request(server.url, method="POST", body=1), LIMITS)

    assert (answer.status, answer.body) == (503, b'{"why": "x"}')
    assert len(server.asked) == 1


def hangs(handler: Handler, _: Asked) -> None:
    time.sleep(3)
    handler.reply(200)


def drips_its_head(handler: Handler, _: Asked) -> None:
    for byte in b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 100:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(0.05)


def drips_its_body(handler: Handler, _: Asked) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.05)


@pytest.mark.parametrize("answer", [hangs, drips_its_head, drips_its_body])
def test_a_server_that_takes_too_long_is_left(
    caller: PooledHttpCaller, answer: Callable[[Handler, Asked], None]
) -> None:
    """From the first byte sent to the last one read; the next call has a connection of its own."""
    with web_server(answer) as server:
        begin = time.monotonic()
        with pytest.raises(CallFailedError, match=r"did not answer within 0\.4 s") as caught:
            caller.send(request(server.url), SHORT)

    assert time.monotonic() - begin < 2
    assert SECRET not in str(caught.value)


def floods_with_length(handler: Handler, _: Asked) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000000")
    handler.end_headers()
    handler.wfile.write(b"x" * 100_000)


def floods_without_end(handler: Handler, _: Asked) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for _ in range(10_000):
        handler.wfile.write(b"1000\r\n" + b"x" * 0x1000 + b"\r\n")


@pytest.mark.parametrize("answer", [floods_with_length, floods_without_end])
def test_an_answer_that_is_too_long_is_not_read_to_its_end(
    caller: PooledHttpCaller, answer: Callable[[Handler, Asked], None]
) -> None:
    """What was read is dropped, and the connection with it."""
    with web_server(answer) as server, pytest.raises(CallFailedError, match=r"more than 20,000 bytes"):
        caller.send(request(server.url), LIMITS)


def breaks_off(handler: Handler, _: Asked) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b"x" * 10)
    handler.close_connection = True


def says_nothing(handler: Handler, _: Asked) -> None:
    handler.close_connection = True


def speaks_no_http(handler: Handler, _: Asked) -> None:
    handler.wfile.write(b"220 mail.example ESMTP\r\n")
    handler.close_connection = True


def compresses(handler: Handler, _: Asked) -> None:
    handler.reply(200, b"\x1f\x8b", Content_Encoding="gzip")


@pytest.mark.parametrize("answer", [breaks_off, says_nothing, speaks_no_http, compresses])
def test_half_an_answer_is_none(caller: PooledHttpCaller, answer: Callable[[Handler, Asked], None]) -> None:
    """A call that may have reached the server is not repeated; the message holds nothing that was sent."""
    with web_server(answer) as server, pytest.raises(CallFailedError) as caught:
        caller.send(request(server.url, method="POST", body="b0dy"), LIMITS)

    assert len(server.asked) == 1
    text = f"{caught.value} {caught.value.__cause__}" if answer is not compresses else str(caught.value)
    assert server.url in str(caught.value)
    assert SECRET not in str(caught.value)
    assert "b0dy" not in text


def test_answers_without_a_body_leave_the_connection_usable(caller: PooledHttpCaller) -> None:
    """HEAD states a length that it does not send; 204 and 304 have none."""

    def answer(handler: Handler, asked: Asked) -> None:
        if asked.method == "HEAD":
            handler.send_response(200)
            handler.send_header("Content-Length", "999999999")
            handler.end_headers()
        else:
            handler.send_response(204)
            handler.end_headers()

    with web_server(answer) as server:
        for method in ("HEAD", "DELETE", "HEAD", "DELETE"):
            assert caller.send(request(server.url, method=method), LIMITS).body == b""

    assert len({asked.client_port for asked in server.asked}) == 1


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"),
        *("168.63.129.16", "100.100.100.200", "[fd00:ec2::254]", "[::ffff:0:127.0.0.1]", "[fec0::1]"),
    ],
)
def test_a_private_address_is_called_only_when_the_operator_named_it(
    caller: PooledHttpCaller, host: str
) -> None:
    """A document cannot send calls into one's own network, and nobody to the cloud's metadata."""
    with pytest.raises(CallFailedError, match="private or never called"):
        caller.send(request(f"http://{host}:9", named=False), SHORT)

    if host in ("169.254.169.254", "0.0.0.0", "168.63.129.16", "100.100.100.200", "[fd00:ec2::254]"):
        with pytest.raises(CallFailedError, match="private or never called"):
            caller.send(request(f"http://{host}:9"), SHORT)


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    """A name with one private address among public ones is not called; there is no second look-up."""
    asked: list[str] = []

    def resolve(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["93.184.216.34", "127.0.0.1"]

    with PooledHttpCaller(resolve) as caller, pytest.raises(CallFailedError, match="private"):
        caller.send(request("http://api.example", named=False), SHORT)

    assert asked == ["api.example"]


def test_a_host_that_is_not_there_is_said_so(caller: PooledHttpCaller) -> None:
    """No address, or nothing that accepts the connection."""

    def unknown(_host: str, _port: int) -> list[str]:
        raise OSError("no such host")

    with PooledHttpCaller(unknown) as other, pytest.raises(CallFailedError, match="its host is not known"):
        other.send(request("http://api.example"), SHORT)
    with pytest.raises(CallFailedError, match="nothing accepts the connection"):
        caller.send(request("http://127.0.0.1:1"), SHORT)


def test_a_server_without_tls_is_not_called_as_one_with_it(caller: PooledHttpCaller) -> None:
    """https to a server that speaks http fails, and sends nothing of the request."""
    with web_server(ok) as server, pytest.raises(CallFailedError):
        caller.send(request(server.url.replace("http:", "https:")), LIMITS)

    assert server.asked == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of api.example with its key, signed by itself."""
    return own_certificate(tmp_path_factory.mktemp("tls"), "api.example")


@pytest.mark.parametrize(
    ("host", "trusted", "accepted"),
    [("api.example", True, True), ("api.example", False, False), ("other.example", True, False)],
)
def test_a_certificate_is_held_to_the_name_and_not_to_the_address(
    certificate: Path, host: str, *, trusted: bool, accepted: bool
) -> None:
    """The connection goes to an address that was checked, and the server must still be the one that was named."""
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(certificate)
    ours = ssl.create_default_context(cafile=str(certificate)) if trusted else None

    with web_server(ok, theirs) as server, PooledHttpCaller(lambda *_: ["127.0.0.1"], ours) as caller:
        url = server.url.replace("127.0.0.1", host)
        if accepted:
            for _ in range(2):
                assert caller.send(request(url), LIMITS).status == 200
        else:
            with pytest.raises(CallFailedError, match="certificate"):
                caller.send(request(url), LIMITS)

    assert len(server.asked) == 2 * accepted
    assert len({asked.client_port for asked in server.asked}) == accepted
