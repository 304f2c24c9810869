"""Sequences over other sequences, which read a value when it is asked for."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar, overload

import numpy as np
import numpy.typing as npt

NewPlaces = npt.NDArray[np.signedinteger]
"""Where values stand that stood elsewhere before, -1 for those that are gone."""
T = TypeVar("T")


def new_places(size: int, at: npt.NDArray[np.intp]) -> NewPlaces:
    """Where each of `size` values stands among the chosen ones, in the smallest whole number: each view has its own.

    Args:
        size: How many there are.
        at: The places of the chosen ones, rising.
    """
    found = np.full(size, -1, np.min_scalar_type(-1 - at.size))
    found[at] = np.arange(at.size)
    return found


def smallest(numbers: npt.NDArray[np.signedinteger]) -> npt.NDArray[np.signedinteger]:
    """Numbers from -1 in the smallest whole number with a sign."""
    found: npt.NDArray[np.signedinteger] = numbers.astype(
        np.min_scalar_type(-1 - int(numbers.max(initial=0)))
    )
    return found


class ReadSequence(Sequence[T]):
    """Values that are read when they are asked for; equal to any sequence of equal values."""

    @abstractmethod
    def read(self, at: int) -> T:
        """The value at a place, from 0."""

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        if isinstance(at, slice):
            return [self.read(one) for one in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(f"place {at} of {len(self)}")
        return self.read(at % len(self))

    def __iter__(self) -> Iterator[T]:
        return map(self.read, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sequence)
            and len(self) == len(other)
            and all(one == another for one, another in zip(self, other, strict=True))
        )

    __hash__ = None  # type: ignore[assignment]


class Chosen(ReadSequence[T]):
    """Some values of a sequence.

    Args:
        values: All.
        at: The places of the chosen ones, rising.
    """

    def __init__(self, values: Sequence[T], at: npt.NDArray[np.intp]) -> None:
        self._values = values
        self.at = at

    def __len__(self) -> int:
        return int(self.at.size)

    def read(self, at: int) -> T:
        """The value at a place."""
        return self._values[int(self.at[at])]


class Patched(ReadSequence[T]):
    """A sequence at whose places others stand: most are those of an earlier one.

    Args:
        base: The earlier values.
        at: Per place the place in `base`, or -1 - the place in `fresh`.
        fresh: The others.
    """

    def __init__(self, base: Sequence[T], at: npt.NDArray[np.intp], fresh: Sequence[T]) -> None:
        self.base = base
        self.at = at
        self.fresh = fresh

    @classmethod
    def taken(cls, values: Sequence[T], origin: npt.NDArray[np.intp], new: Sequence[T]) -> "Patched[T]":
        """The values of a later state.

        Args:
            values: Of the earlier one.
            origin: Where each stood before, -1 for a new one.
            new: The new ones, in order.
        """
        is_new = origin < 0
        if not isinstance(values, Patched):
            at = origin.astype(np.intp)
            at[is_new] = -1 - np.arange(len(new))
            return cls(values, at, new)
        at = np.empty(origin.size, np.intp)
        at[~is_new] = values.at[origin[~is_new]]
        # Of the earlier fresh ones those that are still there.
        still = np.flatnonzero(~is_new & (at < 0))
        kept = [values.fresh[-1 - place] for place in at[still].tolist()]
        at[still] = -1 - np.arange(still.size)
        at[is_new] = -1 - still.size - np.arange(len(new))
        return cls(values.base, at, [*kept, *new])

    def __len__(self) -> int:
        return int(self.at.size)

    def read(self, at: int) -> T:
        """The value at a place."""
        place = int(self.at[at])
        return self.base[place] if place >= 0 else self.fresh[-1 - place]


class ChosenPositions(Mapping[str, int]):
    """Where values stand among some of them.

    Args:
        positions: Key -> place among all.
        at: The places of the chosen ones, rising.
        now: `new_places` of these.
    """

    def __init__(self, positions: Mapping[str, int], at: npt.NDArray[np.intp], now: NewPlaces) -> None:
        self._positions = positions
        self.at = at
        self.now = now

    def __len__(self) -> int:
        return int(self.at.size)

    def __getitem__(self, key: str) -> int:
        found = int(self.now[self._positions[key]])
        if found < 0:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return (key for key in self._positions if key in self)
