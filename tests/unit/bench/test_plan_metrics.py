"""Plan metrics on hand-worked examples."""

from bench.measure.plan_metrics import (
    common_subsequence,
    exact_set,
    ordered_pairs,
    path_recall,
    plan_precision,
    plan_recall,
    set_recall,
)


def test_order_counts_in_path_recall_and_not_in_the_set() -> None:
    plan, gold = ["b", "a", "c"], ["a", "b", "c"]
    assert exact_set(plan, gold) == 1
    assert common_subsequence(plan, gold) == 2
    assert path_recall(plan, gold) == 2 / 3


def test_recall_and_precision_are_over_sets() -> None:
    assert plan_recall(["a", "x"], ["a", "b", "a"]) == 1 / 2
    assert plan_precision(["a", "x", "y"], ["a", "b"]) == 1 / 3
    assert plan_precision([], ["a"]) == 0


def test_set_recall_looks_at_as_many_places_as_there_are_gold_calls() -> None:
    assert set_recall(["x", "a", "b"], ["a", "b"]) == 1 / 2
    assert set_recall(["x", "a", "b"], ["a", "b"], 10) == 1


def test_pairs_count_where_both_calls_are_in_the_plan() -> None:
    assert ordered_pairs(["b", "a", "c"], ["a", "b", "c", "d"]) == (1, 2)
