"""What the planner looks up of some of its tools, made of what it looks up of all: as if there were no others.

Hardly a tool is read again. What a text says beside the tool's own words is taken out of its counts or put in: the parts
of a word that is read as two, as long as the catalogue has both, and categories that are hidden. Tools are read again
only where one on their path is gone that lent them something.
"""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.packed.sequences import NewPlaces, smallest
from app.domain.planning.indexed.columns import Counting, PlanColumns
from app.domain.planning.indexed.facts import FIELDS, NAMING, Lends, PlanFacts, text_terms
from app.domain.ranking.formulas import Mask, Positions
from app.domain.ranking.runs import Keys, Runs, are_among
from app.domain.ranking.segments import FieldCounts
from app.domain.ranking.views import DocumentView

_CATEGORIES = [*FIELDS].index("categories")
_WIDTH = len(FIELDS)


class _Entries(NamedTuple):
    """How often terms stand in fields of documents; some are taken away."""

    documents: Positions
    fields: Positions
    terms: Keys
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, some: "Sequence[_Entries]") -> "_Entries":
        """All of them."""
        none = np.empty(0, np.int64)
        return cls(
            *(np.concatenate([none, *parts]) for parts in zip(*some, strict=True)) if some else [none] * 4
        )


def chosen_columns(
    columns: PlanColumns,
    at: Positions,
    now: NewPlaces,
    categories: AbstractSet[str] | None,
    read: Callable[[int], PlanFacts],
) -> PlanColumns:
    """The columns of some tools: they give the plans of columns that are read from these tools.

    Args:
        columns: Of all tools.
        at: Where each stands among all, rising.
        now: Where each of all stands among them, -1 where it is gone.
        categories: Those that are seen; None: all.
        read: Gives the facts of a tool by its place among the chosen ones, read as it is seen.
    """
    return _Choosing(columns, at, now, categories).columns(read)


