"""Which tools do what a goal asks for, one target per clause, and on which server where there are several."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from app.domain.language.goal_words import verb_classes
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import CERTAIN, Requirement
from app.domain.planning.clauses import MAX_CLAUSES, goal_terms
from app.domain.planning.context import GoalContext, TaskWords
from app.domain.planning.index import PlanIndex, Scores, text_terms
from app.domain.ranking.formulas import by_maximum
from app.domain.reading.models import ValueKind
from app.domain.workflows.plans import UnmetTask

CANDIDATES = 10
"""Candidates per clause that the graph may move."""
POOL = 25
"""Candidates per task whose inputs are looked at."""
STATE = 0.6
VALUES = 0.45
_RANKED = 0.6
"""What a text counts that no word leads to its input."""
NAMING = frozenset(
    (ValueKind.EMAIL, ValueKind.NAME, ValueKind.QUOTED, ValueKind.ID, ValueKind.MENTION, ValueKind.CHANNEL)
)
"""Kinds of values by which things are looked up."""
UNSAID = 0.08
OBJECT = 0.15
_READING = (OperationKind.GET, OperationKind.LIST, OperationKind.SEARCH)
_SELF = frozenset(("me", "self", "current", "user"))
"""Stems in paths that stand for whoever calls: nobody says them."""
_MOVING = (OperationKind.CREATE, OperationKind.DELETE, OperationKind.ACTION)
_OUTDATED = 0.1
_NEAR_ENOUGH = 0.7
"""Share of the best candidate's worth from which another takes its place because that does not fit."""
_TELLING = 2
"""Nouns and values of a task from which it can be told that a call has nothing to do with it."""
_UNFILLED = 0.04
_WHOLE = 0.15
_UNASKED_DELETE = 0.8
LEAST_COVERAGE = 0.1
"""Share of a task's nouns, by rarity, that a call has to know."""
GOAL_SCORE_WEIGHT = 0.3
KIND = 0.5
SAME_VERB = 0.25
RESOURCE = 0.4
COHERENCE = 0.3
_VERB_WITHIN = 3
_SAME_RESOURCE = 0.5


@dataclass(frozen=True, eq=False)
class ClauseScores:
    """How well each tool does what a task asks for."""

    number: int
    """Of the task in the reading, from 0."""
    clause: str
    scores: Scores
    candidates: tuple[int, ...]
    """The best positions, best first."""


@dataclass(frozen=True, eq=False)
class GoalScores:
    """All tasks of a goal, scored over the tools in scope; positions out of scope have 0 everywhere."""

    goal: str
    clauses: tuple[ClauseScores, ...]
    whole: Scores
    """The text of the whole goal, 0 to 1."""
    left_out: tuple[str, ...] = ()
    """Tasks after the first `MAX_CLAUSES`."""

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
    number: int
    """Of the task that it is for, from 0."""
    clause: str
    alternatives: tuple[int, ...]
    """Other candidates of the clause, best first."""
    also: tuple[int, ...] = ()
    """Later tasks that the same call serves."""


def score_goal(
    index: PlanIndex, context: GoalContext, *, scope: AbstractSet[int] | None = None
) -> GoalScores:
    """Score every tool for every task, of the first `MAX_CLAUSES`.

        score = text / max + 0.3 whole goal + 0.5 kind + 0.25 same verb + 0.4 resource share + 0.6 state

    over tools that share a word with the task or the goal, or have a state that it names; the other terms count
    only there.
    """
    mask = _mask(index, scope)
    whole = by_maximum(index.text_scores(context.terms) * mask)
    found = []
    for number, words in enumerate(context.words[:MAX_CLAUSES]):
        scores = _clause_scores(index, words, whole, mask)
        order = np.argsort(-np.round(scores, 6), kind="stable")[:POOL]
        candidates = tuple(int(at) for at in order if scores[at] > 0)
        found.append(ClauseScores(number, context.tasks[number].do, scores, candidates))
    left_out = tuple(task.do for task in context.tasks[MAX_CLAUSES:])
    return GoalScores(context.goal, tuple(found), whole, left_out)


def _mask(index: PlanIndex, scope: AbstractSet[int] | None) -> Scores:
    if scope is None:
        return np.ones(len(index), np.float64)
    mask = np.zeros(len(index), np.float64)
    mask[sorted(scope)] = 1.0
    return mask


def _clause_scores(index: PlanIndex, words: TaskWords, whole: Scores, mask: Scores) -> Scores:
    scores = by_maximum(index.text_scores(words.terms) * mask) + GOAL_SCORE_WEIGHT * whole
    bonus = RESOURCE * index.resource_share(words.terms)
    if words.kind is not None:
        bonus += KIND * index.kind_fit(words.kind)
    classes = verb_classes()
    verb = next((word for word in words.stems[:_VERB_WITHIN] if word in classes), None)
    if verb is not None:
        bonus += SAME_VERB * index.same_verb(classes[verb])
    states = STATE * index.states.fit(frozenset(words.stems), words.verb)
    bonus += states
    return np.where((scores > 0) & (mask > 0), scores + bonus, 0.0).astype(np.float64)


