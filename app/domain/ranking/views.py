"""BM25F over what somebody may see: the counts are the catalogue's, the statistics are the view's.

Document frequencies, mean lengths and the number of documents decide what a term is worth. They are counted over
visible documents alone, so that scores are those of a catalogue that has no others. For the view that sees all,
what does not depend on the query is computed beforehand; for others it is computed for the terms of each query.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.ranking.fields import K1, B, idfs
from app.domain.ranking.formulas import Array, Mask, Positions
from app.domain.ranking.runs import Keys, Reached, Runs, sums, union

Saturations = npt.NDArray[np.floating]
"""(k1 + 1) x / (k1 + x) of `fields.bm25f_terms`: what a term adds to a document, but for idf and query weight."""
_TERM_BITS = 32
"""Terms have fewer numbers."""
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

    def means(self, visible: Mask | None, *, over_all: bool) -> tuple[float, ...]:
        """The mean length of each field over the visible documents: all, or those that have the field; 1 without any."""
        found = []
        for lengths in self.lengths if visible is None else self.lengths[:, visible]:
            held = lengths.size if over_all else int(np.count_nonzero(lengths))
            found.append(float(lengths.sum(dtype=np.int64)) / held if held and lengths.any() else 1.0)
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTerms:
    """All terms of one document, with repetitions, and the place of the field that each stands in."""

    position: int
    terms: npt.NDArray[np.int32]
    fields: Positions


@dataclass(frozen=True, slots=True, eq=False)
class Worths:
    """Terms of some documents: whose it is, which, and what it adds there."""

    owners: Positions
    terms: Positions
    worths: Array


@dataclass(frozen=True, slots=True, eq=False)
class Saturated:
    """Of each term the documents that hold it in any field, and what it adds there when all are visible."""

    runs: Runs
    values: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class DocumentView:
    """The visible ones of N documents of one kind, ready for queries.

    `of_all` makes the view that sees all, `narrowed` those that see less.
    """

    counts: FieldCounts
    """Of all N documents."""
    weights: Mapping[str, float]
    """Field -> worth, above 0; every field of `counts` is named."""
    compiled: Saturated | None
    """None: nothing is computed beforehand, in a single field, and scores are exact."""
    means_over_all: bool
    """A mean length is taken over documents without the field, too, as plain BM25 has it."""
    visible: Mask | None = None
    """None: all are."""

    @classmethod
    def of_all(cls, counts: FieldCounts, weights: Mapping[str, float]) -> "DocumentView":
        """BM25F with weights that are computed beforehand, in 32 bits: half the memory, and equal to 7 digits."""
        whole = cls(counts, weights, None, False)
        return replace(whole, compiled=_compile(counts, whole.parts()))

    @classmethod
    def of_text(cls, counts: FieldCounts) -> "DocumentView":
        """Plain BM25 over a single field, in 64 bits."""
        (name,) = counts.fields
        return cls(counts, {name: 1.0}, None, True)

    def narrowed(self, visible: Mask) -> "DocumentView":
        """The same documents for who sees only these."""
        return replace(self, visible=visible)

    @cached_property
    def documents(self) -> int:
        """How many are visible."""
        return self.counts.documents if self.visible is None else int(np.count_nonzero(self.visible))

    @property
    def mean_lengths(self) -> Mapping[str, float]:
        """Field -> mean length."""
        return dict(zip(self.counts.fields, self._means.tolist(), strict=True))

    @property
    def terms(self) -> Keys:
        """The terms of all documents, hidden ones included, by rising number."""
        return self._presence.keys

    @property
    def held(self) -> Keys:
        """The terms of visible documents, by rising number."""
        return self._presence.keys[self._frequencies > 0]

    def idfs(self, terms: npt.NDArray[np.integer]) -> Array:
        """The worth of each of these terms; 0 for one that no visible document holds."""
        keys = self._presence.keys
        if not keys.size:
            return np.zeros(len(terms))
        places = np.minimum(keys.searchsorted(terms), keys.size - 1)
        return idfs(self.documents, np.where(keys[places] == terms, self._frequencies[places], 0))

    def scores(self, query: Mapping[int, float]) -> Reached:
        """BM25F of every visible document that holds a term of a query (number -> weight)."""
        among = self.counts.documents
        if not among or not query:
            return Reached(np.empty(0, np.intp), np.empty(0))
        terms = np.fromiter(query, np.int64, len(query))
        runs: list[tuple[Positions, Saturations]] = []
        for term, weight, worth, here in zip(
            query, query.values(), self.idfs(terms).tolist(), self._presence.of(terms), strict=True
        ):
            if worth:
                positions, saturations = self._run(term, here)
                runs.append((positions, saturations * (weight * worth)))
        reached = union([positions for positions, _ in runs], among=among)
        return Reached(reached, sums(runs, at=reached, among=among))

    def worths(self, documents: Sequence[DocumentTerms]) -> Worths:
        """What each distinct term of some documents adds to each at query weight 1."""
        width = len(self.counts.fields)
        # By document, then term, then field.
        keys, counts = np.unique(
            np.concatenate(
                [
                    (np.int64(at) << _TERM_BITS | one.terms) * width + one.fields
                    for at, one in enumerate(documents)
                ]
            ),
            return_counts=True,
        )
        of_key = keys // width
        first = np.flatnonzero(np.diff(of_key, prepend=-1))
        lengths = self.counts.lengths[:, [one.position for one in documents]]
        norms = self._weights[:, np.newaxis] / (1 - B + B * lengths / self._means[:, np.newaxis])
        x = np.add.reduceat(norms[keys % width, of_key >> _TERM_BITS] * counts, first)
        held = of_key[first]
        terms = held & (1 << _TERM_BITS) - 1
        return Worths(held >> _TERM_BITS, terms, self._saturated(x) * self.idfs(terms))

    def parts(self) -> Array:
        """What each entry of the counts adds to x."""
        runs, width = self.counts.runs, len(self.counts.fields)
        parts = np.empty(runs.documents.size)
        fields = np.repeat(runs.keys % width, np.diff(runs.starts))
        for field in range(width):
            here = np.flatnonzero(fields == field)
            documents = runs.documents[here].astype(np.intp)
            parts[here] = self._norm(field, self.counts.lengths[field, documents]) * runs.counts[here]
        return parts

    @cached_property
    def _means(self) -> Array:
        """The mean length of each field."""
        return np.array(self.counts.means(self.visible, over_all=self.means_over_all))

    @cached_property
    def _weights(self) -> Array:
        """The worth of each field."""
        return np.array([self.weights[field] for field in self.counts.fields])

    @property
    def _presence(self) -> Runs:
        """Of each term the documents that hold it."""
        return self.counts.runs if self.compiled is None else self.compiled.runs

    @cached_property
    def _frequencies(self) -> npt.NDArray[np.int32]:
        return self._presence.frequencies(self.visible)

    def _run(self, term: int, here: slice) -> tuple[Positions, Saturations]:
        """The visible documents that hold a term, each once, and what it adds to each but for its idf."""
        positions = self._presence.documents[here].astype(np.intp)
        if self.visible is None:
            if self.compiled is not None:
                return positions, self.compiled.values[here]
        else:
            positions = positions[self.visible[positions]]
        return positions, self._saturated(self._x(term, positions))

    def _x(self, term: int, positions: Positions) -> Array:
        """X of a term in these documents: all visible ones that hold it."""
        width, runs = len(self.counts.fields), self.counts.runs
        keys = np.arange(term * width, (term + 1) * width)
        parts = []
        for field, here in enumerate(runs.of(keys)):
            documents, counts = runs.documents[here].astype(np.intp), runs.counts[here]
            if self.visible is not None:
                seen = self.visible[documents]
                documents, counts = documents[seen], counts[seen]
            if documents.size:
                parts.append((documents, self._norm(field, self.counts.lengths[field, documents]) * counts))
        return sums(parts, at=positions, among=self.counts.documents)

    def _norm(self, field: int, lengths: npt.NDArray[np.int32]) -> Array:
        """What one occurrence in a field adds to x."""
        norms: Array = self._weights[field] / (1 - B + B * lengths / self._means[field])
        return norms

    def _saturated(self, x: Array) -> Saturations:
        found = (K1 + 1) * x / (K1 + x)
        return found if self.compiled is None else found.astype(np.float32)


def _compile(counts: FieldCounts, parts: Array) -> Saturated:
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
