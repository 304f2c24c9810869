"""The transport below fetches, calls and MCP: names and addresses, deadlines, connections that are kept."""

import ssl
import time
from pathlib import Path

import anyio
import httpx2
import pytest

from app.adapters.http.guarded import (
    AddressGuard,
    AsyncGuardedTransport,
    GuardedTransport,
    RefusedAddressError,
    UnknownHostError,
    causes,
)
from tests.certificates import own_certificate
from tests.http_server import Asked, Handler, web_server

HERE = AddressGuard(allow_private=True, resolve=lambda *_: ["127.0.0.1"])


def ok(handler: Handler, _: Asked) -> None:
    handler.reply(200, b"{}")


def status(transport: GuardedTransport, url: str, *, seconds: float = 5.0) -> int:
    response = transport.ask("GET", httpx2.URL(url), "/", {}, deadline=time.monotonic() + seconds)
    response.read()
    return response.status_code


async def status_in_loop(transport: AsyncGuardedTransport, url: str) -> int:
    async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
        return (await client.get(url)).status_code


def status_from(kind: str, guard: AddressGuard, url: str) -> int:
    if kind == "coroutine":
        return anyio.run(status_in_loop, AsyncGuardedTransport(guard), url)
    with GuardedTransport(guard) as transport:
        return status(transport, url)


def test_a_coroutine_asks_for_the_name_at_the_address(tmp_path: Path) -> None:
    """A certificate of another name is refused; the header names the host that was asked for."""
    certificate = own_certificate(tmp_path, "api.example")
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(certificate)
    ours = ssl.create_default_context(cafile=str(certificate))
    with web_server(ok, theirs) as server:
        port = server.url.rpartition(":")[2]
        found = anyio.run(status_in_loop, AsyncGuardedTransport(HERE, ours), f"https://api.example:{port}/")
        for name, tls in (("other.example", ours), ("api.example", None)):
            with pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                anyio.run(status_in_loop, AsyncGuardedTransport(HERE, tls), f"https://{name}:{port}/")

    assert found == 200
    assert [asked.headers["host"] for asked in server.asked] == [f"api.example:{port}"]


@pytest.mark.parametrize("kind", ["thread", "coroutine"])
@pytest.mark.parametrize(
    ("addresses", "why"),
    [(["93.184.216.34", "10.0.0.1"], RefusedAddressError), ([], UnknownHostError)],
    ids=["one is private", "there is no address"],
)
def test_a_host_that_may_not_be_asked_is_not_connected_to(
    kind: str, addresses: list[str], why: type[Exception]
) -> None:
    guard = AddressGuard(allow_private=False, resolve=lambda *_: addresses)
    with pytest.raises(httpx2.ConnectError) as refused:
        status_from(kind, guard, "http://api.example")

    assert any(isinstance(cause, why) for cause in causes(refused.value))


@pytest.mark.parametrize("kind", ["thread", "coroutine"])
def test_the_next_address_is_asked_where_the_first_takes_no_connection(kind: str) -> None:
    """As with a name that has an IPv6 address nobody listens at."""
    guard = AddressGuard(allow_private=True, resolve=lambda *_: ["127.0.0.2", "127.0.0.1"])
    with web_server(ok) as server:
        assert status_from(kind, guard, server.url.replace("127.0.0.1", "api.example")) == 200

    assert len(server.asked) == 1


def test_a_name_that_moves_inside_is_not_followed_there() -> None:
    """A kept connection stays where it was checked, and a new one is checked again."""
    answers = [["127.0.0.1"], ["169.254.169.254"]]
    guard = AddressGuard(allow_private=True, resolve=lambda *_: answers.pop(0))

    def answer(handler: Handler, _: Asked) -> None:
        handler.reply(200, b"{}")
        handler.close_connection = len(server.asked) == 2

    with web_server(answer) as server, GuardedTransport(guard, kept=4) as transport:
        url = server.url.replace("127.0.0.1", "api.example")
        assert status(transport, url) == status(transport, url) == 200
        time.sleep(0.1)
        with pytest.raises(httpx2.ConnectError, match="never asked"):
            status(transport, url)

    assert len(server.asked) == 2


def test_a_request_without_a_deadline_is_not_sent() -> None:
    """Who forgets it waits for nothing, rather than for ever."""
    with (
        web_server(ok) as server,
        GuardedTransport(HERE) as transport,
        pytest.raises(httpx2.TimeoutException),
    ):
        transport.handle_request(httpx2.Request("GET", server.url))

    assert server.asked == []
