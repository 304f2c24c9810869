"""What the table is drawn towards, and what it begins with: vectors of the encoder that comes with Outfitter."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.adapters.encoders.static import MOST_TOKENS
from app.adapters.encoders.wordpiece import WordPiece
from bench.training.pairs import PairKind, TextPair
from bench.training.token_table import Rows, Tokens

_SENTENCES, _NAMES = 2_500, 2_500
"""Texts whose vectors are made, beside all documents and requests."""
_COMMON = 1e-2
"""How rare a token must be to count in full. Source: the weight a / (a + p) of Arora, Liang, Ma (ICLR 2017)."""


def short_texts(pairs: Sequence[TextPair], *, seed: int) -> list[str]:
    """Texts to make vectors of beside those of the tools: sentences and names, drawn by lot, and all requests."""
    random = np.random.default_rng(seed)
    of = {kind: [pair.asked for pair in pairs if pair.kind is kind] for kind in PairKind}
    found = list(of[PairKind.REQUEST])
    for kind, count in ((PairKind.SENTENCE, _SENTENCES), (PairKind.NAME, _NAMES)):
        found += [of[kind][at] for at in random.permutation(len(of[kind]))[:count]]
    return list(dict.fromkeys(found))


def numbers_of(texts: Sequence[str], tokenizer: WordPiece, kept: npt.NDArray[np.bool_]) -> list[Tokens]:
    """The tokens of each text that count; no begin and no end."""
    found = [np.array(tokenizer.encode(text, most=MOST_TOKENS)[1:-1], np.int32) for text in texts]
    return [some[kept[some]] for some in found]


def principal_directions(vectors: Rows, count: int) -> Rows:
    """(dimensions, count): the directions in which vectors of length 1 differ most from nothing, the first first."""
    _, directions = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    found = directions[:, ::-1][:, :count]
    # A direction and its opposite are alike: which of them is found depends on the library.
    found = found * np.sign(found[np.abs(found).argmax(axis=0), np.arange(found.shape[1])])
    return np.asarray(found, np.float32)


def first_rows(alone: Rows, kept: npt.NDArray[np.bool_], texts: Sequence[Tokens]) -> Rows:
    """The table to begin with: the vector of each token alone, without what all have in common, the less the more usual.

    Args:
        alone: (tokens, dimensions): of each token as a text of its own.
        kept: (tokens,): which count; the others have 0.
        texts: Of which it is counted how many have a token.
    """
    having = np.bincount(np.concatenate([np.unique(text) for text in texts]), minlength=len(alone))
    share = (having + 1) / len(texts)
    rows = alone - alone[kept].mean(axis=0)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    rows *= (_COMMON / (_COMMON + share)).astype(np.float32)[:, None]
    rows[~kept] = 0
    return np.ascontiguousarray(rows, np.float32)
