"""BM25 with scores computed at build time. The only module that imports bm25s."""

from collections.abc import Sequence

import bm25s
import numpy as np

from app.domain.ranking.fields import K1, B
from app.domain.ranking.formulas import Array


class Bm25sIndex:
    """What the published methods take, and what the service's own BM25 is held to."""

    def __init__(self, documents: Sequence[Sequence[str]], /) -> None:
        """Index `documents`; no documents, or documents without tokens, are fine."""
        self._n = len(documents)
        self._bm25: bm25s.BM25 | None = None
        # bm25s divides by the mean length, so it needs at least one token.
        if any(documents):
            # float64: with float32, documents that tie in the formula need not tie here.
            self._bm25 = bm25s.BM25(k1=K1, b=B, method="lucene", dtype="float64", backend="numpy")
            self._bm25.index([list(document) for document in documents], show_progress=False)

    def scores(self, tokens: Sequence[str]) -> Array:
        """BM25 of every document; 0 where no token matches."""
        if self._bm25 is None:
            return np.zeros(self._n)
        numbers = self._bm25.get_tokens_ids(tokens)
        if not numbers:
            return np.zeros(self._n)
        # Lucene leaves out the factor that is the same for all documents.
        scores: Array = self._bm25.get_scores_from_ids(numbers) * (K1 + 1)
        return scores
