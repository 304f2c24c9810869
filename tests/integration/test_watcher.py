"""The watcher over a graph in memory: files, servers that tell, servers that hang, a graph that is away."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.domain.calling.mcp_endpoints import McpChange, McpEndpoint, McpFailure, McpListing
from app.errors import McpServerError
from app.ports.servers import McpLister
from ingest.run.pipeline import run_ingest
from ingest.run.report import Report
from ingest.run.request import IngestRequest
from ingest.watch.schedule import Pace
from ingest.watch.watcher import Watcher
from tests.fakes import InMemoryGraph
from tests.ingest_cases import BOUNDS, manifest, tool, tools
from tests.service import wait_until

PACE = Pace(
    poll_s=0.02,
    together_s=0.05,
    patience_s=0.1,
    gap_s=0.02,
    interval_s=60.0,
    shortest_ttl_s=0.05,
    first_retry_s=0.05,
    longest_retry_s=0.2,
    steady_s=60.0,
)


@dataclass
class _Subscription:
    declared: bool
    servers: "Servers"
    name: str

    def close(self) -> None:
        self.servers.closed.append(self.name)
        self.servers.told.pop(self.name, None)


@dataclass
class Servers:
    """Live servers, by name: fits `McpListener`."""

    tools: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    hanging: dict[str, threading.Event] = field(default_factory=dict)
    quiet: set[str] = field(default_factory=set)
    """Servers that cannot tell of changes."""
    ttl_ms: int | None = None
    told: dict[str, Callable[[McpChange], None]] = field(default_factory=dict)
    listings: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)

    def listen(self, endpoint: McpEndpoint, on_change: Callable[[McpChange], None]) -> _Subscription | None:
        name = endpoint.name
        if name in self.broken:
            raise McpServerError(f"{endpoint.label}: {self.broken[name]}")
        if name in self.quiet:
            return None
        self.told[name] = on_change
        return _Subscription(True, self, name)

    def list_tools(
        self, endpoints: Sequence[McpEndpoint], *, on_answer: Callable[[], None] | None = None
    ) -> list[McpListing | McpFailure]:
        return [self._list(endpoint.name) for endpoint in endpoints]

    def _list(self, name: str) -> McpListing | McpFailure:
        self.listings.append(name)
        if name in self.hanging:
            self.hanging[name].wait(20)
        if name in self.broken:
            return McpFailure(self.broken[name])
        return McpListing(name, "1", "2026-07-28", tuple(self.tools[name]), self.ttl_ms, announces=True)


@dataclass
class Watched:
    graph: InMemoryGraph
    watcher: Watcher
    reports: list[Report]
    requests: list[IngestRequest]

    def tools(self) -> set[str]:
        return {one for one, _ in tools(self.graph)}


def put(folder: Path, *entries: Mapping[str, Any]) -> Path:
    """A sources file, written anew."""
    path = folder / "sources.yaml"
    path.with_suffix(".new").write_text(json.dumps({"sources": entries}))
    path.with_suffix(".new").replace(path)
    return path


def live(name: str, **more: object) -> dict[str, object]:
    return {"id": name, "kind": "mcp", "uri": f"http://localhost:1/{name}", **more}


@contextmanager
def watching(
    path: Path, servers: Servers | None = None, *, prune: bool = False, pace: Pace = PACE
) -> Iterator[Watched]:
    graph = InMemoryGraph()
    reports: list[Report] = []
    requests: list[IngestRequest] = []

    def ingest(request: IngestRequest, answers: McpLister) -> Report:
        requests.append(request)
        return run_ingest(graph, request, owner="tests:1:0", bounds=BOUNDS, servers=answers)

    watcher = Watcher(
        path,
        ingest=ingest,
        servers=servers or Servers(),
        environ={},
        max_file_bytes=1_000_000,
        prune=prune,
        on_report=reports.append,
        pace=pace,
    )
    thread = threading.Thread(target=watcher.run)
    thread.start()
    try:
        yield Watched(graph, watcher, reports, requests)
    finally:
        watcher.stop()
        thread.join(10)
        assert not thread.is_alive()


def test_files_are_synced_when_they_are_written_anew(tmp_path: Path) -> None:
    """And the sources file with them: entries come, change and go."""
    manifest(tmp_path, "a", tool("x"))
    manifest(tmp_path, "b", tool("y"))
    a, b = ({"id": name, "kind": "manifest", "uri": f"{name}.json"} for name in "ab")
    with watching(put(tmp_path, a), prune=True) as watched:
        wait_until(lambda: watched.tools() == {"a/x"})

        manifest(tmp_path, "a", tool("x"), tool("z"))
        wait_until(lambda: watched.tools() == {"a/x", "a/z"})
        put(tmp_path, a, b)
        wait_until(lambda: watched.tools() == {"a/x", "a/z", "b/y"})
        put(tmp_path, b)
        wait_until(lambda: watched.tools() == {"b/y"} and not watched.graph.writing)
        generation = watched.graph.generation
        time.sleep(0.3)

    assert watched.graph.generation == generation == 4


def test_a_server_that_tells_is_asked_when_it_does(tmp_path: Path) -> None:
    """Not before and not more often; what it tells while it is asked is not lost."""
    servers = Servers({"a": [tool("x")]})
    with watching(put(tmp_path, live("a")), servers) as watched:
        wait_until(lambda: watched.tools() == {"a/x"})
        time.sleep(0.2)
        assert servers.listings == ["a"]

        servers.tools["a"] = [tool("x"), tool("y")]
        for _ in range(100):
            servers.told["a"](McpChange.CHANGED)
        wait_until(lambda: watched.tools() == {"a/x", "a/y"})
        time.sleep(0.2)

    assert len(servers.listings) <= 4
    assert servers.closed == ["a"]


def test_a_server_that_cannot_tell_is_asked_when_its_tools_run_out(tmp_path: Path) -> None:
    """By ttlMs, or by the interval of its entry."""
    servers = Servers({"a": [tool("x")], "b": [tool("x")]}, quiet={"a", "b"}, ttl_ms=100)
    with watching(put(tmp_path, live("a"), live("b", interval="1h")), servers) as watched:
        wait_until(lambda: watched.tools() == {"a/x", "b/x"})
        servers.tools["a"] = [tool("y", "Another.")] + servers.tools["a"]
        wait_until(lambda: "a/y" in watched.tools())

    assert servers.listings.count("b") == 1


def test_a_server_that_hangs_delays_nobody(tmp_path: Path) -> None:
    """Others are synced meanwhile, and it is once it answers."""
    release = threading.Event()
    servers = Servers({"a": [tool("x")], "b": [tool("x")]}, hanging={"a": release})
    with watching(put(tmp_path, live("a"), live("b")), servers) as watched:
        begin = time.monotonic()
        wait_until(lambda: watched.tools() == {"b/x"})
        servers.tools["b"] = [tool("x"), tool("y")]
        servers.told["b"](McpChange.CHANGED)
        wait_until(lambda: watched.tools() == {"b/x", "b/y"})
        took = time.monotonic() - begin
        hanging, other = watched.watcher.followed()
        assert (hanging.source, hanging.due_s, hanging.failures) == ("mcp:a", None, 0)
        assert (other.source, other.reports_changes) == ("mcp:b", True)
        assert other.due_s is None or other.due_s <= PACE.interval_s * (1 + PACE.jitter)
        release.set()
        wait_until(lambda: watched.tools() == {"a/x", "b/x", "b/y"})

    assert took < 5


def test_a_sick_server_is_tried_again_and_healthy_again(tmp_path: Path) -> None:
    """Its tools stay, each failure is no new record, and its subscription is opened anew."""
    servers = Servers({"a": [tool("x")]})
    with watching(put(tmp_path, live("a")), servers) as watched:
        wait_until(lambda: watched.tools() == {"a/x"})
        servers.broken["a"] = "away"
        servers.told["a"](McpChange.LOST)
        wait_until(lambda: not watched.graph.sources()[0].healthy)
        generation = watched.graph.generation
        wait_until(lambda: len(watched.requests) >= 5)
        assert watched.graph.sources()[0].problem.endswith("away")
        assert len(watched.graph.syncs("mcp:a")) == 2

        servers.tools["a"].append(tool("y"))
        del servers.broken["a"]
        wait_until(lambda: watched.tools() == {"a/x", "a/y"})
        servers.tools["a"].append(tool("z"))
        servers.told["a"](McpChange.CHANGED)
        wait_until(lambda: "a/z" in watched.tools())

    assert watched.graph.sources()[0].healthy
    assert watched.graph.generation == generation + 2


def test_a_server_that_drops_each_subscription_is_not_asked_all_the_time(tmp_path: Path) -> None:
    """Each time it is asked later."""
    servers = Servers({"a": [tool("x")]})
    pace = Pace(poll_s=0.02, together_s=0.0, gap_s=0.0, first_retry_s=0.1, longest_retry_s=10.0)
    with watching(put(tmp_path, live("a")), servers, pace=pace):
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            if told := servers.told.pop("a", None):
                told(McpChange.LOST)
            time.sleep(0.005)

    assert 3 <= len(servers.listings) <= 6


def test_what_was_read_waits_for_the_graph(tmp_path: Path) -> None:
    """A graph that is away for a while costs nothing but time."""
    manifest(tmp_path, "a", tool("x"))
    with watching(put(tmp_path, {"id": "a", "kind": "manifest", "uri": "a.json"})) as watched:
        wait_until(lambda: watched.tools() == {"a/x"})
        watched.graph.reachable = False
        manifest(tmp_path, "a", tool("x"), tool("y"))
        wait_until(lambda: len(watched.requests) >= 4)
        watched.graph.reachable = True
        wait_until(lambda: watched.tools() == {"a/x", "a/y"})


def test_changes_that_arrive_together_are_one_generation(tmp_path: Path) -> None:
    """Fifty servers at once are a few syncs."""
    names = [f"s{number}" for number in range(50)]
    servers = Servers({name: [tool("x")] for name in names})
    with watching(put(tmp_path, *(live(name) for name in names)), servers) as watched:
        wait_until(lambda: len(watched.tools()) == 50)

    assert watched.graph.generation <= 5


def test_a_variable_that_is_missing_is_told_once_and_costs_its_source_alone(tmp_path: Path) -> None:
    """With its name."""
    servers = Servers({"a": [tool("x")], "b": [tool("y")]})
    path = put(tmp_path, live("a"), live("b", headers_env={"Authorization": "NO_SUCH"}))
    with watching(path, servers) as watched:
        wait_until(lambda: watched.tools() == {"a/x"})
        time.sleep(0.2)

    rejected = [one for report in watched.reports for outcome in report.outcomes for one in outcome.rejected]
    assert len(rejected) == 1
    assert "NO_SUCH is not set" in rejected[0].reason
