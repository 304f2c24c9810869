"""Figures of rankings by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.measure.metrics import METRICS, list_recall, scores_of, with_alternatives
from bench.methods.base import Run
from bench.sets.datasets import Dataset, Question
from tests.unit.catalogues import catalogue, tool

rankings = st.lists(st.sampled_from("abcdef"), unique=True)
golds = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4)


def scores(ranking, gold, *, list_gold=False, alternatives=None):
    question = Question("1", "q", tuple(gold), alternatives or {}, "")
    dataset = Dataset("set", catalogue([tool(name) for name in "abcdef"]), (question,), list_gold=list_gold)
    found = scores_of(dataset, Run((tuple(ranking),), (0.0,), 0.0))
    return {metric: values[0] for metric, values in found.items()}


def test_recall_counts_a_tool_that_is_needed_twice_twice_where_gold_is_a_list():
    """Two of the three entries of gold are a, and a is found."""
    assert list_recall(["a", "x", "b"], ["a", "a", "b"], 2) == pytest.approx(2 / 3)
    assert scores("axb", "aab", list_gold=True)["R@1"] == pytest.approx(2 / 3)
    assert scores("axb", "aab")["R@1"] == 0.5
    assert scores("axb", "aab", list_gold=True)["R@3"] == 1.0


def test_ndcg_is_over_the_set_of_gold():
    """Gold {a, b} at ranks 1 and 3: (1 + 1 / log2 4) / (1 + 1 / log2 3)."""
    value = scores("axb", "aab", list_gold=True)["NDCG@5"]

    assert value == pytest.approx((1 + 0.5) / (1 + 1 / math.log2(3)))


def test_reciprocal_rank_is_that_of_the_first_right_tool():
    assert scores("xba", "ab")["MRR"] == 0.5
    assert scores("x", "a")["MRR"] == 0.0


def test_all_at_k_wants_every_tool_and_hit_at_k_one():
    assert (scores("ab", "aba")["all@5"], scores("ab", "aba")["hit@1"]) == (1.0, 1.0)
    assert (scores("acdefb", "ab")["all@5"], scores("acdefb", "ab")["hit@5"]) == (0.0, 1.0)


def test_average_precision_divides_by_what_the_places_can_hold():
    assert scores("axb", "ab")["MAP@10"] == pytest.approx((1 + 2 / 3) / 2)
    assert scores("ab", "abc")["MAP@1"] == 1.0
    assert scores("xa", "a")["MAP@1"] == 0.0


def test_an_alternative_stands_for_its_gold_tool_once():
    assert with_alternatives(["a2", "x", "a", "b"], {"a": ["a2"]}) == ["a", "x", "b"]
    assert scores(["f", "b"], "a", alternatives={"a": ["f"]})["R@1"] == 1.0


def test_an_empty_ranking_has_0_everywhere():
    assert set(scores("", "ab").values()) == {0.0}


@given(rankings, golds)
def test_figures_lie_between_0_and_1_and_a_perfect_ranking_has_1(ranking, gold):
    perfect = scores(dict.fromkeys(gold), gold)

    assert all(0 <= value <= 1 for value in scores(ranking, gold).values())
    assert all(perfect[metric] == pytest.approx(1.0) for metric in METRICS if not metric.startswith("R@"))
    assert perfect["R@5"] == 1.0


def test_figures_keep_the_order_of_the_questions():
    questions = [Question(str(number), "q", ("a",), {}, "") for number in range(12)]
    dataset = Dataset("set", catalogue([tool("a"), tool("b")]), tuple(questions))
    run = Run(tuple(("a",) if number == 10 else ("b",) for number in range(12)), (0.0,) * 12, 0.0)

    assert scores_of(dataset, run, ("R@1",)) == {"R@1": [float(number == 10) for number in range(12)]}
