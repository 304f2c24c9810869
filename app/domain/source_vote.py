"""Which server a goal speaks to, when there are several."""

from collections.abc import Sequence, Set as AbstractSet

import numpy as np

from app.domain.clauses import goal_terms, split_clauses
from app.domain.plan_index import PlanIndex, text_terms

WHOLE_GOAL = 1.5
NAMED = 0.6


def vote(index: PlanIndex, goal: str, *, scope: AbstractSet[int] | None = None) -> list[tuple[str, float]]:
    """Servers with their votes, best first; ties by name. Servers that share no word with the goal are left out.

        votes(s) = sum over clauses of best(s) / max best + 1.5 best(s, whole goal) / max best + 0.6 if named

    best(s) is the highest text score of a tool of the server; a server is named by any word of its name.
    """
    positions = np.array(sorted(scope) if scope is not None else range(len(index)), np.intp)
    if not positions.size:
        return []
    names, of_tool = np.unique(index.servers[positions], return_inverse=True)
    votes = np.zeros(len(names))
    clauses = split_clauses(goal, catalogue_verbs=index.catalogue_verbs)
    for text, weight in [*((clause, 1.0) for clause in clauses), (goal, WHOLE_GOAL)]:
        best = np.zeros(len(names))
        np.maximum.at(best, of_tool, index.text_scores(goal_terms(text))[positions])
        if best.max() > 0:
            votes += weight * best / best.max()
    said = set(goal_terms(goal))
    for at, name in enumerate(names):
        if votes[at] > 0 and not said.isdisjoint(_server_terms(str(name))):
            votes[at] += NAMED
    order = sorted(range(len(names)), key=lambda at: (-round(float(votes[at]), 9), str(names[at])))
    return [(str(names[at]), float(votes[at])) for at in order if votes[at] > 0]


def _server_terms(name: str) -> Sequence[str]:
    return [term for term in text_terms(name) if len(term) > 2]  # noqa: PLR2004
