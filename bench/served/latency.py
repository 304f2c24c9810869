"""How long a query takes over HTTP, by REST or MCP, and how much a service carries."""

import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.adapters.graph.store import GraphStore
from bench.served.http_client import HttpClient, percentile_ms
from bench.served.interfaces import Interface
from bench.served.served import bench_settings, empty_graph, ingest_inputs, running_service, wait_for_vectors
from bench.sets.datasets import require, toolbench_questions
from bench.sets.manifests import grown_catalogue, write_manifests
from bench.sets.taxonomy import TAXONOMY
from bench.sets.toolbench_graph import Engine
from ingest.sources.files import IngestInput, file_input, manifest_inputs

TAXONOMY_TOOLS = 51
"""Asked for this many tools, the bench takes ToolBench's taxonomy; for any other number the first of the grown catalogue."""
_WARM_UP = 100
_PINGS = 300


@dataclass(frozen=True, slots=True)
class Latency:
    """What was measured on one catalogue."""

    engine: str
    interface: str
    tools: int
    ingest_s: float
    service_mb: float
    """Memory of the service after its first queries; the embedded engine's own is not in it."""
    queries: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    ping_p50_ms: float
    """`RETURN 1` from another process, just before."""
    from_memory: int
    """Queries, by any interface, whose graph scores did not come from the graph."""
    clients: int
    per_second: float
    """With all clients at once."""
    crowd_p50_ms: float
    crowd_p99_ms: float
    errors: int


def measure(
    data: Path,
    *,
    tools: int,
    engine: Engine,
    interfaces: Sequence[Interface],
    clients: int,
    seconds: float,
    say: Callable[[str], None],
) -> list[Latency]:
    """Ingest, serve, ask all queries of the catalogue one by one, then with several clients at once.

    Each query is asked by all interfaces in turn before the next one, so that they share the machine's moods; the
    crowds come one after the other.

    Raises:
        InvalidInputError: a file of the data folder is missing, or the graph is not empty.
        StoreUnavailableError: the database or the service did not come up.
    """
    texts = _texts(data, tools)
    bodies = {one: [one.body(text) for text in texts] for one in interfaces}
    with (
        tempfile.TemporaryDirectory(prefix="outfitter-manifests-") as folder,
        bench_settings(engine) as settings,
    ):
        inputs = _inputs(data, Path(folder), tools)
        with empty_graph(settings) as store:
            begin = time.perf_counter()
            ingest_inputs(store, settings, inputs)
            ingest_s = time.perf_counter() - begin
            say(f"{len(inputs)} sources ingested in {ingest_s:.1f} s")
            with running_service(settings) as service:
                found = len(store.catalogue().tools)
                say(f"serving {found} tools")
                wait_for_vectors(service)
                with HttpClient(service.host, service.port) as client:
                    _ask_all(client, {one: some[:_WARM_UP] for one, some in bodies.items()})
                    pings = _pings(store)
                    answers = _ask_all(client, bodies)
                    from_memory = _counter(client, "outfitter_from_memory_total")
                service_mb = service.resident_mb()
                crowds = {
                    one: _crowd(service.host, service.port, one, some, clients, seconds)
                    for one, some in bodies.items()
                }
    return [
        Latency(
            engine=engine.value,
            interface=one.value,
            tools=found,
            ingest_s=ingest_s,
            service_mb=service_mb,
            queries=len(asked.times),
            p50_ms=percentile_ms(asked.times, 50),
            p95_ms=percentile_ms(asked.times, 95),
            p99_ms=percentile_ms(asked.times, 99),
            ping_p50_ms=percentile_ms(pings, 50),
            from_memory=from_memory,
            clients=clients,
            per_second=len(crowds[one].times) / crowds[one].seconds,
            crowd_p50_ms=percentile_ms(crowds[one].times, 50),
            crowd_p99_ms=percentile_ms(crowds[one].times, 99),
            errors=asked.errors + crowds[one].errors,
        )
        for one, asked in answers.items()
    ]


@dataclass(slots=True)
class _Asked:
    """What clients saw, by one interface."""

    times: list[float] = field(default_factory=list)
    errors: int = 0
    seconds: float = 0.0
    """How long it all took."""


def _texts(data: Path, tools: int) -> list[str]:
    if tools == TAXONOMY_TOOLS:
        return [question.text for question in toolbench_questions(data)]
    return [asked.text for asked in grown_catalogue(data).queries()]


def _inputs(data: Path, folder: Path, tools: int) -> list[IngestInput]:
    if tools == TAXONOMY_TOOLS:
        return [file_input("taxonomy", require(data, *TAXONOMY))]
    write_manifests(grown_catalogue(data), folder, limit=tools)
    return manifest_inputs([folder])


def _ask_all(client: HttpClient, bodies: Mapping[Interface, Sequence[bytes]]) -> dict[Interface, _Asked]:
    asked = {one: _Asked() for one in bodies}
    ways = [(one.path, one.headers, one, some) for one, some in bodies.items()]
    for number in range(len(ways[0][-1])):
        for path, headers, one, some in ways:
            begin = time.perf_counter()
            status, answer = client.post(path, some[number], headers)
            asked[one].times.append(time.perf_counter() - begin)
            asked[one].errors += not one.answered(status, answer)
    return asked


def _pings(store: GraphStore) -> list[float]:
    times = []
    for _ in range(_PINGS):
        begin = time.perf_counter()
        store.ping()
        times.append(time.perf_counter() - begin)
    return times


def _crowd(
    host: str, port: int, interface: Interface, bodies: Sequence[bytes], clients: int, seconds: float
) -> _Asked:
    """What `clients` connections see that ask without a pause."""
    times: list[float] = []
    errors: list[int] = []
    end = time.perf_counter() + seconds

    def ask(offset: int) -> None:
        own, wrong, position = [], 0, offset
        path, headers = interface.path, interface.headers
        with HttpClient(host, port) as client:
            while time.perf_counter() < end:
                begin = time.perf_counter()
                status, answer = client.post(path, bodies[position % len(bodies)], headers)
                own.append(time.perf_counter() - begin)
                wrong += not interface.answered(status, answer)
                position += 1
        times.extend(own)
        errors.append(wrong)

    begin = time.perf_counter()
    threads = [
        threading.Thread(target=ask, args=(number * len(bodies) // clients,)) for number in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A client that broke off has reported nothing.
    return _Asked(times, sum(errors) + clients - len(errors), time.perf_counter() - begin)


def _counter(client: HttpClient, name: str) -> int:
    _, body = client.get("/metrics")
    lines = body.decode().splitlines()
    return int(sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name)))
