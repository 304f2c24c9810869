"""Values that are known before a plan runs: what the caller gave, and what the goal counts (`the second episode`)."""

import re
from collections.abc import Mapping
from functools import lru_cache

from pydantic import JsonValue

from app.domain.filling.forms import counts_by_ordinal
from app.domain.language.identifiers import ID_WORDS, id_family, words
from app.domain.planning.operations import Operation
from app.domain.schemas.tool_schemas import Input
from app.domain.workflows.plans import KnownBinding


class KnownValues:
    """Values by the words of their names; `order_id`, `orderId` and `order-ids` are one name."""

    def __init__(self, known: Mapping[str, JsonValue]) -> None:
        self._exact = dict(known)
        self._by_words = {_normal(words(name)): value for name, value in known.items()}

    @property
    def slots(self) -> frozenset[tuple[str, ...]]:
        """Words of the names of all given values."""
        return frozenset(self._by_words)

    def binding(self, operation: Operation, item: Input) -> KnownBinding | None:
        """The caller's value of an input; None without one.

        A bare `id` is that of the noun before it in the path, or of the call's resource.
        """
        if item.parameter in self._exact:
            return KnownBinding(known=self._exact[item.parameter])
        for slot in slots_of(operation, item):
            if _normal(slot) in self._by_words:
                return KnownBinding(known=self._by_words[_normal(slot)])
        return None


def slots_of(operation: Operation, item: Input) -> tuple[tuple[str, ...], ...]:
    """Names under which a caller may know an input's value, the plainest first."""
    name = words(item.name)
    if len(name) == 1 and name[0] in ID_WORDS:
        entity = operation.place(item).noun or operation.resource
        return ((*entity, *name), (*entity[-1:], *name)) if entity else (name,)
    place = operation.place(item).noun
    if item.location == "path" and place and name == place:
        return (name, (*name, "id"))
    return (name,)


def _normal(name: tuple[str, ...]) -> tuple[str, ...]:
    return (*name[:-1], id_family(name[-1])) if name else name


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = "|".join((*_ORDINALS, r"\d+(?:st|nd|rd|th)"))
_NOUNS_KEPT = 512
"""As many expressions as `re` itself keeps."""


def stated_ordinal(item: Input, goal: str) -> int | None:
    """The number that a goal gives an input by an ordinal: 2 for `season_number` in `the second season`."""
    if not counts_by_ordinal(item):
        return None
    found = ordinal_before(words(item.name)[-2]).search(goal)
    if found is None:
        return None
    word = found[1].lower()
    return _ORDINALS.index(word) + 1 if word in _ORDINALS else int(re.sub(r"\D", "", word))


@lru_cache(_NOUNS_KEPT)
def ordinal_before(noun: str) -> re.Pattern[str]:
    """An ordinal before a noun: `the second episode`, `1st season`."""
    return re.compile(rf"\b({_ORDINAL})\s++{re.escape(noun)}\b", re.IGNORECASE)
