"""How long `POST /v1/plan` takes over HTTP on a catalogue in which every resource looks the same."""

import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.adapters.graph.store import GraphStore
from bench.generated.same_shape import same_shape_document, same_shape_goals
from bench.served.http_client import HttpClient, percentile_ms
from bench.served.served import bench_settings, empty_graph, ingest_inputs, running_service
from bench.sets.toolbench_graph import Engine
from ingest.sources.files import file_input

_GOALS = 60
_PINGS = 300


@dataclass(frozen=True, slots=True)
class PlanLatency:
    """What was measured on one catalogue."""

    engine: str
    operations: int
    ingest_s: float
    requires: int
    """Edges between tools that are stored: up to 5 producers for each input."""
    requires_pairs: int
    """Pairs of tools among them of rank 3 or better."""
    precedes: int
    goals: int
    right: int
    """Plans that end with the operation of their goal."""
    added_changes: int
    """Steps that change something and that are no goal's operation."""
    p50_ms: float
    p95_ms: float
    ping_p50_ms: float
    """`RETURN 1` from another process, just before."""
    errors: int


def measure_plans(*, operations: int, engine: Engine, say: Callable[[str], None]) -> PlanLatency:
    """Ingest, serve, warm up with all goals, then ask them one by one.

    Raises:
        InvalidInputError: the graph is not empty.
        StoreUnavailableError: the database or the service did not come up.
    """
    goals = same_shape_goals(operations, _GOALS)
    bodies = [json.dumps({"goal": text}).encode() for text, _ in goals]
    with tempfile.TemporaryDirectory(prefix="outfitter-plans-") as folder, bench_settings(engine) as settings:
        path = Path(folder) / "same-shape.json"
        path.write_text(json.dumps(same_shape_document(operations)), encoding="utf-8")
        with empty_graph(settings) as store:
            begin = time.perf_counter()
            ingest_inputs(store, settings, [file_input("openapi", path)])
            ingest_s = time.perf_counter() - begin
            say(f"{operations} operations ingested in {ingest_s:.1f} s")
            catalogue = store.catalogue()
            with running_service(settings) as service, HttpClient(service.host, service.port) as client:
                for body in bodies:
                    client.post("/v1/plan", body)
                pings = _pings(store)
                times, answers, errors = [], [], 0
                for body in bodies:
                    begin = time.perf_counter()
                    status, content = client.post("/v1/plan", body)
                    times.append(time.perf_counter() - begin)
                    errors += status != 200
                    answers.append(json.loads(content).get("steps", []))
    return PlanLatency(
        engine=engine.value,
        operations=len(catalogue.tools),
        ingest_s=ingest_s,
        requires=len(catalogue.requirements),
        requires_pairs=len({(one.consumer, one.producer) for one in catalogue.requirements if one.rank <= 3}),
        precedes=len(catalogue.precedences),
        goals=len(goals),
        right=sum(
            bool(steps) and steps[-1]["tool_id"] == target
            for steps, (_, target) in zip(answers, goals, strict=True)
        ),
        added_changes=sum(
            step["mutating"] and step["tool_id"] != target
            for steps, (_, target) in zip(answers, goals, strict=True)
            for step in steps
        ),
        p50_ms=percentile_ms(times, 50),
        p95_ms=percentile_ms(times, 95),
        ping_p50_ms=percentile_ms(pings, 50),
        errors=errors,
    )


def _pings(store: GraphStore) -> list[float]:
    times = []
    for _ in range(_PINGS):
        begin = time.perf_counter()
        store.ping()
        times.append(time.perf_counter() - begin)
    return times
