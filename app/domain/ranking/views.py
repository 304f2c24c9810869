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

from app.domain.packed.sequences import NewPlaces, new_places
from app.domain.ranking.fields import K1, B, idfs
from app.domain.ranking.formulas import Array, Mask, Positions
from app.domain.ranking.held_terms import HeldTerms, SeenSegment
from app.domain.ranking.runs import Reached, places_of, summed
from app.domain.ranking.segments import DocumentSegment, FieldCounts, Saturated, compiled, merged

Saturations = npt.NDArray[np.floating]
"""(k1 + 1) x / (k1 + x) of `fields.bm25f_terms`: what a term adds to a document, but for idf and query weight."""
_TERM_BITS = 32
"""Terms have fewer numbers."""


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


@dataclass(frozen=True, eq=False)
class DocumentView(HeldTerms):
    """The visible ones of N documents of one kind, ready for queries.

    `of_all` makes the view that sees all, `narrowed` those that see less, `changed` that of a later generation.
    """

    weights: Mapping[str, float]
    """Field -> worth, above 0; every field of the counts is named."""
    exact: bool
    """Plain BM25 in 64 bits, whose mean length is taken over documents without a term, too."""

    @classmethod
    def of_all(cls, counts: FieldCounts, weights: Mapping[str, float]) -> "DocumentView":
        """BM25F with weights that are computed beforehand, in 32 bits: half the memory, and equal to 7 digits."""
        bare = cls((DocumentSegment(counts, None),), counts.documents, weights, exact=False)
        return replace(
            bare, segments=(DocumentSegment(counts, compiled(counts, bare.worth_of_entries(counts))),)
        )

    @classmethod
    def of_text(cls, counts: FieldCounts) -> "DocumentView":
        """Plain BM25 over a single field."""
        (name,) = counts.fields
        return cls((DocumentSegment(counts, None),), counts.documents, {name: 1.0}, exact=True)

    @classmethod
    def of_counted(
        cls, counts: FieldCounts, worths: Saturated | None, weights: Mapping[str, float], *, exact: bool
    ) -> "DocumentView":
        """What `of_all` or `of_text` made of these counts before."""
        return cls((DocumentSegment(counts, worths),), counts.documents, weights, exact)

    @classmethod
    def of_facts(cls, counts: FieldCounts) -> "DocumentView":
        """Which document holds which term in which field; no scores."""
        return cls(
            (DocumentSegment(counts, None),), counts.documents, dict.fromkeys(counts.fields, 1.0), exact=True
        )

    def narrowed(self, visible: Mask) -> "DocumentView":
        """The same documents for who sees only these."""
        return replace(self, visible=visible)

    def changed(self, at: Positions, new: FieldCounts, new_at: Positions, *, size: int) -> "DocumentView":
        """The documents of a later generation.

        How rare terms are is exact at once. What was computed beforehand keeps the mean lengths of its time until all
        documents are counted together again; a narrowed view computes it from the means of now.

        Args:
            at: Where each document of the first segment stands now, -1 for one that is gone or changed.
            new: The counts of all that the first segment does not hold.
            new_at: Where each of these stands.
            size: How many there are.
        """
        first = self.segments[0]
        kept = DocumentSegment(first.counts, first.compiled, at)
        bare = DocumentView((kept, DocumentSegment(new, None, new_at)), size, self.weights, self.exact)
        if self.exact:
            return bare
        # With the means of now: before, a field that only the new ones have had none.
        worths = compiled(new, bare.worth_of_entries(new))
        return replace(bare, segments=(kept, DocumentSegment(new, worths, new_at)))

    def chosen(
        self,
        at: Positions,
        *,
        counted: FieldCounts | None = None,
        counted_at: Positions | None = None,
        now: NewPlaces | None = None,
    ) -> "DocumentView":
        """Some of the documents, at new places: a catalogue that has no others. Weights are computed per query.

        Args:
            at: Where each of these documents stands now, rising.
            counted: The counts of those whose texts are others here.
            counted_at: Where these stand among the chosen ones, rising.
            now: Where each of all stands now, -1 for nowhere, so that views of the same documents share it.
        """
        again = np.empty(0, np.intp) if counted_at is None else counted_at
        if now is None or again.size:
            now = new_places(self.size, at)
            now[at[again]] = -1
        segments = [segment.moved(now) for segment in self.segments]
        # One value for all of them: it only says that weights are computed.
        visible = np.broadcast_to(np.True_, at.size) if self.visible is None else self.visible[at]
        found = replace(self, segments=tuple(segments), size=int(at.size), visible=visible)
        if counted is None or not again.size:
            return found
        bare = replace(found, segments=(*segments, DocumentSegment(counted, None, again)))
        if self.exact:
            return bare
        worths = compiled(counted, bare.worth_of_entries(counted))
        return replace(found, segments=(*segments, DocumentSegment(counted, worths, again)))

    @property
    def mean_lengths(self) -> Mapping[str, float]:
        """Field -> mean length."""
        return dict(zip(self.fields, self._means.tolist(), strict=True))

    @property
    def moved(self) -> float:
        """By which share a mean length is another now than when all documents were counted together; the largest."""
        first = self.segments[0]
        if first.at is None:
            return 0.0
        then = replace(
            self,
            segments=(DocumentSegment(first.counts, None),),
            size=first.counts.documents,
            visible=None,
        )
        return float(np.max(np.abs(self._means / then._means - 1), initial=0.0))

    def idfs(self, terms: npt.NDArray[np.integer]) -> Array:
        """The worth of each of these terms; 0 for one that no visible document holds."""
        frequencies = np.zeros(len(terms), np.int64)
        for part in self.parts:
            keys = part.segment.presence.keys
            if keys.size:
                places = np.minimum(keys.searchsorted(terms), keys.size - 1)
                frequencies += np.where(keys[places] == terms, part.frequencies.at(places), 0)
        return idfs(self.documents, frequencies)

    def scores(self, query: Mapping[int, float]) -> Reached:
        """BM25F of every visible document that holds a term of a query (number -> weight)."""
        if not self.size or not query:
            return Reached(np.empty(0, np.intp), np.empty(0))
        terms = np.fromiter(query, np.int64, len(query))
        worths = (np.fromiter(query.values(), np.float64, len(query)) * self.idfs(terms)).tolist()
        held = [part.segment.presence.of(terms) for part in self.parts]
        runs: list[tuple[Positions, Saturations]] = []
        for term, worth, *slices in zip(query, worths, *held, strict=True):
            for part, here in zip(self.parts, slices, strict=True):
                if worth and here.stop > here.start:
                    positions, saturations = self._run(part, term, here)
                    runs.append((positions, saturations * worth))
        return summed(runs, among=self.size)

    def prepare(self) -> None:
        """Count now what is else counted by the first query."""
        _ = [part.frequencies for part in self.parts], self._means

    def settled(self) -> "DocumentView":
        """The same documents, counted together: what is computed beforehand is of the mean lengths of now."""
        if len(self.segments) == 1 and self.segments[0].at is None:
            return self
        whole = merged(self.segments, size=self.size)
        if self.exact:
            return DocumentView((DocumentSegment(whole, None),), self.size, self.weights, exact=True)
        return DocumentView.of_all(whole, self.weights)

    def worths(self, documents: Sequence[DocumentTerms]) -> Worths:
        """What each distinct term of some documents adds to each at query weight 1."""
        width = len(self.fields)
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
        lengths = np.stack([np.bincount(one.fields, minlength=width) for one in documents], axis=1)
        norms = self._weights[:, np.newaxis] / (1 - B + B * lengths / self._means[:, np.newaxis])
        x = np.add.reduceat(norms[keys % width, of_key >> _TERM_BITS] * counts, first)
        held = of_key[first]
        terms = held & (1 << _TERM_BITS) - 1
        return Worths(held >> _TERM_BITS, terms, self._saturated(x) * self.idfs(terms))

    def worth_of_entries(self, counts: FieldCounts) -> Array:
        """What each entry of some counts adds to x."""
        runs, width = counts.runs, len(self.fields)
        parts = np.empty(runs.documents.size)
        fields = np.repeat(runs.keys % width, np.diff(runs.starts))
        for field in range(width):
            here = np.flatnonzero(fields == field)
            documents = runs.documents[here].astype(np.intp)
            parts[here] = self._norm(field, counts.lengths[field, documents]) * runs.counts[here]
        return parts

    @cached_property
    def _means(self) -> Array:
        """The mean length of each field over the visible documents: all, or those that have the field; 1 without any."""
        total, held = np.zeros(len(self.fields), np.int64), np.zeros(len(self.fields), np.int64)
        for part in self.parts:
            live = part.live
            for field, lengths in enumerate(part.segment.counts.lengths):
                some = lengths if live is None else lengths[live]
                total[field] += some.sum(dtype=np.int64)
                held[field] += some.size if self.exact else np.count_nonzero(some)
        return np.where(total > 0, total / np.maximum(held, 1), 1.0)

    @cached_property
    def _weights(self) -> Array:
        """The worth of each field."""
        return np.array([self.weights[field] for field in self.fields])

    def _run(self, part: SeenSegment, term: int, here: slice) -> tuple[Positions, Saturations]:
        """The visible documents that hold a term, each once, and what it adds to each but for its idf."""
        segment = part.segment
        documents = segment.presence.documents[here].astype(np.intp)
        if segment.compiled is None or self.visible is not None:
            documents = part.seen(documents)
            return part.positions(documents), self._saturated(self._x(part, term, documents))
        values = segment.compiled.values[here]
        if not part.has_all:
            seen = part.are_live(documents)
            documents, values = documents[seen], values[seen]
        return part.positions(documents), values

    def _x(self, part: SeenSegment, term: int, at: Positions) -> Array:
        """What a term gives to x in these documents: all visible ones of a segment that hold it."""
        counts, width = part.segment.counts, len(self.fields)
        runs = counts.runs
        begin, end = runs.keys.searchsorted((term * width, (term + 1) * width)).tolist()
        here = slice(int(runs.starts[begin]), int(runs.starts[end]))
        fields = np.repeat(runs.keys[begin:end] % width, np.diff(runs.starts[begin : end + 1]))
        documents, times = runs.documents[here].astype(np.intp), runs.counts[here]
        if not part.has_all:
            seen = part.are_live(documents)
            fields, documents, times = fields[seen], documents[seen], times[seen]
        lengths = counts.lengths[fields, documents]
        parts = self._weights[fields] / (1 - B + B * lengths / self._means[fields]) * times
        # In the order of the fields, as where all terms are computed beforehand.
        x: Array = np.bincount(places_of(documents, at), weights=parts, minlength=at.size).astype(np.float64)
        return x

    def _norm(self, field: int, lengths: npt.NDArray[np.int32]) -> Array:
        """What one occurrence in a field adds to x."""
        norms: Array = self._weights[field] / (1 - B + B * lengths / self._means[field])
        return norms

    def _saturated(self, x: Array) -> Saturations:
        found = (K1 + 1) * x / (K1 + x)
        return found if self.exact else found.astype(np.float32)
