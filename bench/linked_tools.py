"""ToolLinkOS: tools with given dependencies, found through the service's own search."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from app.domain.dependencies import Evidence, Requirement, strongest
from app.domain.models import Catalogue, ToolId
from app.ports import LexicalIndexFactory
from app.usecases.catalogue_ranker import CatalogueRanker
from app.usecases.search import search
from app.usecases.search_index import SearchIndex
from app.usecases.search_values import MAX_PREREQUISITES, Order, SearchRequest
from bench.datasets import catalogue_of, lines, require, tool_of
from bench.metrics import all_at_k, average_precision_at_k

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


@dataclass(frozen=True, slots=True)
class _Query:
    text: str
    gold: tuple[str, ...]
    target: str


def measure_linked(data: Path, *, lexical: LexicalIndexFactory) -> list[LinkedResult]:
    """The matches alone, and each match with what it needs behind it; words alone, edges as given."""
    catalogue = linked_catalogue(data)
    index = SearchIndex.build(catalogue, lexical=lexical)
    graph = CatalogueRanker(catalogue)
    queries = [
        _Query(row["query"], tuple(row["gold"]), row["meta"]["main"])
        for row in lines(require(data, *_FOLDER, "queries.jsonl"))
    ]
    return [
        _measure("matches only", Order.MATCHES, 0, queries, index, graph),
        _measure("blocks", Order.BLOCKS, MAX_PREREQUISITES, queries, index, graph),
    ]


def linked_catalogue(data: Path) -> Catalogue:
    """The tools with the edges that come with them, in their order: what a tool requires, and what it may."""
    tools = [tool_of(row) for row in lines(require(data, *_FOLDER, "tools.jsonl"))]
    places: Counter[tuple[str, str]] = Counter()
    edges = []
    for row in lines(require(data, *_FOLDER, "edges.jsonl")):
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


def _measure(
    name: str,
    order: Order,
    prerequisites: int,
    queries: Sequence[_Query],
    index: SearchIndex,
    graph: CatalogueRanker,
) -> LinkedResult:
    totals = [0.0] * len(COLUMNS)
    times = []
    for query in queries:
        request = SearchRequest(query=query.text, top_k=PLACES, prerequisites=prerequisites, order=order)
        start = time.perf_counter()
        answer = search(request, index=index, graph=graph)
        times.append(time.perf_counter() - start)
        found = [tool.id for tool in answer.tools][:PLACES]
        gold = set(query.gold)
        values = (
            average_precision_at_k(found, query.gold, PLACES),
            len(gold.intersection(found)) / len(gold),
            all_at_k(found, query.gold, PLACES),
            float(query.target in found[:1]),
            float(query.target in found),
        )
        totals = [total + value for total, value in zip(totals, values, strict=True)]
    means = tuple(total / len(queries) for total in totals)
    return LinkedResult(name, len(queries), means, 1000 * median(times))
