"""Tasks that a caller has cut out of a goal, read as if the goal said them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from app.domain.language.identifiers import pieces, singular
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses.orders import asked_kind
from app.domain.reading.models import (
    AskedTask,
    Exclusion,
    GoalCondition,
    GoalTask,
    Quantity,
    Reading,
    StatedValue,
    ValueKind,
)
from app.domain.reading.tasks import read_goal
from app.domain.reading.tokens import value_words
from app.domain.reading.values import find_values
from app.domain.tasks.placed_values import place_values, written_value
from app.domain.tasks.purposes import without_purpose
from app.domain.tasks.task_words import object_noun
from app.domain.tasks.values import goal_values
from app.lexicon.lists import table

_NAMES = (("name",), ("title",))
_OF_MONEY = frozenset(("amount", "price", "total", "cost", "fee", "sum"))


@dataclass(frozen=True, slots=True)
class AskedGoal:
    """The tasks of a caller as the text of a goal, with its reading."""

    text: str
    """What they say, one after the other."""
    reading: Reading
    values: Sequence[StatedValue]
    """By their places in `text`."""


def asked_tasks(
    goal: str,
    tasks: Sequence[AskedTask],
    *,
    now: datetime,
    timezone: str,
    is_word: Callable[[str], bool],
    joined: Callable[[str], bool] = lambda _: False,
) -> AskedGoal:
    """Tasks of the caller as if the goal said them, one after the other; what the goal excludes stays excluded."""
    own = read_goal(goal, find_values(goal, now=now, timezone=timezone, is_word=is_word))
    text = ""
    values: list[StatedValue] = []
    found: list[GoalTask] = []
    exclusions: list[Exclusion] = [one for one in own.exclusions if not one.values]
    for task in tasks:
        spans = _with_texts(
            task,
            [
                one
                for one in goal_values(task.do, now=now, timezone=timezone, is_word=is_word, joined=joined)
                # Who gives values by name means a word where it may be one.
                if not (one.weak and task.values)
            ],
        )
        reading = read_goal(task.do, spans)
        begin = len(text)
        placed = place_values(task.do, task.values, spans)
        text += placed.text
        exclusions += [_shifted_exclusion(one, begin) for one in reading.exclusions]
        # What a task spares is no value of it.
        spared = [value.start for one in reading.exclusions for value in one.values]
        values += [
            shifted(value, begin + placed.shift(value.start)) for value in spans if value.start in spared
        ]
        mine = [
            shifted(value, begin + placed.shift(value.start)) for value in spans if value.start not in spared
        ]
        plain = pieces(task.do)
        opens = bool(plain) and plain[0] in table("reading")["opening"]
        makes = opens or asked_kind(task.do) is OperationKind.CREATE
        made = object_noun(plain)
        said_currency = task.values.get("currency")
        currency = said_currency.upper() if isinstance(said_currency, str) else ""
        named = [
            (name, value, number)
            for name, given in task.values.items()
            for number, value in enumerate(given if isinstance(given, list) else [given])
        ]
        for name, value, number in named:
            written = written_value(value)
            if name in placed.starts:
                start = begin + placed.starts[name]
            else:
                # Members of a list stand one after the other, as people write them.
                text += ", " if number else f"; {name} "
                start = len(text)
                text += written
            kind, typed_as, unit = _kind_of(value, now=now, timezone=timezone)
            # `{"from": "main"}` is `from main`, as people say it.
            leads = name.lower() in value_words().prepositions
            if currency and kind is ValueKind.NUMBER and _OF_MONEY & {*pieces(name)}:
                kind = ValueKind.AMOUNT
            said = StatedValue(
                text=written,
                kind=kind,
                value=typed_as,
                start=start,
                end=start + len(written),
                nouns=() if leads else tuple(singular(piece) for piece in pieces(name)),
                unit=(unit or currency) if kind is ValueKind.AMOUNT else unit,
                by_name=not leads,
                preposition="called"
                if makes and _is_name_of(kind, name, made)
                else name.lower()
                if leads
                else placed.prepositions.get(name, ""),
            )
            # The caller's word for a value counts more than a reading of it.
            mine = [one for one in mine if one.by_name or one.text != written]
            mine.append(said)
        text += "\n"
        first = reading.tasks[0] if reading.tasks else GoalTask(do=task.do)
        said_words = first.words if len(reading.tasks) == 1 else task.do
        words = without_purpose(said_words)
        # `list the runs and take the latest` means one of them.
        meant = [
            one.quantity
            for one in reading.tasks
            if words != said_words and one.quantity is not Quantity.UNSAID
        ]
        condition = first.condition
        if isinstance(task.if_, str):
            condition = GoalCondition(text=task.if_)
        elif task.if_ is not None:
            condition = GoalCondition(text=task.do, when=task.if_)
        values += mine
        found.append(
            GoalTask(
                do=task.do,
                words=placed.undetermined(words),
                outline=first.outline if words == first.words and len(reading.tasks) == 1 else (),
                values=tuple(mine),
                quantity=next(iter(meant), first.quantity),
                condition=condition,
                after=task.after,
            )
        )
    # Values of the goal stand nowhere in the text of its tasks.
    exclusions += [
        one for one in own.exclusions if one.values and one.text not in {e.text for e in exclusions}
    ]
    reading = Reading(tasks=tuple(found), exclusions=tuple(exclusions), unsure=own.unsure)
    return AskedGoal(text, reading, tuple(values))


def _with_texts(task: AskedTask, spans: Sequence[StatedValue]) -> list[StatedValue]:
    """The values in the words of a task, those in a text that it gives by name as that text: `say that U7 has left`."""
    found = list(spans)
    for text in task.values.values():
        if not (isinstance(text, str) and " " in text and text in task.do):
            continue
        start = task.do.index(text)
        end = start + len(text)
        whole = StatedValue(text=text, kind=ValueKind.QUOTED, value=text, start=start, end=end)
        found = [one for one in found if one.end <= start or one.start >= end] + [whole]
    return sorted(found, key=lambda one: one.start)


def _is_name_of(kind: ValueKind, name: str, noun: str) -> bool:
    """Whether a value is what a thing is called: `board: Garden` of `make a board`."""
    said = pieces(name)[-1:]
    if kind in (ValueKind.NAME, ValueKind.QUOTED, ValueKind.ID) and said in _NAMES:
        # `{"name": "Garden"}` of `make a board`.
        return bool(noun)
    return (
        kind in (ValueKind.NAME, ValueKind.QUOTED)
        and bool(noun)
        and bool(said)
        and stem(said[0]) == noun
        # Of a comment it is the text.
        and (said[0] in table("inputs")["titles"] or said[0] not in table("inputs")["texts"])
    )


def _shifted_exclusion(one: Exclusion, by: int) -> Exclusion:
    """An exclusion of a text that stands further behind in another."""
    return one.model_copy(update={"values": tuple(shifted(value, by) for value in one.values)})


def shifted(value: StatedValue, by: int) -> StatedValue:
    """A value of a text that stands further behind in another."""
    return value.model_copy(update={"start": value.start + by, "end": value.end + by})


def _kind_of(value: JsonValue, *, now: datetime, timezone: str) -> tuple[ValueKind, JsonValue, str]:
    """What a caller's value looks like, the value with its type, and its unit."""
    if isinstance(value, bool):
        # `{"private": true}` is `private=true`: it names nothing.
        return ValueKind.PAIR, value, ""
    if isinstance(value, int | float):
        return ValueKind.NUMBER, value, ""
    if isinstance(value, str):
        found = find_values(value, now=now, timezone=timezone, is_word=lambda _: False)
        if len(found) == 1 and found[0].text == value.strip() and found[0].kind is not ValueKind.NAME:
            return found[0].kind, found[0].value, found[0].unit
        if not any(map(str.isspace, value.strip())):
            return ValueKind.NAME, value, ""
    return ValueKind.QUOTED, value, ""
