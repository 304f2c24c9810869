"""A goal with marks in place of its values, and what is no task of it: courtesies, and what is left alone."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from app.domain.language.goal_words import verb_kinds
from app.domain.language.text import stem
from app.domain.reading.clauses.marks import MARKS
from app.domain.reading.clauses.words import is_participle
from app.domain.reading.models import Exclusion, GoalCondition, StatedValue, ValueKind
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_STRONG, _TEXT, _WEAK, CONDITION_MARK, EXCLUSION_MARK = 0xE000, 0xE400, 0xE800, 0xF000, 0xF400
"""First characters for private use that stand for values (of them, quoted texts and ordinary words apart), for
conditions and for exclusions while a goal is cut."""
MOST_MARKS = 0x400
"""Values, conditions or exclusions of a goal that have marks."""
PHRASE_WITHIN = 200
"""Characters in which a turn of phrase ends: the longest has ten words, with those between a verb and its particle."""
CLAUSE_END = re.compile(
    r"(?<!\s)\s*+[,;.!?]|(?<!\s)\s++(?:then\b|but\b|and\s++(?=([a-z]++)\b))", re.IGNORECASE
)
"""Where what begins may end: at punctuation, `then`, `but`, or `and`."""
SENTENCE_END = re.compile(r"[.;!?]\s++")
WORD_SAID = r"[a-z]++[\ue800-\uefff]?+"
"""A word, which may be a value as well."""
ENDING_JOINT = re.compile(r"(?:,|(?<=[\w\ue000-\ue7ff]))\s*+\band\s*+$", re.IGNORECASE)


@dataclass(slots=True)
class MarkedGoal:
    """A goal with marks for what was taken out of it."""

    text: str
    values: Sequence[StatedValue]
    conditions: list[GoalCondition] = field(default_factory=list)
    exclusions: list[Exclusion] = field(default_factory=list)

    def plain(self, text: str) -> str:
        """`text` with its values in place and without other marks."""

        def said(found: re.Match[str]) -> str:
            mark = ord(found[0])
            at = (mark - _STRONG) % MOST_MARKS
            return self.values[at].text if mark < _WEAK and at < len(self.values) else ""

        return re.sub(r"\s{2,}+", " ", MARKS.sub(said, text)).strip(" ,;")

    def values_in(self, text: str) -> tuple[StatedValue, ...]:
        """Values whose marks stand in `text`."""
        found = []
        for mark in MARKS.findall(text):
            at = ord(mark)
            number = (at - _STRONG) % MOST_MARKS
            if at < CONDITION_MARK and number < len(self.values):
                found.append(self.values[number])
        return tuple(found)


def mark_values(goal: str, values: Sequence[StatedValue]) -> MarkedGoal:
    """A goal with one mark for each of its values; one that may be an ordinary word stays, with its mark behind it."""
    parts: list[str] = []
    last = 0
    for number, value in enumerate(values[:MOST_MARKS]):
        parts.append(goal[last : value.start])
        is_person = value_words().begins_with_given_name(value.text)
        if value.weak or (value.kind is ValueKind.NAME and value.text.islower() and not is_person):
            # It may be an ordinary word after all: it stays one for what looks at words.
            parts.append(goal[value.start : value.end] + chr(_WEAK + number))
        else:
            parts.append(chr((_TEXT if value.kind is ValueKind.QUOTED else _STRONG) + number))
        last = value.end
    # A goal may hold such characters itself.
    rest = [MARKS.sub(" ", part) if at % 2 == 0 else part for at, part in enumerate(parts)]
    return MarkedGoal("".join(rest) + MARKS.sub(" ", goal[last:]), values)


def phrase_pattern(words: Sequence[str]) -> str:
    """An expression for any of some phrases, the longest first, whatever white space is in them."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s++") for word in sorted(words, key=len, reverse=True))


def clause_end(text: str, start: int, *, is_verb: Callable[[str], bool]) -> int:
    """Where what begins at `start` ends: at punctuation, `then`, or `and` before a verb."""
    for found in CLAUSE_END.finditer(text, start):
        following = found[1]
        # `if it is open and locked` goes on.
        if following is None or (is_verb(following) and not is_participle(following)):
            return found.start()
    return len(text)


def is_known_verb(word: str) -> bool:
    """Whether a word is a verb of which it is known what kind of call it asks for."""
    return stem(word.lower()) in verb_kinds()


def without_courtesies(text: str) -> str:
    """What asks for something: without greetings, thanks, `oops`, and `otherwise leave it alone`."""
    for pattern in _courtesies():
        text = pattern.sub("", text)
    return text


@cache
def _courtesies() -> tuple[re.Pattern[str], ...]:
    said = _said_in_part
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"\A\s*+(?:{said('greetings')})(?:\s++\w++)?[\ue800-\uefff]?+\s*+[,!.]++\s++",
            rf"\A\s*+(?:{said('interjections')})[\ue800-\uefff]?+\s*+[,!.]++\s++",
            rf"(?:\A|(?<=[.;,!?]))\s*+(?:{said('thanks')})\b[^.;!?\ue000-\ue7ff\uf000-\uf7ff]*+(?:[.!]++|\Z)",
            rf"(?<![\s,;.])[\s,;.]*+\b(?:and\s++|or\s++)?+(?:{said('otherwise')})\b[\ue800-\uefff]?+,?+\s++{idle_pattern().pattern}(?=\s*+(?:\Z|[.;,!]))",
            rf"(?<![\s,])[\s,]*+\b(?:{said('courtesies')})\b(?=\s*+(?:\Z|[.;,!?]))",
        )
    )


@cache
def idle_pattern() -> re.Pattern[str]:
    """What says that nothing is to be done."""
    idle = _said_in_part("idle").replace(r"\*", "(?:it|them|him|her|that|this|these|those|everything)")
    return re.compile(
        rf"(?:but\s++|and\s++)?+(?:please\s++)?+(?:just\s++)?+(?:{idle})(?:[\ue800-\uefff]?+\s++(?:{_said_in_part('left')}))?+[\ue800-\uefff]?+",
        re.IGNORECASE,
    )


@cache
def staying_pattern() -> re.Pattern[str]:
    """What says that a thing which is named stays as it is."""
    return re.compile(
        rf"(?:but\s++|and\s++)?+(?:please\s++)?+leave\s++(?:the|my|our|its|his|her|their|all)(?:\s++[\w-]++){{1,3}}?\s++(?:{_said_in_part('left')})",
        re.IGNORECASE,
    )


def _said_in_part(name: str) -> str:
    """The phrases of a list, of which any word may be taken for a name as well."""
    return phrase_pattern(table("reading")[name]).replace(r"\s++", r"[\ue800-\uefff]?+\s++")
