"""What is read of tools by position, where an index and its views keep together what was asked for lately."""

from collections.abc import Callable
from functools import lru_cache
from itertools import count
from typing import Generic, TypeVar

T = TypeVar("T")


class SharedReads(Generic[T]):
    """What readers give; of all of them together a certain number of values stays, however many readers there are.

    It holds no reader: one that nobody has any more is gone, and what it read makes room.

    Args:
        most: How many values stay.
    """

    def __init__(self, most: int) -> None:
        def place(_reader: int, _at: int) -> list[T]:
            return []

        self._numbers = count()
        self._places = lru_cache(maxsize=most)(place)

    def of(self, read: Callable[[int], T]) -> "Reader[T]":
        """A reader whose values are kept."""
        return Reader(read, next(self._numbers), self._places)


class Reader(Generic[T]):
    """Reads values by position, each as long as it is kept once.

    Args:
        read: Reads one.
        number: Of the reader.
        places: Gives the place where a reader's value at a position is kept, which is empty until it is read.
    """

    __slots__ = ("_number", "_places", "read")

    def __init__(self, read: Callable[[int], T], number: int, places: Callable[[int, int], list[T]]) -> None:
        self.read = read
        self._number = number
        self._places = places

    def __call__(self, at: int) -> T:
        """The value at a position."""
        place = self._places(self._number, at)
        if not place:
            place.append(self.read(at))
        return place[0]

    __getitem__ = __call__
