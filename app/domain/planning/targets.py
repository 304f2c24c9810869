"""Which tools do what a goal asks for, one target per clause, and on which server where there are several."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.domain.language.goal_words import verb_classes
from app.domain.nodes.dependencies import CERTAIN, Requirement
from app.domain.planning.clauses import MAX_CLAUSES, asked_kind, goal_terms, opening_stems, split_clauses
from app.domain.planning.index import PlanIndex, Scores, text_terms
from app.domain.ranking.formulas import by_maximum

CANDIDATES = 10
"""Candidates per clause that the graph may move."""
GOAL_SCORE_WEIGHT = 0.3
KIND = 0.5
SAME_VERB = 0.25
RESOURCE = 0.4
COHERENCE = 0.3
_VERB_WITHIN = 3
_SAME_RESOURCE = 0.5


@dataclass(frozen=True, eq=False)
class ClauseScores:
    """How well each tool does what a clause asks for."""

    clause: str
    scores: Scores
    candidates: tuple[int, ...]
    """The best positions, best first."""


@dataclass(frozen=True, eq=False)
class GoalScores:
    """All clauses of a goal, scored over the tools in scope; positions out of scope have 0 everywhere."""

    goal: str
    clauses: tuple[ClauseScores, ...]
    whole: Scores
    """The text of the whole goal, 0 to 1."""
    left_out: tuple[str, ...] = ()
    """Clauses after the first `MAX_CLAUSES`."""

    @property
    def best_of_clauses(self) -> Scores:
        """Per tool the best score that a clause gives it."""
        best = np.zeros_like(self.whole)
        for clause in self.clauses:
            best = np.maximum(best, clause.scores)
        return best


@dataclass(frozen=True, slots=True)
class PlanTarget:
    """A tool that the goal asks for."""

    at: int
    clause: str
    alternatives: tuple[int, ...]
    """Other candidates of the clause, best first."""


def score_goal(
    index: PlanIndex, goal: str, clauses: Sequence[str], *, scope: AbstractSet[int] | None = None
) -> GoalScores:
    """Score every tool for every clause, of the first `MAX_CLAUSES`.

        score = text / max + 0.3 whole goal + 0.5 kind + 0.25 same verb + 0.4 resource share

    over tools that share a word with the clause or the goal; the other terms count only there.
    """
    mask = _mask(index, scope)
    whole = by_maximum(index.text_scores(goal_terms(goal)) * mask)
    found = []
    for clause in clauses[:MAX_CLAUSES]:
        scores = _clause_scores(index, clause, whole, mask)
        order = np.argsort(-np.round(scores, 6), kind="stable")[:CANDIDATES]
        found.append(ClauseScores(clause, scores, tuple(int(at) for at in order if scores[at] > 0)))
    return GoalScores(goal, tuple(found), whole, tuple(clauses[MAX_CLAUSES:]))


def _mask(index: PlanIndex, scope: AbstractSet[int] | None) -> Scores:
    if scope is None:
        return np.ones(len(index), np.float64)
    mask = np.zeros(len(index), np.float64)
    mask[sorted(scope)] = 1.0
    return mask


def _clause_scores(index: PlanIndex, clause: str, whole: Scores, mask: Scores) -> Scores:
    terms = goal_terms(clause)
    scores = by_maximum(index.text_scores(terms) * mask) + GOAL_SCORE_WEIGHT * whole
    bonus = RESOURCE * index.resource_share(terms)
    kind = asked_kind(clause)
    if kind is not None:
        bonus += KIND * index.kind_fit(kind)
    classes = verb_classes()
    verb = next((word for word in opening_stems(clause, _VERB_WITHIN) if word in classes), None)
    if verb is not None:
        bonus += SAME_VERB * index.same_verb(classes[verb])
    return np.where(scores > 0, scores + bonus, 0.0).astype(np.float64)


def choose_targets(
    index: PlanIndex, goal: GoalScores, needs: Callable[[int], Sequence[Requirement]]
) -> list[PlanTarget]:
    """The best candidate of each clause, each tool once, in clause order.

    A candidate gains up to 0.3 when it can take data from a target of an earlier clause, half of that when it
    is about the same resource.
    """
    chosen: dict[int, PlanTarget] = {}
    for clause in goal.clauses:
        if not clause.candidates:
            continue
        best = float(clause.scores[clause.candidates[0]])

        def worth(at: int, clause: ClauseScores = clause, best: float = best) -> float:
            bonus = _coherence(index, at, chosen, needs(at)) if chosen else 0.0
            return float(clause.scores[at]) / best + COHERENCE * bonus

        order = sorted(clause.candidates, key=lambda at: -round(worth(at), 6))
        if order[0] not in chosen:
            chosen[order[0]] = PlanTarget(order[0], clause.clause, tuple(order[1:]))
    return list(chosen.values())


def _coherence(
    index: PlanIndex, at: int, chosen: Mapping[int, PlanTarget], needs: Sequence[Requirement]
) -> float:
    earlier = {index.traits[other].tool.id for other in chosen}
    fed = max(
        (min(1.0, CERTAIN * need.confidence) for need in needs if need.producer in earlier), default=0.0
    )
    own = index.traits[at]
    same = any(
        index.traits[other].resource == own.resource and index.traits[other].tool.server == own.tool.server
        for other in chosen
    )
    return max(fed, _SAME_RESOURCE if same else 0.0)


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


def score_by_server(index: PlanIndex, goal: str, scope: AbstractSet[int] | None) -> GoalScores:
    """The goal over the server that it is about; a clause that another server fits far better goes there."""
    clauses = split_clauses(goal, catalogue_verbs=index.catalogue_verbs)
    codes = index.server_codes if scope is None else index.server_codes[sorted(scope)]
    votes = server_votes(index, goal, clauses, scope=scope) if np.unique(codes).size > 1 else []
    if not votes:
        return score_goal(index, goal, clauses, scope=scope)
    winner = _positions(index, votes[0][0], scope)
    inside = score_goal(index, goal, clauses, scope=winner)
    rivals = [server for server, worth in votes[1 : 1 + RIVALS] if worth >= RIVAL_SHARE * votes[0][1]]
    if len(inside.clauses) == 1 or not rivals:
        return inside
    others: set[int] = set().union(*(_positions(index, server, scope) for server in rivals))
    wide = score_goal(index, goal, clauses, scope=winner | others)
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
    return ClauseScores(clause.clause, scores, tuple(int(at) for at in order if scores[at] > 0))


def _positions(index: PlanIndex, server: str, scope: AbstractSet[int] | None) -> set[int]:
    found = {int(at) for at in np.flatnonzero(index.server_codes == index.servers.index(server))}
    return found if scope is None else found & scope
