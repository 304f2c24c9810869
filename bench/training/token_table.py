"""A table with a vector for each token, whose sum is a text's; its gradients are written out, so that equal seeds give equal bytes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bench.training.devices import arrays_of

Rows = npt.NDArray[np.float32]
Tokens = npt.NDArray[np.int32]
_BETA, _BETA_2, _EPSILON = np.float32(0.9), np.float32(0.99), np.float32(1e-8)
"""Of Adam. Source: Kingma, Ba (ICLR 2015), with the second moment forgotten sooner: there are a few hundred steps."""
_TINY = np.float32(1e-6)


@dataclass(frozen=True, eq=False)
class EncodedBag:
    """Some texts as vectors, and what their gradient takes."""

    bag: sparse.csr_matrix
    """(texts, tokens): the share of each token in its text."""
    lengths: Rows
    """(texts, 1), before they were made 1."""
    vectors: Rows
    """(texts, dimensions), each of length 1."""

    def gradient(self, of_vectors: Rows) -> Rows:
        """(tokens, dimensions): of the table, where that of the vectors is known."""
        along = (self.vectors * of_vectors).sum(axis=1, keepdims=True)
        found: Rows = self.bag.T @ ((of_vectors - self.vectors * along) / self.lengths)
        return found


def bag_of(
    texts: Sequence[Tokens], tokens: int, kept: npt.NDArray[np.bool_] | None = None
) -> sparse.csr_matrix:
    """(texts, tokens): the share of each token in its text.

    Args:
        texts: The tokens of each, at least one.
        tokens: The size of the vocabulary.
        kept: For the tokens of all texts one after the other, whether it counts; all unless given.
    """
    lengths = np.array([len(text) for text in texts])
    ends = np.concatenate([[0], np.cumsum(lengths)])
    counts = np.ones(ends[-1], np.float32) if kept is None else kept.astype(np.float32)
    counts /= np.repeat(np.maximum(np.add.reduceat(counts, ends[:-1]), 1), lengths)
    return sparse.csr_matrix((counts, np.concatenate(texts), ends), shape=(len(texts), tokens))


class TrainedTable:
    """The table while it is trained, by Adam.

    Args:
        rows: (tokens, dimensions), changed in place.
    """

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._mean, self._square = np.zeros_like(rows), np.zeros_like(rows)
        self._steps = 0

    def encoded(self, bag: sparse.csr_matrix) -> EncodedBag:
        """Texts as vectors."""
        sums: Rows = bag @ self.rows
        lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), _TINY)
        return EncodedBag(bag, lengths, sums / lengths)

    def step(self, gradient: Rows, rate: float) -> None:
        """One step down the gradient, (tokens, dimensions), which is overwritten."""
        self._steps += 1
        self._mean *= _BETA
        self._mean += (1 - _BETA) * gradient
        gradient *= gradient
        self._square *= _BETA_2
        self._square += (1 - _BETA_2) * gradient
        np.sqrt(self._square, out=gradient)
        gradient /= np.sqrt(1 - _BETA_2**self._steps)
        gradient += _EPSILON
        np.divide(self._mean, gradient, out=gradient)
        gradient *= np.float32(rate) / (1 - _BETA**self._steps)
        self.rows -= gradient


def contrast(
    asked: Rows, answers: Rows, is_other: npt.NDArray[np.bool_], scale: float
) -> tuple[float, Rows, Rows]:
    """How well each first text finds its second one among all of the batch: cross-entropy of the scaled cosines.

    Args:
        asked: (texts, dimensions), each of length 1: the first texts of a batch.
        answers: (texts or more, dimensions): the second ones in the same order, then further ones.
        is_other: (texts, answers): whether a second text is a wrong answer to a first one; the diagonal does not count.
        scale: What a cosine is multiplied by.

    Returns:
        The mean loss, and the gradients of both texts' vectors.
    """
    arrays = arrays_of(asked)
    logits = scale * (asked @ answers.T)
    own = arrays.arange(len(logits))
    ruled_out = ~arrays.asarray(is_other)
    ruled_out[own, own] = False
    logits[ruled_out] = -np.inf
    logits -= logits.max(axis=1, keepdims=True)
    shares = np.exp(logits)
    shares /= shares.sum(axis=1, keepdims=True)
    loss = float(-np.log(np.maximum(shares[own, own], np.finfo(np.float32).tiny)).mean())
    shares[own, own] -= 1
    shares *= np.float32(scale / len(shares))
    return loss, shares @ answers, shares.T @ asked
