"""The order of the first tools by all that is known of each."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ranking.recipe import RECIPE
from app.domain.reranking.weighed import EVIDENCE, in_turn, is_named, length_of, worths

SHARES = st.lists(st.floats(0.0, 1.0), min_size=len(EVIDENCE), max_size=len(EVIDENCE))


def worth(shares: list[float], terms: int) -> float:
    found = worths(np.array([shares]), terms, short=RECIPE.weighed_short, long=RECIPE.weighed_long)
    return float(found[0])


@given(SHARES, st.integers(0, 200), st.sampled_from(range(len(EVIDENCE))), st.floats(0.0, 1.0))
def test_no_evidence_counts_against_a_tool(shares: list[float], terms: int, kind: int, more: float) -> None:
    surer = [share + more if at == kind else share for at, share in enumerate(shares)]
    assert worth(surer, terms) >= worth(shares, terms)


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_request_of_more_terms_is_no_shorter(terms: int, more: int) -> None:
    assert 0.0 <= length_of(terms) <= length_of(terms + more) <= 1.0


def test_words_count_more_in_long_requests() -> None:
    """Of a short one they are in many tools; a long one says most of what the right tool says of itself."""
    assert length_of(3) == 0.0
    assert length_of(60) == 1.0
    words, meaning = ([float(one == kind) for one in EVIDENCE] for kind in ("words", "meaning"))
    assert worth(words, 60) - worth(words, 3) > 0 > worth(meaning, 60) - worth(meaning, 3)


def test_a_request_names_a_tool_by_its_whole_name_and_says_little_else() -> None:
    assert is_named(name=1.0, said=0.8)
    assert not is_named(name=0.5, said=1.0)
    assert not is_named(name=1.0, said=0.2)


@given(
    st.lists(st.tuples(st.floats(-9.0, 9.0), *[st.floats(-1.0, 1.0)] * 3), max_size=12), st.floats(0.0, 9.0)
)
def test_each_tool_has_one_turn_and_the_best_has_the_first(
    tools: list[tuple[float, ...]], weight: float
) -> None:
    rows = np.array(tools, float).reshape(len(tools), 4)
    found = in_turn(rows[:, 0], rows[:, 1:], weight=weight)
    assert sorted(found) == list(range(len(tools)))
    assert not found or rows[found[0], 0] == rows[:, 0].max()


@given(st.lists(st.floats(-9.0, 9.0), max_size=12))
def test_without_needs_worth_alone_is_the_order(worth: list[float]) -> None:
    rows = np.array(worth, float)
    assert in_turn(rows, np.empty((len(worth), 0)), weight=5.0) == np.argsort(-rows, kind="stable").tolist()


def test_a_tool_for_what_is_left_open_comes_before_one_more_of_the_same() -> None:
    """Of two needs the first two tools meet one; the third meets the other."""
    cosines = np.array([[0.6, 0.1], [0.6, 0.1], [0.1, 0.5], [np.nan, np.nan]])
    worth = np.array([3.0, 2.9, 2.0, 2.0])
    assert in_turn(worth, cosines, weight=5.0) == [0, 2, 1, 3]
    assert in_turn(worth, cosines, weight=0.0) == [0, 1, 2, 3]
