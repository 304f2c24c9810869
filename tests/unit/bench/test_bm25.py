"""Both lexical indexes against each other: bm25s is the one in use, rank-bm25 what it is held to."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from app.domain.ranking.fields import idf
from app.domain.ranking.formulas import best
from bench.methods.bm25s import Bm25sIndex
from tests.rank_bm25_index import RankBm25Index

tokens = st.lists(st.sampled_from("abcdefg"), max_size=8)
corpora = st.lists(tokens, max_size=8)


@pytest.mark.parametrize("index", [Bm25sIndex, RankBm25Index])
def test_bm25_by_hand(index):
    """N 2, df(b) 2, df(c) 1, lengths 2 and 4, mean 3: b in the first: ln 1.2 * 2.2 / (1 + 1.2 * (.25 + .75 * 2 / 3))."""
    scores = index([["a", "b"], ["b", "c", "c", "d"]]).scores(["b", "c"])

    short, long = 1.2 * (0.25 + 0.75 * 2 / 3), 1.2 * (0.25 + 0.75 * 4 / 3)
    first = idf(2, 2) * 2.2 / (1 + short)
    second = idf(2, 2) * 2.2 / (1 + long) + idf(2, 1) * 2 * 2.2 / (2 + long)
    assert scores.tolist() == pytest.approx([first, second], rel=1e-12)


@pytest.mark.parametrize("index", [Bm25sIndex, RankBm25Index])
@pytest.mark.parametrize("documents", [[], [[]], [[], []]])
def test_nothing_to_find_is_no_error(index, documents):
    assert index(documents).scores(["a"]).tolist() == [0.0] * len(documents)


@pytest.mark.parametrize("index", [Bm25sIndex, RankBm25Index])
def test_unknown_words_and_no_words_score_nothing(index):
    built = index([["a"], ["b", "c"]])

    assert built.scores([]).tolist() == [0.0, 0.0]
    assert built.scores(["zebra"]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("index", [Bm25sIndex, RankBm25Index])
def test_a_word_of_every_document_still_scores_above_zero(index):
    assert (index([["a"], ["a", "b"], ["a"]]).scores(["a"]) > 0).all()


def test_the_published_idf_would_rank_otherwise():
    """Why it is replaced: a word of half of the documents is worth nothing to BM25Okapi."""
    documents = [["a"], ["a"], ["b"], ["c"]]

    assert BM25Okapi(documents).get_scores(["a"]).tolist() == [0.0] * 4
    assert RankBm25Index(documents).scores(["a"])[0] > 0


@given(corpora, tokens)
@example([["a"], ["a"], []], ["a", "a"])
def test_bm25s_scores_and_ranks_as_rank_bm25(documents, query):
    fast, slow = Bm25sIndex(documents).scores(query), RankBm25Index(documents).scores(query)

    assert np.allclose(fast, slow, rtol=1e-12, atol=0)
    assert best(fast, 20).tolist() == best(slow, 20).tolist()


@given(corpora, tokens)
def test_scores_are_additive_over_the_querys_tokens(documents, query):
    """Explanation shows each word's share by asking for it alone."""
    index = Bm25sIndex(documents)

    total = sum((index.scores([token]) for token in query), np.zeros(len(documents)))

    assert np.allclose(index.scores(query), total, rtol=1e-12)
