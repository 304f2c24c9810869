"""Fitting how sure a call is."""

import numpy as np

from app.domain.choosing.recipe import RECIPE
from bench.training.sureness import TaskRow, fit_sureness

NAMES = tuple(RECIPE.sureness.weights)


def rows(*, count: int, noise: float) -> list[TaskRow]:
    """Tasks whose right call is the one that is closest in meaning, but for noise; rules choose the closest."""
    random = np.random.default_rng(0)
    found = []
    for number in range(count):
        evidence = random.uniform(0.0, 1.0, (5, len(NAMES)))
        meaning = evidence[:, NAMES.index("meaning")]
        best = int(np.argmax(meaning + random.normal(0.0, noise, 5)))
        ruled = int(np.argmax(meaning))
        found.append(TaskRow(f"server {number % 9}", evidence, np.arange(5) == best, ruled, ruled == best))
    return found


def test_what_tells_the_right_call_gets_the_weight() -> None:
    weights = fit_sureness(rows(count=300, noise=0.1)).recipe.weights
    assert max(weights, key=lambda name: abs(weights[name])) == "meaning"
    assert weights["meaning"] > 4 * max(abs(one) for name, one in weights.items() if name != "meaning")


def test_what_is_sure_is_right_more_often() -> None:
    kept = fit_sureness(rows(count=400, noise=0.3)).kept
    shares = [right / (right + wrong) for right, wrong in kept.values() if right + wrong]
    assert kept[0.0][0] + kept[0.0][1] == 400
    assert shares == sorted(shares)
    assert shares[-1] > shares[0]
