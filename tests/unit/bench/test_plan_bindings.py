"""Bindings of plans against the labels of public sets."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.domain.nodes.models import Tool
from bench.judged.bindings import (
    BindingCounts,
    BindingResult,
    binding_result,
    count_inputs,
    count_pairs,
)
from bench.measure.planner import PlanCatalogue
from bench.sets.jentic import Goal
from bench.sets.jentic_bindings import GoldInput, gold_inputs
from tests.unit.bench.goal_samples import CANCEL, LIST, MAKE, SEND, plan_of, shop

FROM_FIRST = {"step": 1, "path": "/0/id"}
GOLD = ("shop/listOrders", "shop/mailOrder")
LABELS = (
    GoldInput(1, "id", 0),
    GoldInput(1, "/text", None),
    GoldInput(1, "colour", 0),
)
"""The document has no `colour`, and does not require a text."""


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> PlanCatalogue:
    return shop(tmp_path_factory.mktemp("shop"))


@pytest.fixture(scope="module")
def tools(catalogue: PlanCatalogue) -> dict[str, Tool]:
    return {tool.id: tool for tool in catalogue.tools}


@pytest.mark.parametrize(
    ("steps", "counts"),
    [
        pytest.param(
            [(LIST, {}), (SEND, {"id": FROM_FIRST})], BindingCounts(1, 1, 1, 1, 0, 0), id="as labelled"
        ),
        pytest.param(
            [(LIST, {}), (SEND, {"id": FROM_FIRST, "text": {"step": 1, "path": "/0/state"}})],
            BindingCounts(1, 2, 1, 1, 0, 0),
            id="one that the labels leave to the caller",
        ),
        pytest.param(
            [(LIST, {}), (SEND, {"id": {"input": "id"}})], BindingCounts(0, 0, 1, 1, 0, 0), id="asked for"
        ),
        pytest.param(
            [(MAKE, {}), (SEND, {"id": FROM_FIRST})], BindingCounts(0, 1, 0, 1, 0, 0), id="another call"
        ),
        pytest.param([(LIST, {})], BindingCounts(0, 0, 0, 1, 0, 0), id="the call is not there"),
        pytest.param(
            [(LIST, {}), (SEND, {"id": {"compose": "o-{x}", "parts": {"x": FROM_FIRST}}})],
            BindingCounts(1, 1, 1, 1, 0, 0),
            id="as a part",
        ),
    ],
)
def test_inputs_against_labels(
    catalogue: PlanCatalogue, tools: dict[str, Tool], steps: list[Any], counts: BindingCounts
) -> None:
    """Which call a value comes from; inputs that the document lacks are not asked for."""
    assert count_inputs(plan_of(catalogue, *steps), GOLD, LABELS, tools.get) == counts


@pytest.mark.parametrize(
    ("binding", "right"), [({"input": "id"}, 1), ({"known": "o-1"}, 1), (FROM_FIRST, 0), (None, 0)]
)
def test_required_inputs_that_are_left_to_the_caller(
    catalogue: PlanCatalogue, tools: dict[str, Tool], binding: dict[str, Any] | None, right: int
) -> None:
    """Open or known is right; from another call, or unbound, is not."""
    plan = plan_of(catalogue, (LIST, {}), (CANCEL, {"id": binding} if binding else {}))

    found = count_inputs(plan, ("shop/cancelOrder",), [GoldInput(0, "id", None)], tools.get)

    assert (found.left, found.left_right) == (1, right)


def test_pairs_of_calls(catalogue: PlanCatalogue) -> None:
    """A pair that the labels have twice counts twice, when our call has two bindings from the other."""
    plan = plan_of(
        catalogue, (LIST, {}), (SEND, {"id": FROM_FIRST, "text": FROM_FIRST}), (MAKE, {"count": FROM_FIRST})
    )

    assert count_pairs(plan, GOLD, [GOLD, GOLD, GOLD]) == BindingCounts(2, 2, 3, 3)
    assert count_pairs(plan, (*GOLD, "shop/makeOrder"), [GOLD]) == BindingCounts(1, 3, 1, 1)
    assert count_pairs(plan, GOLD, [("shop/cancelOrder", GOLD[1])]) == BindingCounts(0, 2, 0, 1)


def test_sums_and_shares() -> None:
    """Over all plans, not means of shares; None and `-` where there is nothing to share."""
    result = BindingResult("s", (BindingCounts(1, 1, 1, 4), BindingCounts(0, 3, 1, 4)), "f", 1.0)

    assert result.texts() == ["0.250", "0.500", "0.125", "4", "2", "8", "-"]
    assert result.cases() == {"precision": [1.0, 0.0], "recall": [0.25, 0.0]}
    assert BindingCounts().precision is None


def test_a_result_is_read_back() -> None:
    """As a report keeps it between runs."""
    result = BindingResult("s", (BindingCounts(1, 2, 3, 4, 5, 6),), "f", 1.0)
    kept = json.loads(
        json.dumps(
            {
                "set": "s",
                "counts": [
                    {
                        **dict(
                            zip(
                                ("right", "ours", "both", "labels", "left_right", "left"),
                                range(1, 7),
                                strict=True,
                            )
                        )
                    }
                ],
                "fingerprint": "f",
                "p50_ms": 1.0,
            }
        )
    )

    assert binding_result(kept) == result


def test_expressions_of_workflows(tmp_path: Path) -> None:
    """Parameters and leaves of bodies; literals, the step itself and unknown steps are no labels."""
    folder = tmp_path / "bench" / "jentic_arazzo_dev" / "raw" / "workflows" / "shop.com"
    folder.mkdir(parents=True)
    steps = [
        {"stepId": "list", "parameters": [{"name": "limit", "in": "query", "value": "$inputs.limit"}]},
        {
            "stepId": "send",
            "parameters": [{"name": "id", "in": "path", "value": "$steps.list.outputs.id"}],
            "requestBody": {
                "payload": {
                    "a/b": {"c": ["$steps.list.outputs.c"]},
                    "x": "plain",
                    "y": "$steps.send.outputs.y",
                    "z": "$steps.none.outputs.z",
                }
            },
        },
        {"stepId": "make", "requestBody": {"payload": "$inputs.make_body"}},
    ]
    document = {"workflows": [{"workflowId": "w", "steps": steps}]}
    (folder / "workflows.arazzo.json").write_text(json.dumps(document))
    goal = Goal("shop.com#w", "mail", ("shop/list", "shop/send", "shop/make"), "shop.com")

    assert gold_inputs(tmp_path, [goal]) == {
        "shop.com#w": (
            GoldInput(0, "limit", None),
            GoldInput(1, "id", 0),
            GoldInput(1, "/a~1b/c/0", 0),
            GoldInput(2, "/", None),
        )
    }
