"""How long a large generated graph takes to get into the database, through the ingest that users run."""

import json
import random
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from bench.generated.grown import GrownCatalogue
from bench.served.served import bench_settings, empty_graph, report_of
from bench.served.starts import Starts, measure_starts, with_cold_sync
from bench.sets.manifests import grown_catalogue, write_manifests
from bench.sets.toolbench_graph import Engine
from ingest.run.report import Report
from ingest.run.request import IngestRequest
from ingest.sources.files import IngestInput, file_input, manifest_inputs

TOOLS_PER_SERVER = 100
_SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


@dataclass(frozen=True, slots=True)
class Load:
    """What a run over the generated graph took."""

    engine: str
    tools: int
    methods: int
    edges: int
    """Stated edges, `PROVIDED_BY` left out."""
    read_s: float
    diff_s: float
    write_s: float
    structure_s: float
    """Fingerprints and the edges that they give."""
    total_s: float
    again_s: float
    """The same documents once more."""
    again_written: int
    """Nodes and edges that the second run wrote."""
    peak_mb: float
    """Largest resident memory of this process; the embedded engine's own is not in it."""
    words: int = 0
    """Of the tools, where they are real ones or grown from these."""
    vocabulary: int = 0
    """Different ones among them."""
    starts: Starts | None = None
    """Of a service over real tools, or such as are grown from these."""


def measure_load(
    *,
    tools: int,
    methods: int,
    edges: int,
    seed: int,
    engine: Engine,
    data: Path | None = None,
    say: Callable[[str], None],
) -> Load:
    """Generate documents, ingest them twice.

    Args:
        tools: of servers with 100 each, or of the grown catalogue.
        methods: of a taxonomy over these tools; none: no taxonomy.
        edges: of the methods.
        seed: of what is generated.
        engine: where to.
        data: folder with the real tools that the catalogue grows from; without one the tools are made up.
        say: called with each step.

    Raises:
        InvalidInputError: the graph is not empty.
        StoreUnavailableError: the database did not answer.
    """
    with tempfile.TemporaryDirectory(prefix="outfitter-load-") as folder, bench_settings(engine) as settings:
        tools_of = _written if data is None else partial(_grown, grown_catalogue(data, seed=seed))
        inputs = _write(Path(folder), tools_of, tools=tools, methods=methods, edges=edges, seed=seed)
        words = grown_catalogue(data, seed=seed).growth(tools)[-1] if data else None
        say(f"{len(inputs)} documents")
        # Half a million edges of one taxonomy are more text than a user's file may have.
        settings = settings.model_copy(update={"max_file_bytes": 1_000_000_000})
        with empty_graph(settings) as store:
            first, total_s = _timed(lambda: report_of(store, settings, IngestRequest(inputs=inputs)))
            say(f"{first.nodes_written} nodes and {first.edges_written} edges in {total_s:.1f} s")
            again, again_s = _timed(lambda: report_of(store, settings, IngestRequest(inputs=inputs)))
            starts = None
            if data is not None:
                grown = grown_catalogue(data, seed=seed)
                starts = measure_starts(settings, store, grown, Path(folder), engine=engine, say=say)
        if starts is not None:
            starts = with_cold_sync(starts, settings, Path(folder))
    return Load(
        engine=engine.value,
        tools=tools,
        methods=methods,
        edges=first.edges_written,
        read_s=_seconds(first, "read"),
        diff_s=_seconds(first, "diff"),
        write_s=_seconds(first, "write"),
        structure_s=_seconds(first, "structure"),
        total_s=round(total_s, 2),
        again_s=round(again_s, 2),
        again_written=again.nodes_written + again.edges_written,
        peak_mb=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        words=words.words if words else 0,
        vocabulary=words.vocabulary if words else 0,
        starts=starts,
    )


def _timed(call: Callable[[], Report]) -> tuple[Report, float]:
    begin = time.perf_counter()
    report = call()
    return report, time.perf_counter() - begin


def _seconds(report: Report, phase: str) -> float:
    return round(report.seconds.get(phase, 0.0), 2)


def _write(
    folder: Path,
    write_tools: Callable[[Path, int], list[str]],
    *,
    tools: int,
    methods: int,
    edges: int,
    seed: int,
) -> list[IngestInput]:
    """Manifests, and a taxonomy whose methods share the edges among them."""
    chance = random.Random(seed)  # noqa: S311 - the same graph for the same seed
    ids = write_tools(folder, tools)
    inputs = manifest_inputs([folder])
    if methods:
        path = folder / "wants.yaml"
        path.write_text(
            json.dumps(_taxonomy(ids, methods=methods, edges=edges, chance=chance)), encoding="utf-8"
        )
        inputs.append(file_input("taxonomy", path))
    return inputs


def _written(folder: Path, tools: int) -> list[str]:
    """Made-up tools, 100 a server; their ids."""
    ids = [f"server{i // TOOLS_PER_SERVER}/tool{i}" for i in range(tools)]
    for first in range(0, tools, TOOLS_PER_SERVER):
        names = [name.partition("/")[2] for name in ids[first : first + TOOLS_PER_SERVER]]
        path = folder / f"server{first // TOOLS_PER_SERVER}.json"
        path.write_text(json.dumps({"tools": [_tool(name) for name in names]}), encoding="utf-8")
    return ids


def _grown(catalogue: GrownCatalogue, folder: Path, tools: int) -> list[str]:
    """Real tools and what grows from them; their ids."""
    write_manifests(catalogue, folder, limit=tools)
    return [f"{server.replace('/', '-')}/{tool['name']}" for server, tool in islice(catalogue.tools(), tools)]


def _tool(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"Does what {name} does, and says how it went.",
        "inputSchema": _SCHEMA,
    }


def _taxonomy(ids: Sequence[str], *, methods: int, edges: int, chance: random.Random) -> dict[str, Any]:
    """Of 25 edges 15 are IMPLEMENTS, 8 SIMILAR and 2 PRECEDES."""
    names = [f"method{i}" for i in range(methods)]
    each, more = divmod(edges, methods)
    return {
        "version": 1,
        "methods": [
            _method(name, ids, names, count=each + (place < more), chance=chance)
            for place, name in enumerate(names)
        ],
    }


def _method(
    name: str, ids: Sequence[str], names: Sequence[str], *, count: int, chance: random.Random
) -> dict[str, Any]:
    similar, precedes = 8 * count // 25, 2 * count // 25
    others = [other for other in chance.sample(names, similar + precedes + 1) if other != name]
    return {
        "id": name,
        "name": name,
        "description": f"What one wants of {name}.",
        "implements": chance.sample(ids, count - similar - precedes),
        "relations": {"similar": others[:similar], "precedes": others[similar : similar + precedes]},
    }
