"""Which terms stand in which fields of some documents, as somebody sees them who may not see all."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from app.domain.ranking.formulas import Mask, Positions
from app.domain.ranking.runs import Frequencies, Keys, spans
from app.domain.ranking.segments import DocumentSegment


@dataclass(frozen=True, slots=True, eq=False)
class FieldEntries:
    """Terms that a field of some documents holds: which, in which, and how often."""

    terms: Keys
    documents: Positions
    counts: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SeenSegment:
    """A segment as a view sees it."""

    segment: DocumentSegment
    visible: Mask | None
    """By position; None: all are."""

    @cached_property
    def frequencies(self) -> Frequencies:
        """Of each term of `presence` the number of documents that are there, visible, and hold it."""
        return self.segment.presence.frequencies(self.live)

    @property
    def live(self) -> Mask | None:
        """Which of its documents are there and visible; None: all. As long as the segment, so nothing keeps it."""
        segment = self.segment
        if segment.at is None:
            return self.visible
        there: Mask = segment.at >= 0
        if self.visible is not None:
            there[there] = self.visible[segment.at[there]]
        return there

    @property
    def has_all(self) -> bool:
        """Whether all of its documents are there and visible."""
        return self.segment.at is None and self.visible is None

    def are_live(self, documents: Positions) -> Mask:
        """Which of some documents are there and visible."""
        at = self.segment.at
        if at is None:
            return np.ones(documents.size, np.bool_) if self.visible is None else self.visible[documents]
        places = at[documents]
        found: Mask = places >= 0
        if self.visible is not None:
            found[found] = self.visible[places[found]]
        return found

    def seen(self, documents: Positions) -> Positions:
        """Those of some documents that are there and visible."""
        return documents if self.has_all else documents[self.are_live(documents)]

    def document(self, position: int) -> int:
        """Which of the segment's documents stands at a position; -1 where none of them does."""
        if self.segment.at is None:
            return position
        return int(self.segment.numbers[position]) if position < self.segment.numbers.size else -1

    def positions(self, documents: Positions) -> Positions:
        """Where documents stand."""
        return documents if self.segment.at is None else self.segment.at[documents].astype(np.intp)


@dataclass(frozen=True, eq=False)
class HeldTerms:
    """The visible ones of N documents of one kind."""

    segments: tuple[DocumentSegment, ...]
    """Together they hold each document once."""
    size: int
    """N."""
    visible: Mask | None = field(default=None, kw_only=True)
    """None: all are."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the counts."""
        return self.segments[0].counts.fields

    @cached_property
    def documents(self) -> int:
        """How many are visible."""
        return self.size if self.visible is None else int(np.count_nonzero(self.visible))

    @property
    def terms(self) -> Keys:
        """The terms of all documents, hidden ones included, by rising number."""
        return _any_of([segment.presence.keys for segment in self.segments])

    @property
    def held(self) -> Keys:
        """The terms of visible documents, by rising number."""
        return _any_of([part.segment.presence.keys[part.frequencies.any] for part in self.parts])

    def holding(self, field: int, terms: npt.NDArray[np.integer]) -> list[list[Positions]]:
        """For each of these terms the visible documents that hold it in a field, in runs that rise."""
        found: list[list[Positions]] = [[] for _ in terms]
        for part in self.parts:
            runs = part.segment.counts.runs
            for at, here in enumerate(runs.of(terms * len(self.fields) + field)):
                documents = part.seen(runs.documents[here].astype(np.intp))
                if documents.size:
                    found[at].append(part.positions(documents))
        return found

    def entries(self, field: int) -> FieldEntries:
        """Every term that a field of a visible document holds."""
        found, width = [], len(self.fields)
        for part in self.parts:
            runs = part.segment.counts.runs
            keys = np.flatnonzero(runs.keys % width == field)
            inside, sizes = spans(runs.starts[keys], runs.starts[keys + 1])
            found.append(_seen_entries(part, inside, np.repeat(runs.keys[keys] // width, sizes)))
        return _joined(found)

    def entries_of(self, field: int, terms: Keys) -> FieldEntries:
        """Where some terms stand in a field of visible documents, and how often."""
        found, width = [], len(self.fields)
        for part in self.parts:
            runs = part.segment.counts.runs
            here = runs.of(terms * width + field)
            sizes = [one.stop - one.start for one in here]
            inside = np.concatenate([np.empty(0, np.intp), *(np.arange(one.start, one.stop) for one in here)])
            found.append(_seen_entries(part, inside, np.repeat(terms, sizes)))
        return _joined(found)

    def held_in(self, field: int) -> Keys:
        """The terms that a field of a visible document holds, by rising number."""
        found, width = [], len(self.fields)
        for part in self.parts:
            runs = part.segment.counts.runs
            keys = np.flatnonzero(runs.keys % width == field)
            if not part.has_all:
                inside, sizes = spans(runs.starts[keys], runs.starts[keys + 1])
                seen = part.are_live(runs.documents[inside].astype(np.intp))
                live = np.concatenate(([0], np.cumsum(seen, dtype=np.int64)))
                ends = np.cumsum(sizes)
                keys = keys[live[ends] > live[ends - sizes]]
            found.append(runs.keys[keys] // width)
        return _any_of(found)

    def holds(self, term: int, position: int) -> bool:
        """Whether a document holds a term in any field, hidden or not."""
        width = len(self.fields)
        for part in self.parts:
            document, runs = part.document(position), part.segment.counts.runs
            if document < 0:
                continue
            begin, end = runs.keys.searchsorted((term * width, (term + 1) * width)).tolist()
            for first, last in pairwise(runs.starts[begin : end + 1].tolist()):
                place = first + int(runs.documents[first:last].searchsorted(document))
                if place < last and runs.documents[place] == document:
                    return True
        return False

    @cached_property
    def parts(self) -> tuple[SeenSegment, ...]:
        """The segments, with what of them is visible."""
        return tuple(SeenSegment(segment, self._hiding) for segment in self.segments)

    @property
    def _hiding(self) -> Mask | None:
        """`visible`, where it hides any."""
        return None if self.documents == self.size else self.visible


def _any_of(found: Sequence[Keys]) -> Keys:
    """The terms of any of these, each of which rises."""
    return found[0] if len(found) == 1 else np.unique(np.concatenate(found))


def _seen_entries(part: SeenSegment, inside: npt.NDArray[np.intp], terms: Keys) -> FieldEntries:
    """What stands at some places of a segment's runs, for the term of each place, of visible documents."""
    runs = part.segment.counts.runs
    documents, counts = runs.documents[inside].astype(np.intp), runs.counts[inside]
    if not part.has_all:
        seen = part.are_live(documents)
        documents, terms, counts = documents[seen], terms[seen], counts[seen]
    return FieldEntries(terms, part.positions(documents), counts.astype(np.int64))


def _joined(parts: Sequence[FieldEntries]) -> FieldEntries:
    """The entries of several segments, one after the other."""
    return FieldEntries(
        np.concatenate([one.terms for one in parts]),
        np.concatenate([one.documents for one in parts]),
        np.concatenate([one.counts for one in parts]),
    )
