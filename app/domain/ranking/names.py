"""Names of tools: how much of one a query says, and which look like a text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.language.text import split_words
from app.domain.packed.sequences import NewPlaces
from app.domain.ranking.fields import idfs
from app.domain.ranking.formulas import Array, Positions
from app.domain.ranking.runs import Keys, Reached, Runs, summed
from app.domain.ranking.views import DocumentView

_BITS = 21
"""Enough for every character."""


@dataclass(frozen=True, eq=False)
class NameCover:
    """How much of each visible document's name a query says: idf-weighted share of its terms, 0 to 1.

        cover(d) = sum of idf over the name's terms that the query holds / sum of idf over the name's terms

    Args:
        documents: Only whether a term stands in a name matters.
        field: The place of the name among the fields.
        left_out: Terms that do not count (verbs: intent is scored apart).
    """

    documents: DocumentView
    field: int
    left_out: frozenset[int]

    def scores(self, terms: Iterable[int]) -> Reached:
        """The cover of all visible documents that hold one of a query's terms in their name."""
        counted = np.array([term for term in terms if term not in self.left_out], np.int64)
        runs: list[tuple[Positions, npt.NDArray[np.floating]]] = []
        for held in self.documents.holding(self.field, counted):
            frequency = sum(run.size for run in held)
            worth = _fixed(idfs(self.documents.documents, np.array([frequency])))
            runs += [(run, worth) for run in held]
        found = summed(runs, among=self.documents.size)
        return Reached(found.positions, found.scores / self.totals[found.positions])

    @cached_property
    def totals(self) -> Array:
        """Of each document what its name's terms are worth together."""
        entries = self.documents.entries(self.field)
        terms, documents = entries.terms, entries.documents
        counted = ~np.isin(terms, np.array(sorted(self.left_out), np.int64))
        terms, documents = terms[counted], documents[counted]
        worths = _fixed(idfs(self.documents.documents, np.bincount(terms)))
        found = np.bincount(documents, weights=worths[terms], minlength=self.documents.size)
        totals: Array = found.astype(np.float64)
        return totals


def _fixed(worths: Array) -> Array:
    """In steps of 2^-40: sums are exact, whatever the order of adding."""
    fixed: Array = np.rint(worths * 2.0**40) / 2.0**40
    return fixed


@dataclass(frozen=True, slots=True, eq=False)
class _NamesCounted:
    runs: Runs
    """Trigram -> names."""
    sizes: Array
    """Trigrams of each name."""
    at: NewPlaces | None
    """The position of each name, -1 for one that is gone; None: its own number."""


class NameIndex:
    """Character trigrams of N names; identifiers are split and padded with spaces first."""

    def __init__(self, segments: tuple[_NamesCounted, ...], size: int) -> None:
        self._segments = segments
        self._size = size

    @classmethod
    def of(cls, names: Sequence[str]) -> "NameIndex":
        """Of some names, counted together."""
        return cls((_counted(names, None),), len(names))

    def changed(self, at: Positions, new: Sequence[str], new_at: Positions, *, size: int) -> "NameIndex":
        """The names of a later generation; arguments as for `DocumentView.changed`."""
        return NameIndex((replace(self._segments[0], at=at), _counted(new, new_at)), size)

    def chosen(self, now: NewPlaces, *, size: int) -> "NameIndex":
        """Some of the names, at new places.

        Args:
            now: `new_places` of all.
            size: How many are left.
        """
        return NameIndex(
            tuple(
                # What is gone (-1) stays gone: the last place leads there.
                replace(one, at=now if one.at is None else np.append(now, now.dtype.type(-1))[one.at])
                for one in self._segments
            ),
            size,
        )

    @classmethod
    def of_counted(cls, runs: Runs, sizes: Array) -> "NameIndex":
        """What was counted before: `counted`."""
        return cls((_NamesCounted(runs, sizes, None),), int(sizes.size))

    @property
    def counted(self) -> tuple[Runs, Array]:
        """Of names that are counted together: trigram -> names, and how many each name has."""
        (names,) = self._segments
        return names.runs, names.sizes

    def settled(self) -> "NameIndex":
        """The same names, counted together."""
        if len(self._segments) == 1 and self._segments[0].at is None:
            return self
        sizes = np.zeros(self._size)
        placed: list[tuple[Runs, NewPlaces]] = []
        for one in self._segments:
            at = np.arange(one.sizes.size) if one.at is None else one.at
            sizes[at[at >= 0]] = one.sizes[at >= 0]
            placed.append((one.runs, at))
        return NameIndex((_NamesCounted(Runs.merged(placed), sizes, None),), self._size)

    def similar(self, text: str) -> Reached:
        """The names that share a trigram with a text; Dice coefficient of both, 0 to 1.

        2 * (trigrams of the name that the text has) / (trigrams of the name + trigrams of the text)
        """
        asked = np.unique(_codes(_padded(text)))
        found = [_similar(segment, asked) for segment in self._segments]
        positions = np.concatenate([one.positions for one in found])
        order = np.argsort(positions, kind="stable")
        return Reached(positions[order], np.concatenate([one.scores for one in found])[order])


def _counted(names: Sequence[str], at: NewPlaces | None) -> _NamesCounted:
    padded = [_padded(name) for name in names]
    lengths = np.array([len(name) for name in padded], np.intp)
    owners = np.repeat(np.arange(len(padded)), lengths)
    codes = _codes("".join(padded))
    # A trigram that begins in one name and ends in the next belongs to neither.
    inside = owners[:-2] == owners[2:]
    keys, rows = np.unique(codes[inside], return_inverse=True)
    owners = owners[:-2][inside]
    shape = (keys.size, len(padded))
    runs = Runs.of_matrix(sp.csr_matrix((np.ones(rows.size), (rows, owners)), shape=shape))
    sizes = np.bincount(owners, minlength=len(padded)).astype(np.float64)
    return _NamesCounted(replace(runs, keys=keys), sizes, at)


def _similar(names: _NamesCounted, asked: Keys) -> Reached:
    runs: list[tuple[Positions, npt.NDArray[np.floating]]] = []
    for here in names.runs.of(asked):
        if here.stop > here.start:
            found = names.runs.documents[here].astype(np.intp)
            runs.append((found, names.runs.counts[here].astype(np.float64)))
    among = names.sizes.size
    shared = summed(runs, among=among)
    owners = shared.positions
    scores = np.minimum(1.0, 2 * shared.scores / (names.sizes[owners] + asked.size))
    if names.at is None:
        return Reached(owners, scores)
    there = names.at[owners] >= 0
    return Reached(names.at[owners[there]].astype(np.intp), scores[there])


def _codes(text: str) -> Keys:
    """One number for each three neighbouring characters of `text`."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    if characters.size < 3:
        return np.empty(0, np.int64)
    return (characters[:-2] << (_BITS + _BITS)) | (characters[1:-1] << _BITS) | characters[2:]


def _padded(text: str) -> str:
    return f" {' '.join(split_words(text))} "
