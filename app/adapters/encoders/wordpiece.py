"""The tokenizer of BERT: a text as numbers of words and pieces of words.

Source:
    Devlin et al.: BERT. NAACL 2019, and its published code; Wu et al.: Google's neural machine translation system (2016),
    section 4.1, for word pieces.
"""

import json
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from app.errors import EncoderError

_BEGIN, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_INSIDE = "##"
"""Before a piece that does not begin a word."""
_LONGEST_WORD = 100
"""Characters; a longer word is unknown. Source: the published code."""
_CACHED_WORDS = 1 << 14
_CJK = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
    *((0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)
"""Ideographs, each a word of its own. Source: the published code."""
_ASCII_MARKS = (*range(33, 48), *range(58, 65), *range(91, 97), *range(123, 127))
"""What is printed in ASCII and no letter, digit or space, `$` and `^` included, which are no marks in Unicode."""


class WordPiece:
    """Texts of a lower-case vocabulary as numbers; threads may share it.

    Args:
        path: A `tokenizer.json` whose model is WordPiece, lower-case.

    Raises:
        EncoderError: the file is not a tokenizer, or one of another kind.
    """

    def __init__(self, path: Path) -> None:
        try:
            found = json.loads(path.read_bytes())
            model, normalizer = found["model"], found["normalizer"]
            self._numbers: Mapping[str, int] = model["vocab"]
            kinds = (model.get("type", "WordPiece"), normalizer["type"], normalizer["lowercase"])
            self._begin, self._end, self._unknown = (self._numbers[one] for one in (_BEGIN, _END, _UNKNOWN))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EncoderError(
                f"{path.name} of the encoder is no tokenizer: {type(error).__name__}"
            ) from error
        if kinds != ("WordPiece", "BertNormalizer", True):
            raise EncoderError(
                f"{path.name} of the encoder: a tokenizer of kind {kinds[0]!r}; accepted: WordPiece, lower-case"
            )
        self._pieces = lru_cache(_CACHED_WORDS)(self._cut)

    @property
    def tokens(self) -> list[str]:
        """The words and pieces of words, in the order of their numbers."""
        return sorted(self._numbers, key=self._numbers.__getitem__)

    def encode(self, text: str, *, most: int) -> list[int]:
        """The numbers of a text, its begin and end included.

        Args:
            text: Any text.
            most: Numbers; what follows is cut off.
        """
        numbers = [self._begin]
        for word in _words(text):
            numbers += self._pieces(word)
            if len(numbers) >= most:
                break
        return [*numbers[: most - 1], self._end]

    def _cut(self, word: str) -> tuple[int, ...]:
        """The fewest pieces, each the longest that the vocabulary has."""
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            prefix = _INSIDE if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(prefix + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)


def _words(text: str) -> Iterator[str]:
    """Lower-case words and marks, without accents and control characters."""
    clean = "".join(_cleaned(character) for character in text)
    lower = "".join(
        character
        for character in unicodedata.normalize("NFD", clean)
        if unicodedata.category(character) != "Mn"
    ).lower()
    for word in lower.split():
        start = 0
        for at, character in enumerate(word):
            if _is_mark(character):
                if start < at:
                    yield word[start:at]
                yield character
                start = at + 1
        if start < len(word):
            yield word[start:]


@lru_cache(_CACHED_WORDS)
def _cleaned(character: str) -> str:
    """A character of a text: a space, nothing, itself, or itself as a word."""
    code = ord(character)
    if character in "\t\n\r" or unicodedata.category(character) == "Zs":
        return " "
    if code in {0, 0xFFFD} or unicodedata.category(character).startswith("C"):
        return ""
    return f" {character} " if any(first <= code <= last for first, last in _CJK) else character


@lru_cache(_CACHED_WORDS)
def _is_mark(character: str) -> bool:
    return ord(character) in _ASCII_MARKS or unicodedata.category(character).startswith("P")
