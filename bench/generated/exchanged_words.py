"""Other words for those of a text, so that copies of it have the vocabulary that a longer text would have.

Frequent words stay: what tools do is said in the same words everywhere. Words of middle frequency change places with
others of like frequency. The rarest become new words, as many of them as Heaps' law says that a text so much longer has;
the other rare ones become rare words of this or an earlier copy. So frequencies in a copy are those of the original,
and a word of the one is another's in the next.
"""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from bench.generated.heaps import WORD

KEPT_WORDS = 500
"""The most frequent ones, of a large vocabulary: `get`, `list`, `the`."""
_KEPT_SHARE = 30
"""Of a small vocabulary one word in thirty stays."""
_BAND = 50
"""Neighbours by frequency that change places."""
_MIN_CHARS = 3
"""Shorter words stay: articles, `id`, single letters of formulas."""
_CONSONANTS = "bdfgklmnprtvz"
_VOWELS = "aiou"
_SYLLABLES = tuple(one + vowel for one in _CONSONANTS for vowel in _VOWELS)
_ENDS = ("k", "l", "m", "n", "p", "rt", "x")


def coined_word(number: int) -> str:
    """The word of this number that no language has: two syllables or more and a consonant. Each number has another."""
    number, end = divmod(number, len(_ENDS))
    syllables = []
    for place in count():
        number, syllable = divmod(number, len(_SYLLABLES))
        syllables.append(_SYLLABLES[syllable])
        if not number and place:
            break
        number -= bool(place)
    return "".join(syllables) + _ENDS[end]


@dataclass(frozen=True, slots=True)
class WordsOfCopy:
    """What becomes of each word in one copy; what is not named stays."""

    instead: Mapping[str, str]

    def text(self, text: str) -> str:
        """A text or name with other words, written as the old ones were."""
        return WORD.sub(lambda found: self._written(found.group()), text)

    def _written(self, word: str) -> str:
        other = self.instead.get(word.lower())
        if other is None:
            return word
        if word.isupper():
            return other.upper()
        return other.capitalize() if word[0].isupper() else other


class ExchangedWords:
    """Makes the words of each copy.

    Args:
        frequencies: of the original's words.
        beta: exponent of its Heaps' law.
        seed: another one gives other copies.
    """

    def __init__(self, frequencies: Counter[str], *, beta: float, seed: int) -> None:
        # Counter keeps the order of first use, which depends on the order of the file: ties break by the word.
        ranked = sorted(frequencies, key=lambda word: (-frequencies[word], word))
        self._vocabulary = len(ranked)
        kept = min(KEPT_WORDS, len(ranked) // _KEPT_SHARE)
        self._changing = [word for word in ranked[kept:] if len(word) >= _MIN_CHARS]
        self._known = frozenset(ranked)
        self._beta = beta
        self._seed = seed

    def of_copy(self, copy: int) -> WordsOfCopy:
        """The words of a copy; the first is the original."""
        if copy == 1:
            return WordsOfCopy({})
        chance = random.Random(f"{self._seed}:{copy}")  # noqa: S311 - the same catalogue for the same seed
        before, new = self._coined_before(copy), self._coined_before(copy + 1) - self._coined_before(copy)
        rare = min(len(self._changing), max(new, len(self._changing) // 2))
        middle, rarest = (
            self._changing[: len(self._changing) - rare],
            self._changing[len(self._changing) - rare :],
        )
        instead: dict[str, str] = {}
        for start in range(0, len(middle), _BAND):
            band = middle[start : start + _BAND]
            instead |= zip(band, chance.sample(band, len(band)), strict=True)
        # The rarest of all are last.
        others, fresh = rarest[: rare - new], rarest[rare - new :]
        pool = len(rarest) + before
        for word, place in zip(others, chance.sample(range(pool), len(others)), strict=True):
            instead[word] = rarest[place] if place < len(rarest) else self._coined(place - len(rarest))
        instead |= {word: self._coined(before + number) for number, word in enumerate(fresh)}
        return WordsOfCopy(instead)

    def _coined_before(self, copy: int) -> int:
        """How many new words the copies before this one have together."""
        return (
            min(round(self._vocabulary * ((copy - 1) ** self._beta - 1)), (copy - 2) * len(self._changing))
            if copy > 2
            else 0
        )

    def _coined(self, number: int) -> str:
        word = coined_word(number)
        # A word that a language has after all: far more syllables are nobody's.
        return f"{word}{coined_word(number)}" if word in self._known else word
