"""Which documents hold a key, in flat arrays; and sums over the documents that a few keys reach.

Nothing here makes an array of one value per document for a query: the work is that of what the keys reach.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.packed.sequences import NewPlaces
from app.domain.ranking.formulas import Array, Mask, Positions, by_maximum

Counts = npt.NDArray[np.unsignedinteger]
Documents = npt.NDArray[np.int32]
Keys = npt.NDArray[np.int64]

_BEYOND = np.iinfo(np.uint8).max
_SPARSE = 16
"""Below one document in 16, sorting what is reached is cheaper than reading one byte per document."""


class _Buffers:
    """Memory that is used again and again; as long as the largest number of documents so far."""

    def __init__(self) -> None:
        self._flags = np.zeros(0, np.bool_)
        self._places: Positions = np.zeros(0, np.intp)
        self._sums: Array = np.zeros(0, np.float64)

    def __enter__(self) -> "_Buffers":
        return self

    def __exit__(self, *_: object) -> None:
        _FREE.append(self)

    def flags(self, count: int) -> npt.NDArray[np.bool_]:
        """All false; whoever sets some clears them."""
        if self._flags.size < count:
            self._flags = np.zeros(count, np.bool_)
        return self._flags

    def places(self, count: int) -> Positions:
        """Any values."""
        if self._places.size < count:
            self._places = np.zeros(count, np.intp)
        return self._places

    def sums(self, count: int) -> Array:
        """Any values: whoever adds to some clears them first."""
        if self._sums.size < count:
            self._sums = np.zeros(count, np.float64)
        return self._sums


_FREE: list[_Buffers] = []
"""Those that nobody uses. A service has more threads than work on arrays at a time: each with its own would keep 17 bytes a
document."""


def _buffers() -> _Buffers:
    """Some that nobody else has until they are left."""
    try:
        # In one step, so that no two threads get the same.
        return _FREE.pop()
    except IndexError:
        return _Buffers()


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Key -> the documents that hold it, each once, rising, and how often."""

    keys: Keys
    """Those that a document holds, rising."""
    starts: Keys
    """Where the run of each key begins, and behind the last one the end."""
    documents: Documents
    counts: Counts

    @classmethod
    def of_matrix(cls, matrix: sp.csr_matrix) -> "Runs":
        """From a (keys, documents) matrix of counts, in the smallest whole number that holds them."""
        matrix.sum_duplicates()
        held = np.flatnonzero(np.diff(matrix.indptr))
        starts = np.append(matrix.indptr[held], matrix.indptr[-1]).astype(np.int64)
        most = int(matrix.data.max(initial=0))
        counts: Counts = matrix.data.astype(np.min_scalar_type(most))
        return cls(held.astype(np.int64), starts, matrix.indices.astype(np.int32), counts)

    @classmethod
    def merged(cls, parts: "Sequence[tuple[Runs, NewPlaces]]") -> "Runs":
        """Of several runs, each with the place of its documents among those of all, -1 for one that is gone."""
        # Keys are sorted, entries are not: these are many times as many.
        held = np.unique(np.concatenate([runs.keys for runs, _ in parts]))
        rows, documents, counts = [], [], []
        for runs, at in parts:
            placed = at[runs.documents]
            there = placed >= 0
            row = held.searchsorted(runs.keys).astype(np.int32)
            rows.append(np.repeat(row, np.diff(runs.starts))[there])
            documents.append(placed[there].astype(np.int32))
            counts.append(runs.counts[there])
        of_document = np.concatenate(documents)
        shape = (held.size, int(of_document.max(initial=-1)) + 1)
        how_often = np.concatenate(counts).astype(np.int32)
        found = cls.of_matrix(sp.csr_matrix((how_often, (np.concatenate(rows), of_document)), shape=shape))
        return replace(found, keys=held[found.keys])

    def of(self, keys: npt.NDArray[np.integer]) -> list[slice]:
        """Where the run of each of these keys stands in `documents` and `counts`; empty where no document holds it."""
        if not self.keys.size:
            return [slice(0, 0)] * len(keys)
        places = np.minimum(self.keys.searchsorted(keys), self.keys.size - 1)
        held = self.keys[places] == keys
        begins, ends = np.where(held, self.starts[places], 0), np.where(held, self.starts[places + 1], 0)
        return [slice(begin, end) for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]

    def frequencies(self, visible: Mask | None = None) -> "Frequencies":
        """Of each key the number of (visible) documents that hold it."""
        if visible is None:
            return Frequencies.of_each(np.diff(self.starts))
        seen = visible[self.documents]
        before = np.zeros(seen.size + 1, np.int32)
        np.cumsum(seen, out=before[1:])
        return Frequencies.of_each(np.diff(before[self.starts]))


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """How many documents hold each of some keys, in a byte each, as each view has its own: few are beyond that."""

    bytes: npt.NDArray[np.uint8]
    beyond: Positions
    """Places of those that a byte does not hold, rising."""
    counts: npt.NDArray[np.int32]
    """Theirs."""

    @classmethod
    def of_each(cls, counts: npt.NDArray[np.integer]) -> "Frequencies":
        """Of all keys."""
        beyond = np.flatnonzero(counts >= _BEYOND)
        return cls(np.minimum(counts, _BEYOND).astype(np.uint8), beyond, counts[beyond].astype(np.int32))

    @property
    def any(self) -> Mask:
        """Which keys any document holds."""
        found: Mask = self.bytes > 0
        return found

    def at(self, places: Positions) -> npt.NDArray[np.int64]:
        """Those of some keys."""
        found = self.bytes[places].astype(np.int64)
        more = np.flatnonzero(found == _BEYOND)
        found[more] = self.counts[self.beyond.searchsorted(places[more])]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """The documents that something reaches, rising, each with its score."""

    positions: Positions
    scores: Array

    def at(self, positions: Positions) -> Array:
        """The scores of these documents, among which are all that are reached; 0 for the others."""
        if self.positions.size == positions.size:
            return self.scores
        found: Array = np.zeros(positions.size)
        if self.positions.size:
            found[places_of(self.positions, positions)] = self.scores
        return found

    def reaches(self, position: int) -> bool:
        """Whether a document is reached."""
        return place_of(position, self.positions) is not None

    def score(self, position: int) -> float:
        """The score of a document; 0 where it is not reached."""
        place = place_of(position, self.positions)
        return 0.0 if place is None else float(self.scores[place])

    def within(self, members: Positions) -> "Reached":
        """Those that are among members, which rise."""
        held = are_among(self.positions, members)
        return Reached(self.positions[held], self.scores[held])

    def times(self, unit: float) -> "Reached":
        """With the scores times a number."""
        return Reached(self.positions, unit * self.scores)

    def scaled(self) -> "Reached":
        """With the highest score 1."""
        return Reached(self.positions, by_maximum(self.scores))

    @property
    def highest(self) -> float:
        """The highest score, 0 where nothing is reached."""
        return float(self.scores.max(initial=0.0))


