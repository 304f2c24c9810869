"""Words of a clause: its terms, and what their form says of them."""

from collections.abc import Sequence
from functools import lru_cache

from app.domain.language.goal_words import STOP_WORDS
from app.domain.language.identifiers import pieces
from app.domain.language.text import stem
from app.lexicon.lists import table

LONGEST_DESCRIPTION = 3
"""Words that may say how something is, or what is to be done with it."""


def goal_terms(text: str) -> list[str]:
    """Stems of the words of a goal that may name a tool, in order, repeats kept."""
    return [stem(piece) for piece in pieces(text) if piece not in STOP_WORDS and len(piece) > 1]


def opening_stems(clause: str, count: int) -> tuple[str, ...]:
    """Stems of the first `count` words."""
    return _stems(clause)[:count]


@lru_cache(maxsize=1 << 12)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(piece) for piece in pieces(text))


def is_participle(piece: str) -> bool:
    """Whether a clause behind `to` begins with what a thing becomes, not with what is to be done: `set it to approved`."""
    first = next(iter(pieces(piece)), "")
    return first.endswith("ed") and stem(first) != first and first not in table("en")["verbs"]


@lru_cache(maxsize=1 << 12)
def is_agent(word: str) -> bool:
    """Whether a word says who does something, and is no verb though it shares a stem with one: `customer`."""
    return word.endswith(("er", "ers", "or", "ors")) and stem(word) not in (word, word.rstrip("s"))


def names_only(said: Sequence[str]) -> bool:
    """Whether a clause begins as a noun phrase does, so that what follows is no verb: `its refunds`, `the open order`."""
    return said[:1] != () and said[0] in table("values")["determiners"].split()
