"""A value of a goal with the words around it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from app.domain.language.identifiers import pieces, singular
from app.domain.language.text import stem
from app.domain.reading.models import StatedValue, ValueKind

_LISTED = re.compile(r"[\s,\"'”]*+(?:and|or)?[\s\"'“]*+")
_WORDS_AFTER = 3


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
    joined: str = ""
    """Stem of the last two nouns written together, as documents may write them: `cronjob`."""


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
                listed=at > 0 and bool(_LISTED.fullmatch(goal, values[at - 1].end, value.start)),
            )
        )
    return tuple(found)
