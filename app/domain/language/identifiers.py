"""Names as words: `petIds`, `pet_id` and `pet-id` are all (pet, id)."""

import re
from collections.abc import Mapping
from functools import lru_cache

from app.lexicon.lists import table
from app.lexicon.lists import words as words_of

_PIECE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\x00-\x7f]+")
_CACHED_NAMES = 1 << 16
_SHORTEST_PLURAL = 4

_UNCHANGED = frozenset(words_of("names", "unchanged"))
_IRREGULAR: Mapping[str, str] = table("names")["irregular"]
ID_WORDS = frozenset(words_of("names", "identifying"))
"""Last words by which a name says that its value identifies one thing among others."""
_FAMILY: Mapping[str, str] = table("names")["families"]


@lru_cache(maxsize=_CACHED_NAMES)
def singular(word: str) -> str:
    """The singular of a lower-case English word, by endings and a table; unknown forms come back unchanged."""
    if word in _UNCHANGED or len(word) < _SHORTEST_PLURAL:
        return _IRREGULAR.get(word, word)
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return word[:-3] + "y"
    if word.endswith(("elves", "alves")):
        return word[:-3] + "f"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=_CACHED_NAMES)
def pieces(name: str) -> tuple[str, ...]:
    """`name` split at changes of case, at digits and at everything that is no letter; lower case."""
    found: list[str] = []
    for piece in _PIECE.findall(name):
        lower = piece.lower()
        # `IDs` reads as I, Ds.
        if lower in ("d", "ds") and found and found[-1] == "i":
            found[-1] = "i" + lower
        else:
            found.append(lower)
    return tuple(found)


@lru_cache(maxsize=_CACHED_NAMES)
def words(name: str) -> tuple[str, ...]:
    """The words of a name, each in the singular."""
    return tuple(singular(piece) for piece in pieces(name))


@lru_cache(maxsize=_CACHED_NAMES)
def is_plural(name: str) -> bool:
    """Whether the last word of a name is a plural."""
    last = pieces(name)[-1:]
    return bool(last) and singular(last[0]) != last[0]


def id_family(word: str) -> str:
    """The word that stands for all words that identify in the same way: `uuid` and `sid` are `id`."""
    return _FAMILY.get(word, word)
