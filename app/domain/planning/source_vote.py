"""Which server a goal speaks to, when there are several."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from app.domain.planning.clauses import MAX_CLAUSES, goal_terms, split_clauses
from app.domain.planning.index import PlanIndex, text_terms

WHOLE_GOAL = 1.5
NAMED = 0.6


def vote(index: PlanIndex, goal: str, *, scope: AbstractSet[int] | None = None) -> list[tuple[str, float]]:
    """Servers with their votes, best first; ties by name. Servers that share no word with the goal are left out.

        votes(s) = sum over clauses of best(s) / max best + 1.5 best(s, whole goal) / max best + 0.6 if named

    best(s) is the highest text score of a tool of the server; a server is named by any word of its name.
    """
    positions = np.arange(len(index)) if scope is None else np.array(sorted(scope), np.intp)
    of_tool = index.server_codes[positions]
    votes = np.zeros(len(index.servers))
    clauses = split_clauses(goal, catalogue_verbs=index.catalogue_verbs)[:MAX_CLAUSES]
    for text, weight in [*((clause, 1.0) for clause in clauses), (goal, WHOLE_GOAL)]:
        best = np.zeros(len(index.servers))
        np.maximum.at(best, of_tool, index.text_scores(goal_terms(text))[positions])
        if best.max(initial=0.0) > 0:
            votes += weight * best / best.max()
    said = set(goal_terms(goal))
    for at in np.flatnonzero(votes):
        if not said.isdisjoint(_server_terms(index.servers[at])):
            votes[at] += NAMED
    order = sorted(np.flatnonzero(votes), key=lambda at: (-round(float(votes[at]), 9), index.servers[at]))
    return [(index.servers[at], float(votes[at])) for at in order]


def _server_terms(name: str) -> Sequence[str]:
    return [term for term in text_terms(name) if len(term) > 2]
