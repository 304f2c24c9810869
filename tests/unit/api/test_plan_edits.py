"""Plans that are changed by hand, over HTTP: edits, choices, what is wrong, documents."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from app.answers.plan_edits import ChoiceAnswer, PlanState
from app.domain.nodes.models import EdgeForm, EdgeKind, EdgeRow, NodeKind, SourceId
from ingest.sources.files import file_input
from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest
from tests.service import EXAMPLES, client, wait_until
from tests.unit.api.test_plan import ANSWER_ONLY, GOAL


@pytest.fixture
def graph() -> InMemoryGraph:
    found = InMemoryGraph()
    ingest(found, file_input("openapi", EXAMPLES / "openapi.yaml", name="shop"))
    return found


@pytest.fixture
def shop(graph: InMemoryGraph) -> Iterator[TestClient]:
    with client(graph) as opened:
        yield opened


@pytest.fixture
def plan(shop: TestClient) -> dict[str, Any]:
    """listOrders, cancelOrder (1), listOrderPayments (1), refundPayment (3)."""
    answer = shop.post("/v1/plan", json={"goal": GOAL}).json()
    return {key: value for key, value in answer.items() if key not in ANSWER_ONLY}


def edited(shop: TestClient, plan: dict[str, Any], **edit: Any) -> dict[str, Any]:
    answer = shop.post("/v1/plan/edit", json={"plan": plan, "edit": edit or None})
    assert answer.status_code == 200, answer.text
    TypeAdapter(PlanState).validate_python(answer.json())
    return dict(answer.json())


def tools(plan: dict[str, Any]) -> list[str]:
    return [step["tool_id"].removeprefix("shop/") for step in plan["steps"]]


def choices(shop: TestClient, plan: dict[str, Any], step: int, parameter: str) -> list[dict[str, Any]]:
    answer = shop.post("/v1/plan/choices", json={"plan": plan, "step": step, "parameter": parameter})
    assert answer.status_code == 200, answer.text
    TypeAdapter(ChoiceAnswer).validate_python(answer.json())
    return list(answer.json()["choices"])


def test_a_plan_says_where_its_steps_may_stand(shop: TestClient, plan: dict[str, Any]) -> None:
    """Without an edit nothing changes; the reasons name the step that is in the way."""
    state = edited(shop, plan)

    assert (state["plan"], state["problems"], state["generation"]) == (plan, [], 1)
    assert [(one["step"], one["first"], one["last"]) for one in state["places"]] == [
        (1, 1, 1),
        (2, 2, 4),
        (3, 2, 3),
        (4, 4, 4),
    ]
    assert "step 2 (shop/cancelOrder) takes a value from step 1" in state["places"][0]["not_behind"]
    assert "step 4 (shop/refundPayment) takes a value from step 3" in state["places"][3]["not_before"]


def test_edits_follow_each_other(shop: TestClient, plan: dict[str, Any]) -> None:
    """Move, add, bind, remove: each answer is the next one's plan, and steps are always numbered as they stand."""
    moved = edited(shop, plan, edit="move", step=3, to=2)["plan"]
    added = edited(shop, moved, edit="add", calls="shop/getOrder", at=2, purpose="look")["plan"]
    bound = edited(
        shop,
        added,
        edit="bind",
        step=2,
        parameter="orderId",
        binding={"step": 1, "path": "/items/*/id", "select": {"by": "first"}},
    )["plan"]
    removed = edited(shop, bound, edit="remove", step=1)

    assert tools(moved) == ["listOrders", "listOrderPayments", "cancelOrder", "refundPayment"]
    assert moved["steps"][3]["bindings"]["paymentId"]["step"] == 2
    assert tools(added)[1] == "getOrder"
    assert added["steps"][1]["bindings"] == {"orderId": {"input": "orderId"}}
    assert [item["name"] for item in added["inputs"]] == ["orderId"]
    assert bound["inputs"] == []
    assert tools(removed["plan"]) == ["getOrder", "listOrderPayments", "cancelOrder", "refundPayment"]
    assert removed["problems"] == []
    assert len(removed["plan"]["inputs"]) == 3


def test_a_refused_edit_is_an_error_that_says_why(shop: TestClient, plan: dict[str, Any]) -> None:
    """The reason is the one that the places gave before."""
    reason = edited(shop, plan)["places"][3]["not_before"]

    refused = shop.post("/v1/plan/edit", json={"plan": plan, "edit": {"edit": "move", "step": 4, "to": 1}})
    unknown = shop.post(
        "/v1/plan/edit", json={"plan": plan, "edit": {"edit": "add", "calls": "shop/nothing"}}
    )
    other = shop.post("/v1/plan/edit", json={"plan": plan, "edit": {"edit": "turn", "step": 4}})

    assert (refused.status_code, refused.json()["detail"]) == (422, reason)
    assert (unknown.status_code, unknown.json()["detail"]) == (404, "no tool and no workflow 'shop/nothing'")
    assert other.status_code == 422


def test_a_tool_that_is_gone_is_a_problem_of_its_step(shop: TestClient, plan: dict[str, Any]) -> None:
    """Such a plan can still be edited: another tool takes the place."""
    plan["steps"][1]["tool_id"] = "shop/cancelOldOrder"
    state = edited(shop, plan)
    mended = edited(shop, plan, edit="replace", step=2, tool_id="shop/cancelOrder")

    assert [(one["step"], one["code"]) for one in state["problems"]] == [(2, "missing_tool")]
    assert mended["problems"] == []


