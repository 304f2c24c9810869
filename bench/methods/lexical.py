"""Chance, and the published methods that know words alone."""

import math
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from app.domain.ranking.formulas import Array, best
from bench.methods.base import DEPTH, Ranker
from bench.methods.bm25s import Bm25sIndex
from bench.methods.words import Corpus, Tokens, joined
from bench.sets.datasets import Dataset

RANDOM_SEED = 1


def random_ranker(dataset: Dataset) -> Ranker:
    """A Fisher-Yates shuffle of the tools, its seed made of `RANDOM_SEED` and the case's id."""
    tools = [tool.id for tool in dataset.catalogue.tools]

    def rank(case: str, _: str) -> Sequence[str]:
        chance = random.Random(f"{RANDOM_SEED}:{case}")  # noqa: S311  # must be repeatable
        left = list(tools)
        for place in range(min(DEPTH, len(left))):
            other = chance.randrange(place, len(left))
            left[place], left[other] = left[other], left[place]
        return left[:DEPTH]

    return rank


def keyword_ranker(dataset: Dataset, tokens: Tokens) -> Ranker:
    """Share of the query's words that occur somewhere in the document, inside other words too."""
    corpus = Corpus(dataset.catalogue, tokens)
    texts = corpus.texts if tokens is Tokens.PAPER else [joined(words) for words in corpus.documents]
    lowered = [text.lower() for text in texts]

    def rank(_: str, query: str) -> Sequence[str]:
        counts = Counter(corpus.terms(query))
        scores = np.zeros(len(lowered))
        for word, count in counts.items():
            scores += [count * (word in text) for text in lowered]
        return ranked(corpus.tools, scores / max(1, counts.total()))

    return rank


def tfidf_ranker(dataset: Dataset, tokens: Tokens) -> Ranker:
    """Cosine of (1 + ln tf) * ln(N / df), of the query's and the document's words."""
    corpus = Corpus(dataset.catalogue, tokens)
    vectors = TfIdf(corpus.documents)

    def rank(_: str, query: str) -> Sequence[str]:
        return ranked(corpus.tools, vectors.cosines(corpus.terms(query)))

    return rank


def bm25_ranker(dataset: Dataset, tokens: Tokens) -> Ranker:
    """BM25 with k1 = 1.2 and b = 0.75."""
    corpus = Corpus(dataset.catalogue, tokens)
    index = Bm25sIndex(corpus.documents)

    def rank(_: str, query: str) -> Sequence[str]:
        return ranked(corpus.tools, index.scores(corpus.terms(query)))

    return rank


def ranked(tools: Sequence[str], scores: Array) -> list[str]:
    """The tools with scores above 0, best first; equal scores in the order of the tools."""
    return [tools[position] for position in best(scores, DEPTH).tolist()]


def sparse(cells: Sequence[tuple[int, int, float]], shape: tuple[int, int]) -> sp.csr_matrix:
    """A matrix of (row, column, value), values of one place added."""
    rows = np.array([row for row, _, _ in cells], np.intp)
    columns = np.array([column for _, column, _ in cells], np.intp)
    return sp.csr_matrix((np.array([value for _, _, value in cells]), (rows, columns)), shape=shape)


class TfIdf:
    """Documents as unit vectors of (1 + ln tf) * ln(N / df)."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        counts = [Counter(document) for document in documents]
        frequency = Counter(word for count in counts for word in count)
        self._columns = {word: column for column, word in enumerate(sorted(frequency))}
        self._idf = {word: math.log(len(documents) / frequency[word]) for word in frequency}
        cells = [
            (row, self._columns[word], value)
            for row, count in enumerate(counts)
            for word, value in self._unit(count).items()
        ]
        self._matrix = sparse(cells, (len(documents), len(self._columns)))

    def cosines(self, words: Sequence[str]) -> Array:
        """Cosine of the words with each document; 0 where they share no word that distinguishes documents."""
        query = np.zeros(len(self._columns))
        for word, value in self._unit(Counter(words)).items():
            query[self._columns[word]] = value
        return np.asarray(self._matrix @ query)

    def _unit(self, counts: Counter[str]) -> dict[str, float]:
        weights = {
            word: (1 + math.log(count)) * self._idf[word]
            for word, count in counts.items()
            if self._idf.get(word)
        }
        length = math.sqrt(math.fsum(weight**2 for weight in weights.values()))
        return {word: weight / length for word, weight in weights.items()}
