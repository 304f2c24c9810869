"""Documents that were counted together: how often which terms stand in which of their fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.packed.sequences import NewPlaces
from app.domain.ranking.fields import K1
from app.domain.ranking.formulas import Array
from app.domain.ranking.runs import Runs

Lengths = npt.NDArray[np.int32]
_NO_COUNTS = np.empty(0, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class FieldCounts:
    """How often terms stand in the fields of N documents."""

    fields: tuple[str, ...]
    runs: Runs
    """Key: term * number of fields + place of the field."""
    lengths: npt.NDArray[np.int32]
    """Terms in each field of each document, (fields, N)."""

    @property
    def documents(self) -> int:
        """N."""
        return int(self.lengths.shape[1])


def counted(
    fields: tuple[str, ...], numbers: npt.NDArray[np.integer], lengths: Lengths, *, terms: int
) -> FieldCounts:
    """The counts of documents whose terms stand one behind the other.

    Args:
        fields: Their names.
        numbers: Terms by number, document after document, field after field.
        lengths: How many stand in each field of each document, (documents, fields).
        terms: How many numbers terms have.
    """
    documents, width = lengths.shape
    of_field = np.repeat(np.tile(np.arange(width), documents), lengths.ravel())
    of_document = np.repeat(np.arange(documents), lengths.sum(axis=1))
    rows = numbers.astype(np.int64) * width + of_field
    matrix = sp.csr_matrix(
        (np.ones(rows.size, np.int32), (rows, of_document)), shape=(max(1, terms) * width, documents)
    )
    return FieldCounts(fields, Runs.of_matrix(matrix), np.ascontiguousarray(lengths.T))


@dataclass(frozen=True, slots=True, eq=False)
class Saturated:
    """Of each term the documents that hold it in any field, and what it adds there when all are visible."""

    runs: Runs
    values: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class DocumentSegment:
    """Documents that were counted together, and where they stand now."""

    counts: FieldCounts
    compiled: Saturated | None
    """None: in a single field, scores are exact, and nothing is computed beforehand."""
    at: NewPlaces | None = None
    """The position of each document, rising, -1 for one that is gone; None: each has its own number."""

    @cached_property
    def numbers(self) -> npt.NDArray[np.signedinteger]:
        """Of each position up to the last of the segment the number of the document there, -1 where none of it is."""
        at = np.arange(self.counts.documents) if self.at is None else self.at
        found = np.full(int(at.max(initial=-1)) + 1, -1, np.min_scalar_type(-1 - at.size))
        there = np.flatnonzero(at >= 0)
        found[at[there]] = there
        return found

    def moved(self, now: NewPlaces) -> "DocumentSegment":
        """The same documents at other places; `now` says where what stood at each place stands, -1 for nowhere."""
        if self.at is None:
            # As it is: views share it.
            return DocumentSegment(self.counts, self.compiled, now)
        at = self.at
        # What is gone (-1) stays gone: the last place leads there.
        return DocumentSegment(self.counts, self.compiled, np.append(now, now.dtype.type(-1))[at])

    @property
    def presence(self) -> Runs:
        """Of each term the documents that hold it."""
        return self.counts.runs if self.compiled is None else self.compiled.runs


def merged(segments: Sequence[DocumentSegment], *, size: int) -> FieldCounts:
    """The counts of all documents of some segments, which together hold each of `size` documents once."""
    first = segments[0]
    if len(segments) == 1 and first.at is None:
        return first.counts
    lengths = np.zeros((len(first.counts.fields), size), np.int32)
    placed: list[tuple[Runs, NewPlaces]] = []
    for segment in segments:
        at = np.arange(segment.counts.documents) if segment.at is None else segment.at
        lengths[:, at[at >= 0]] = segment.counts.lengths[:, at >= 0]
        placed.append((segment.counts.runs, at))
    return FieldCounts(first.counts.fields, Runs.merged(placed), lengths)


def compiled(counts: FieldCounts, parts: Array) -> Saturated:
    """What each term adds to each document, from what each entry adds to x."""
    runs, width = counts.runs, len(counts.fields)
    of_key = runs.keys // width
    first = np.flatnonzero(np.diff(of_key, prepend=-1))
    starts = np.append(runs.starts[first], runs.starts[-1])
    # By document and back: both keep the order, so that the fields of a term stand side by side, and are added in it.
    whole = sp.csr_matrix((parts, runs.documents, starts), shape=(first.size, counts.documents)).tocsc()
    whole.sum_duplicates()
    x = whole.tocsr()
    held = Runs(of_key[first], x.indptr.astype(np.int64), x.indices.astype(np.int32), _NO_COUNTS)
    return Saturated(held, ((K1 + 1) * x.data / (K1 + x.data)).astype(np.float32))