NOTHING_REACHED = Reached(np.empty(0, np.intp), np.empty(0))


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where some documents stand among more of them."""

    places: Positions
    among: int

    @classmethod
    def of(cls, some: Positions, more: Positions) -> "Places":
        """Both rise, and `more` has all of `some`."""
        return cls(places_of(some, more), more.size)

    @classmethod
    def of_each(cls, some: Sequence[Positions], more: Positions) -> "list[Places]":
        """The same for several."""
        return [cls(places, more.size) for places in places_of_each(some, more)]

    @property
    def others(self) -> Mask:
        """Which are not of the some."""
        found = np.ones(self.among, np.bool_)
        found[self.places] = False
        return found

    def spread(self, values: Array) -> Array:
        """The values of the some at their places, 0 for the others."""
        if self.places.size == self.among:
            return values
        found: Array = np.zeros(self.among)
        found[self.places] = values
        return found


def spans(begins: Keys, ends: Keys) -> tuple[Positions, Positions]:
    """The places from each begin to its end, one run after the other, and how many each run has."""
    sizes = (ends - begins).astype(np.intp)
    before = np.cumsum(sizes) - sizes
    return np.repeat(begins.astype(np.intp) - before, sizes) + np.arange(int(sizes.sum())), sizes


def are_among(positions: Positions, members: Positions) -> Mask:
    """Which positions are among members, which rise: work for each of the former alone."""
    if not members.size:
        return np.zeros(positions.size, np.bool_)
    places = np.minimum(members.searchsorted(positions), members.size - 1)
    found: Mask = members[places] == positions
    return found


def places_of(some: Positions, more: Positions) -> Positions:
    """Where some documents stand among more, which rise and have all of them."""
    if some.size * _SPARSE < more.size:
        return more.searchsorted(some)
    return places_of_each([some], more)[0]


def places_of_each(some: Sequence[Positions], more: Positions) -> list[Positions]:
    """`places_of` of several; more documents are gone through once."""
    with _buffers() as buffers:
        buffer = buffers.places(int(more[-1]) + 1 if more.size else 0)
        buffer[more] = np.arange(more.size)
        return [buffer[one] for one in some]


def place_of(position: int, positions: Positions) -> int | None:
    """Where a document stands among some, which rise; None where it is not among them."""
    place = int(positions.searchsorted(position))
    return place if place < positions.size and positions[place] == position else None


def best_first(scores: Reached, count: int) -> list[int]:
    """The positions of the best, best first; scores that are equal to 6 decimals by position."""
    grains = np.round(scores.scores, 6)
    places = np.arange(grains.size)
    if grains.size > count:
        places = np.flatnonzero(grains >= np.partition(grains, grains.size - count)[grains.size - count])
    order = places[np.argsort(-grains[places], kind="stable")][:count]
    found: list[int] = scores.positions[order].tolist()
    return found


def union(runs: Sequence[Positions], *, among: int) -> Positions:
    """The documents of any of these runs, rising, as each run is; there are `among` documents in all."""
    runs = [run for run in runs if run.size]
    if not runs:
        return np.empty(0, np.intp)
    if len(runs) == 1:
        return runs[0]
    total = sum(run.size for run in runs)
    if total * _SPARSE < among:
        return np.unique(np.concatenate(runs))
    with _buffers() as buffers:
        flags, found = buffers.flags(among), None
        try:
            for run in runs:
                flags[run] = True
            found = np.flatnonzero(flags[:among])
            return found
        finally:
            # Most documents are in several runs.
            for run in runs if found is None else (found,):
                flags[run] = False


def sums(runs: Sequence[tuple[Positions, npt.NDArray[np.floating]]], *, at: Positions, among: int) -> Array:
    """For each document of `at` the sum of what the runs give it, in their order.

    A run holds each document once. There are `among` documents in all.
    """
    with _buffers() as buffers:
        buffer = buffers.sums(among)
        buffer[at] = 0.0
        for positions, values in runs:
            # Half the time of `buffer[positions] += values`, where both have the buffer's type.
            np.add.at(buffer, positions, values.astype(np.float64, copy=False))
        return buffer[at]


def summed(runs: Sequence[tuple[Positions, npt.NDArray[np.floating]]], *, among: int) -> Reached:
    """The documents of any of these runs, with the sums of `sums`."""
    reached = union([positions for positions, _ in runs], among=among)
    return Reached(reached, sums(runs, at=reached, among=among))


def highest_of(reached: "Sequence[Reached]") -> Reached:
    """Of each document that any of some reach the highest of its scores."""
    positions = np.concatenate([np.empty(0, np.intp), *(one.positions for one in reached)])
    found, places = np.unique(positions, return_inverse=True)
    scores = np.zeros(found.size)
    np.maximum.at(scores, places, np.concatenate([np.empty(0), *(one.scores for one in reached)]))
    return Reached(found.astype(np.intp), scores)
