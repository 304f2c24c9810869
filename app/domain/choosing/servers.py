"""On which server a goal is carried out, where there are several."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np
import numpy.typing as npt

from app.domain.choosing.targets import CANDIDATES, ClauseScores, GoalScores, score_goal
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex, text_terms
from app.domain.reading.clauses import MAX_CLAUSES, goal_terms

GOAL_VOTE_WEIGHT = 1.5
"""Weight of the whole goal beside each of its clauses."""
NAMED_VOTE = 0.6
"""What a server gets for a word of its name."""
RIVALS = 2
"""Servers, besides the one that the goal is about, to which a clause may go."""
RIVAL_SHARE = 0.5
"""They have at least this share of its votes."""
AWAY = 2.2
"""A clause goes to a rival whose best tool fits it by this factor better."""


def score_by_server(index: PlanIndex, context: GoalContext, scope: AbstractSet[int] | None) -> GoalScores:
    """The goal over the server that it is about; a task that another server fits far better goes there."""
    goal, clauses = context.goal, [task.words or task.do for task in context.tasks]
    codes = index.server_codes if scope is None else index.server_codes[sorted(scope)]
    votes = server_votes(index, goal, clauses, scope=scope) if np.unique(codes).size > 1 else []
    if not votes:
        return score_goal(index, context, scope=scope)
    winner = _positions(index, votes[0][0], scope)
    inside = score_goal(index, context, scope=winner)
    rivals = [server for server, worth in votes[1 : 1 + RIVALS] if worth >= RIVAL_SHARE * votes[0][1]]
    if len(inside.clauses) == 1 or not rivals:
        return inside
    others: set[int] = set().union(*(_positions(index, server, scope) for server in rivals))
    wide = score_goal(index, context, scope=winner | others)
    at_home, away = np.array(sorted(winner)), np.array(sorted(others))
    scored = [
        _only(found, away)
        if found.scores[away].max(initial=0.0) >= AWAY * found.scores[at_home].max(initial=0.0) > 0
        else own
        for own, found in zip(inside.clauses, wide.clauses, strict=True)
    ]
    return GoalScores(goal, tuple(scored), np.maximum(inside.whole, wide.whole), inside.left_out)


def server_votes(
    index: PlanIndex, goal: str, clauses: Sequence[str], *, scope: AbstractSet[int] | None = None
) -> list[tuple[str, float]]:
    """Servers with their votes, best first; ties by name. Servers that share no word with the goal are left out.

        votes(s) = sum over clauses of best(s) / max best + 1.5 best(s, whole goal) / max best + 0.6 if named

    best(s) is the highest text score of a tool of the server; a server is named by any word of its name.
    """
    positions = np.arange(len(index)) if scope is None else np.array(sorted(scope), np.intp)
    of_tool = index.server_codes[positions]
    votes = np.zeros(len(index.servers))
    for text, weight in [*((clause, 1.0) for clause in clauses[:MAX_CLAUSES]), (goal, GOAL_VOTE_WEIGHT)]:
        best = np.zeros(len(index.servers))
        np.maximum.at(best, of_tool, index.text_scores(goal_terms(text))[positions])
        if best.max(initial=0.0) > 0:
            votes += weight * best / best.max()
    said = set(goal_terms(goal))
    for at in np.flatnonzero(votes):
        if not said.isdisjoint(_server_terms(index.servers[at])):
            votes[at] += NAMED_VOTE
    order = sorted(np.flatnonzero(votes), key=lambda at: (-round(float(votes[at]), 9), index.servers[at]))
    return [(index.servers[at], float(votes[at])) for at in order]


def _server_terms(name: str) -> Sequence[str]:
    return [term for term in text_terms(name) if len(term) > 2]


def _only(clause: ClauseScores, positions: npt.NDArray[np.intp]) -> ClauseScores:
    """The clause scored over these tools alone."""
    scores = np.zeros_like(clause.scores)
    scores[positions] = clause.scores[positions]
    order = np.argsort(-np.round(scores, 6), kind="stable")[:CANDIDATES]
    return ClauseScores(
        clause.number, clause.clause, scores, tuple(int(at) for at in order if scores[at] > 0)
    )


def _positions(index: PlanIndex, server: str, scope: AbstractSet[int] | None) -> set[int]:
    found = {int(at) for at in np.flatnonzero(index.server_codes == index.servers.index(server))}
    return found if scope is None else found & scope
