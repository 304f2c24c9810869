"""What is read of tools by position, where an index and its views keep together what was asked for lately."""

from collections.abc import Callable
from functools import lru_cache
from itertools import count
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")


class SharedReads(Generic[T]):
    """What readers give; of all of them together a certain number of values stays, however many readers there are.

    It holds no reader: one that nobody has any more is gone, and what it read makes room.

    Args:
        most: How many values stay.
    """

    def __init__(self, most: int) -> None:
        readers: WeakValueDictionary[int, Reader[T]] = WeakValueDictionary()

        def read(reader: int, at: int) -> T:
            return readers[reader].read(at)

        self._readers = readers
        self._numbers = count()
        self._kept = lru_cache(maxsize=most)(read)

    def of(self, read: Callable[[int], T]) -> "Reader[T]":
        """A reader whose values are kept."""
        number = next(self._numbers)
        found = Reader(read, number, self._kept)
        self._readers[number] = found
        return found


class Reader(Generic[T]):
    """Reads values by position, each as long as it is kept once.

    Args:
        read: Reads one.
        number: Of the reader.
        kept: Gives what is kept of a reader's value at a position, and has it read where it is not.
    """

    __slots__ = ("__weakref__", "_kept", "_number", "read")

    def __init__(self, read: Callable[[int], T], number: int, kept: Callable[[int, int], T]) -> None:
        self.read = read
        self._number = number
        self._kept = kept

    def __call__(self, at: int) -> T:
        """The value at a position."""
        return self._kept(self._number, at)

    __getitem__ = __call__
