"""Members of enums that a goal means in other words than a document has: `taxi`, of GROUND_TRANSPORT."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from app.domain.filling.assigned import Assignment
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.members import Member
from app.domain.language.identifiers import pieces
from app.domain.language.negation import DENIAL
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.reading.models import GoalTask, ValueKind
from app.lexicon.lists import table

Stems = tuple[str, ...]
_PART = re.compile(r"[,;:.!?()\n|]+")
"""What ends a phrase."""
_PLACED = frozenset(("at", "to", "from", "near", "be"))
"""Before a way of saying something, or one word further before: `parking at the hotel`, `has to be fixed`."""
_BEFORE = 2
_WRITTEN = re.compile(
    r"\b(?:titled|entitled|called|named|saying|says|subject|title|name)\b.*", re.IGNORECASE | re.DOTALL
)
"""Behind one of these is what somebody writes, or what a thing is called."""


def fill_ways(
    form: OperationForm, found: Assignment, texts: Sequence[str], *, besides: AbstractSet[str] = frozenset()
) -> None:
    """Fill enums that are still open with what people say for their members.

    A call that changes what is there takes no more than why it is made.

    What fits two inputs fills none, and of two members of an input that are said the longer way of saying one counts.

    Args:
        form: The inputs.
        found: What is filled already; what is meant is added.
        texts: What the goal says in words of the call, and of why it is made.
        besides: Stems that say something else: which thing is meant, and what is not so.
    """
    parts = [part for text in texts for part in phrases(text)]
    said = [ways for part in parts for ways in _said(part)]
    else_said = form.noun_stems | besides
    said = [one for one in said if not else_said.issuperset(one[0])]
    if not said:
        return
    makes = not form.operation.mutating or form.operation.kind is OperationKind.CREATE
    by_way: defaultdict[Stems, list[tuple[Form, Member]]] = defaultdict(list)
    for one in form.settable if makes else form.reasons:
        best = None if found.has(one.item.pointer) else _best(one, said)
        if best is not None:
            by_way[best[0]].append((one, best[1]))
    for way, inputs in by_way.items():
        if len(inputs) == 1:
            ((one, value),) = inputs
            found.known[one.item.pointer] = [value] if one.item.is_list else value
            found.states[one.item.pointer] = frozenset(way)


def phrases(text: str) -> Sequence[str]:
    """The phrases of a text, up to what somebody writes or calls a thing."""
    return _PART.split(_WRITTEN.sub("", text))


def _best(one: Form, said: Sequence[tuple[Stems, frozenset[Stems]]]) -> tuple[Stems, Member] | None:
    fitting = [
        (way, member.value) for way, members in said for member in one.members if member.stems in members
    ]
    longest = max((len(way) for way, _ in fitting), default=0)
    best = [pair for pair in fitting if len(pair[0]) == longest]
    return best[0] if len({str(value) for _, value in best}) == 1 else None


def without_values(task: GoalTask) -> str:
    """The words of a task, with a mark where values stand: what stands on both sides of one is no phrase."""
    text = task.do
    for value in sorted(task.values, key=lambda value: len(value.text), reverse=True):
        is_word = value.kind is ValueKind.NAME and value.text.isalpha() and value.text.islower()
        if not (value.weak or is_word):
            text = text.replace(value.text, "|")
    return text


def _said(part: str) -> Iterator[tuple[Stems, frozenset[Stems]]]:
    """The ways of saying something that stand in a phrase, with the members that each means.

    In a phrase that denies something, only what denies as well: `can't change anything`.
    """
    said = pieces(part)
    stems_of = tuple(map(stem, said))
    is_denied = DENIAL.search(part) is not None
    for at, word in enumerate(stems_of):
        for way, words_of, members in _ways(denying=is_denied).get(word, ()):
            behind = at + len(way)
            # A single word counts as it is written: `sorted` is not to sort.
            is_there = stems_of[at:behind] == way if len(way) > 1 else said[at:behind] == words_of
            if is_there and _PLACED.isdisjoint(said[max(0, at - _BEFORE) : at]):
                yield way, members


@cache
def _ways(*, denying: bool) -> Mapping[str, Sequence[tuple[Stems, Stems, frozenset[Stems]]]]:
    """First stem of a way of saying something -> the ways that begin with it, their words, and the members that each means.

    Args:
        denying: Whether those that deny something are asked for, or the others.
    """
    members: defaultdict[Stems, set[Stems]] = defaultdict(set)
    for member, ways in table("ways")["members"].items():
        for way in ways:
            if pieces(way) and (DENIAL.search(way) is not None) == denying:
                members[pieces(way)].add(tuple(map(stem, pieces(member))))
    found: defaultdict[str, list[tuple[Stems, Stems, frozenset[Stems]]]] = defaultdict(list)
    for way, means in members.items():
        stems_of = tuple(map(stem, way))
        found[stems_of[0]].append((stems_of, way, frozenset(means)))
    return found
