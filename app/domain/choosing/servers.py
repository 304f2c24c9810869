"""On which server a goal is carried out, where there are several."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from app.domain.choosing.recipe import RECIPE
from app.domain.choosing.targets import CANDIDATES, ClauseScores, GoalScores, score_goal
from app.domain.nodes.dependencies import Requirement
from app.domain.nodes.models import ToolId
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.ranking.formulas import Positions
from app.domain.ranking.runs import are_among, best_first, highest_of, union
from app.domain.reading.clauses.cutting import MAX_CLAUSES
from app.domain.reading.clauses.words import goal_terms

GOAL_VOTE_WEIGHT = 1.5
"""Weight of the whole goal beside each of its clauses."""
NAMED_VOTE = 0.6
"""What a server gets for a word of its name."""
_SEVERAL = 2
RIVALS = 2
"""Servers, besides the one that the goal is about, to which a clause may go."""
RIVAL_SHARE = 0.5
"""They have at least this share of its votes."""
AWAY = 2.2
"""A clause goes to a rival whose best tool fits it by this factor better."""
YIELDS = 1.3
"""What gives way is chosen where it fits by this factor better than all else. Of 20 goals of LiveMCPBench that a stranger's
tool repeats word for word, 12 plans then call it instead of 17, and of the right tools plans call .208 instead of .222 where
a half of all servers gives way; at 2.2 it is 7 plans and .17, at 1.1 15 and .213."""


@dataclass(frozen=True, eq=False)
class ServerChoice:
    """Which servers a goal is about, compared over all from which one may be chosen.

    A document about other things takes part in this, and in how rare words are; it does not say how the goal is read.
    """

    index: PlanIndex
    context: GoalContext
    scope: AbstractSet[int] | None
    """Positions that may be used; all when None."""

    @cached_property
    def allowed(self) -> Positions | None:
        """`scope`, rising."""
        return None if self.scope is None else np.array(sorted(self.scope), np.intp)

    @cached_property
    def positions(self) -> Positions:
        """What may be used, rising."""
        return np.arange(len(self.index)) if self.allowed is None else self.allowed

    @cached_property
    def voted(self) -> Sequence[str]:
        """The server that the goal's words are about, then those to which one of its tasks may go; nothing where they say none."""
        return self.among(self.allowed)

    @property
    def asked(self) -> Sequence[str]:
        """The same; where words say none the one with the tool that is closest in meaning, and all where that is not known."""
        return self.voted or self._closest or self._servers(self.allowed)

    @property
    def _closest(self) -> Sequence[str]:
        meant = self.context.meant
        near = highest_of([found for one in meant for found in (one.cosines, one.suggested)])
        near = near if self.allowed is None else near.within(self.allowed)
        best = [at for at in best_first(near, 1) if near.score(at) >= RECIPE.not_far]
        return [self.index.tools[at].server for at in best]

    def among(self, allowed: Positions | None) -> Sequence[str]:
        """The same of some positions, all when None; nothing where no server shares a word with the goal."""
        servers = self._servers(allowed)
        if len(servers) < _SEVERAL:
            return servers
        clauses = [task.words or task.do for task in self.context.tasks]
        votes = server_votes(self.index, self.context.goal, clauses, scope=allowed)
        return [server for server, worth in votes if worth >= RIVAL_SHARE * votes[0][1]]

    def _servers(self, allowed: Positions | None) -> Sequence[str]:
        return self.index.servers if allowed is None else self.index.servers_at(allowed)


def score_by_server(
    index: PlanIndex,
    context: GoalContext,
    choice: ServerChoice,
    yields: Callable[[int], bool] | None = None,
) -> GoalScores:
    """The goal over the server that it is about; a task that another server fits far better goes there.

    Args:
        index: The catalogue.
        context: The goal.
        choice: Of these servers.
        yields: Whether a tool gives way to others, at a position. It does a task only where it fits it by more than
            `YIELDS` better than all that do not give way.
    """
    own = _scored(index, context, choice.asked, choice.allowed)
    if yields is None or not any(yields(at) for clause in own.clauses for at in clause.candidates):
        return own
    allowed = choice.positions
    staying = allowed[[not yields(at) for at in allowed.tolist()]]
    others = _scored(index, context, choice.among(staying), staying)
    reached = (clause.scores.positions for found in (own, others) for clause in found.clauses)
    wide = score_goal(index, context, scope=union(list(reached), among=len(index)))
    scored = [
        _shared(first, then, found)
        for first, then, found in zip(own.clauses, others.clauses, wide.clauses, strict=True)
    ]
    return replace(own, clauses=tuple(scored), whole=highest_of((own.whole, others.whole)))


