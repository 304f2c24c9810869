"""The change that a whole goal asks for, where none of its tasks by itself has led to one."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.domain.choosing.acts import is_never_meant, is_other_act
from app.domain.choosing.candidate import Candidate
from app.domain.choosing.recipe import RECIPE
from app.domain.choosing.targets import ClauseScores, GoalScores, PlanTarget, weigh
from app.domain.choosing.weighing import sureness
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.meant import FindFirst, FoundFirst
from app.domain.reading.models import ValueKind
from app.domain.workflows.plans import UnmetTask
from app.lexicon.lists import table

_MARKS = ".,;:!?()\"'"
_EVEN = 1e-4
"""Likelihoods are no nearer to 0 and 1: log odds are finite."""


@dataclass(frozen=True, slots=True)
class ChangeOfGoal:
    """A change that the whole goal may ask for, beside the task that it fits best."""

    clause: ClauseScores
    sure: float
    """How sure it is that it does what this task asks for."""
    found: FoundFirst


def with_change_of_goal(
    index: PlanIndex,
    context: GoalContext,
    goal: GoalScores,
    chosen: tuple[Sequence[PlanTarget], Sequence[UnmetTask]],
    *,
    find: FindFirst,
    banned: Callable[[int], bool],
) -> tuple[list[PlanTarget], list[UnmetTask]]:
    """The calls of a goal and the tasks that none fits, with the change that is found first for all of its text.

    Words that say what to do may be spread over a goal, or be in none of its tasks as they are cut. Where nothing is
    changed and nothing is asked, the goal is asked as people ask for tools. The reads of the goal stay.

    Args:
        index: The catalogue.
        context: The goal.
        goal: Its tasks, scored.
        chosen: The calls, and the tasks without one.
        find: Finds the first tool for a text.
        banned: Whether a tool may not be called, by position.
    """
    targets, unmet = list(chosen[0]), list(chosen[1])
    one = change_of_goal(index, context, goal, targets, find=find, banned=banned)
    if one is None or likelihood(one) < RECIPE.whole_goal_first.least:
        return targets, unmet
    if index.traits[one.found.at].is_final and one.sure < RECIPE.whole_goal_first.least_final:
        return targets, unmet
    number, text = one.clause.number, one.clause.clause
    before = sum(target.number <= number for target in targets)
    targets.insert(before, PlanTarget(one.found.at, number, text, (), by_goal=True))
    return targets, [task for task in unmet if task.task != text]


def change_of_goal(
    index: PlanIndex,
    context: GoalContext,
    goal: GoalScores,
    targets: Sequence[PlanTarget],
    *,
    find: FindFirst,
    banned: Callable[[int], bool],
) -> ChangeOfGoal | None:
    """The change that is found first for the text of a goal; None where another one is called, or something is asked."""
    is_asked = context.is_asked or any(words.is_question for words in context.words)
    if is_asked or not goal.clauses or any(index.traits[target.at].mutating for target in targets):
        return None
    if _denies(context):
        return None
    found = find(context.asked)
    if found is None or banned(found.at):
        return None
    each = [
        ChangeOfGoal(clause, sure, found)
        for clause in goal.clauses
        # `undo all adjustments` lists none, though its verb says nothing.
        if not context.words[clause.number].reads
        and (sure := _sureness(index, context, clause, found.at)) is not None
    ]
    return max(each, key=lambda one: one.sure, default=None)


def _denies(context: GoalContext) -> bool:
    """Whether a goal says of anything that it is not so or not to be done, or sets more than one condition.

    A search hears what is denied as what is asked for. What only spares some things, or stands in a condition, is read as such.
    """
    conditions = [task.condition.text for task in context.tasks if task.condition is not None]
    if len(set(conditions)) > 1 or any(not one.values for one in context.reading.exclusions):
        return True
    said = context.asked
    spared = (one.text for one in context.reading.exclusions)
    texts = (one.value.text for one in context.said if one.value.kind in (ValueKind.QUOTED, ValueKind.SAID))
    for text in (*conditions, *spared, *texts):
        said = said.replace(text, " ")
    words = said.lower().replace("\u2019", "'").split()
    plain = f" {' '.join(word.strip(_MARKS) for word in words)} "
    return "n't " in plain or any(f" {one} " in plain for one in table("reading")["negations"])


def likelihood(one: ChangeOfGoal) -> float:
    """How likely the change is right, 0 to 1: 1 / (1 + exp(-(sum of weight * evidence + constant)))."""
    recipe = RECIPE.whole_goal_first
    weights = (recipe.of_sureness, recipe.of_next, recipe.of_confidence)
    return 1 / (1 + math.exp(-(sum(map(float.__mul__, weights, evidence_of(one))) + recipe.constant)))


def evidence_of(one: ChangeOfGoal) -> tuple[float, float, float]:
    """What is weighed: the log odds of its sureness, how close the next change comes, the log odds of the answer's confidence."""
    return _log_odds(one.sure), one.found.next, _log_odds(one.found.confidence)


def _log_odds(likelihood: float) -> float:
    even = min(max(likelihood, _EVEN), 1 - _EVEN)
    return math.log(even / (1 - even))


def _sureness(index: PlanIndex, context: GoalContext, clause: ClauseScores, at: int) -> float | None:
    """How sure it is that a call does what a task asks for, whatever rules say of its words; None where that is never meant."""
    one = Candidate(index, context, clause.number, at, clause.close)
    if is_never_meant(one):
        return None
    others = (Candidate(index, context, clause.number, other, clause.close) for other in clause.candidates)
    calls = {other.at: other for other in others if other.at != at and not is_other_act(other)}
    return sureness(weigh(clause, {**calls, at: one}, {}, lambda _: ()).evidence)[at]
