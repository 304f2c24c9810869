"""Which tools do what a goal asks for, one target per clause, and on which server where there are several."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.domain.choosing.acts import (
    is_other_act,
    makes_the_whole,
    may_be_meant,
    same_root,
)
from app.domain.choosing.candidate import Candidate
from app.domain.choosing.fitness import fit_of
from app.domain.choosing.going_on import (
    gone_on_with,
    on_the_same,
    only_names_values,
    said_where_made,
    says_more,
    without_parts_of_new,
)
from app.domain.choosing.guesses import is_guess
from app.domain.choosing.near import closeness, nearest
from app.domain.choosing.paths import list_of_all, part_of_it, whole_of_it, without_the_way
from app.domain.choosing.recipe import RECIPE
from app.domain.choosing.ruled import RuledChoice, choose_by_rules
from app.domain.choosing.weighing import WeighedCalls, sureness
from app.domain.language.goal_words import verb_classes
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import CERTAIN, Requirement
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.made import made_field
from app.domain.planning.meant import TaskMeaning
from app.domain.ranking.formulas import Positions
from app.domain.ranking.runs import Reached, best_first, highest_of, union
from app.domain.reading.clauses.cutting import MAX_CLAUSES
from app.domain.tasks.task_words import TaskWords
from app.domain.workflows.plans import ASKS_NOTHING, UnmetTask

CANDIDATES = 10
"""Candidates per clause that the graph may move."""
POOL = 25
"""Candidates per task whose inputs are looked at."""
_FURTHER = 4 * POOL
"""So far down the list is looked for calls on what was spoken of."""
_DEEP = 3
"""Members of a JSON pointer to an input from which on it says little of the whole."""
_VERB_WITHIN = 3


UNFIT = "no tool fits it well enough"
"""Why a task has no call, where some share words with it."""


@dataclass(frozen=True, eq=False)
class ClauseScores:
    """How well each tool does what a task asks for."""

    number: int
    """Of the task in the reading, from 0."""
    clause: str
    scores: Reached
    candidates: tuple[int, ...]
    """The best positions, best first."""
    close: Reached
    """The tools that were compared with the task in meaning, each with its cosine."""


@dataclass(frozen=True, eq=False)
class GoalScores:
    """All tasks of a goal, scored over those tools in scope that share a word with the task or the goal."""

    goal: str
    clauses: tuple[ClauseScores, ...]
    whole: Reached
    """The text of the whole goal, 0 to 1."""
    left_out: tuple[str, ...] = ()
    """Tasks after the first `MAX_CLAUSES`."""

    @property
    def best_of_clauses(self) -> Reached:
        """Per tool the best score that a clause gives it."""
        return highest_of([clause.scores for clause in self.clauses])


class _Choice(NamedTuple):
    """The call that is chosen for a task, among those that may do it."""

    top: int
    candidates: Mapping[int, Candidate]
    ruled: RuledChoice


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
    by_goal: bool = False
    """Whether all of the goal led to it, and no task by itself."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Of all tasks that the call serves, its own first."""
        return (self.number, *self.also)


def score_goal(index: PlanIndex, context: GoalContext, *, scope: Positions | None = None) -> GoalScores:
    """Score the tools for every task, of the first `MAX_CLAUSES`.

        score = text / max + 0.3 whole goal + closeness in meaning + 0.2 suggested by a common method
              + 0.5 kind + 0.25 same verb + 0.4 resource share + 0.6 state

    over tools that share a word with the task or the goal, are among the closest in meaning or are suggested; the other
    terms count only there.

    Args:
        index: The catalogue.
        context: The goal.
        scope: Positions that may be used, rising; all when None.
    """
    whole = _text(index, context.terms, scope).scaled()
    found = []
    for number, words in enumerate(context.words[:MAX_CLAUSES]):
        meaning = context.meaning(number).within(scope)
        scores = _clause_scores(index, words, whole, scope, meaning)
        candidates = tuple(best_first(scores, POOL))
        found.append(ClauseScores(number, context.tasks[number].do, scores, candidates, meaning.cosines))
    left_out = tuple(task.do for task in context.tasks[MAX_CLAUSES:])
    return GoalScores(context.goal, tuple(found), whole, left_out)


def _text(index: PlanIndex, terms: Sequence[str], scope: Positions | None) -> Reached:
    found = index.text_scores(terms)
    return found if scope is None else found.within(scope)


