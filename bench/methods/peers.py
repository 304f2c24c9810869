"""Libraries that run in this process, as their own pages show them."""

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
from rank_bm25 import BM25Okapi

from bench.methods.base import DEPTH, InProcess, Ranker, RankingMethod
from bench.sets.datasets import Dataset

RANK_BM25 = "rank-bm25"


def rank_bm25() -> RankingMethod:
    """The library `rank-bm25`, as it is."""
    return InProcess(RANK_BM25, version(RANK_BM25), rank_bm25_ranker)


def rank_bm25_ranker(dataset: Dataset) -> Ranker:
    """BM25Okapi with its own constants over name and description, split at blanks; texts of methods as well."""
    tools = [str(tool.id) for tool in dataset.catalogue.tools]
    texts = {tool.id: [tool.name, tool.title, tool.description] for tool in dataset.catalogue.tools}
    for method in dataset.catalogue.methods:
        for tool in method.implements:
            texts[tool] += [method.name, method.description, *method.tags, *method.examples]
    index = BM25Okapi([_words(" ".join(parts)) for parts in texts.values()])

    def rank(_: str, query: str) -> Sequence[str]:
        scores = index.get_scores(_words(query))
        # Equal scores keep the order of the tools, as `get_top_n` would not.
        order = np.argsort(-scores, kind="stable")[:DEPTH]
        return [tools[place] for place in order if scores[place] > 0]

    return rank


def _words(text: str) -> list[str]:
    return text.lower().split()
