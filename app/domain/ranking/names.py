"""Names of tools: how much of one a query says, and which look like a text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.language.text import split_words
from app.domain.ranking.fields import idf, idfs
from app.domain.ranking.formulas import Array, Mask, Positions
from app.domain.ranking.runs import Keys, Reached, Runs, sums, union
from app.domain.ranking.views import FieldCounts

_BITS = 21
"""Enough for every character."""


@dataclass(frozen=True, eq=False)
class NameCover:
    """How much of each visible document's name a query says: idf-weighted share of its terms, 0 to 1.

        cover(d) = sum of idf over the name's terms that the query holds / sum of idf over the name's terms

    Args:
        counts: Only whether a term stands in a name matters.
        field: The place of the name among the fields.
        left_out: Terms that do not count (verbs: intent is scored apart).
        visible: None: all are.
    """

    counts: FieldCounts
    field: int
    left_out: frozenset[int]
    visible: Mask | None = None

    def narrowed(self, visible: Mask) -> "NameCover":
        """The same names for who sees only these documents."""
        return replace(self, visible=visible)

    @cached_property
    def documents(self) -> int:
        """How many are visible."""
        return self.counts.documents if self.visible is None else int(np.count_nonzero(self.visible))

    def scores(self, terms: Iterable[int], *, at: Positions) -> Array:
        """The cover of these documents: all visible ones that hold one of the query's terms in their name."""
        counted = np.array([term for term in terms if term not in self.left_out], np.int64)
        runs = []
        for here in self.counts.runs.of(counted * len(self.counts.fields) + self.field):
            positions = self.counts.runs.documents[here].astype(np.intp)
            if self.visible is not None:
                positions = positions[self.visible[positions]]
            if positions.size:
                runs.append((positions, np.array(idf(self.documents, positions.size))))
        if not runs:
            return np.zeros(at.size)
        found = sums(runs, at=at, among=self.counts.documents)
        named = np.flatnonzero(found)
        found[named] /= self._totals[at[named]]
        return found

    @cached_property
    def _totals(self) -> Array:
        """Of each document what its name's terms are worth together."""
        runs, width = self.counts.runs, len(self.counts.fields)
        of_name = runs.keys % width == self.field
        counted = of_name & ~np.isin(runs.keys // width, sorted(self.left_out))
        inside = np.flatnonzero(np.repeat(counted, np.diff(runs.starts)))
        frequencies = runs.frequencies(self.visible)
        worths = np.repeat(idfs(self.documents, frequencies), np.diff(runs.starts))[inside]
        totals: Array = np.bincount(
            runs.documents[inside], weights=worths, minlength=self.counts.documents
        ).astype(np.float64)
        return totals


class NameIndex:
    """Character trigrams of N names; identifiers are split and padded with spaces first."""

    def __init__(self, names: Sequence[str]) -> None:
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
        self._runs = replace(runs, keys=keys)
        self._sizes = np.bincount(owners, minlength=len(padded)).astype(np.float64)

    def similar(self, text: str) -> Reached:
        """The names that share a trigram with a text; Dice coefficient of both, 0 to 1.

        2 * (trigrams of the name that the text has) / (trigrams of the name + trigrams of the text)
        """
        asked = np.unique(_codes(_padded(text)))
        runs: list[tuple[Positions, npt.NDArray[np.floating]]] = []
        for here in self._runs.of(asked):
            if here.stop > here.start:
                found = self._runs.documents[here].astype(np.intp)
                runs.append((found, self._runs.counts[here].astype(np.float64)))
        among = self._sizes.size
        positions = union([found for found, _ in runs], among=among)
        shared = sums(runs, at=positions, among=among)
        return Reached(positions, np.minimum(1.0, 2 * shared / (self._sizes[positions] + asked.size)))


def _codes(text: str) -> Keys:
    """One number for each three neighbouring characters of `text`."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    if characters.size < 3:
        return np.empty(0, np.int64)
    return (characters[:-2] << (_BITS + _BITS)) | (characters[1:-1] << _BITS) | characters[2:]


def _padded(text: str) -> str:
    return f" {' '.join(split_words(text))} "