def _clause_scores(
    index: PlanIndex,
    words: TaskWords,
    whole: Reached,
    scope: Positions | None,
    meaning: TaskMeaning,
) -> Reached:
    own = _text(index, words.terms, scope).scaled()
    suggested = meaning.suggested
    reached = (own.positions, whole.positions, nearest(meaning.cosines), suggested.positions)
    at = union(reached, among=len(index))
    scores = own.at(at) + RECIPE.whole_goal * whole.at(at)
    scores = scores + RECIPE.meaning * closeness(meaning.cosines).within(at).at(at)
    scores = scores + RECIPE.suggested * suggested.at(at)
    bonus = RECIPE.resource * index.resource_share(words.terms, at=at)
    if words.kind is not None:
        bonus += RECIPE.kind * index.kind_fit(words.kind, at=at)
    classes = verb_classes()
    verb = next((word for word in words.stems[:_VERB_WITHIN] if word in classes), None)
    if verb is not None:
        bonus += RECIPE.same_verb * index.same_verb(classes[verb], at=at)
    # `open a bug` makes one: its verb says no state.
    making = words.kind is OperationKind.CREATE
    stems = frozenset(words.stems) - ({words.verb} if making else frozenset())
    bonus += RECIPE.state * index.state_fit(stems, "" if making else words.verb, at=at)
    return Reached(at, scores + bonus)


def choose_targets(
    index: PlanIndex,
    context: GoalContext,
    goal: GoalScores,
    needs: Callable[[int], Sequence[Requirement]],
    *,
    banned: Callable[[int], bool] = lambda _at: False,
) -> tuple[list[PlanTarget], list[UnmetTask]]:
    """The best candidate of each task, each tool once, in their order, and the tasks that none fits.

    A candidate gains what `fit_of` says of its inputs, and up to 0.3 when it can take data from a target of an
    earlier task, half of that when it is about the same resource.
    """
    chosen: dict[int, PlanTarget] = {}
    unmet: list[UnmetTask] = []
    missing: set[int] = set()
    """Tasks that would have made what a later one may speak of."""

    def by_task() -> dict[int, int]:
        return {number: at for at, one in chosen.items() for number in one.numbers}

    def more_of_before(clause: ClauseScores) -> int | None:
        return gone_on_with(index, context, clause.number, by_task(), clause.close)

    def join_to(at: int, clause: ClauseScores) -> None:
        chosen[at] = replace(chosen[at], also=(*chosen[at].also, clause.number))

    def leave(clause: ClauseScores, reason: str, *, makes: bool) -> None:
        if not clause.clause.strip(" .,;:!?"):
            unmet.append(UnmetTask(task=context.asked or context.goal, reason=ASKS_NOTHING))
            return
        more_of = more_of_before(clause)
        if more_of is not None:
            join_to(more_of, clause)
            return
        unmet.append(UnmetTask(task=clause.clause, reason=reason))
        if makes:
            missing.add(clause.number)

    for clause in goal.clauses:
        words = context.words[clause.number]
        makes = words.kind is OperationKind.CREATE
        if clause.number - 1 in missing and words.has_pronoun and not makes:
            # `assign it`: what is not made cannot be assigned, nor what comes after it.
            leave(clause, "what it speaks of is not made", makes=True)
            continue
        if (made := _made_with(index, context, clause.number, chosen)) is not None:
            join_to(made, clause)
            continue
        if only_names_values(context, clause.number) and (before := more_of_before(clause)) is not None:
            join_to(before, clause)
            continue
        found = {
            at: Candidate(index, context, clause.number, at, clause.close)
            for at in (*clause.candidates, *_further_on(index, clause, words, chosen))
            if not banned(at)
        }
        allowed = {at: one for at, one in found.items() if not is_other_act(one)}
        allowed = {at: one for at, one in allowed.items() if not makes_the_whole(one, allowed.values())}
        possible = without_parts_of_new(allowed, by_task(), clause.number)
        candidates = on_the_same(possible, by_task(), clause.number)
        choice = _chosen_of(clause, candidates, chosen, needs)
        if choice is None:
            wider = {at: one for at, one in found.items() if at in candidates or may_be_meant(one)}
            choice = _meant_by_another_noun(clause, wider, chosen, needs)
        if choice is None:
            reason = UNFIT if clause.candidates else "no tool has a word of it"
            leave(clause, reason, makes=makes)
            continue
        top, candidates, ruled = choice
        one = candidates[top]
        # `send the customer a mail` points at no invoice that could be sent.
        points_nowhere = bool(one.pending) and not one.own
        if top not in chosen and (points_nowhere or not one.is_spoken):
            more_of = more_of_before(clause)
            says_all = more_of is not None and (
                points_nowhere or index.traits[more_of].kind is OperationKind.CREATE
            )
            if not says_all:
                more_of = said_where_made(index, context, clause.number, top, by_task(), clause.close)
            # What can be said where a thing is made needs no change of it.
            top = top if more_of is None else more_of
        if (
            top in chosen
            and context.is_asked
            and context.tasks[chosen[top].number].do != clause.clause
            and not _does_again(candidates[top], chosen[top].number)
        ):
            # The caller's tasks are one call each.
            top = next((at for at in ruled.others if at not in chosen), top)
        if top in chosen:
            context.go_on(clause.number, top)
            join_to(top, clause)
        else:
            alternatives = tuple(at for at in ruled.order if at != top)
            chosen[top] = PlanTarget(top, clause.number, clause.clause, alternatives)
    return list(chosen.values()), unmet


