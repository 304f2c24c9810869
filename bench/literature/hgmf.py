"""HGMF and its baselines: what it costs to leave out servers and tools by groups before they are ranked."""

from collections.abc import Sequence
from pathlib import Path

from bench.commands.table_data import TableData
from bench.literature import published
from bench.literature.track_tables import Scores, differences_table, figure, mean
from bench.methods.registry import AUTO, PRUNED
from bench.sets.datasets import Dataset
from bench.sets.first_sentences import toucan_set
from bench.sets.sets import read_set

LIVE = "livemcpbench"
SIZES = (100, 500, 2_797, 17_570)
"""Tools that are drawn from Toucan: up to the publication's largest sample, and all there are."""
METHODS = (AUTO, "bm25", *PRUNED)
COLUMNS = ("R@1", "R@5", "R@10", "MRR")
_PUBLISHED_AS = {
    "hgmf": "HGMF",
    "mcp_zero": "MCP-Zero",
    "hgmf/kmeans": "K-means",
    "hgmf/weighted": "weighted clusters",
    "hgmf/density": "density",
    "hgmf/words": "word sampling",
}
_NOTES = (
    "R@1 is exact match where one tool is right. Published: exact match on another catalogue, a mean over samples of 1 to "
    "2,797 tools and over eight language models that put each request into other words first; here nothing does.",
    "toucan: requests are first sentences of descriptions, which the tools then lack.",
)


def toucan_sets(data: Path) -> list[Dataset]:
    """One per size.

    Raises:
        InvalidInputError: the folder lacks Toucan.
    """
    return [toucan_set(data, size) for size in SIZES]


def live_set(data: Path) -> Dataset:
    """LiveMCPBench.

    Raises:
        InvalidInputError: the folder lacks it.
    """
    return read_set(data, LIVE)


def tables(sets: Sequence[Dataset], scores: Sequence[Scores]) -> list[TableData]:
    """For each set the figures, and what `auto` is ahead by.

    Args:
        sets: Any.
        scores: Of `METHODS`, one for each set.
    """
    found = []
    for place, (dataset, one) in enumerate(zip(sets, scores, strict=True)):
        title = (
            f"HGMF: {dataset.name}, {len(dataset.catalogue.tools):,} tools, {len(dataset.questions)} requests"
        )
        rows = tuple(
            (name, *(figure(mean(one[name][metric])) for metric in COLUMNS), published_of(name))
            for name in METHODS
        )
        found.append(TableData(title, ("ranking", *COLUMNS, "published"), rows, () if place else _NOTES))
    return found + [
        differences_table(
            f"HGMF: {dataset.name}, auto", one, AUTO, [name for name in METHODS if name != AUTO]
        )
        for dataset, one in zip(sets, scores, strict=True)
    ]


def published_of(name: str) -> str:
    """Exact match as published; empty where a ranking has none."""
    return figure(published.HGMF[_PUBLISHED_AS[name]]) if name in _PUBLISHED_AS else ""