def test_an_input_has_ranked_choices(shop: TestClient, plan: dict[str, Any]) -> None:
    """What inference says of earlier answers, then fields of equal type, then steps to be added, then the caller."""
    found = choices(shop, plan, 4, "paymentId")

    first = found[0]
    assert (first["kind"], first["step"], first["path"], first["chosen"]) == ("field", 3, "/*/id", True)
    assert first["evidence"] in ("schema", "path", "name")
    assert 0 < first["confidence"] <= 1
    assert first["rank"] >= 1
    kinds = [one["kind"] for one in found]
    assert kinds == sorted(kinds, key=["field", "add", "input", "value"].index)
    typed = [one for one in found if one["evidence"] == "type"]
    assert typed
    assert {one["type"] for one in typed} == {"string"}
    assert [one["chosen"] for one in found].count(True) == 1
    assert {one["binding"]["input"] for one in found if one["kind"] == "input"} == {"paymentId"}


def test_what_a_source_states_comes_before_what_is_inferred(
    graph: InMemoryGraph, shop: TestClient, plan: dict[str, Any]
) -> None:
    """Whatever its confidence."""
    form = EdgeForm(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL)
    stated = {
        "stated_by": SourceId("taxonomy:t"),
        "parameter": "paymentId",
        "optional": False,
        "field": "/items/*/id",
        "confidence": 0.1,
        "evidence": "taxonomy",
        "rank": 1,
    }
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.begin()
        lease.put_edges(form, [EdgeRow("shop/refundPayment", "shop/listOrders", stated)])
        lease.finish()
    wait_until(lambda: shop.get("/readyz").json()["generation"] == 2)

    found = choices(shop, plan, 4, "paymentId")

    assert [(one["step"], one["evidence"]) for one in found[:2]] == [
        (1, "taxonomy"),
        (3, found[1]["evidence"]),
    ]
    assert found[1]["evidence"] != "type"


def test_a_producer_that_is_not_there_can_be_added_before_the_step(
    shop: TestClient, plan: dict[str, Any]
) -> None:
    """With what it needs itself; taking it adds the step and binds the input."""
    alone = edited(shop, edited(shop, plan, edit="remove", step=3)["plan"])["plan"]
    offered = [one for one in choices(shop, alone, 3, "paymentId") if one["kind"] == "add"]

    assert {one["tool_id"] for one in offered} >= {"shop/listOrderPayments"}
    (producer,) = [one for one in offered if one["tool_id"] == "shop/listOrderPayments"]
    assert (producer["needs"], producer["binding"], producer["step"]) == (["orderId"], None, None)
    feeds = {"step": 3, "parameter": "paymentId", "path": producer["path"], "select": {"by": "ask"}}
    added = edited(shop, alone, edit="add", calls=producer["tool_id"], at=3, feeds=feeds)
    assert tools(added["plan"]) == ["listOrders", "cancelOrder", "listOrderPayments", "refundPayment"]
    assert added["plan"]["steps"][3]["bindings"] == plan["steps"][3]["bindings"]
    assert added["problems"] == []


def test_a_plan_is_looked_at_without_an_id(shop: TestClient, plan: dict[str, Any]) -> None:
    """Nothing is kept."""
    whole = shop.post("/v1/plan/validate", json={"plan": plan})
    plan["steps"][3]["bindings"] = {}
    open_ = shop.post("/v1/plan/validate", json={"plan": plan}).json()

    assert whole.json() == {"valid": True, "problems": []}
    assert (open_["valid"], [one["code"] for one in open_["problems"]]) == (False, ["unbound"])
    assert shop.get("/v1/workflows").json()["workflows"] == []


def test_a_plan_is_written_as_a_document(shop: TestClient, plan: dict[str, Any]) -> None:
    """The same wherever it is asked for: for a goal, a stored workflow, or a plan in the body."""
    shop.post("/v1/workflows", json={"id": "refund", "plan": plan})
    for form, begin in (("arazzo", '{\n  "arazzo"'), ("mermaid", "flowchart TD")):
        for_goal = shop.post(f"/v1/plan?format={form}", json={"goal": GOAL})
        stored = shop.get(f"/v1/workflows/refund?format={form}")
        sent = shop.post(f"/v1/plan/export?format={form}&name=refund", json={"plan": plan})

        assert for_goal.text.startswith(begin), for_goal.text
        assert stored.text == sent.text
    named = json.loads(shop.post("/v1/plan/export?format=arazzo&name=refund", json={"plan": plan}).text)
    assert [one["workflowId"] for one in named["workflows"]] == ["refund"]
    assert named["sourceDescriptions"][0]["url"].endswith("openapi.yaml")
    assert shop.post("/v1/plan/export?format=json", json={"plan": plan}).json() == plan
    assert shop.post("/v1/plan?format=xml", json={"goal": GOAL}).status_code == 422


def test_the_graph_may_be_away_while_a_plan_is_edited(
    graph: InMemoryGraph, shop: TestClient, plan: dict[str, Any]
) -> None:
    """The snapshot answers; only what the graph alone knows waits for it."""
    graph.reachable = False
    wait_until(lambda: shop.get("/readyz").json().get("degraded", True))

    assert tools(edited(shop, plan, edit="move", step=3, to=2)["plan"])[1] == "listOrderPayments"
    assert choices(shop, plan, 4, "paymentId")[0]["chosen"]
    assert shop.post("/v1/plan/export?format=arazzo", json={"plan": plan}).status_code == 503