def _chosen_of(
    clause: ClauseScores,
    candidates: Mapping[int, Candidate],
    chosen: Mapping[int, PlanTarget],
    needs: Callable[[int], Sequence[Requirement]],
) -> _Choice | None:
    """What rules choose of the calls, or the likeliest; None where none is likely enough."""
    if not candidates:
        return None
    calls = weigh(clause, candidates, chosen, needs)
    ruled = choose_by_rules(candidates, calls.worth, chosen, most=CANDIDATES)
    top = _sure_enough(candidates, ruled, calls)
    if top is None:
        return None
    for by_path in (without_the_way, whole_of_it, part_of_it, list_of_all):
        top = by_path(candidates, top)
    return _Choice(top, candidates, ruled)


def _meant_by_another_noun(
    clause: ClauseScores,
    candidates: Mapping[int, Candidate],
    chosen: Mapping[int, PlanTarget],
    needs: Callable[[int], Sequence[Requirement]],
) -> _Choice | None:
    """The likeliest call, where it makes something that has another noun, takes all that the task says and is nearly sure."""
    if not any(map(may_be_meant, candidates.values())):
        return None
    calls = weigh(clause, candidates, chosen, needs)
    sure = sureness(calls.evidence)
    top = max(candidates, key=lambda at: sure[at])
    one = candidates[top]
    is_meant = may_be_meant(one) and one.is_compared and one.takes_surely and not one.left
    if not is_meant or sure[top] < RECIPE.sureness.by_another_noun:
        return None
    return _Choice(top, candidates, choose_by_rules(candidates, calls.worth, chosen, most=CANDIDATES))


def _sure_enough(candidates: Mapping[int, Candidate], ruled: RuledChoice, calls: WeighedCalls) -> int | None:
    """What rules choose, unless that is unlikely; then the likeliest of all, where that is likely enough.

    Another call that fits takes its place before that, where it is likely and what rules choose is not.
    """
    top = ruled.top
    if not any(candidates[at].is_compared for at in ruled.order):
        return top
    sure, recipe = sureness(calls.evidence), RECIPE.sureness
    if top is not None and (not candidates[top].is_compared or sure[top] >= _least_sure(candidates[top])):
        other = max(ruled.fitting, key=lambda at: sure[at])
        gives_way = (
            sure[top] <= recipe.gives_way or _leaves_what_is_taken(candidates[top], candidates[other])
        ) and sure[other] >= recipe.takes_its_place
        return other if gives_way and not is_guess(candidates[other], sure[other]) else top
    sure_of = [at for at in ruled.order if not is_guess(candidates[at], sure[at])]
    if not sure_of:
        return None
    likeliest = max(sure_of, key=lambda at: sure[at])
    least = recipe.instead_change if candidates[likeliest].traits.mutating else recipe.instead_read
    return likeliest if sure[likeliest] >= least else None


def _least_sure(one: Candidate) -> float:
    """How sure a call that rules choose has to be."""
    recipe = RECIPE.sureness
    if not one.traits.mutating:
        return recipe.least_read
    # A PUT has no action: `/me/player/play`.
    called = one.traits.head if one.traits.kind is OperationKind.UPDATE else one.traits.action
    is_called_so = called == one.words.verb
    return recipe.least_called_so if is_called_so else recipe.least_change


