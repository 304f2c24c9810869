"""PinePaper-ToolBench: the service's rankings on its 582 cases, tier by tier."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.ports.ranking import RankedGraph
from app.usecases.bounds import MAX_TOP_K
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from bench.measure.metrics import scores_of
from bench.methods.base import Run
from bench.sets.datasets import Dataset, Question

COLUMNS = ("R@1", "R@3", "R@5", "NDCG@5", "MRR")
ALL_TIERS = "all"


@dataclass(frozen=True)
class TierResult:
    """Means over the cases of one tier."""

    tier: str
    cases: int
    values: tuple[float, ...]
    """In the order of `COLUMNS`."""


@dataclass(frozen=True)
class MethodResult:
    """One ranking."""

    method: SearchMethod
    tiers: tuple[TierResult, ...]
    """By tier, then all."""
    p50_ms: float
    p95_ms: float
    from_graph: int
    """Answers whose graph scores came from the graph; the others had to compute them."""


def run(
    questions: Sequence[Question],
    methods: Sequence[SearchMethod],
    *,
    index: SearchIndex,
    graph: RankedGraph | None,
) -> list[MethodResult]:
    """Every question with every method."""
    return [_run_method(questions, method, index, graph) for method in methods]


def _run_method(
    questions: Sequence[Question], method: SearchMethod, index: SearchIndex, graph: RankedGraph | None
) -> MethodResult:
    rankings, times, from_graph = [], [], 0
    for question in questions:
        request = SearchRequest(query=question.text, top_k=MAX_TOP_K, method=method)
        started = time.perf_counter()
        answer = search(request, ConsistentGraph(index, graph))
        times.append((time.perf_counter() - started) * 1000)
        from_graph += answer.from_graph
        rankings.append(tuple(match.id for match in answer.tools))
    dataset = Dataset("toolbench", index.catalogue, tuple(questions), list_gold=True)
    scores = scores_of(dataset, Run(tuple(rankings), tuple(times), 0.0), COLUMNS)
    table = np.array([scores[column] for column in COLUMNS]).T
    groups = np.array([question.group for question in questions])
    tiers = [_tier(tier, table[groups == tier]) for tier in sorted(set(groups.tolist()))]
    p50, p95 = np.percentile(times, [50, 95])
    return MethodResult(method, (*tiers, _tier(ALL_TIERS, table)), float(p50), float(p95), from_graph)


def _tier(tier: str, rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> TierResult:
    return TierResult(tier, len(rows), tuple(float(value) for value in rows.mean(axis=0)))
