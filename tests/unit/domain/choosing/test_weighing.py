"""A call that is unlike to be right, beside all that may do a task, is not called."""

from collections.abc import Mapping

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.domain.choosing.recipe import RECIPE
from app.domain.choosing.weighing import sureness
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.index import PlanIndex
from app.domain.planning.meant import TaskMeaning
from app.domain.ranking.runs import Reached
from tests.calls import call

TOOLS = [
    call("GET /orders/{orderId}", "getOrder", "Get an order"),
    call("GET /orders", "listOrders", "List orders"),
    call("GET /depots", "listDepots", "List depots"),
]


def spoken(**values: float) -> Mapping[str, float]:
    return dict.fromkeys(RECIPE.sureness.weights, 0.0) | values


def called(goal: str, cosines: Mapping[str, float]) -> list[str]:
    scores = np.array([cosines.get(tool.name, 0.0) for tool in TOOLS])
    meant = TaskMeaning(Reached(np.arange(len(TOOLS)), scores))
    found = draft_plan(
        PlanIndex(TOOLS),
        goal,
        requirements=requirements_within(()),
        known={},
        meant=lambda tasks, _: [meant] * len(tasks),
    )
    return [TOOLS[at].name for at in found.order]


@given(
    st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6),
    st.floats(0.0, 1.0),
    st.floats(0.0, 1.0),
)
def test_a_call_is_surer_the_more_speaks_for_it_and_the_less_for_others(
    others: list[float], own: float, more: float
) -> None:
    beside = {at: spoken(meaning=one) for at, one in enumerate(others, start=1)}
    sure = sureness({0: spoken(meaning=own), **beside})[0]
    assert 0 <= sure <= 1
    assert sureness({0: spoken(meaning=own + more), **beside})[0] >= sure
    assert sureness({0: spoken(meaning=own)})[0] >= sure


def test_what_is_far_in_meaning_is_not_read_because_of_one_word() -> None:
    goal = "in which order do the planets stand around the sun"
    assert called(goal, {"getOrder": 0.02, "listOrders": 0.04, "listDepots": 0.03}) == []
    assert called("list the orders", {"getOrder": 0.4, "listOrders": 0.6, "listDepots": 0.3}) == [
        "listOrders"
    ]
