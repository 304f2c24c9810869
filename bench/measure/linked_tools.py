"""ToolLinkOS: tools with given dependencies, found through the service's own search."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from app.domain.catalogue import Catalogue
from app.domain.nodes.dependencies import Evidence, Requirement, strongest
from app.domain.nodes.models import ToolId
from app.usecases.bounds import MAX_PREREQUISITES
from app.usecases.questions import Order, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from bench.measure.metrics import scores_of
from bench.measure.statistics import means
from bench.methods.base import Run
from bench.sets.datasets import Dataset, Question, catalogue_of, lines, require, tool_of
from bench.sets.leaks import given_edges
from bench.sets.suggested import served_index

PLACES = 10
COLUMNS = ("mAP@10", "R@10", "all@10", "hit@1", "hit@10")
"""Of all that a query needs: mean average precision, recall, share of queries with all of it; of the one tool that
the query is about: share of queries that have it first, and among ten."""
_FOLDER = ("bench", "toollinkos")


@dataclass(frozen=True, slots=True)
class LinkedResult:
    """One row: an order of the answer's tools."""

    order: str
    queries: int
    values: tuple[float, ...]
    """In the order of `COLUMNS`."""
    p50_ms: float


@dataclass(frozen=True)
class _Wanted:
    """The same queries with two kinds of answers."""

    everything: Dataset
    target: Dataset


def measure_linked(data: Path) -> list[LinkedResult]:
    """The matches alone, and each match with what it needs behind it; words alone, edges as given."""
    catalogue = linked_catalogue(data)
    graph = ConsistentGraph(served_index(catalogue))
    rows = list(lines(require(data, *_FOLDER, "queries.jsonl")))
    wanted = _Wanted(
        _asked(catalogue, [(row["id"], row["query"], tuple(row["gold"])) for row in rows]),
        _asked(catalogue, [(row["id"], row["query"], (row["meta"]["main"],)) for row in rows]),
    )
    return [
        _measure("matches only", Order.MATCHES, 0, wanted, graph),
        _measure("blocks", Order.BLOCKS, MAX_PREREQUISITES, wanted, graph),
    ]


def linked_catalogue(data: Path) -> Catalogue:
    """The tools with the edges that come with them, in their order: what a tool requires, and what it may."""
    tools = [tool_of(row) for row in lines(require(data, *_FOLDER, "tools.jsonl"))]
    places: Counter[tuple[str, str]] = Counter()
    edges = []
    for row in given_edges(lines(require(data, *_FOLDER, "edges.jsonl")), name=_FOLDER[-1]):
        input_of = (row["source"], row["parameter"] or "")
        places[input_of] += 1
        edges.append(
            Requirement(
                consumer=ToolId(row["source"]),
                producer=ToolId(row["target"]),
                parameter=row["parameter"] or "",
                required=row["type"] == "requires",
                field="",
                confidence=1.0,
                evidence=Evidence.MANUAL,
                rank=places[input_of],
            )
        )
    return replace(catalogue_of(tools), requirements=strongest(edges))


def _asked(catalogue: Catalogue, rows: Sequence[tuple[str, str, tuple[str, ...]]]) -> Dataset:
    questions = [Question(number, text, gold, {}, "") for number, text, gold in rows]
    return Dataset(_FOLDER[-1], catalogue, tuple(questions))


def _measure(
    name: str, order: Order, prerequisites: int, wanted: "_Wanted", graph: ConsistentGraph
) -> LinkedResult:
    rankings, times = [], []
    for question in wanted.everything.questions:
        request = SearchRequest(query=question.text, top_k=PLACES, prerequisites=prerequisites, order=order)
        start = time.perf_counter()
        answer = search(request, graph)
        times.append(time.perf_counter() - start)
        rankings.append(tuple(tool.id for tool in answer.tools)[:PLACES])
    run = Run(tuple(rankings), tuple(times), 0.0)
    of_all = means(scores_of(wanted.everything, run, ("MAP@10", "R@10", "all@10")))
    of_target = means(scores_of(wanted.target, run, ("hit@1", "hit@10")))
    return LinkedResult(name, len(rankings), (*of_all.values(), *of_target.values()), 1000 * median(times))