def _scored(
    index: PlanIndex, context: GoalContext, servers: Sequence[str], allowed: Positions | None
) -> GoalScores:
    """The goal over the first of some servers; the others are its rivals."""
    if not servers:
        return score_goal(index, context, scope=allowed)
    winner = _positions(index, servers[0], allowed)
    inside = score_goal(index, context, scope=winner)
    rivals = servers[1 : 1 + RIVALS]
    if len(inside.clauses) == 1 or not rivals:
        return inside
    others = np.unique(np.concatenate([_positions(index, server, allowed) for server in rivals]))
    wide = score_goal(index, context, scope=np.union1d(winner, others))
    scored = [
        _only(found, others)
        if found.scores.within(others).highest >= AWAY * found.scores.within(winner).highest > 0
        else own
        for own, found in zip(inside.clauses, wide.clauses, strict=True)
    ]
    return GoalScores(context.goal, tuple(scored), highest_of((inside.whole, wide.whole)), inside.left_out)


def server_votes(
    index: PlanIndex, goal: str, clauses: Sequence[str], *, scope: Positions | None = None
) -> list[tuple[str, float]]:
    """The best server and its rivals with their votes, best first; ties by name; only those that share a word with the
    goal.

        votes(s) = sum over clauses of best(s) / max best + 1.5 best(s, whole goal) / max best + 0.6 if named

    best(s) is the highest text score of a tool of the server; a server is named by any word of its name.
    """
    votes = np.zeros(len(index.servers))
    for text, weight in [*((clause, 1.0) for clause in clauses[:MAX_CLAUSES]), (goal, GOAL_VOTE_WEIGHT)]:
        best = np.zeros(len(index.servers))
        found = index.text_scores(goal_terms(text))
        if scope is not None:
            found = found.within(scope)
        np.maximum.at(best, index.server_codes[found.positions], found.scores)
        if best.max(initial=0.0) > 0:
            votes += weight * best / best.max()
    named = np.zeros(votes.size, np.bool_)
    for term in {*goal_terms(goal)}:
        named[index.columns.named_codes(term)] = True
    votes[named & (votes > 0)] += NAMED_VOTE
    voted = np.flatnonzero(votes > 0)
    # Servers are sorted by name.
    order = voted[np.argsort(-np.round(votes[voted], 9), kind="stable")[: 1 + RIVALS]].tolist()
    return [(index.servers[at], float(votes[at])) for at in order]


def _shared(own: ClauseScores, others: ClauseScores, wide: ClauseScores) -> ClauseScores:
    """A clause by those that give way to none, unless the best of all fits it far better."""
    best = wide.scores.within(others.scores.positions).highest
    return others if YIELDS * best >= wide.scores.within(own.scores.positions).highest > 0 else own


def _only(clause: ClauseScores, positions: Positions) -> ClauseScores:
    """The clause scored over these tools alone."""
    scores = clause.scores.within(positions)
    return replace(
        clause,
        scores=scores,
        candidates=tuple(best_first(scores, CANDIDATES)),
        close=clause.close.within(positions),
    )


def _positions(index: PlanIndex, server: str, scope: Positions | None) -> Positions:
    found = np.array(index.of_server(server), np.intp)
    return found if scope is None else found[are_among(found, scope)]


def reviewed_first(
    edges: Sequence[Requirement], index: PlanIndex, yields: Callable[[int], bool]
) -> Sequence[Requirement]:
    """The edges without producers that give way where another one gives the same input; those of a tool's own server stay.

    Args:
        edges: What may be needed.
        index: The catalogue.
        yields: Whether a tool gives way to others, at a position.
    """
    late = {
        producer
        for producer in {edge.producer for edge in edges}
        if producer in index.position and yields(index.position[producer])
    }
    if not late:
        return edges

    def server(tool: ToolId) -> str | None:
        return index.tools[index.position[tool]].server if tool in index.position else None

    foreign = [edge.producer in late and server(edge.producer) != server(edge.consumer) for edge in edges]
    given = {(edge.consumer, edge.parameter) for edge, last in zip(edges, foreign, strict=True) if not last}
    return [
        edge
        for edge, last in zip(edges, foreign, strict=True)
        if not last or (edge.consumer, edge.parameter) not in given
    ]
