"""How near texts are to others by their words, for catalogues of thousands."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bench.measure.overlap import TextVectors, words_of

NEAR = 0.85
"""Cosine from which a text is nearly another. Source: `bench.measure.overlap.MOST_ALIKE`, of words instead of vectors."""
_AT_ONCE = 500


def nearness(texts: Sequence[str], others: Sequence[str]) -> npt.NDArray[np.float64]:
    """For each text the largest cosine (tf-idf, logarithmic tf) with one of the others, (texts,): 0 to 1."""
    vocabulary: dict[str, int] = {}
    rows = [
        Counter(vocabulary.setdefault(word, len(vocabulary)) for word in words_of(text))
        for text in (*texts, *others)
    ]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([column for row in rows for column in row], np.int32)
    counts = np.array([count for row in rows for count in row.values()], np.float64)
    idf = np.log((1 + len(rows)) / (1 + np.bincount(columns, minlength=len(vocabulary)))) + 1
    values = (1 + np.log(counts)) * idf[columns]
    lengths = (
        np.sqrt(np.add.reduceat(np.append(values**2, 0.0), ends[:-1])) if len(values) else np.ones(len(rows))
    )
    values /= np.repeat(np.maximum(lengths, np.finfo(np.float64).tiny), np.diff(ends))
    matrix = sparse.csr_array((values, columns, ends), shape=(len(rows), len(vocabulary)))
    ours, theirs = matrix[: len(texts)], matrix[len(texts) :].T.tocsc()
    found = np.zeros(len(texts))
    for start in range(0, len(texts), _AT_ONCE):
        found[start : start + _AT_ONCE] = (
            (ours[start : start + _AT_ONCE] @ theirs).max(axis=1).toarray().ravel()
        )
    return found


def closest(vectors: npt.NDArray[np.float32], others: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """For each vector the largest cosine with one of the others, (vectors,); -1 without any."""
    found = np.full(len(vectors), -1, np.float32)
    for start in range(0, len(others), _AT_ONCE):
        np.maximum(found, (vectors @ others[start : start + _AT_ONCE].T).max(axis=1), out=found)
    return found


def remembered(encode: TextVectors) -> TextVectors:
    """An encoder that encodes each text once: training and what it leaves out ask for the same ones."""
    known: dict[str, npt.NDArray[np.float32]] = {}

    def encoded(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, encode(new), strict=True))
        return np.array([known[text] for text in texts], np.float32)

    return encoded