def _leaves_what_is_taken(one: Candidate, other: Candidate) -> bool:
    """Whether a change leaves something that the task states and does not look it up, and another takes all of it."""
    return one.traits.mutating and bool(one.left) and not one.finds_all and other.takes_all


def _does_again(one: Candidate, earlier: int) -> bool:
    """Whether a task does to another thing what an earlier one does: `invite bob`, and `invite carol`."""
    context = one.context
    if one.words.verb != context.words[earlier].verb or not one.takes_surely:
        return False
    if context.tasks[one.number].condition or context.tasks[earlier].condition:
        return False
    before = context.assigned(earlier, one.at, one.form)
    taken = set(one.found.used.values())
    return taken == set(before.used.values()) and any(
        one.found.known.get(pointer) != before.known.get(pointer) for pointer in taken
    )


def _further_on(
    index: PlanIndex, clause: ClauseScores, words: TaskWords, chosen: Mapping[int, PlanTarget]
) -> Sequence[int]:
    """Calls on what the call before is about, from further down the list: who says `assign it` says no more of the issue."""
    if not (words.has_pronoun and chosen):
        return ()
    before = index.traits[list(chosen)[-1]]
    further = best_first(clause.scores, _FURTHER)[POOL:]
    return [
        at
        for at in further
        if index.traits[at].resource == before.resource and index.traits[at].tool.server == before.tool.server
    ]


def _made_with(
    index: PlanIndex, context: GoalContext, number: int, chosen: Mapping[int, PlanTarget]
) -> int | None:
    """The call for the task before that makes a thing and takes what this one says of it: `open it and assign it to 31`."""
    words = context.words[number]
    before = next((at for at, target in chosen.items() if target.number == number - 1), None)
    if before is None or context.is_asked or not words.has_pronoun:
        return None
    if index.traits[before].kind is not OperationKind.CREATE:
        return None
    one = Candidate(index, context, number, before)
    if not one.own or one.left or not one.takes_surely:
        return None
    taken = {one.found.used[value.at] for value in one.own}
    named = frozenset().union(*(form.own for form in one.form.forms if form.item.pointer in taken))
    return before if any(same_root(words.verb, noun) for noun in named) else None


def weigh(
    clause: ClauseScores,
    candidates: Mapping[int, Candidate],
    chosen: Mapping[int, PlanTarget],
    needs: Callable[[int], Sequence[Requirement]],
) -> WeighedCalls:
    """What speaks for each of the calls that may do a task, of which there is at least one.

    Args:
        clause: The scores of the task.
        candidates: The calls, by position.
        chosen: The calls of earlier tasks.
        needs: What a call may need, by its position.
    """
    best = clause.scores.score(next(iter(candidates))) or 1.0
    return WeighedCalls(
        candidates,
        words={at: clause.scores.score(at) / best for at in candidates},
        inputs={at: fit_of(one) for at, one in candidates.items()},
        coherence={
            at: _coherence(one, chosen, needs(at)) if chosen else 0.0 for at, one in candidates.items()
        },
    )


def _coherence(one: Candidate, chosen: Mapping[int, PlanTarget], needs: Sequence[Requirement]) -> float:
    """How well a call goes with those of earlier tasks, 0 to 1: what they find feeds it, or it is about the same resource."""
    index, at = one.index, one.at
    if at in chosen and says_more(one, chosen[at].numbers):
        # What is said of a call that is there already comes from as near as what an earlier call gives.
        return 1.0
    made = [other for other in chosen if index.traits[other].kind is OperationKind.CREATE]
    if one.context.tasks[one.number].quantity.is_of_many and not one.words.has_pronoun:
        # `make a branch. Delete all branches already merged`: what is new does not belong to them.
        chosen, made = {other: target for other, target in chosen.items() if other not in made}, []
    earlier = {index.traits[other].tool.id for other in chosen}
    fed = max(
        (min(1.0, CERTAIN * need.confidence) for need in needs if need.producer in earlier), default=0.0
    )
    if made and not fed:
        forms = [one for one in index.form(at).forms if len(one.item.pointer) < _DEEP and not one.item.enum]
        fed = RECIPE.made if any(made_field(index, other, one) for other in made for one in forms) else 0.0
    own = index.traits[at]
    same = any(
        index.traits[other].resource == own.resource and index.traits[other].tool.server == own.tool.server
        for other in chosen
    )
    return max(fed, RECIPE.same_resource if same else 0.0)
