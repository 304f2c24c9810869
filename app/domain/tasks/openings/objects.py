"""Values that stand behind the verb of a task as what it is for, though documents may have things that are called so."""

from collections.abc import Iterable, Iterator

from app.domain.language.goal_words import all_verbs
from app.domain.language.identifiers import pieces
from app.domain.language.idioms import idiom_verb, without_idioms
from app.domain.language.text import stem
from app.domain.reading.models import THING_NAMES, GoalTask, StatedValue, ValueKind
from app.domain.reading.shapes import is_phone
from app.domain.tasks.task_words import after_order

_TURNING = frozenset(("as", "to", "into"))
"""They lead to what a verb makes of a thing."""


def behind_verbs(tasks: Iterable[GoalTask]) -> frozenset[int]:
    """Where the values begin before which nothing but the verb of a task stands: `tag main as v1`, but not `phone 331`."""
    return frozenset(value.start for task in tasks for value in task.values if _is_behind_verb(task, value))


def objects_alone(tasks: Iterable[GoalTask]) -> frozenset[int]:
    """Where the values begin that are what a verb is for, without a noun: `call off Standup`, `move the "Supplier call"`."""
    return frozenset(one.start for task in tasks for one in _objects(task))


def _objects(task: GoalTask) -> Iterator[StatedValue]:
    behind = without_idioms(after_order(pieces(task.do)))[1:]
    if behind[:1] == ("the",):
        behind = behind[1:]
    for value in task.values:
        if not (value.preposition or value.by_name) and value.kind in THING_NAMES:
            named = pieces(value.text)
            if named and behind[: len(named)] == named:
                yield value


def _is_behind_verb(task: GoalTask, value: StatedValue) -> bool:
    said = task.words or task.do
    if not value.nouns or value.nouns != after_order(pieces(said))[:1] or value.by_name:
        return False
    return (
        stem(value.nouns[0]) in all_verbs()
        or bool(_TURNING & {one.preposition for one in task.values})
        or bool(idiom_verb(said))
        # Who texts a number, or mails an address, says what: `phone 33112244` alone does not.
        or (len(task.values) > 1 and (value.kind is ValueKind.EMAIL or is_phone(value)))
    )
