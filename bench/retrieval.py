"""Development sets of `auto`: what was tuned on (TUNE) and what only checks it (CHECK).

The numbers show whether a change of the ranking generalises. CHECK was looked at often while the recipe was
found, so it is no virgin test set either.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.errors import InvalidInputError
from app.ports import LexicalIndexFactory
from app.usecases.catalogue_ranker import CatalogueRanker
from app.usecases.search import search
from app.usecases.search_index import SearchIndex
from app.usecases.search_values import SearchMethod, SearchRequest
from bench.datasets import Dataset, Question, bench_set, catalogue_of, plain_tool, toolbench_questions
from bench.metrics import all_at_k, recall_at_k, reciprocal_rank, with_alternatives
from bench.peer_sets import PEER_SETS, peer_set
from bench.taxonomy import taxonomy_methods

COLUMNS = ("R@1", "R@5", "R@10", "all@10", "MRR")
_DEPTH = 50
_JENTIC_QUESTIONS = 150
TUNE = ("ultratool", "toollens", "azure_mcp", "jentic_a")
CHECK = ("jentic_b", "livemcpbench", "toollinkos", "tmdb", "spotify", "nestful", "peer", "pine")
SETS = (*TUNE, *CHECK)


@dataclass(frozen=True)
class SetResult:
    """Means over one set."""

    name: str
    tools: int
    questions: int
    values: tuple[float, ...]
    """In the order of `COLUMNS`."""
    build_s: float
    p50_ms: float
    p95_ms: float


def evaluate(
    data: Path, names: Sequence[str], *, method: SearchMethod, lexical: LexicalIndexFactory
) -> list[SetResult]:
    """Each named set; `peer` is the mean of nine."""
    unknown = sorted(set(names) - set(SETS))
    if unknown:
        raise InvalidInputError(f"--sets: no set {unknown[0]!r}; sets are {', '.join(SETS)}")
    results = []
    for name in names:
        parts = [evaluate_set(dataset, method=method, lexical=lexical) for dataset in load(data, name)]
        results.append(parts[0] if len(parts) == 1 else _mean(name, parts))
    return results


def load(data: Path, name: str) -> list[Dataset]:
    """The sample of a set; nine sets for `peer`."""
    if name == "peer":
        return [peer_set(data, part) for part in PEER_SETS]
    readers: Mapping[str, Callable[[], Dataset]] = {
        "ultratool": lambda: _first(bench_set(data, "ultratool_test"), 400),
        "toollens": lambda: _first(bench_set(data, "toollens", group="test"), 400),
        "azure_mcp": lambda: bench_set(data, "azure_mcp"),
        "jentic_a": lambda: _jentic(data, first_half=True),
        "jentic_b": lambda: _jentic(data, first_half=False),
        "livemcpbench": lambda: bench_set(data, "livemcpbench"),
        "toollinkos": lambda: _first(bench_set(data, "toollinkos"), 500),
        "tmdb": lambda: bench_set(data, "restbench_tmdb"),
        "spotify": lambda: bench_set(data, "restbench_spotify"),
        "nestful": lambda: bench_set(data, "nestful"),
        "pine": lambda: _pine(data),
    }
    dataset = readers[name]()
    return [Dataset(name, dataset.catalogue, dataset.questions)]


def evaluate_set(dataset: Dataset, *, method: SearchMethod, lexical: LexicalIndexFactory) -> SetResult:
    """One set, in memory: no set has a graph that was not made from its answers."""
    started = time.perf_counter()
    index = SearchIndex.build(dataset.catalogue, lexical=lexical)
    build_s = time.perf_counter() - started
    graph = CatalogueRanker(dataset.catalogue)
    rows, times = [], []
    for question in dataset.questions:
        request = SearchRequest(query=question.text, top_k=_DEPTH, method=method)
        started = time.perf_counter()
        answer = search(request, index=index, graph=graph)
        times.append((time.perf_counter() - started) * 1000)
        rows.append(_score([match.id for match in answer.tools], question))
    values = tuple(float(value) for value in np.mean(rows, axis=0))
    p50, p95 = np.percentile(times, [50, 95])
    tools = len(dataset.catalogue.tools)
    return SetResult(dataset.name, tools, len(rows), values, build_s, float(p50), float(p95))


def means(results: Sequence[SetResult]) -> dict[str, tuple[float, ...]]:
    """TUNE and CHECK, where all of their sets are there."""
    by_name = {result.name: result.values for result in results}
    return {
        title: tuple(float(value) for value in np.mean([by_name[name] for name in names], axis=0))
        for title, names in (("TUNE", TUNE), ("CHECK", CHECK))
        if set(names) <= by_name.keys()
    }


def _score(ranking: Sequence[str], question: Question) -> tuple[float, ...]:
    ranking = with_alternatives(ranking, question.alternatives)
    gold = tuple(dict.fromkeys(question.gold))
    return (
        recall_at_k(ranking, gold, 1),
        recall_at_k(ranking, gold, 5),
        recall_at_k(ranking, gold, 10),
        all_at_k(ranking, gold, 10),
        reciprocal_rank(ranking, gold),
    )


def _mean(name: str, parts: Sequence[SetResult]) -> SetResult:
    return SetResult(
        name,
        sum(part.tools for part in parts),
        sum(part.questions for part in parts),
        tuple(float(value) for value in np.mean([part.values for part in parts], axis=0)),
        sum(part.build_s for part in parts),
        float(np.median([part.p50_ms for part in parts])),
        max(part.p95_ms for part in parts),
    )


def _first(dataset: Dataset, count: int) -> Dataset:
    return Dataset(dataset.name, dataset.catalogue, dataset.questions[:count])


def _jentic(data: Path, *, first_half: bool) -> Dataset:
    whole = bench_set(data, "jentic_arazzo_dev")
    vendors = sorted({question.group for question in whole.questions})
    random.Random(1).shuffle(vendors)  # noqa: S311  # a published order, no secret
    chosen = set(vendors[: len(vendors) // 2])
    half = [question for question in whole.questions if (question.group in chosen) == first_half]
    return Dataset(whole.name, whole.catalogue, tuple(half[:_JENTIC_QUESTIONS]))


def _pine(data: Path) -> Dataset:
    """ToolBench as bare tools: the texts of a tool's methods are its description."""
    methods = taxonomy_methods(data)
    tools = []
    for tool in sorted({tool for method in methods for tool in method.implements}):
        texts = [
            " ".join((method.name, method.description, *method.tags, method.category, *method.examples))
            for method in methods
            if tool in method.implements
        ]
        tools.append(plain_tool(id=tool, server="", name=tool, description=" ".join(texts)))
    return Dataset("pine", catalogue_of(tools), toolbench_questions(data))
