"""What a service takes from its start to its first answer, in memory, and until a change is visible."""

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.graph.store import GraphStore
from app.settings import Settings
from bench.generated.grown import GrownCatalogue
from bench.served.http_client import HttpClient, percentile_ms
from bench.served.served import (
    HERE,
    Running,
    bench_settings,
    child_environment,
    empty_graph,
    report_of,
    running_service,
)
from bench.sets.manifests import grown_catalogue, write_manifests
from bench.sets.toolbench_graph import Engine
from ingest.run.request import IngestRequest
from ingest.sources.files import file_input, manifest_inputs

_CHANGES = 5
_SYNCS = 3
_CALM_S = 12.0
"""Over a thousand queries even of 200,000 tools, so that p99 is not one of them."""
_LONGEST_S = 600.0
_LONGEST_CHANGE_S = 60.0
_LOOK_S = 0.005
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Starts:
    """A service over one catalogue, with the engine up."""

    engine: str
    tools: int
    from_nothing_s: float
    """Exec to ready, where nothing is kept."""
    from_kept_s: float
    """The same with a kept snapshot of the graph's generation."""
    built_uss_mb: float
    """Memory of its own that the service has after it built the index, kept it and mapped it."""
    kept_uss_mb: float
    """Memory of its own after a start from what is kept and all requests and goals."""
    mapped_mb: float
    """Pages of the snapshot that it has mapped then; another service shares them."""
    snapshot_mb: float
    """Size of the file."""
    query_p50_ms: float
    """Over HTTP, one client, warm."""
    query_p99_ms: float
    plan_p50_ms: float
    change_query_s: float
    """From the end of an ingest that changed one tool until a query finds its new word, while another client asks all the
    time; median of 5."""
    change_plan_s: float
    """The same for a plan."""
    calm_p99_ms: float
    """Of the queries of such a client while nothing else is done."""
    change_p99_ms: float
    """The same while manifests are ingested by a command, one changed tool each time."""
    changed_uss_mb: float
    """Memory of its own after all these changes."""
    sync_s: float
    """The whole command that ingests all manifests, of which one changed, with the engine up; median of 3."""
    cold_sync_s: float
    """The same where the command starts the engine; 0 where the engine is a server."""
    memory_bytes_per_tool: float
    """Of its own memory after a start from what is kept."""
    disk_bytes_per_tool: float
    build_ms_per_tool: float
    """Of the start from nothing."""


def measure_starts_of(data: Path, *, tools: int, engine: Engine, say: Callable[[str], None]) -> Starts:
    """Ingest the first tools of the grown catalogue, then `measure_starts`.

    Raises:
        InvalidInputError: the folder lacks the list of tools, or the graph is not empty.
        StoreUnavailableError: the database or the service did not come up.
    """
    catalogue = grown_catalogue(data)
    with tempfile.TemporaryDirectory(prefix="outfitter-starts-") as name, bench_settings(engine) as settings:
        folder = Path(name)
        write_manifests(catalogue, folder, limit=tools)
        with empty_graph(settings) as store:
            report_of(store, settings, IngestRequest(inputs=manifest_inputs([folder])))
            say(f"{tools} tools ingested")
            found = measure_starts(settings, store, catalogue, folder, engine=engine, say=say)
        return with_cold_sync(found, settings, folder)


def measure_starts(
    settings: Settings,
    store: GraphStore,
    catalogue: GrownCatalogue,
    manifests: Path,
    *,
    engine: Engine,
    say: Callable[[str], None],
) -> Starts:
    """Start a service over a graph without and with a kept snapshot, ask it, and change tools under it.

    Args:
        settings: Of the graph.
        store: The graph, open, with the tools of the manifests.
        catalogue: Whose requests and goals are asked.
        manifests: A folder of manifests, some of which are changed.
        engine: What the graph lies in.
        say: Called with each step.
    """
    # Before any connection is open: the service closes one that waits for long.
    queries, goals = ([one.text for one in some] for some in (catalogue.queries(), catalogue.goals()))
    begin = time.perf_counter()
    with running_service(settings) as service:
        from_nothing = time.perf_counter() - begin
        say(f"from nothing {from_nothing:.1f} s")
        snapshot = _kept(settings.data_dir / "snapshots")
        _settled(service)
        built_uss = service.own_mb()
    begin = time.perf_counter()
    with running_service(settings) as service:
        from_kept = time.perf_counter() - begin
        say(f"with a kept snapshot {from_kept:.1f} s")
        with HttpClient(service.host, service.port) as client:
            tools = int(json.loads(client.get("/readyz")[1])["tools"])
            query_times = _times(client, "/v1/query", "query", queries)
            plan_times = _times(client, "/v1/plan", "goal", goals)
        kept_uss, mapped = service.own_mb(), service.mapped_mb()
        say(f"{kept_uss:.0f} MB of its own, {mapped:.0f} MB mapped")
        with _asking(service, queries):
            waits = [
                _changed(settings, store, service, path)
                for path in sorted(manifests.glob("*.json"))[:_CHANGES]
            ]
        say("changes are visible")
        sync_s = _sync_s(settings, manifests, runs=_SYNCS)
        with _asking(service, queries) as calm:
            time.sleep(_CALM_S)
        # Ingested by processes of their own: an ingest in this one would take the client's time as well.
        with _asking(service, queries) as meanwhile:
            _sync_s(settings, manifests, runs=_SYNCS)
        changed_uss = service.own_mb()
    size = snapshot.stat().st_size if snapshot is not None and snapshot.exists() else 0
    return Starts(
        engine=engine.value,
        tools=tools,
        from_nothing_s=round(from_nothing, 2),
        from_kept_s=round(from_kept, 2),
        built_uss_mb=round(built_uss, 1),
        kept_uss_mb=round(kept_uss, 1),
        mapped_mb=round(mapped, 1),
        snapshot_mb=round(size / _MEGABYTE, 1),
        query_p50_ms=round(percentile_ms(query_times, 50), 2),
        query_p99_ms=round(percentile_ms(query_times, 99), 2),
        plan_p50_ms=round(percentile_ms(plan_times, 50), 2),
        change_query_s=round(statistics.median(query for query, _ in waits), 3),
        change_plan_s=round(statistics.median(plan for _, plan in waits), 3),
        calm_p99_ms=round(percentile_ms(calm, 99), 2),
        change_p99_ms=round(percentile_ms(meanwhile, 99), 2),
        changed_uss_mb=round(changed_uss, 1),
        sync_s=round(sync_s, 2),
        cold_sync_s=0.0,
        memory_bytes_per_tool=round(kept_uss * _MEGABYTE / tools),
        disk_bytes_per_tool=round(size / tools),
        build_ms_per_tool=round(1000 * from_nothing / tools, 3),
    )