def choose_targets(
    index: PlanIndex,
    context: GoalContext,
    goal: GoalScores,
    needs: Callable[[int], Sequence[Requirement]],
    *,
    banned: Callable[[int], bool] = lambda at: False,
) -> tuple[list[PlanTarget], list[UnmetTask]]:
    """The best candidate of each task, each tool once, in their order, and the tasks that none fits.

    A candidate gains what `fit_of` says of its inputs, and up to 0.3 when it can take data from a target of an
    earlier task, half of that when it is about the same resource.
    """
    chosen: dict[int, PlanTarget] = {}
    unmet: list[UnmetTask] = []
    for clause in goal.clauses:
        words = context.words[clause.number]
        candidates = [at for at in clause.candidates if not banned(at)]
        if not candidates:
            unmet.append(UnmetTask(task=clause.clause, reason="no tool has a word of it"))
            continue
        best = float(clause.scores[candidates[0]])

        def worth(at: int, clause: ClauseScores = clause, best: float = best) -> float:
            bonus = _coherence(index, at, chosen, needs(at)) if chosen else 0.0
            fit = fit_of(index, context, clause.number, at)
            return float(clause.scores[at]) / best + COHERENCE * bonus + fit

        order = sorted(candidates, key=lambda at: -round(worth(at), 6))
        top = next(
            (at for at in order[:CANDIDATES] if _fits(index, context, clause.number, at, chosen)), None
        )
        if top is not None and worth(top) < _NEAR_ENOUGH * worth(order[0]):
            top = None
        if top is None:
            unmet.append(UnmetTask(task=clause.clause, reason="no tool fits it well enough"))
            continue
        if top in chosen:
            earlier = chosen[top]
            chosen[top] = replace(earlier, also=(*earlier.also, clause.number))
        else:
            others = tuple(at for at in order[:CANDIDATES] if at != top)
            chosen[top] = PlanTarget(top, clause.number, clause.clause, others)
    return list(chosen.values()), unmet


def fit_of(index: PlanIndex, context: GoalContext, number: int, at: int) -> float:
    """What speaks for a call besides its words: values that it takes, against words of its path that nobody said."""
    form = index.form(at)
    found = context.assigned(number, at, form)
    local = [one for one in context.said_for(number) if one.local and not one.value.weak]
    taken: float = sum((_RANKED if one.at in found.by_rank else 1.0) for one in local if one.at in found.used)
    pending = sum(
        one.item.required and one.identifies and one.item.pointer not in found.known for one in form.forms
    )
    unfilled = sum(
        one.item.required
        and not one.item.has_default
        and not one.item.is_container
        and one.item.location != "path"
        and one.item.pointer not in found.known
        and one.item.pointer not in found.asked
        for one in form.forms
    )
    # What a thing is called finds its id, by a call before this one.
    resource = index.traits[at].resource
    taken += min(
        pending,
        sum(
            1
            for one in local
            if one.at not in found.used and (one.value.kind in NAMING or resource & {*one.nouns[-1:]})
        ),
    )
    fit = VALUES * (taken / len(local) if local else 0.0) + 0.06 * min(4.0, found.weight)
    said = context.all_stems | _SELF
    if local:
        fit -= _UNFILLED * min(unfilled, 3)
    fit -= UNSAID * len(index.traits[at].path_words - said)
    traits = index.traits[at]
    if traits.tool.deprecated:
        fit -= _OUTDATED
    if traits.tool.method == "PUT" and index.has_patch(at):
        # A part of a thing is changed by PATCH; PUT would replace the rest of it.
        fit -= _WHOLE
    words = context.words[number]
    if traits.kind is OperationKind.DELETE and words.kind is not OperationKind.DELETE and not words.ends:
        fit -= _UNASKED_DELETE
    if words.object in traits.resource and words.kind not in _READING and not traits.safe:
        fit += OBJECT
    if (
        words.towards
        and words.kind in _MOVING
        and not traits.safe
        and words.towards in traits.path_words | traits.resource
    ):
        fit += OBJECT
    return fit


def _fits(
    index: PlanIndex, context: GoalContext, number: int, at: int, chosen: Mapping[int, PlanTarget]
) -> bool:
    """Whether a call is about what a task is about: it knows one of the task's nouns, or takes one of its values.

    A verb alone does not make a call fit: to transfer money to a landlord is not to transfer a playback.
    """
    words = context.words[number]
    own = [one for one in context.said_for(number) if one.local and not one.value.weak]
    if not words.nouns:
        return True
    if len(words.nouns) + len(own) < _TELLING:
        return True
    if (
        chosen
        and words.has_pronoun
        and any(index.traits[other].resource & index.traits[at].path_words for other in chosen)
    ):
        return True
    found = context.assigned(number, at, index.form(at))
    if found.states or any(
        one.at in found.used and one.at not in found.by_rank | found.guessed for one in own
    ):
        return True
    # What a thing is called may be looked up; an amount that nothing takes speaks of something else.
    strange = any(one.at not in found.used and one.value.kind not in NAMING for one in own)
    if words.verb in index.traits[at].spoken and not strange:
        return True
    return index.coverage(at, words.nouns) >= LEAST_COVERAGE


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