@dataclass(frozen=True)
class _Choosing:
    old: PlanColumns
    at: Positions
    places: NewPlaces
    """Of each tool its new place, -1 where it is gone."""
    categories: AbstractSet[str] | None

    def columns(self, read: Callable[[int], PlanFacts]) -> PlanColumns:
        old, at = self.old, self.at
        again = self._lent_to()
        counting = Counting(old.words, old.written, old.category_lists)
        for one in again.tolist():
            counting.add(read(one))
        facts = old.facts.chosen(at, counted=counting.facts(), counted_at=again, now=self.places)
        texts = self._texts(facts, counting, again)
        kinds, mutating = old.kinds[at], old.mutating[at]
        kinds[again], mutating[again] = counting.kinds, counting.mutating
        servers, codes = self._servers()
        found = replace(
            old,
            texts=texts,
            facts=facts,
            servers=servers,
            server_codes=codes,
            kinds=kinds,
            mutating=mutating,
            paths=old.paths[:0],
            naming=old.naming.chosen(at, now=self.places),
            listed=old.listed[:0],
            lends=old.lends[:0],
        )
        if not again.size:
            # Nothing says a state that is not among those of all; whether any of these does is seen when it is asked for.
            found.take_words(old)
        return found

    def _lent_to(self) -> Positions:
        """The tools on whose path one is gone that lent them something, by their new places."""
        old, is_gone = self.old, np.ones(self.old.size, np.bool_)
        is_gone[self.at] = False
        gone = np.flatnonzero(is_gone & (old.lends > 0))
        lends, paths = old.lends[gone], old.paths[gone]
        of_values = np.unique(paths[(lends & Lends.VALUES) > 0])
        of_body = np.unique(paths[(lends & Lends.BODY) > 0])
        here = old.paths[self.at]
        found = np.isin(here, of_values)
        found |= np.isin(here, of_body) & ((old.lends[self.at] & Lends.BORROWS) > 0)
        return np.flatnonzero(found & (here > 0))

    def _texts(self, facts: DocumentView, counting: Counting, again: Positions) -> DocumentView:
        known = self.old.mask_of_words(facts)
        edits = _Entries.of([*self._other_parts(known), *self._other_categories()])
        whole = counting.texts(lambda word: _is_known(self.old, known, word))
        edits = _Entries(*(part[~are_among(edits.documents, again)] for part in edits))
        edited = np.union1d(edits.documents, again).astype(np.intp)
        if not edited.size:
            return self.old.texts.chosen(self.at, now=self.places)
        counts = self._edited(edited, edits, again, whole)
        return self.old.texts.chosen(self.at, counted=counts, counted_at=edited)

    def _other_parts(self, known: Mask) -> Sequence[_Entries]:
        """What words of names and paths are no longer read as, and what they are read as now."""
        splits = self.old.splits
        if not splits.words.size:
            return []
        starts = np.flatnonzero(np.diff(splits.words, prepend=-1))
        valid = known[splits.firsts] & known[splits.seconds]
        # Of each word the first way that is left; behind the last one where none is.
        ways = np.where(valid, np.arange(valid.size), valid.size)
        now = np.minimum.reduceat(ways, starts)
        changed = np.flatnonzero(now != starts)
        if not changed.size:
            return []
        found = []
        place = self.places
        words = splits.words[starts[changed]]
        for number, field in enumerate(NAMING):
            held = self.old.naming.entries_of(number, words)
            documents = place[held.documents]
            here = documents >= 0
            way = changed[np.searchsorted(words, held.terms[here])]
            fields = np.full(way.size, field)
            before, left = starts[way], now[way] < valid.size
            after = now[way][left]
            for parts in (splits.firsts, splits.seconds):
                found.append(_Entries(documents[here], fields, parts[before], -held.counts[here]))
                found.append(
                    _Entries(documents[here][left], fields[left], parts[after], held.counts[here][left])
                )
        return found

    def _other_categories(self) -> Sequence[_Entries]:
        """The words of hidden categories, away; those of all that a tool is in are read together."""
        if self.categories is None or not self.at.size:
            return []
        listed, found = self.old.listed[self.at], []
        order = np.argsort(listed, kind="stable")
        codes, starts = np.unique(listed[order], return_index=True)
        ends = [*starts[1:].tolist(), order.size]
        for code, start, end in zip(codes.tolist(), starts.tolist(), ends, strict=True):
            documents = order[start:end]
            every = self.old.category_lists[code]
            seen = [one for one in every if one in self.categories]
            if len(seen) < len(every):
                for categories, sign in ((every, -1), (seen, 1)):
                    terms = [self.old.words.number(one) for one in text_terms(" ".join(categories))]
                    of_each = np.tile(np.array(terms, np.int64), documents.size)
                    found.append(
                        _Entries(
                            np.repeat(documents, len(terms)),
                            np.full(of_each.size, _CATEGORIES),
                            of_each,
                            np.full(of_each.size, sign),
                        )
                    )
        return found

    def _edited(
        self, edited: Positions, edits: _Entries, again: Positions, whole: FieldCounts
    ) -> FieldCounts:
        """The counts of the texts that say something else now."""
        row = np.full(self.at.size, -1, np.intp)
        row[edited] = np.arange(edited.size)
        lengths = np.zeros((_WIDTH, edited.size), np.int64)
        edits = edits._replace(documents=row[edits.documents])
        parts, own = [edits], row.copy()
        own[again] = -1
        place = self.places
        for segment in self.old.texts.segments:
            at = np.arange(segment.counts.documents) if segment.at is None else segment.at
            places = np.where(at >= 0, place[at], place.dtype.type(-1))
            rows = np.where(places >= 0, own[places], -1)
            parts.append(_entries(segment.counts, rows))
            lengths[:, rows[rows >= 0]] = segment.counts.lengths[:, rows >= 0]
        parts.append(_entries(whole, row[again]))
        lengths[:, row[again]] = whole.lengths
        np.add.at(lengths, (edits.fields, edits.documents), edits.counts)
        return FieldCounts(tuple(FIELDS), _runs(_Entries.of(parts), edited.size), lengths.astype(np.int32))

    def _servers(self) -> tuple[tuple[str, ...], npt.NDArray[np.signedinteger]]:
        codes = self.old.server_codes[self.at]
        there = np.unique(codes)
        if there.size == len(self.old.servers):
            return self.old.servers, smallest(codes)
        servers = tuple(self.old.servers[code] for code in there.tolist())
        return servers, smallest(there.searchsorted(codes))


def _is_known(columns: PlanColumns, known: Mask, word: str) -> bool:
    number = columns.words.get(word)
    return number is not None and number < known.size and bool(known[number])


def _entries(counts: FieldCounts, rows: Positions) -> _Entries:
    """What stands in some of the documents; `rows` names each by its new number, -1 for those that are left out."""
    runs = counts.runs
    here = np.flatnonzero(rows[runs.documents] >= 0)
    keys = runs.keys[runs.starts.searchsorted(here, "right") - 1]
    return _Entries(
        rows[runs.documents[here]], keys % _WIDTH, keys // _WIDTH, runs.counts[here].astype(np.int64)
    )


def _runs(entries: _Entries, documents: int) -> Runs:
    held, rows = np.unique(entries.terms * _WIDTH + entries.fields, return_inverse=True)
    matrix = sp.csr_matrix((entries.counts, (rows.ravel(), entries.documents)), shape=(held.size, documents))
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    left = np.flatnonzero(np.diff(matrix.indptr))
    return replace(Runs.of_matrix(matrix), keys=held[left])
