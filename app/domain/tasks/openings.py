"""What begins a task: its verb, though documents may have things that are called so, behind what only asks politely."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from app.domain.language.goal_words import all_verbs, verb_kinds
from app.domain.language.identifiers import pieces
from app.domain.language.idioms import idiom_verb, without_idioms
from app.domain.language.operation_words import READING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses import any_of
from app.domain.reading.models import THING_NAMES, GoalTask, StatedValue, ValueKind
from app.domain.reading.shapes import is_phone
from app.domain.tasks.task_words import after_order
from app.lexicon.lists import table

_TURNING = frozenset(("as", "to", "into"))
"""They lead to what a verb makes of a thing."""

_CONTRACTED = re.compile(
    r"\b([a-z]{2,6}n)\u2019(t)\b|\b(i|you|he|she|it|we|they|that|there|what|who|let)\u2019(s|re|ve|ll|d|m)\b",
    re.IGNORECASE,
)
"""A contraction with the apostrophe of typesetters, as telephones write it."""


def without_politeness(text: str) -> str:
    """A goal without what only leads to an order, or asks for it politely: `please open an issue`, `let's close it`, `ok, can you ...?`.

    Who says `give me the open issues` wants to see them. The apostrophe of `don\u2019t` is the one of `don't`.
    """
    text = _CONTRACTED.sub(lambda found: "'".join(filter(None, found.groups())), text)
    for pattern, instead in _polite():
        text = pattern.sub(instead, text)
    return text


@cache
def _polite() -> tuple[tuple[re.Pattern[str], str], ...]:
    reading = table("reading")
    polite = any_of(*reading["asking_politely"])
    start = r"(?:\A\s*+|(?<=[.;!?]\s))"
    joined = rf"(?:{start}|(?<=\bthen\s)|(?<=\band\s))"
    found = (
        (rf"\A\s*+(?:{any_of(*reading['greetings'])})(?:\s++[a-z]++)?\s*+[,!]++\s++", ""),
        (rf"\A\s*+(?:{any_of(*reading['interjections'])})\s*+[,!]++\s++", ""),
        # A question of these is an order.
        (rf"{start}(?:{any_of(*reading['able'])})\s++((?:[^.;!?\n]|[.](?=\S))*+)\?", r"\1."),
        (rf"{start}(?:(?:{any_of(*reading['requests'])})\s++)++(?=[a-z])", ""),
        # `just had a call with her` tells.
        (rf"{start}just\s++(?=(?:{any_of(*table('en')['verbs'])})\b)", ""),
        (rf"{joined}(?:{polite})[\s,]++(?=[a-z])", ""),
        (
            rf"{joined}(?:{any_of(*reading['handing'])})\s++"
            rf"(?=(?:the|all|every|each|my|our|its|their|his|her|\d++)\s(?!(?:[a-z]++\s++){{0,2}}?(?:{any_of(*reading['granted'])})\b))",
            "show me ",
        ),
        (r"\s++(?:for\s++(?:me|us)|asap)(?=\s*+[.!]*+\s*+\Z)", ""),
        # How soon something is to be made, or shown, is no state of it.
        (
            rf"{start}((?:{any_of(*_making_or_showing())})\s(?:[^.;!?\n]|[.](?=\S)){{0,400}}?)"
            rf"\s++(?:{any_of(*reading['soon'])})(?=\s*+[.!]*+\s*+\Z)",
            r"\1",
        ),
        (rf",\s*+(?:{polite}|{any_of(*reading['thanks'])})\s*+[.!]*+\s*+\Z", ""),
    )
    return tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in found)


@cache
def _making_or_showing() -> list[str]:
    kinds = (OperationKind.CREATE, *READING_KINDS)
    return [verb for verb in table("en")["verbs"] if verb_kinds().get(stem(verb)) in kinds]


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
