"""Names as words: `petIds`, `pet_id` and `pet-id` are all (pet, id)."""

from collections.abc import Mapping
from functools import lru_cache

from app.domain.language.foreign import script_in_english
from app.domain.language.text import long_words, split_words
from app.lexicon.lists import table
from app.lexicon.lists import words as words_of

_CACHED_NAMES = 1 << 16
_SHORTEST_PLURAL = 4

_UNCHANGED = frozenset(words_of("names", "unchanged"))
_IRREGULAR: Mapping[str, str] = table("names")["irregular"]
ID_WORDS = frozenset(words_of("names", "identifying"))
"""Last words by which a name says that its value identifies one thing among others."""
_FAMILY: Mapping[str, str] = table("names")["families"]
FILTERING = ("filter[", "filters[")
"""How JSON:API (1.1, Recommendations, Filtering) and others begin the name of a filter."""


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
    """`text.long_words` of a name or a goal, and behind a Chinese, Japanese or Korean word what it is in English.

    Kept, since the same names are read again and again.
    """
    return tuple(read for word in long_words(name) for read in (word, *script_in_english(word).split()))


@lru_cache(maxsize=_CACHED_NAMES)
def words(name: str) -> tuple[str, ...]:
    """The words of a name, each in the singular; of `filter[status]` those of what it filters by."""
    inside = name.partition("[")[2] if name.startswith(FILTERING) else name
    return tuple(singular(piece) for piece in pieces(inside))


@lru_cache(maxsize=_CACHED_NAMES)
def is_plural(name: str) -> bool:
    """Whether the last word of a name is a plural; long forms are singular, whatever the short one is."""
    last = split_words(name)[-1:]
    return bool(last) and singular(last[0]) != last[0]


def id_family(word: str) -> str:
    """The word that stands for all words that identify in the same way: `uuid` and `sid` are `id`."""
    return _FAMILY.get(word, word)
