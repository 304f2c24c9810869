"""Values that stand in a goal's own words: `order 123`, `season 3`, `the second episode`, `"Love Songs"`."""

import re
from collections.abc import Sequence
from functools import lru_cache

from app.domain.language.identifiers import ID_WORDS
from app.domain.language.question_text import QUOTED
from app.domain.schemas.tool_schemas import Input

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
