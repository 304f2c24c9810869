"""How good a plan is, given the calls that would have been right."""

from collections.abc import Sequence
from itertools import pairwise


def common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest sequence that both hold in order, not necessarily side by side."""
    lengths = [0] * (len(other) + 1)
    for left in one:
        diagonal = 0
        for at, right in enumerate(other, start=1):
            above = lengths[at]
            lengths[at] = diagonal + 1 if left == right else max(above, lengths[at - 1])
            diagonal = above
    return lengths[-1]


def exact_set(plan: Sequence[str], gold: Sequence[str]) -> float:
    """1 when plan and gold name the same calls, else 0."""
    return float(set(plan) == set(gold))


def plan_recall(plan: Sequence[str], gold: Sequence[str]) -> float:
    """Share of the gold calls that the plan has."""
    return len(set(plan) & set(gold)) / len(set(gold))


def plan_precision(plan: Sequence[str], gold: Sequence[str]) -> float:
    """Share of the plan's calls that are gold; 0 for an empty plan."""
    return len(set(plan) & set(gold)) / max(1, len(plan))


def path_recall(plan: Sequence[str], gold: Sequence[str]) -> float:
    """Longest common subsequence of plan and gold / length of gold."""
    return common_subsequence(plan, gold) / len(gold)


def set_recall(ranking: Sequence[str], gold: Sequence[str], k: int | None = None) -> float:
    """Share of the gold calls among the k first of the ranking; k = |set(gold)| when None."""
    wanted = set(gold)
    return len(set(ranking[: k or len(wanted)]) & wanted) / len(wanted)


def ordered_pairs(plan: Sequence[str], gold: Sequence[str]) -> tuple[int, int]:
    """(in the right order, all) of the consecutive gold pairs whose calls are both in the plan."""
    place = {call: at for at, call in enumerate(plan)}
    both = [(a, b) for a, b in pairwise(gold) if a != b and a in place and b in place]
    return sum(place[a] < place[b] for a, b in both), len(both)
