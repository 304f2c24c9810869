"""What the members of an enum are called: by their own text, or as the description of an input says what a number means."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from app.domain.language.identifiers import words
from app.domain.language.text import stem
from app.domain.schemas.tool_schemas import Input
from app.lexicon.lists import table

Member = str | int | float | bool

_BEGINNING = 4
"""Letters that two words share at least, of which one is said where the other is meant."""
_SHORTEST_ROOT = 3
"""Letters of what is left of a word without a prefix that negates."""
_FEWEST = 2
"""Numbers that a description names, from which it lists what they mean."""
_WITHIN = 1_500
"""Characters of a description in which they are looked for; the longest of public documents list sixty members there."""
_NAME_FIRST = re.compile(r"(?<![\w.])([A-Za-z][\w-]{1,40}+)\s?=\s?(-?\d{1,4}+)(?![\w.]\w)")
"""`Approved = 2`."""
_NUMBER_FIRST = re.compile(
    r"(?<![\w.-])(-?\d{1,4}+)\s?(?:[=:]|-(?=\s?[A-Za-z]))\s?([A-Za-z][\w-]{1,40}+(?: [a-z][\w-]{1,40}+){0,2})"
)
"""`2 = approved`, `2: approved`, `2 - approved`."""
_GLOSS = re.compile(
    r"[`'\"*]*\s?(?:\(([^()]{2,40})\)|[=:]\s?([^,.;:()\n]{2,40})|(?<=[`'\"])\s([A-Z][^,.;:()`\n]{1,40}))(?=\s*(?:[,.;\n]|$|and\b|or\b))"
)
"""Behind a member, what it is called: `fra1 (Frankfurt)`, `fra1: Frankfurt`, and behind one that is marked `Frankfurt`."""
_GLOSS_WORDS = 3
_JOINED = ("-", "_")
"""Behind one of these, or a letter, a member is the end of another word."""
_ENDS = (". ", ";", "\n", ", which", " instead of ", " rather than ")
"""What ends what is said of a member."""
_MARKS = ("`", "'", '"', "*")
_AROUND = " .,:=-`'\"*()"
"""Signs around it."""
_SHARE = 0.5
"""Of the members have to be explained so, for what stands behind one to be its name."""


@dataclass(frozen=True, slots=True)
class NamedMember:
    """A member of an enum, and what it is called."""

    name: str
    value: Member
    stems: tuple[str, ...]
    """Of the words of its name, in order."""


@dataclass(frozen=True, slots=True)
class ExplainedMember:
    """A member of an enum, or what a switch is when it is on, with what a description says of it and of no other."""

    value: Member
    name: frozenset[str]
    """Stems of the words of its name."""
    stated: frozenset[str]
    """Of what the description says of it."""
    denied: frozenset[str]
    """Of what it denies of it: (paid) of `issued and not yet paid`."""


def with_stems(members: Iterable[tuple[str, Member]]) -> tuple[NamedMember, ...]:
    """Members by their names, with the stems of these."""
    return tuple(NamedMember(name, value, tuple(map(stem, words(name)))) for name, value in members)


def only_of_each(found: Sequence[ExplainedMember]) -> tuple[ExplainedMember, ...]:
    """Members without the words that are said of several: what is denied of one may be the name of another."""
    named = Counter(word for one in found for word in one.name)
    stated = Counter(word for one in found for word in one.stated)
    denied = Counter(word for one in found for word in one.denied)
    return tuple(
        replace(
            one,
            name=frozenset(word for word in one.name if named[word] == 1 and not stated[word]),
            stated=frozenset(word for word in one.stated if stated[word] == 1 and not named[word]),
            denied=frozenset(word for word in one.denied if denied[word] == 1),
        )
        for one in found
    )


def explained(member: str, others: Iterable[str], description: str) -> str:
    """What a description says of a member behind its name, to the end of the sentence or the next member; empty without.

    Such as `overwrites the cluster`, in "`in_place` overwrites the cluster, `new_cluster` leaves it alone".
    """
    said = description[:_WITHIN]
    # Where members are marked, what is not marked is a word: "`open` is issued and not yet paid".
    mark = next((mark for mark in _MARKS if f"{mark}{member}{mark}" in said), "")
    begin = said.find(f"{mark}{member}{mark}") if mark else _mentioned(member, said)
    if begin < 0:
        return ""
    begin += len(mark + member)
    places = (_mentioned(mark + other, said, begin) for other in others if other != member)
    end = min((at for at in (*places, *(said.find(one, begin) for one in _ENDS)) if at >= 0), default=None)
    return said[begin:end].strip(_AROUND)


def first_sentence(description: str) -> str:
    """The first sentence of a description, without what it says of something else."""
    said = description[:_WITHIN]
    return said[: min((at for end in _ENDS if (at := said.find(end)) >= 0), default=len(said))]


def _mentioned(member: str, description: str, begin: int = 0) -> int:
    """Where a description names a member, from a place on; -1 where it does not."""
    at = description.find(member, begin)
    while at >= 0:
        around = (description[at - 1 : at], description[at + len(member) : at + len(member) + 1])
        if not any(one.isalnum() or one in _JOINED for one in around if one):
            return at
        at = description.find(member, at + 1)
    return -1


@lru_cache(1 << 12)
def negated_roots(word: str) -> frozenset[str]:
    """Stems behind the prefixes that negate: (activ) of deactiv and of inactiv, which mean the same."""
    prefixes = table("reading")["negating_prefixes"]
    return frozenset(
        word.removeprefix(one)
        for one in prefixes
        if word.startswith(one) and len(word) >= len(one) + _SHORTEST_ROOT
    )


@lru_cache(1 << 14)
def beginnings(word: str) -> frozenset[str]:
    """What a stem has in common with every one that says the same: its beginning, and those of its negated roots."""
    return frozenset((word[:_BEGINNING], *(f"-{root[:_SHORTEST_ROOT]}" for root in negated_roots(word))))


@lru_cache(1 << 12)
def named_members(item: Input) -> tuple[tuple[str, Member], ...]:
    """What each member of an enum is called, and the member; none for a number that the description does not name.

    `Unknown = 0, Approved = 2` names the members of an enum of numbers, and those of a number that has no enum. A member
    that is a text has a second name where the description gives it one, as it does others: Frankfurt, for `fra1`.
    """
    if any(isinstance(member, str) and not _is_number(member) for member in item.enum):
        texts = [member for member in item.enum if isinstance(member, str)]
        return (*((member, member) for member in texts), *_glosses(texts, item.description[:_WITHIN]))
    if "integer" not in (item.type, item.item_type) and not item.enum:
        return ()
    said = item.description[:_WITHIN]
    found = {number: name for name, number in _NAME_FIRST.findall(said)}
    if len(found) < _FEWEST:
        found = dict(_NUMBER_FIRST.findall(said))
    by_number = {str(member): member for member in item.enum} or {number: int(number) for number in found}
    named = tuple((found[number], by_number[number]) for number in by_number if number in found)
    return named if len(named) >= _FEWEST else ()


def _glosses(members: Sequence[str], description: str) -> list[tuple[str, Member]]:
    """What a description calls members, beside their own texts; nothing where it does so for few of them."""
    found: list[tuple[str, Member]] = []
    for member in members if any(mark in description for mark in "(=:`") else ():
        name = _gloss(member, description)
        if name and len(words(name)) <= _GLOSS_WORDS and name.casefold() != member.casefold():
            found.append((name, member))
    distinct = len({name.casefold() for name, _ in found}) == len(found)
    return found if distinct and len(found) >= max(_FEWEST, _SHARE * len(members)) else []


def _gloss(member: str, description: str) -> str:
    """What a description calls a member where it first explains it; empty where it does not."""
    at = description.find(member)
    while at >= 0:
        before = description[at - 1 : at]
        said = None if before.isalnum() or before in _JOINED else _GLOSS.match(description, at + len(member))
        if said:
            return next(part for part in said.groups() if part).strip()
        at = description.find(member, at + 1)
    return ""


def _is_number(member: str) -> bool:
    return member.removeprefix("-").isdigit()
