"""Counts of terms by field, from the analyses of nodes; a tool's document has the texts of its methods, too."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.ranking.runs import Keys, Runs
from app.domain.ranking.segments import FieldCounts
from app.usecases.index.analyses import NodeTerms, PackedTerms

Lengths = npt.NDArray[np.int32]
OF_METHODS = "method_"
"""What the names of those fields of a tool begin with that its methods fill."""
_MANY = 32
"""As many keys as this for one occurrence: sorting the occurrences is then less work than a row for every key. Source: 10,000
occurrences are sorted in 3 to 6 ms, 100,000 in 28; a million keys take 7 ms."""
TEXT = "text"
"""The one field of a document of the reference rankings."""


def count_fields(analyses: Sequence[NodeTerms], fields: Collection[str], *, terms: int) -> FieldCounts:
    """The counts of nodes whose documents are their own texts."""
    own = _occurrences(analyses, fields=len(fields), width=len(fields))
    runs = _runs(own, keys=terms * len(fields))
    return FieldCounts(tuple(fields), runs, _lengths(analyses, len(fields)))


def count_tool_fields(
    tools: Sequence[NodeTerms],
    methods: Sequence[NodeTerms],
    of_methods: sp.csr_matrix,
    *,
    fields: Collection[str],
    method_fields: Collection[str],
    terms: int,
    with_methods: bool,
) -> FieldCounts:
    """The counts of tools, in their own fields and in those of their methods.

    Args:
        tools: The tools.
        methods: Methods, then generators.
        of_methods: (tools, methods), 1 where the tool has the method's texts in its document.
        fields: Of a tool's own texts.
        method_fields: Of a method's texts.
        terms: How many numbers terms have.
        with_methods: Count these; the catalogue's tools have methods or generators.
    """
    if not with_methods:
        return count_fields(tools, fields, terms=terms)
    width = len(fields) + len(method_fields)
    own = _occurrences(tools, fields=len(fields), width=width)
    theirs = _occurrences(methods, fields=len(method_fields), width=width, first=len(fields))
    runs = _runs(own, theirs, of_methods, keys=terms * width)
    added = of_methods @ _lengths(methods, len(method_fields)).T
    return FieldCounts(
        (*fields, *(OF_METHODS + field for field in method_fields)),
        runs,
        np.concatenate([_lengths(tools, len(fields)), np.asarray(added, np.int32).T]),
    )


def count_texts(analyses: Sequence[NodeTerms], *, terms: int) -> FieldCounts:
    """The counts of the reference documents of nodes."""
    lengths = _reference_lengths(analyses)
    runs = _runs(_reference_occurrences(analyses, lengths), keys=terms)
    return FieldCounts((TEXT,), runs, lengths[np.newaxis])


def count_tool_texts(
    tools: Sequence[NodeTerms], methods: Sequence[NodeTerms], of_methods: sp.csr_matrix, *, terms: int
) -> FieldCounts:
    """The counts of the reference documents of tools; arguments as for `count_tool_fields`."""
    if not of_methods.nnz:
        return count_texts(tools, terms=terms)
    own, theirs = _reference_lengths(tools), _reference_lengths(methods)
    runs = _runs(
        _reference_occurrences(tools, own),
        _reference_occurrences(methods, theirs),
        of_methods,
        keys=terms,
    )
    lengths = own + np.asarray(of_methods @ theirs, np.int32)
    return FieldCounts((TEXT,), runs, lengths[np.newaxis])


def _lengths(analyses: Sequence[NodeTerms], fields: int) -> Lengths:
    """Terms in each field of each node, (fields, nodes)."""
    if isinstance(analyses, PackedTerms):
        return np.ascontiguousarray(analyses.lengths.T)
    rows = np.array([one.lengths for one in analyses], np.int32).reshape(-1, fields)
    return np.ascontiguousarray(rows.T)


def _reference_lengths(analyses: Sequence[NodeTerms]) -> npt.NDArray[np.int32]:
    if isinstance(analyses, PackedTerms):
        return np.diff(analyses.reference_starts).astype(np.int32)
    return np.array([one.reference.size for one in analyses], np.int32)


@dataclass(frozen=True, slots=True)
class _Occurrences:
    """Of keys in nodes."""

    keys: npt.NDArray[np.integer]
    nodes: npt.NDArray[np.intp]
    count: int
    """Of nodes."""

    def counted(self, held: Keys | None, keys: int) -> sp.csr_matrix:
        """How often each key stands in each node, (keys, nodes), or each of the held ones alone."""
        rows = self.keys if held is None else held.searchsorted(self.keys)
        shape = (keys if held is None else held.size, self.count)
        matrix = sp.csr_matrix((np.ones(rows.size, np.int32), (rows, self.nodes)), shape=shape)
        matrix.sum_duplicates()
        return matrix


def _occurrences(analyses: Sequence[NodeTerms], *, fields: int, width: int, first: int = 0) -> _Occurrences:
    """Of terms in fields (term * width + first + place of the field) in nodes."""
    lengths = _lengths(analyses, fields).T
    numbers = (
        analyses.numbers if isinstance(analyses, PackedTerms) else _flat([one.numbers for one in analyses])
    )
    of_field = np.repeat(np.tile(np.arange(fields), len(analyses)), lengths.ravel())
    of_node = np.repeat(np.arange(len(analyses)), lengths.sum(axis=1))
    return _Occurrences(numbers.astype(np.int64) * width + first + of_field, of_node, len(analyses))


def _reference_occurrences(analyses: Sequence[NodeTerms], lengths: Lengths) -> _Occurrences:
    terms = (
        analyses.reference
        if isinstance(analyses, PackedTerms)
        else _flat([one.reference for one in analyses])
    )
    return _Occurrences(terms, np.repeat(np.arange(len(analyses)), lengths), len(analyses))


def _runs(
    own: _Occurrences,
    theirs: _Occurrences | None = None,
    of_methods: sp.csr_matrix | None = None,
    *,
    keys: int,
) -> Runs:
    """What documents hold of their own and of their methods."""
    both = own.keys if theirs is None else np.concatenate([own.keys, theirs.keys])
    held: Keys | None = np.unique(both).astype(np.int64) if _MANY * both.size < keys else None
    matrix = own.counted(held, keys)
    if theirs is not None and of_methods is not None:
        matrix = sp.csr_matrix(matrix + theirs.counted(held, keys) @ of_methods.T)
    found = Runs.of_matrix(matrix)
    return found if held is None else replace(found, keys=held[found.keys])


def _flat(parts: Sequence[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    return np.concatenate([*parts, np.empty(0, np.int32)])
