"""How close tools are to the tasks of a goal in meaning, whatever words both use."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from app.domain.language.foreign import in_english
from app.domain.ranking.formulas import Positions
from app.domain.ranking.runs import Reached
from app.domain.reading.clauses.marks import ADDED
from app.domain.reading.models import GoalTask

_SPACE = re.compile(r"\s+")
NOT_COMPARED = Reached(np.empty(0, np.intp), np.empty(0))


@dataclass(frozen=True, slots=True, eq=False)
class TaskMeaning:
    """What is known of how close tools are to a task, beside its words."""

    cosines: Reached = NOT_COMPARED
    """Of the task's vector and those of tools, 0 where they point away from each other; of tools whose vector is known."""
    suggested: Reached = NOT_COMPARED
    """By the methods of the common taxonomy that the task's words find, above 0 and up to 1."""

    def within(self, scope: Positions | None) -> "TaskMeaning":
        """The same of the tools at these positions, which rise; of all when None."""
        if scope is None:
            return self
        return TaskMeaning(self.cosines.within(scope), self.suggested.within(scope))


MOST_COMPARED = 20_000
"""Tools of servers that a goal's words do not choose are compared up to here: 6 ms on one core."""


@dataclass(frozen=True, slots=True)
class FoundFirst:
    """What is found first for a whole goal, asked as a request for tools."""

    at: int
    """Position of the tool in the planner's index."""
    next: float
    """Score of the next tool that changes something, where its own is 1; 0 where there is no other."""
    confidence: float
    """That of the answer, 0 to 1."""


FindFirst = Callable[[str], FoundFirst | None]
"""A change that is found before all other tools for a text; None where a read is, or where it is not known how sure that is."""


def nothing_found(_: str) -> None:
    """Where goals are not asked as requests."""


UNKNOWN = TaskMeaning()
"""Of a task that nothing was compared with."""
Meant = Callable[[Sequence[str], Positions], Sequence[TaskMeaning]]
"""The meaning of some tasks, by their texts, for the tools at some positions of the index."""


def nothing_meant(tasks: Sequence[str], _: Positions) -> Sequence[TaskMeaning]:
    """Where there are no vectors and no common methods."""
    return [UNKNOWN] * len(tasks)


def meant_text(task: GoalTask, things: Mapping[str, str] = MappingProxyType({})) -> str:
    """What is encoded of a task: its words in English, without its values and what only says more of these.

    Both say which thing is meant and not what to do. So no value of a goal leaves the machine for its meaning. Of `things`,
    values with what they are by their form, the noun stands in their place.
    """
    text = (_outlined(task.outline, things) or task.words or task.do).split(ADDED)[0]
    for value in sorted(task.values, key=lambda value: len(value.text), reverse=True):
        if not value.weak:
            # What is put in its place is never longer but for a noun: a quoted space would grow with each value.
            noun = things.get(value.text)
            text = text.replace(value.text, f" {noun} " if noun else " ")
    text = _SPACE.sub(" ", text).strip()
    return in_english(text) or text


def _outlined(outline: Sequence[str], things: Mapping[str, str]) -> str:
    """An outline with the nouns of its values in their places: each once, as three devices are no more about devices than one is."""
    said, parts = {""}, []
    for at, part in enumerate(outline):
        noun = things.get(part, "")
        if at % 2 == 0:
            parts.append(part)
        elif noun not in said:
            parts.append(noun)
            said.add(noun)
    return " ".join(parts)
