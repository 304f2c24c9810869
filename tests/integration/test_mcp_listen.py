"""Being told of changes: both transports, both eras, and when the news stops coming."""

import queue
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.adapters.mcp.client import McpClient
from app.domain.calling.mcp_endpoints import (
    Era,
    McpChange,
    McpEndpoint,
    McpListing,
    http_endpoint,
    stdio_endpoint,
)
from app.errors import McpServerError
from tests.lying_server import LEGACY, MODERN, lying_http

ROOT = Path(__file__).resolve().parents[2]
WAIT_S = 10.0
CHANGING = str(ROOT / "tests" / "changing_server.py")
LIAR = str(ROOT / "tests" / "lying_server.py")


@pytest.fixture
def servers() -> Iterator[McpClient]:
    with McpClient() as client:
        yield client


@contextmanager
def changing(transport: str) -> Iterator[Callable[[Era], McpEndpoint]]:
    """A server that changes, over a transport; gives its endpoint for an era."""
    if transport == "stdio":
        yield lambda era: stdio_endpoint([sys.executable, CHANGING, "stdio"], environ={}, era=era)
        return
    command = [sys.executable, CHANGING, transport]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        port = int(process.stdout.readline())
        try:
            yield lambda era: http_endpoint(f"http://127.0.0.1:{port}/mcp", environ={}, era=era)
        finally:
            process.kill()


def names(servers: McpClient, endpoint: McpEndpoint) -> list[object]:
    (listing,) = servers.list_tools([endpoint])
    assert isinstance(listing, McpListing), listing
    return [tool["name"] for tool in listing.tools if isinstance(tool, dict)]


@pytest.mark.parametrize(
    ("transport", "era"),
    [
        ("stdio", Era.MODERN),
        ("http", Era.MODERN),
        ("stateless", Era.MODERN),
        ("stdio", Era.LEGACY),
        ("http", Era.LEGACY),
    ],
)
def test_a_change_is_told_and_listed(servers: McpClient, transport: str, era: Era) -> None:
    """Over the connection that is listened to: a command's tools are those of its own process."""
    told: queue.Queue[McpChange] = queue.Queue()
    with changing(transport) as endpoint_for:
        endpoint = endpoint_for(era)
        subscription = servers.listen(endpoint, told.put)
        assert subscription
        before = names(servers, endpoint)

        for number in range(2):
            servers.call(endpoint, "grow", {}, timeout_s=WAIT_S)
            assert told.get(timeout=WAIT_S) is McpChange.CHANGED
            assert names(servers, endpoint)[-1] == f"tool_{number}"

        subscription.close()
        servers.call(endpoint, "grow", {}, timeout_s=WAIT_S)

    assert (before, subscription.declared) == (["grow"], era is Era.MODERN)
    with pytest.raises(queue.Empty):
        told.get(timeout=0.5)


@pytest.mark.parametrize("era", [Era.MODERN, Era.LEGACY])
def test_a_server_that_goes_away_is_lost_once(servers: McpClient, era: Era) -> None:
    told: queue.Queue[McpChange] = queue.Queue()
    with changing("http") as endpoint_for:
        assert servers.listen(endpoint_for(era), told.put)

    assert told.get(timeout=WAIT_S) is McpChange.LOST
    with pytest.raises(queue.Empty):
        told.get(timeout=0.5)


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_a_command_that_ends_is_lost(servers: McpClient, era: str) -> None:
    told: queue.Queue[McpChange] = queue.Queue()
    endpoint = stdio_endpoint([sys.executable, LIAR, "dies at calls", era], environ={})
    listening = servers.listen(endpoint, told.put)

    with pytest.raises(McpServerError, match="exit status 6"):
        servers.call(endpoint, "first", {}, timeout_s=WAIT_S)

    # The liar of 2026-07-28 has no `subscriptions/listen`.
    assert (listening is None) == (era == MODERN)
    if listening:
        assert listening.declared
        assert told.get(timeout=WAIT_S) is McpChange.LOST


def test_without_a_session_a_server_of_2025_has_no_way_to_tell(servers: McpClient) -> None:
    with changing("stateless") as endpoint_for, lying_http("plain") as (url, _):
        assert servers.listen(endpoint_for(Era.LEGACY), print) is None
        assert servers.listen(http_endpoint(url, environ={}), print) is None


def test_a_server_that_cannot_be_reached_is_no_silent_one(servers: McpClient) -> None:
    with pytest.raises(McpServerError, match="did not answer"):
        servers.listen(http_endpoint("http://127.0.0.1:9/mcp", environ={}), print)


def test_nothing_is_told_when_the_client_is_closed() -> None:
    told: queue.Queue[McpChange] = queue.Queue()
    with changing("http") as endpoint_for:
        with McpClient() as client:
            assert client.listen(endpoint_for(Era.MODERN), told.put)
            assert client.listen(endpoint_for(Era.LEGACY), told.put)

        assert told.empty()
