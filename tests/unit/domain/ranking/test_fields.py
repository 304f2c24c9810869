import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ranking.fields import Postings, bm25f_terms, compile_bm25f, idf, query_weight

WEIGHTS = {"name": 2.0, "text": 0.5}
documents = st.lists(
    st.fixed_dictionaries({field: st.lists(st.integers(0, 5), max_size=6) for field in WEIGHTS}),
    min_size=1,
    max_size=6,
)


def matrices(given_documents, terms=6):
    counts = {field: np.zeros((len(given_documents), terms)) for field in WEIGHTS}
    for row, document in enumerate(given_documents):
        for field, numbers in document.items():
            for number in numbers:
                counts[field][row, number] += 1
    return {field: sp.csr_matrix(matrix) for field, matrix in counts.items()}


def test_idf_by_hand():
    """2 documents, both with the term: ln(0.5 / 2.5 + 1) = ln 1.2; still above 0."""
    assert idf(2, 2) == pytest.approx(math.log(1.2))
    assert idf(2, 1) == pytest.approx(math.log(2))


def test_a_query_that_repeats_a_term_weighs_it_by_one_plus_its_logarithm():
    assert query_weight(1) == 1.0
    assert query_weight(3) == pytest.approx(1 + math.log(3))


def test_bm25f_by_hand():
    """Lengths at their means: x = 2 * 1 (name) + .5 * 2 (text) = 3; 1 * 2.2 * 3 / 4.2, shared 2 : 1."""
    shares = bm25f_terms(
        {"a": 1.0},
        {"name": ["a"], "text": ["a", "a"]},
        weights=WEIGHTS,
        mean_lengths={"name": 1.0, "text": 2.0},
        idfs={"a": 1.0},
    )

    assert shares == {("a", "name"): pytest.approx(4.4 / 4.2), ("a", "text"): pytest.approx(2.2 / 4.2)}


def test_a_longer_field_counts_less():
    """Twice the mean length: norm 1 - .75 + .75 * 2 = 1.75; x = 2 / 1.75."""
    shares = bm25f_terms(
        {"a": 1.0}, {"name": ["a", "b"]}, weights=WEIGHTS, mean_lengths={"name": 1.0}, idfs={"a": 1.0}
    )

    x = 2 / 1.75
    assert shares == {("a", "name"): pytest.approx(2.2 * x / (1.2 + x))}


@given(documents, st.dictionaries(st.integers(0, 5), st.floats(0.1, 3), max_size=4))
def test_the_compiled_index_scores_as_the_formula(given_documents, query):
    index = compile_bm25f(matrices(given_documents), weights=WEIGHTS)
    idfs = {number: float(value) for number, value in enumerate(index.idfs) if value > 0}

    expected = [
        sum(
            bm25f_terms(query, document, weights=WEIGHTS, mean_lengths=index.mean_lengths, idfs=idfs).values()
        )
        for document in given_documents
    ]

    assert index.postings.scores(query) == pytest.approx(expected, rel=1e-5)


@given(documents)
def test_document_frequency_counts_a_document_once_whichever_field_holds_the_term(given_documents):
    index = compile_bm25f(matrices(given_documents), weights=WEIGHTS)

    for number in range(6):
        frequency = sum(any(number in field for field in document.values()) for document in given_documents)
        expected = idf(len(given_documents), frequency) if frequency else 0.0
        assert float(index.idfs[number]) == pytest.approx(expected, rel=1e-6)


def test_no_documents_have_no_scores():
    empty = {field: sp.csr_matrix((0, 3)) for field in WEIGHTS}

    assert compile_bm25f(empty, weights=WEIGHTS).postings.scores({0: 1.0}).shape == (0,)


def test_postings_add_weighted_terms():
    postings = Postings(sp.csr_matrix(np.array([[1.0, 0.0], [2.0, 4.0]])))

    assert postings.scores({0: 3.0, 1: 0.5}).tolist() == [4.0, 2.0]
    assert postings.scores({}).tolist() == [0.0, 0.0]
