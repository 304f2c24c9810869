"""Times and memory as the catalogue grows: in process, over HTTP, and the rival beside it."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from app.usecases.index.snapshots import SMALL
from bench.generated.grown import SIZES
from bench.measure.cells import CellKey, CellStore
from bench.methods.base import Run
from bench.methods.registry import AUTO, method_named
from bench.peer.methods import GraphToolCall
from bench.served.interfaces import Interface
from bench.served.latency import measure
from bench.served.starts import Starts, measure_starts_of
from bench.sets.datasets import Dataset, Question, catalogue_of, tool_of
from bench.sets.manifests import grown_catalogue
from bench.sets.toolbench_graph import Engine

_OVER_HTTP = f"{AUTO} over HTTP"
_CLIENTS = 8
_CROWD_S = 3.0


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """One ranking at one size."""

    tools: int
    method: str
    """`auto`, `auto over HTTP`, or the peer's engine."""
    finished: bool
    note: str
    build_s: float | None
    """Index, or ingest into the graph; None when it did not come that far."""
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None
    memory_mb: float | None
    """Of the service, or the peer's largest; None in process."""
    per_second: float | None = None
    """Answers a second with eight clients."""


def measure_scale(
    data: Path,
    peers: Sequence[GraphToolCall],
    store: CellStore,
    *,
    sizes: Sequence[int] = SIZES,
    code: str,
    say: Callable[[str], None],
) -> list[ScaleRow]:
    """Every size, smallest first; a peer that did not finish is not asked about a larger one.

    What was measured before is taken as it is.

    Raises:
        InvalidInputError: the folder lacks a list of tools.
        StoreUnavailableError: the embedded engine or the service did not come up.
    """

    def kept(tools: int, method: str, of: str, work: Callable[[], ScaleRow]) -> ScaleRow:
        key = CellKey(f"grown-{tools}", method, of)
        row = store.read_values(key)
        if row is None:
            row = asdict(work())
            store.write_values(key, row)
            say(f"{tools:,} tools, {method}: {_said(row)}")
        return ScaleRow(**row)

    rows: list[ScaleRow] = []
    for tools in sorted(set(sizes)):
        rows.append(kept(tools, AUTO, code, partial(_in_process, data, tools)))
        rows.append(kept(tools, _OVER_HTTP, code, partial(_over_http, data, tools, say)))
    for peer in peers:
        for tools in sorted(set(sizes)):
            of = f"{peer.version} {peer.seconds:g}"
            rows.append(kept(tools, peer.name, of, partial(_of_peer, data, tools, peer)))
            if not rows[-1].finished:
                break
    return rows


def measure_start_of_sizes(
    data: Path,
    store: CellStore,
    *,
    sizes: Sequence[int] = SIZES,
    code: str,
    say: Callable[[str], None],
) -> list[Starts]:
    """Starts, memory and changes of a service at every size at which something is kept; what was measured before stays.

    Raises:
        InvalidInputError: the folder lacks a list of tools.
        StoreUnavailableError: the embedded engine or the service did not come up.
    """
    rows = []
    for tools in sorted(size for size in set(sizes) if size > SMALL):
        key = CellKey(f"grown-{tools}", "starts", code)
        row = store.read_values(key)
        if row is None:
            row = asdict(measure_starts_of(data, tools=tools, engine=Engine.EMBEDDED, say=say))
            store.write_values(key, row)
        rows.append(Starts(**row))
    return rows


def scale_set(data: Path, tools: int) -> Dataset:
    """The first of the grown catalogue with its requests; those for tools that are not among these are there for times."""
    catalogue = grown_catalogue(data)
    questions = tuple(
        Question(str(number), asked.text, asked.tools, {}, "")
        for number, asked in enumerate(catalogue.queries(), 1)
    )
    found = (
        tool_of({**tool, "id": f"{server}/{tool['name']}", "server": server})
        for server, tool in islice(catalogue.tools(), tools)
    )
    return Dataset(f"grown-{tools}", catalogue_of(found), questions)


@dataclass(frozen=True, slots=True)
class GrowthRow:
    """How many different words the tools of a catalogue have."""

    tools: int
    words: int
    vocabulary: int
    law: int
    """What Heaps' law says of a text of this length."""
    real: bool


def vocabulary_rows(data: Path, sizes: Sequence[int] = SIZES) -> list[GrowthRow]:
    """The real tools in random order, which the law is fitted to, then the grown catalogue up to the largest size."""
    catalogue = grown_catalogue(data)
    law = catalogue.law
    return [
        GrowthRow(one.texts, one.words, one.vocabulary, round(law.vocabulary(one.words)), real)
        for real, points in ((True, catalogue.real_growth), (False, catalogue.growth(max(sizes))))
        for one in points
        if real or one.texts > catalogue.size
    ]


def _in_process(data: Path, tools: int) -> ScaleRow:
    run = method_named(AUTO).run(scale_set(data, tools))
    return ScaleRow(tools, AUTO, True, "", round(run.build_s, 3), *_percentiles(run), None)


def _over_http(data: Path, tools: int, say: Callable[[str], None]) -> ScaleRow:
    (found,) = measure(
        data,
        tools=tools,
        engine=Engine.EMBEDDED,
        interfaces=[Interface.REST],
        clients=_CLIENTS,
        seconds=_CROWD_S,
        say=say,
    )
    times = (round(found.p50_ms, 3), round(found.p95_ms, 3), round(found.p99_ms, 3))
    note = f"{found.errors} errors" if found.errors else ""
    memory, rate = round(found.service_mb), round(found.per_second)
    return ScaleRow(tools, _OVER_HTTP, True, note, round(found.ingest_s, 2), *times, memory, rate)


def _of_peer(data: Path, tools: int, peer: GraphToolCall) -> ScaleRow:
    dataset = scale_set(data, tools)
    answer = peer.ask(dataset)
    run = peer.run_of(dataset, answer)
    memory = max((row["peak_mb"] for row in answer.rows), default=None)
    build = round(run.build_s, 3) if answer.rows else None
    return ScaleRow(
        tools, peer.name, run.finished, run.note, build, *_percentiles(run), memory and round(memory)
    )


def _percentiles(run: Run) -> tuple[float | None, float | None, float | None]:
    if not run.ms:
        return None, None, None
    p50, p95, p99 = (round(float(value), 3) for value in np.percentile(run.ms, [50, 95, 99]))
    return p50, p95, p99


def _said(row: dict[str, Any]) -> str:
    return row["note"] or f"built in {row['build_s']:.2f} s, p50 {row['p50_ms']:.2f} ms"
