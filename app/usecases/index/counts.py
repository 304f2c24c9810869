"""Counts of terms by field, from the analyses of nodes; a tool's document has the texts of its methods, too."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.ranking.runs import Runs
from app.domain.ranking.segments import FieldCounts
from app.usecases.index.analyses import NodeTerms, PackedTerms

Lengths = npt.NDArray[np.int32]
OF_METHODS = "method_"
"""What the names of those fields of a tool begin with that its methods fill."""
TEXT = "text"
"""The one field of a document of the reference rankings."""


def count_fields(analyses: Sequence[NodeTerms], fields: Collection[str], *, terms: int) -> FieldCounts:
    """The counts of nodes whose documents are their own texts."""
    matrix = _matrix(analyses, terms=terms, fields=len(fields))
    return FieldCounts(tuple(fields), Runs.of_matrix(matrix), _lengths(analyses, len(fields)))


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
    lengths = _lengths(tools, len(fields))
    if not with_methods:
        matrix = _matrix(tools, terms=terms, fields=len(fields))
        return FieldCounts(tuple(fields), Runs.of_matrix(matrix), lengths)
    width = len(fields) + len(method_fields)
    own = _matrix(tools, terms=terms, fields=len(fields), width=width)
    theirs = _matrix(methods, terms=terms, fields=len(method_fields), width=width, first=len(fields))
    added = of_methods @ _lengths(methods, len(method_fields)).T
    return FieldCounts(
        (*fields, *(OF_METHODS + field for field in method_fields)),
        Runs.of_matrix(sp.csr_matrix(own + theirs @ of_methods.T)),
        np.concatenate([lengths, np.asarray(added, np.int32).T]),
    )


def count_texts(analyses: Sequence[NodeTerms], *, terms: int) -> FieldCounts:
    """The counts of the reference documents of nodes."""
    lengths = _reference_lengths(analyses)
    matrix = _texts(analyses, lengths, terms=terms)
    return FieldCounts((TEXT,), Runs.of_matrix(matrix), lengths[np.newaxis])


def count_tool_texts(
    tools: Sequence[NodeTerms], methods: Sequence[NodeTerms], of_methods: sp.csr_matrix, *, terms: int
) -> FieldCounts:
    """The counts of the reference documents of tools; arguments as for `count_tool_fields`."""
    own, theirs = _reference_lengths(tools), _reference_lengths(methods)
    matrix = _texts(tools, own, terms=terms)
    if of_methods.nnz:
        matrix = sp.csr_matrix(matrix + _texts(methods, theirs, terms=terms) @ of_methods.T)
    lengths = own + np.asarray(of_methods @ theirs, np.int32)
    return FieldCounts((TEXT,), Runs.of_matrix(matrix), lengths[np.newaxis])


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


def _matrix(
    analyses: Sequence[NodeTerms], *, terms: int, fields: int, width: int = 0, first: int = 0
) -> sp.csr_matrix:
    """How often each term stands in each field of each node, (terms * width, nodes); its fields begin at `first`."""
    width = width or fields
    lengths = _lengths(analyses, fields).T
    numbers = (
        analyses.numbers if isinstance(analyses, PackedTerms) else _flat([one.numbers for one in analyses])
    )
    of_field = np.repeat(np.tile(np.arange(fields), len(analyses)), lengths.ravel())
    of_node = np.repeat(np.arange(len(analyses)), lengths.sum(axis=1))
    rows = numbers.astype(np.int64) * width + first + of_field
    return _counted(rows, of_node, shape=(terms * width, len(analyses)))


def _texts(analyses: Sequence[NodeTerms], lengths: Lengths, *, terms: int) -> sp.csr_matrix:
    of_node = np.repeat(np.arange(len(analyses)), lengths)
    rows = (
        analyses.reference
        if isinstance(analyses, PackedTerms)
        else _flat([one.reference for one in analyses])
    )
    return _counted(rows, of_node, shape=(terms, len(analyses)))


def _counted(rows: npt.NDArray[Any], columns: npt.NDArray[Any], *, shape: tuple[int, int]) -> sp.csr_matrix:
    matrix = sp.csr_matrix((np.ones(rows.size, np.int32), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    return matrix


def _flat(parts: Sequence[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    return np.concatenate([*parts, np.empty(0, np.int32)])
