"""How good a ranking is, one query at a time; a set's figure is the mean over its queries.

A few lines each, and our own: the libraries of the field count recall over the set of right answers, while
ToolBench counts it over the list, in which a tool that is needed twice stands twice.
"""

import math
from collections.abc import Mapping, Sequence


def recall_at_k(ranking: Sequence[str], gold: Sequence[str], k: int) -> float:
    """Share of the gold list, repetitions counted, that is among the first k; 0 to 1."""
    found = set(ranking[:k])
    return sum(tool in found for tool in gold) / len(gold)


def all_at_k(ranking: Sequence[str], gold: Sequence[str], k: int) -> float:
    """1 when all of gold is among the first k, else 0."""
    return float(set(gold) <= set(ranking[:k]))


def ndcg_at_k(ranking: Sequence[str], gold: Sequence[str], k: int) -> float:
    """Normalised discounted cumulative gain over the set of gold: gain 1, discount log2(rank + 1); 0 to 1.

    Source:
        Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques. TOIS 2002.
        https://doi.org/10.1145/582415.582418
    """
    right = set(gold)
    gain = sum(1 / math.log2(rank + 1) for rank, tool in enumerate(ranking[:k], start=1) if tool in right)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(right)) + 1))
    return gain / ideal


def average_precision_at_k(ranking: Sequence[str], gold: Sequence[str], k: int) -> float:
    """Mean, over the set of gold, of the precision at each right tool among the first k; 0 to 1.

    Divides by as many right tools as k places can hold.
    """
    right = set(gold)
    found, total = 0, 0.0
    for rank, tool in enumerate(dict.fromkeys(ranking[:k]), start=1):
        if tool in right:
            found += 1
            total += found / rank
    return total / min(k, len(right))


def reciprocal_rank(ranking: Sequence[str], gold: Sequence[str]) -> float:
    """1 / rank of the first right tool; 0 when there is none."""
    right = set(gold)
    return next((1 / rank for rank, tool in enumerate(ranking, start=1) if tool in right), 0.0)


def with_alternatives(ranking: Sequence[str], alternatives: Mapping[str, Sequence[str]]) -> list[str]:
    """The ranking with each alternative replaced by the gold tool it counts for, the first of equals kept.

    Args:
        ranking: Tools, best first.
        alternatives: Gold tool -> tools that count too.
    """
    stands_for = {other: tool for tool, others in alternatives.items() for other in others}
    return list(dict.fromkeys(stands_for.get(tool, tool) for tool in ranking))
