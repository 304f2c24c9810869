"""Texts that somebody is to hear, and that nothing in a plan takes: they go along with the call before them."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import replace

from app.domain.choosing.targets import PlanTarget
from app.domain.filling.leftovers import fill_message, written_words
from app.domain.filling.said import SaidValue
from app.domain.language.identifiers import pieces
from app.domain.language.negation import DENIAL
from app.domain.language.text import stem
from app.domain.planning.draft import PlanDraft
from app.domain.planning.index import PlanIndex
from app.domain.reading.models import ValueKind
from app.domain.workflows.plans import UnmetTask
from app.lexicon.lists import table

_WRITTEN = (ValueKind.QUOTED, ValueKind.SAID)
_CLAUSE_END = re.compile(r"[,.;!?]\s")
_TELL = "tell"
"""Stem of what is done to somebody with a text."""


def fill_late(index: PlanIndex, draft: PlanDraft, used: AbstractSet[int]) -> frozenset[int]:
    """Give what somebody is to hear to the change before it, where one input alone takes what somebody writes.

    `approve request 7, and tell him "enjoy it"`, `approve expense 7, note for her: receipt checked`. What is said to somebody
    with a name, somewhere, or not at all (`do not tell her`) stays where it is.

    Args:
        index: The catalogue.
        draft: Whose calls take the texts.
        used: Positions of the values that something in the plan takes.

    Returns:
        Positions of the values that were given.
    """
    context = draft.context
    taken = used | context.spared
    left = [one for one in context.said if one.at not in taken and _is_for_somebody(one, context.goal)]
    if not left:
        return frozenset()
    texts = {context.values[at].text for at in used}
    planned = {number for target in (*draft.targets, *draft.met, *draft.cut) for number in target.numbers}
    said_by = {value.start: number for number, task in enumerate(context.tasks) for value in task.values}
    given: set[int] = set()
    for one in left:
        number = said_by.get(one.value.start)
        if one.value.text in texts or number in planned:
            continue
        target = _before(draft, one)
        if target is None or (number is not None and not _says_only_this(draft, number, one)):
            continue
        form = index.form(target.at)
        found = context.assigned(target.number, target.at, form)
        # Of several calls alike it says something of one.
        if form.operation.mutating and not found.more:
            fill_message(form, replace(one, local=True, handed_over=False, beside=False), found)
            if one.at in found.used:
                given.add(one.at)
    return frozenset(given)


def still_unmet(draft: PlanDraft, late: AbstractSet[int]) -> tuple[UnmetTask, ...]:
    """What no tool fits, without what says no more than the texts that were given late."""
    context = draft.context
    starts = {context.values[at].start for at in late}
    met = {task.do for task in context.tasks if {value.start for value in task.values} & starts}
    return tuple(one for one in draft.unmet if one.task not in met)


def _is_for_somebody(one: SaidValue, goal: str) -> bool:
    """Whether a text is led to by what says that it is written for whom the goal speaks of: `tell him`, `note for her`, `reason`."""
    if one.value.kind not in _WRITTEN:
        return False
    clause = _CLAUSE_END.split(goal[: one.value.start])[-1]
    if DENIAL.search(clause):
        return False
    said = list(pieces(clause))
    to_somebody = bool(said) and said[-1] in table("reading")["somebody"]
    if to_somebody:
        said.pop()
    if [*map(stem, said[-1:])] == [_TELL]:
        return to_somebody
    if said[-1:] == ["for"] and to_somebody:
        said.pop()
    return not written_words().isdisjoint(said[-1:])


def _says_only_this(draft: PlanDraft, number: int, one: SaidValue) -> bool:
    """Whether a task that no tool fits names nothing but the text, and for whom it is; what a tool fits that cannot be called is no part of another."""
    task = draft.context.tasks[number]
    if any(unmet.task == task.do and unmet.fits for unmet in draft.unmet):
        return False
    return len(task.values) == 1 and {*pieces(task.words)} <= {*one.led}


def _before(draft: PlanDraft, one: SaidValue) -> PlanTarget | None:
    """The last target that is asked for before a value."""
    context = draft.context

    def begins(target: PlanTarget) -> int:
        task = context.tasks[target.number]
        # Quotes are no words of a task, so its text need not be found.
        return min((value.start for value in task.values), default=context.goal.find(task.do))

    earlier = [target for target in draft.targets if 0 <= begins(target) < one.value.start]
    return max(earlier, key=begins, default=None)