def with_cold_sync(found: Starts, settings: Settings, manifests: Path) -> Starts:
    """With the time of a sync that starts the embedded engine; nobody has the graph open."""
    if settings.neo4j_uri:
        return found
    EmbeddedEngine(settings.data_dir).stop()
    return replace(found, cold_sync_s=round(_sync_s(settings, manifests, runs=1), 2))


def _sync_s(settings: Settings, manifests: Path, *, runs: int) -> float:
    """Seconds of `outfitter ingest manifest` over a folder in which one tool changed, as a command; the median."""
    command = [sys.executable, "-m", "app.commands.main", "ingest", "manifest", str(manifests), "--json"]
    times = []
    for path in sorted(manifests.glob("*.json"))[:runs]:
        _change(path)
        begin = time.perf_counter()
        subprocess.run(  # noqa: S603 - ours, over the graph of the settings
            command,
            env=child_environment(settings),
            cwd=HERE,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


@contextmanager
def _asking(service: Running, queries: Sequence[str]) -> Iterator[Sequence[float]]:
    """One client asks these queries again and again; the seconds of each, as they come."""
    times: list[float] = []
    over = threading.Event()

    def ask() -> None:
        with HttpClient(service.host, service.port) as client:
            for body in cycle(_bodies("query", queries)):
                if over.is_set():
                    return
                times.append(_timed(client, "/v1/query", body))

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield times
    finally:
        over.set()
        thread.join()


def _kept(folder: Path) -> Path | None:
    """The snapshot that a service keeps, once it is there."""
    end = time.monotonic() + _LONGEST_S
    while time.monotonic() < end:
        found = sorted(folder.glob("*.snapshot"))
        if found:
            return found[-1]
        time.sleep(0.1)
    return None


def _settled(service: Running) -> None:
    """Wait until the service maps what it kept, or a while."""
    end = time.monotonic() + 60
    while not service.mapped_mb() and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(2)


def _times(client: HttpClient, path: str, field: str, texts: Sequence[str]) -> list[float]:
    """Seconds that each takes when it is asked for the second time."""
    bodies = _bodies(field, texts)
    for body in bodies:
        client.post(path, body)
    return [_timed(client, path, body) for body in bodies]


def _bodies(field: str, texts: Sequence[str]) -> list[bytes]:
    return [json.dumps({field: text}).encode() for text in texts]


def _timed(client: HttpClient, path: str, body: bytes) -> float:
    begin = time.perf_counter()
    client.post(path, body)
    return time.perf_counter() - begin


def _changed(settings: Settings, store: GraphStore, service: Running, path: Path) -> tuple[float, float]:
    """Seconds from the end of an ingest that changes one tool until a query, and a plan, are of its generation."""
    _change(path)
    report = report_of(store, settings, IngestRequest(inputs=[file_input("manifest", path)]))
    end = time.perf_counter()
    # A connection of its own: one that waits through an ingest is closed.
    with HttpClient(service.host, service.port) as client:
        query = _until(client, "/v1/query", {"query": "polish the zorblax"}, report.generation, end)
        plan = _until(client, "/v1/plan", {"goal": "polish the zorblax"}, report.generation, end)
    return query, plan


def _change(manifest: Path) -> None:
    """Give its first tool a word more."""
    document = json.loads(manifest.read_text(encoding="utf-8"))
    first = document["tools"][0]
    first["description"] = f"Polishes the zorblax. {first.get('description', '')}"
    manifest.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


def _until(client: HttpClient, path: str, asked: object, generation: int, begin: float) -> float:
    """Seconds until an answer is of a generation."""
    body = json.dumps(asked).encode()
    while time.perf_counter() - begin < _LONGEST_CHANGE_S:
        status, answer = client.post(path, body)
        if status == 200 and json.loads(answer)["generation"] >= generation:
            break
        time.sleep(_LOOK_S)
    return time.perf_counter() - begin
