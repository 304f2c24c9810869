"""Inferred dependencies against the labelled pairs of calls of the Jentic set."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.domain.nodes.dependencies import PRODUCERS_COUNTED, Requirement
from app.domain.nodes.models import Tool
from bench.sets import jentic
from ingest.enrich.requires.dependencies import Dependencies, infer_dependencies

RANKS = (1, 3, 5)
COLUMNS = (
    *(f"R@{k}" for k in RANKS),
    f"R@{PRODUCERS_COUNTED}+P",
    *(f"req@{k}" for k in RANKS),
    "prec",
)
"""Recall of pairs at k producers per input; with PRECEDES; REQUIRES per operation at k; PRECEDES per operation."""


@dataclass(frozen=True, slots=True)
class EdgeResult:
    """One row: which inputs count, over which vendors."""

    inputs: str
    vendors: str
    pairs: int
    values: tuple[float, ...]
    """In the order of `COLUMNS`."""


@dataclass(frozen=True, slots=True)
class EdgeReport:
    """All rows, and the seconds that inference took."""

    operations: int
    seconds: float
    rows: tuple[EdgeResult, ...]


def measure_edges(data: Path) -> EdgeReport:
    """Infer edges for all 159 vendors and score them; inference sees the documents alone."""
    tools = jentic.vendors(data)
    pairs = jentic.pairs(data, tools)
    every = [tool for found in tools.values() for tool in found]
    start = time.perf_counter()
    edges = infer_dependencies(every)
    seconds = time.perf_counter() - start
    parts = {
        "all": pairs,
        "half 0": [pair for pair in pairs if jentic.half(_vendor(pair)) == 0],
        "half 1": [pair for pair in pairs if jentic.half(_vendor(pair)) == 1],
    }
    rows = tuple(
        EdgeResult(
            "with optional" if optional else "required",
            part,
            len(wanted),
            score_edges(edges, wanted, _of_part(every, part), with_optional=optional),
        )
        for optional in (False, True)
        for part, wanted in parts.items()
    )
    return EdgeReport(len(every), seconds, rows)


def score_edges(
    edges: Dependencies, pairs: Sequence[tuple[str, str]], tools: Iterable[Tool], *, with_optional: bool
) -> tuple[float, ...]:
    """Values of `COLUMNS`; edges count per operation of `tools`.

    A pair is found at k when its producer is among the k best of some input of its consumer.
    """
    ids = {tool.id for tool in tools}
    best = best_ranks(edge for edge in edges.requires if edge.required or with_optional)
    precedes = {(edge.first, edge.then) for edge in edges.precedes}
    own = {pair: rank for pair, rank in best.items() if pair[1] in ids}
    total = max(1, len(pairs))
    missing = max(RANKS) + 1
    return (
        *(sum(best.get(pair, missing) <= k for pair in pairs) / total for k in RANKS),
        sum(best.get(pair, missing) <= PRODUCERS_COUNTED or pair in precedes for pair in pairs) / total,
        *(sum(rank <= k for rank in own.values()) / len(ids) for k in RANKS),
        sum(then in ids for _, then in precedes) / len(ids),
    )


def best_ranks(edges: Iterable[Requirement]) -> Mapping[tuple[str, str], int]:
    """(producer, consumer) -> best rank over the consumer's inputs."""
    best: dict[tuple[str, str], int] = {}
    for edge in edges:
        pair = (str(edge.producer), str(edge.consumer))
        best[pair] = min(edge.rank, best.get(pair, edge.rank))
    return best


def _vendor(pair: tuple[str, str]) -> str:
    return pair[1].split("/", 1)[0]


def _of_part(tools: Sequence[Tool], part: str) -> list[Tool]:
    if part == "all":
        return list(tools)
    return [tool for tool in tools if f"half {jentic.half(tool.server)}" == part]
