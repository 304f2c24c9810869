"""BM25F: BM25 over documents with fields of unequal worth.

`bm25f_terms` is the formula, one document at a time; it explains a score. `compile_bm25f` computes the same
for a whole catalogue at once, and `Postings` answers queries from what it made.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

K1 = 1.2
B = 0.75

Term = TypeVar("Term", str, int)
"""A term, or its number in a vocabulary."""
Floats = npt.NDArray[np.float32]


def idf(documents: int, frequency: int) -> float:
    """Worth of a term that `frequency` of `documents` documents hold; above 0 always.

    ln((N - df + 0.5) / (df + 0.5) + 1)
    """
    return math.log((documents - frequency + 0.5) / (frequency + 0.5) + 1)


def idfs(documents: int, frequencies: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """`idf` of many terms; 0 for one that no document holds."""
    found = np.log((documents - frequencies + 0.5) / (frequencies + 0.5) + 1)
    return np.where(frequencies > 0, found, 0.0)


def query_weight(count: int) -> float:
    """Weight of a term that a query says `count` times: 1 + ln count."""
    return 1.0 + math.log(count)


def bm25f_terms(
    query: Mapping[Term, float],
    document: Mapping[str, Sequence[Term]],
    *,
    weights: Mapping[str, float],
    mean_lengths: Mapping[str, float],
    idfs: Mapping[Term, float],
) -> dict[tuple[Term, str], float]:
    """What each term of a query in each field of one document adds to its score.

        x(t, f) = weight_f * count(t, f) / (1 - b + b * length_f / mean_length_f)
        x(t)    = sum over fields of x(t, f)
        score   = sum over terms of weight_t * idf_t * (k1 + 1) x(t) / (k1 + x(t))

    A term's share goes to its fields in the ratio of x(t, f).

    Args:
        query: Term -> weight.
        document: Field -> its terms.
        weights: Field -> worth; a field that is not named counts nothing.
        mean_lengths: Field -> mean number of terms over the documents that have the field.
        idfs: Term -> `idf`; terms that are not named count nothing.

    Returns:
        (term, field) -> share, above 0; the values sum to the score.

    Source:
        Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields. CIKM 2004.
        https://doi.org/10.1145/1031171.1031181; the length is normalised per field.
    """
    shares: dict[tuple[Term, str], float] = {}
    for term, weight in query.items():
        if term not in idfs:
            continue
        parts: dict[str, float] = {}
        for field, terms in document.items():
            count = terms.count(term)
            if count and weights.get(field, 0.0) > 0:
                norm = 1 - B + B * len(terms) / mean_lengths[field]
                parts[field] = weights[field] * count / norm
        x = math.fsum(parts.values())
        for field, part in parts.items():
            shares[term, field] = weight * idfs[term] * (K1 + 1) * part / (K1 + x)
    return shares


class Postings:
    """Weights of V terms in N documents, term by term."""

    def __init__(self, weights: sp.csr_matrix) -> None:
        """Take a (V, N) matrix."""
        self._starts = weights.indptr.tolist()
        self._documents: npt.NDArray[np.intp] = weights.indices.astype(np.intp)
        self._weights: Floats = weights.data.astype(np.float32)
        self._n = int(weights.shape[1])

    def scores(self, query: Mapping[int, float]) -> Floats:
        """Sum over the query's terms (by number) of their weight times the document's; shape (N,)."""
        total = np.zeros(self._n, np.float32)
        for term, weight in query.items():
            start, end = self._starts[term], self._starts[term + 1]
            if end > start:
                total[self._documents[start:end]] += self._weights[start:end] * np.float32(weight)
        return total


@dataclass(frozen=True)
class FieldIndex:
    """BM25F of one kind of document, ready for queries."""

    by_document: sp.csr_matrix
    """(N, V): what a term adds to a document at query weight 1."""
    postings: Postings
    idfs: Floats
    """(V,); 0 for a term that no document holds."""
    mean_lengths: Mapping[str, float]


def compile_bm25f(counts: Mapping[str, sp.csr_matrix], *, weights: Mapping[str, float]) -> FieldIndex:
    """`bm25f_terms` for all documents and terms at once.

    Args:
        counts: Field -> (N, V) matrix of how often each term stands in it; the same N and V for all.
        weights: Field -> worth, above 0; every field of `counts` is named.

    A term's document frequency counts the documents that hold it in any field.
    """
    n, terms = next(iter(counts.values())).shape
    summed = sp.csr_matrix((n, terms), dtype=np.float64)
    means: dict[str, float] = {}
    for field, matrix in counts.items():
        lengths = np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()
        held = lengths[lengths > 0]
        means[field] = float(held.mean()) if held.size else 1.0
        if held.size:
            norms = weights[field] / (1 - B + B * lengths / means[field])
            summed = summed + sp.diags_array(norms) @ matrix
    summed = sp.csr_matrix(summed)
    frequencies = np.bincount(summed.indices, minlength=terms)
    idfs = np.log((n - frequencies + 0.5) / (frequencies + 0.5) + 1)
    idfs[frequencies == 0] = 0.0
    summed.data = (K1 + 1) * summed.data / (K1 + summed.data) * idfs[summed.indices]
    by_document = summed.astype(np.float32)
    return FieldIndex(by_document, Postings(by_document.T.tocsr()), idfs.astype(np.float32), means)
