"""Live servers in the graph: what they list comes, and nothing that they do wrong takes anything away."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.adapters.graph.store import GraphEngine, GraphStore
from app.adapters.mcp.client import McpClient
from app.domain.calling.mcp_endpoints import McpLimits, http_endpoint, stdio_endpoint
from ingest.diff.changes import Status
from ingest.run.pipeline import run_ingest
from ingest.run.report import Report
from ingest.run.request import IngestRequest
from ingest.sources.files import IngestInput, mcp_input
from tests.engines import TestDatabase
from tests.fakes import InMemoryGraph
from tests.ingest_cases import BOUNDS, Graph, manifest, tool
from tests.ingest_cases import tools as tools_and_marks
from tests.lying_server import LEGACY, MODERN, lying_http
from tests.many_servers import running

LIAR = str(Path(__file__).resolve().parents[1] / "lying_server.py")
BAD = ("silent", "dies early", "dies", "dies in the middle", "error", "no list", "same cursor", "shrunk")


@pytest.fixture
def servers() -> Iterator[McpClient]:
    with McpClient(McpLimits(connect_s=5.0, total_s=6.0)) as client:
        yield client


def live(mode: str, era: str = LEGACY, *, name: str | None = None) -> IngestInput:
    return mcp_input(stdio_endpoint([sys.executable, LIAR, mode, era], name=name or mode, environ={}))


def ingest(graph: Graph, servers: McpClient, *inputs: IngestInput, allow_shrink: bool = False) -> Report:
    request = IngestRequest(inputs, allow_shrink=allow_shrink)
    return run_ingest(graph, request, owner="tests:1:0", bounds=BOUNDS, servers=servers)


def tools(graph: Graph) -> set[str]:
    return {tool for tool, _ in tools_and_marks(graph)}


def statuses(report: Report) -> dict[str, Status]:
    return {one.source: one.status for one in report.outcomes}


def test_a_live_server_comes_changes_and_is_left_alone(servers: McpClient) -> None:
    """Its cards are those of a manifest; the second time nothing is written, whichever era it speaks."""
    graph = InMemoryGraph()
    first = ingest(graph, servers, live("plain", name="one"))
    again = ingest(graph, servers, live("plain", MODERN, name="one"))

    assert statuses(first) == {"mcp:one": Status.CREATED}
    assert statuses(again) == {"mcp:one": Status.UNCHANGED}
    assert (again.generation, again.nodes_written) == (1, 0)
    assert tools(graph) == {"one/first", "one/second"}
    (source,) = graph.sources()
    assert (source.kind, source.version, source.uri.startswith("stdio:python")) == ("mcp", "7", True)

    ingest(graph, servers, live("twice", name="one"))
    grown = ingest(graph, servers, live("pages", name="one"), allow_shrink=True)

    assert statuses(grown) == {"mcp:one": Status.UPDATED}
    assert tools(graph) == {f"one/tool_{number}" for number in range(10)}


def test_without_a_name_a_command_is_called_as_it_calls_itself(servers: McpClient) -> None:
    graph = InMemoryGraph()
    nameless = mcp_input(stdio_endpoint([sys.executable, LIAR, "plain"], environ={}))
    lost = mcp_input(stdio_endpoint([sys.executable, LIAR, "dies early"], environ={}))

    report = ingest(graph, servers, nameless, lost, nameless)

    refused = [one for one in report.outcomes if one.status is Status.REFUSED]
    assert tools(graph) == {"liar/first", "liar/second"}
    assert len(refused) == 2
    assert any("is source 'mcp:liar' already" in entry.reason for one in refused for entry in one.rejected)


def test_what_a_server_does_wrong_deletes_nothing_and_stops_nobody(servers: McpClient) -> None:
    """Each is told with its reason; a manifest and a good server of the same run are taken."""
    graph = InMemoryGraph()
    ingest(graph, servers, *(live("plain", name=mode) for mode in BAD))
    before = tools(graph)

    with lying_http("plain", MODERN) as (url, _):
        good = mcp_input(http_endpoint(url, name="good", environ={}))
        report = ingest(graph, servers, *(live(mode) for mode in BAD), good)

    assert statuses(report) == {f"mcp:{mode}": Status.REFUSED for mode in BAD} | {"mcp:good": Status.CREATED}
    assert tools(graph) == before | {"good/first", "good/second"}
    reasons = {one.source: one.rejected[0].reason for one in report.outcomes if one.rejected}
    assert "did not connect within 5 s" in reasons["mcp:silent"]
    assert "exit status 5" in reasons["mcp:dies in the middle"]
    assert "lost 2 of 2" in reasons["mcp:shrunk"]


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_broken_items_are_rejected_by_name_and_the_rest_goes_on(servers: McpClient, era: str) -> None:
    """Again and again: what was rejected is told each time, and writes nothing."""
    graph = InMemoryGraph()
    for _ in range(2):
        report = ingest(graph, servers, *(live(mode, era) for mode in ("broken", "twice", "huge", "unknown")))

        told = {one.source: [entry.item for entry in one.rejected] for one in report.outcomes}
        assert told == {
            "mcp:broken": ["tools[1]", "tools[2]", "tools[3]", "tool 'no schema'", "tools[5]"],
            "mcp:twice": ["tool 'first'"],
            "mcp:huge": ["tool 'huge'"],
            "mcp:unknown": [],
        }

    assert (report.generation, report.nodes_written) == (1, 0)
    assert tools(graph) == {
        f"{mode}/{name}" for mode in ("broken", "twice", "huge", "unknown") for name in ("first", "second")
    }


def test_a_server_of_a_manifest_is_not_taken_over(servers: McpClient, tmp_path: Path) -> None:
    graph = InMemoryGraph()
    ingest(graph, servers, manifest(tmp_path, "one", tool("kept")))

    report = ingest(graph, servers, live("plain", name="one"))

    assert statuses(report) == {"mcp:one": Status.REFUSED}
    assert tools(graph) == {"one/kept"}


@pytest.mark.timeout(240)
def test_three_hundred_servers_are_synced_within_a_minute(embedded_database: TestDatabase) -> None:
    """The second time within ten seconds, and nothing is written; at a fraction of both on two idle cores."""
    with (
        running(300, 10) as urls,
        McpClient() as client,
        GraphStore(lambda: embedded_database.address, engine=GraphEngine.EMBEDDED) as graph,
    ):
        inputs = [
            mcp_input(http_endpoint(url, name=f"s{number}", environ={})) for number, url in enumerate(urls)
        ]
        first = ingest(graph, client, *inputs)
        second = ingest(graph, client, *inputs)

    assert (first.rejected, first.nodes_written) == (0, 3_000)
    assert first.seconds["total"] <= 60
    assert (second.nodes_written, second.edges_written, second.generation) == (0, 0, first.generation)
    assert second.seconds["total"] <= 10
