"""Texts in one array of bytes, and terms with their numbers."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from threading import Lock

import numpy as np
import numpy.typing as npt

from app.domain.packed.sequences import ReadSequence

Bytes = npt.NDArray[np.uint8]
Starts = npt.NDArray[np.int64]
_FOUND_KEPT = 1 << 14
"""Terms of questions whose numbers stay known."""


class PackedTexts(ReadSequence[str]):
    """Texts, UTF-8, one behind the other.

    Args:
        blob: The bytes of all.
        starts: Where each begins, and behind the last one the end.
    """

    def __init__(self, blob: Bytes, starts: Starts) -> None:
        self.blob = blob
        self.starts = starts
        # Several times as fast as the arrays for one value.
        self._bytes = np.ascontiguousarray(blob).data
        self._starts = np.ascontiguousarray(starts).data

    @classmethod
    def of(cls, texts: Iterable[str]) -> "PackedTexts":
        """Pack some texts."""
        return cls.of_bytes(text.encode("utf-8", "surrogatepass") for text in texts)

    @classmethod
    def of_bytes(cls, texts: Iterable[bytes | memoryview]) -> "PackedTexts":
        """Pack texts that are encoded already."""
        blob, lengths = bytearray(), [0]
        for text in texts:
            blob += text
            lengths.append(len(text))
        return cls(np.frombuffer(blob, np.uint8), np.fromiter(accumulate(lengths), np.int64, len(lengths)))

    @classmethod
    def taken(cls, texts: "PackedTexts", at: npt.NDArray[np.intp], more: "PackedTexts") -> "PackedTexts":
        """Texts at other places, with more among them.

        Args:
            texts: Most of them.
            at: Of each the place in `texts`, or -1 - the place in `more`.
            more: The others.
        """
        return cls.of_bytes(texts.raw(place) if place >= 0 else more.raw(-1 - place) for place in at.tolist())

    def __len__(self) -> int:
        return len(self._starts) - 1

    def read(self, at: int) -> str:
        """The text at a place."""
        return str(self.raw(at), "utf-8", "surrogatepass")

    def raw(self, at: int) -> memoryview:
        """The bytes of a text."""
        return self._bytes[self._starts[at] : self._starts[at + 1]]


class Vocabulary:
    """Term -> number, from 0; an unknown term may be given the next one. Numbers never change.

    Generations share one: what is added for a later one says nothing to an earlier one.

    Args:
        packed: The first terms, by number.
        order: Their numbers in the order of the terms.
    """

    def __init__(self, packed: PackedTexts | None = None, order: npt.NDArray[np.int32] | None = None) -> None:
        self._packed = packed if packed is not None else PackedTexts.of(())
        by_term = np.ascontiguousarray(order if order is not None else np.empty(0, np.int32))
        self._in_packed = _finder(self._packed, by_term.data)
        self._first = len(self._packed)
        self._new: dict[str, int] = {}
        self._terms: list[str] = []
        self._adding = Lock()

    def __len__(self) -> int:
        return self._first + len(self._terms)

    def __iter__(self) -> Iterator[str]:
        return (self.term(number) for number in range(len(self)))

    def __contains__(self, term: str) -> bool:
        return self.get(term) is not None

    def term(self, number: int) -> str:
        """The term of a number."""
        return self._packed[number] if number < self._first else self._terms[number - self._first]

    def get(self, term: str) -> int | None:
        """The number of a term; None where it has none."""
        found = self._new.get(term)
        return self._in_packed(term) if found is None and self._first else found

    def number(self, term: str) -> int:
        """The number of a term, which it is given where it has none."""
        found = self._new.get(term)
        if found is None and self._first:
            found = self._in_packed(term)
        return self._added(term) if found is None else found

    def packed(self) -> tuple[PackedTexts, npt.NDArray[np.int32]]:
        """All terms by number, and their numbers in the order of the terms."""
        terms = list(self)
        order = np.array(sorted(range(len(terms)), key=terms.__getitem__), np.int32)
        return PackedTexts.of(terms), order

    def _added(self, term: str) -> int:
        with self._adding:
            found = self._new.get(term)
            if found is None:
                # In this order: who finds the number finds the term.
                found = len(self)
                self._terms.append(term)
                self._new[term] = found
            return found


def _finder(terms: PackedTexts, order: memoryview) -> Callable[[str], int | None]:
    """Finds the number of a term; those asked for lately are kept."""

    def find(term: str) -> int | None:
        wanted = term.encode("utf-8", "surrogatepass")
        low, high = 0, len(terms)
        while low < high:
            middle = (low + high) // 2
            number = order[middle]
            found = bytes(terms.raw(number))
            if found == wanted:
                return int(number)
            # The order of UTF-8 is that of characters.
            if found < wanted:
                low = middle + 1
            else:
                high = middle
        return None

    return lru_cache(maxsize=_FOUND_KEPT)(find)
