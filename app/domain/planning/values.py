"""Values that are known before a plan runs: what the caller gave, and what the goal says in its own words.

A goal says them as `order 123`, `season 3`, `the second episode`, `"Love Songs"`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pydantic import JsonValue

from app.domain.language.identifiers import ID_WORDS, id_family, words
from app.domain.language.operation_words import SEARCH_PARAMETERS
from app.domain.language.visible_text import QUOTED
from app.domain.planning.operations import Operation
from app.domain.schemas.tool_schemas import Input
from app.domain.workflows.plans import KnownBinding

_NAME_WORDS = frozenset(("name", "title"))


class KnownValues:
    """Values by the words of their names; `order_id`, `orderId` and `order-ids` are one name."""

    def __init__(self, goal: str, known: Mapping[str, JsonValue]) -> None:
        self.goal = goal
        self._exact = dict(known)
        self._by_words = {_normal(words(name)): value for name, value in known.items()}
        self.names = quoted_names(goal)

    @property
    def email(self) -> str | None:
        """The first e-mail address in the goal."""
        return first_email(self.goal)

    def given(self, slot: tuple[str, ...]) -> JsonValue:
        """The caller's value under a name of these words; None when there is no such value."""
        return self._by_words.get(_normal(slot))

    def __contains__(self, slot: tuple[str, ...]) -> bool:
        return _normal(slot) in self._by_words

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


def _takes_name(item: Input) -> bool:
    name = words(item.name)
    is_query = item.name.lower() in SEARCH_PARAMETERS or (bool(name) and name[-1] in _NAME_WORDS)
    return is_query and item.type in ("string", "") and not item.has_enum


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = "|".join((*_ORDINALS, "last", r"\d+(?:st|nd|rd|th)"))
_ID_SAID = re.compile(
    r"\b(?:id|key|number|code|sku|sid|uuid)\s*+[:#=]?\s*+[\"']?([A-Z]*+[-_]?\d[\w-]*)", re.IGNORECASE
)
_COUNTING_WORDS = frozenset(("number", "no", "index", "num", "position"))
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.-]*\w")
_QUOTED = re.compile(QUOTED)
_NOUNS_KEPT = 512
"""As many expressions as `re` itself keeps."""
_NAMED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")


def quoted_names(goal: str) -> list[str]:
    """What stands in quotation marks, in order."""
    return [next(part for part in match if part) for match in _QUOTED.findall(goal)]


def first_email(goal: str) -> str | None:
    """The first e-mail address in a text."""
    found = _EMAIL.search(goal)
    return found.group(0) if found else None


def names_something(goal: str) -> bool:
    """Whether a goal mentions a thing by its own name: in quotation marks, or in capitals inside a sentence."""
    return bool(quoted_names(goal) or _NAMED.search(goal))


def stated_value(item: Input, name: Sequence[str], entity: Sequence[str], goal: str) -> str | int | None:
    """The value that a goal's text gives for an input; None when it gives none.

    Args:
        item: The input.
        name: Words of its name.
        entity: Words of what it identifies, when its name does not say: the noun before a path parameter.
        goal: The text.
    """
    if name and name[-1] == "email":
        return first_email(goal)
    nouns = [word for word in name if word not in ID_WORDS] or list(entity[-1:])
    value = _after_noun(nouns[-1], goal) if nouns else None
    if value is None and nouns and name[-1] in _COUNTING_WORDS:
        value = _ordinal_before(nouns[-1], goal)
    if value is None and name and name[-1] in ID_WORDS:
        said = _ID_SAID.search(goal)
        value = said.group(1) if said else None
    return _typed(item, value)


@lru_cache(_NOUNS_KEPT)
def after_noun(noun: str) -> re.Pattern[str]:
    """What a goal says behind a noun that may tell which one is meant: `order 123`, `order no. A-17`."""
    return re.compile(
        # Possessive: white space that one of the three has taken is not offered to the next.
        rf"\b{re.escape(noun)}(?:e?s)?\s*+(?:number|no\.?|id|#)?\s*+[#:]?\s*+([A-Z]{{0,4}}-?\d[\w-]*)",
        re.IGNORECASE,
    )


@lru_cache(_NOUNS_KEPT)
def ordinal_before(noun: str) -> re.Pattern[str]:
    """An ordinal before a noun: `the second episode`, `1st season`."""
    return re.compile(rf"\b({_ORDINAL})\s++{re.escape(noun)}\b", re.IGNORECASE)


def _after_noun(noun: str, goal: str) -> str | None:
    found = after_noun(noun).search(goal)
    return found.group(1) if found else None


def _ordinal_before(noun: str, goal: str) -> str | None:
    found = ordinal_before(noun).search(goal)
    if found is None:
        return None
    word = found.group(1).lower()
    if word in _ORDINALS:
        return str(_ORDINALS.index(word) + 1)
    return word if word == "last" else re.sub(r"\D", "", word)


def _typed(item: Input, value: str | None) -> str | int | None:
    if value is None or item.type not in ("integer", "number"):
        return value
    return int(value) if value.isdigit() else None
