"""BM25 scored document by document: slow and simple."""

from collections.abc import Mapping, Sequence

import numpy as np
from rank_bm25 import BM25Okapi

from app.domain.ranking.fields import K1, B, idf
from app.domain.ranking.formulas import Array


class _Okapi(BM25Okapi):  # type: ignore[misc]  # the library has no types
    """Okapi without its floor, which gives words of half of the documents 0 and more common ones below 0."""

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        self.idf = {word: idf(self.corpus_size, frequency) for word, frequency in nd.items()}


class RankBm25Index:
    """What BM25 is held to."""

    def __init__(self, documents: Sequence[Sequence[str]], /) -> None:
        """Index `documents`; no documents, or documents without tokens, are fine."""
        self._n = len(documents)
        # The library divides by the number of documents and by their mean length.
        self._okapi = _Okapi(documents, k1=K1, b=B) if any(documents) else None

    def scores(self, tokens: Sequence[str]) -> Array:
        """BM25 of every document; 0 where no token matches."""
        if self._okapi is None:
            return np.zeros(self._n)
        scores: Array = self._okapi.get_scores(tokens)
        return scores
