"""Fitting the order of the first tools."""

import numpy as np

from app.domain.reranking.weighed import EVIDENCE
from bench.training.order import OrderRows, fit_order, placed


def rows(name: str, *, telling: str, count: int = 200, tools: int = 8) -> OrderRows:
    """Requests whose right tool has most of one kind of evidence, and nothing else tells it from the others."""
    random = np.random.default_rng(len(name))
    evidence = random.uniform(0.0, 1.0, (count, tools, len(EVIDENCE)))
    best = evidence[:, :, EVIDENCE.index(telling)].argmax(axis=1)
    right = np.arange(tools) == best[:, None]
    return OrderRows(name, evidence, np.zeros(count), np.ones((count, tools), bool), right, np.ones(count))


def test_what_tells_the_right_tool_gets_the_weight_and_none_is_below_zero() -> None:
    fitted = fit_order([rows("a set", telling="said"), rows("another set", telling="said")])
    assert max(fitted.short, key=lambda kind: fitted.short[kind]) == "said"
    assert fitted.short["said"] > 4 * fitted.short["words"]
    assert min(*fitted.short.values(), *fitted.long.values()) >= 0.0


def test_a_set_that_it_was_not_fitted_on_is_ranked_better() -> None:
    asked = rows("held out", telling="meaning")
    before, after = placed(asked, None), placed(asked, fit_order([rows("a set", telling="meaning")]))
    assert after[1] > 0.9 > before[1]
    assert after[0] > before[0]
