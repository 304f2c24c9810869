"""A value of a goal with the words around it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.text import stem
from app.domain.reading.models import StatedValue, ValueKind
from app.lexicon.lists import table

_LISTED = re.compile(r"[\s,\"'”]*+(?:and|or)?[\s\"'“]*+")
_WORDS_AFTER = 3
_LOOKED_BACK = 60
"""Characters before a value in which the words are that may name it: three long ones."""
_BEING = ("is", "to", "of", "as", "are")
"""Between a name and its value, they say nothing."""


@dataclass(frozen=True, slots=True)
class SaidValue:
    """One value, with the stems around it."""

    at: int
    """Position among the values of the goal."""
    value: StatedValue
    nouns: tuple[str, ...]
    """Stems of the words before it, the nearest last."""
    after: tuple[str, ...]
    """Stems of the words behind it, and of its unit."""
    local: bool = True
    """Whether it stands in the task itself."""
    implied: frozenset[str] = frozenset()
    """Stems of what values of its form are in this catalogue: an issue for `ABC-42`."""
    listed: bool = False
    """Whether it goes on with a list that another value begins: 12 in `tickets 7 and 12`."""
    counts: bool = False
    """Whether it says how many of a list are meant: 20 in `at most 20`, `the first 20`."""
    led: tuple[str, ...] = ()
    """Up to three words directly before it, identifying ones included: (last, name) in `last name Novak`."""
    counted: frozenset[str] = frozenset()
    """Stem of the plural that a number stands before, with nothing but adjectives between: `5 newest tickets`."""
    joined: str = ""
    """Stem of the last two nouns written together, as documents may write them: `cronjob`."""


def _is_count(value: StatedValue) -> bool:
    return value.kind is ValueKind.NUMBER and isinstance(value.value, int) and value.value > 0


def _counted(behind: Sequence[str]) -> frozenset[str]:
    """Stem of the first plural behind a number, before anything that ends its phrase."""
    for word in behind[:_WORDS_AFTER]:
        if word in PHRASE_ENDS:
            break
        if is_plural(word):
            return frozenset((stem(singular(word)),))
    return frozenset()


@cache
def counting_pattern() -> re.Pattern[str]:
    """What says before a number how many of a list are meant: `at most`."""
    phrases = "|".join(re.escape(one) for one in table("reading")["counting"])
    return re.compile(rf"\b(?:{phrases})\s++$", re.IGNORECASE)


def _led(before: str) -> tuple[str, ...]:
    """The words of the phrase that ends before a value, without the verb of being between."""
    phrase = re.split(r"[,.;!?]", before[-_LOOKED_BACK:])[-1]
    said = list(pieces(phrase))
    while said and said[-1] in _BEING:
        said.pop()
    return tuple(said[-_WORDS_AFTER:])


def said_values(
    goal: str,
    values: Sequence[StatedValue],
    *,
    implied: Callable[[str], frozenset[str]],
    objects: Mapping[int, str] = MappingProxyType({}),
) -> tuple[SaidValue, ...]:
    """The values of a goal with the words around them, and what ids of their form are.

    `objects`: first character of values -> the noun that they are for, though it stands further away (`set the topic
    of the channel to ...`).
    """
    found = []
    for at, value in enumerate(values):
        behind = pieces(
            re.split(r"[,.;:!?\"]", goal[value.end : value.end + 40].lstrip("\"”'» "), maxsplit=1)[0]
        )
        after = tuple(stem(singular(word)) for word in behind[:_WORDS_AFTER])
        unit = (stem(singular(value.unit.lower())),) if value.unit else ()
        nouns = tuple(stem(singular(word)) for word in value.nouns)
        joined = stem("".join(map(singular, value.nouns[-2:]))) if len(nouns) > 1 else ""
        found.append(
            SaidValue(
                at,
                value,
                nouns or ((objects[value.start],) if value.start in objects else ()),
                (*unit, *after),
                implied=implied(value.text) if value.kind is ValueKind.ID else frozenset(),
                joined=joined,
                counts=_is_count(value) and bool(counting_pattern().search(goal[: value.start])),
                counted=_counted(behind) if _is_count(value) else frozenset(),
                led=_led(goal[: value.start]),
                listed=at > 0 and bool(_LISTED.fullmatch(goal, values[at - 1].end, value.start)),
            )
        )
    return tuple(found)
