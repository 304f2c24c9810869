"""Which servers the clauses of a goal go to, where there are several."""

from collections.abc import Set as AbstractSet

import numpy as np
import numpy.typing as npt

from app.domain.planning.index import PlanIndex
from app.domain.planning.source_vote import vote
from app.domain.planning.targets import CANDIDATES, ClauseScores, GoalScores, score_goal

RIVALS = 2
"""Servers beside the one that the goal speaks to which a clause may go to."""
RIVAL_SHARE = 0.5
"""They have at least this share of its votes."""
AWAY = 2.2
"""A clause goes to a rival whose best tool fits it by this factor better."""


def score_by_server(index: PlanIndex, goal: str, scope: AbstractSet[int] | None) -> GoalScores:
    """The goal over the server that it speaks to; a clause that another one serves far better goes there."""
    codes = index.server_codes if scope is None else index.server_codes[sorted(scope)]
    votes = vote(index, goal, scope=scope) if np.unique(codes).size > 1 else []
    if not votes:
        return score_goal(index, goal, scope=scope)
    winner = _positions(index, votes[0][0], scope)
    inside = score_goal(index, goal, scope=winner)
    rivals = [server for server, worth in votes[1 : 1 + RIVALS] if worth >= RIVAL_SHARE * votes[0][1]]
    if len(inside.clauses) == 1 or not rivals:
        return inside
    others: set[int] = set().union(*(_positions(index, server, scope) for server in rivals))
    wide = score_goal(index, goal, scope=winner | others)
    at_home, away = np.array(sorted(winner)), np.array(sorted(others))
    clauses = [
        _only(found, away)
        if found.scores[away].max(initial=0.0) >= AWAY * found.scores[at_home].max(initial=0.0) > 0
        else own
        for own, found in zip(inside.clauses, wide.clauses, strict=True)
    ]
    return GoalScores(goal, tuple(clauses), np.maximum(inside.whole, wide.whole), inside.left_out)


def _only(clause: ClauseScores, positions: npt.NDArray[np.intp]) -> ClauseScores:
    """The clause scored over these tools alone."""
    scores = np.zeros_like(clause.scores)
    scores[positions] = clause.scores[positions]
    order = np.argsort(-np.round(scores, 6), kind="stable")[:CANDIDATES]
    return ClauseScores(clause.clause, scores, tuple(int(at) for at in order if scores[at] > 0))


def _positions(index: PlanIndex, server: str, scope: AbstractSet[int] | None) -> set[int]:
    found = {int(at) for at in np.flatnonzero(index.server_codes == index.servers.index(server))}
    return found if scope is None else found & scope
