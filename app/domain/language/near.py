"""Names that look like a text, for when no word or name of it is known."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import numpy as np
import numpy.typing as npt

from app.domain.language.text import split_words

_BITS = np.uint64(21)
"""Enough for every character."""


def near_names(text: str, known: Iterable[str], *, cutoff: float, most: int = 3) -> list[str]:
    """The known names whose characters are most like a text's, the nearest first, each once.

    Args:
        text: what was asked for.
        known: the names.
        cutoff: how like they must be, 0 to 1 (`difflib.SequenceMatcher.ratio`).
        most: how many at most.
    """
    return list(dict.fromkeys(get_close_matches(text, list(known), n=most, cutoff=cutoff)))


def near_ones(text: str, known: Iterable[str], *, cutoff: float, otherwise: str) -> str:
    """For messages: the known names that look like a text; `otherwise` where none does."""
    near = near_names(text, known, cutoff=cutoff)
    return f"known near ones: {', '.join(near)}" if near else otherwise


def _codes(text: str) -> npt.NDArray[np.uint64]:
    """One number for each three neighbouring characters of `text`."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    if characters.size < 3:
        return np.empty(0, np.uint64)
    return (characters[:-2] << (_BITS + _BITS)) | (characters[1:-1] << _BITS) | characters[2:]


def _padded(text: str) -> str:
    return f" {' '.join(split_words(text))} "


class NameIndex:
    """Character trigrams of N names; identifiers are split and padded with spaces first."""

    def __init__(self, names: Sequence[str]) -> None:
        padded = [_padded(name) for name in names]
        lengths = np.array([len(name) for name in padded], np.intp)
        owners = np.repeat(np.arange(len(padded)), lengths)
        codes = _codes("".join(padded))
        # A trigram that begins in one name and ends in the next belongs to neither.
        inside = owners[:-2] == owners[2:]
        self._codes = codes[inside]
        self._owners = owners[:-2][inside]
        self._sizes = np.bincount(self._owners, minlength=len(padded)).astype(np.float64)

    def similarities(self, text: str) -> npt.NDArray[np.float64]:
        """Dice coefficient of each name's trigrams and the text's, (N,), 0 to 1.

        2 * (trigrams of the name that the text has) / (trigrams of the name + trigrams of the text)
        """
        asked = np.unique(_codes(_padded(text)))
        shared = np.bincount(self._owners[np.isin(self._codes, asked)], minlength=self._sizes.size)
        return np.minimum(1.0, 2 * shared / np.maximum(self._sizes + asked.size, 1))
