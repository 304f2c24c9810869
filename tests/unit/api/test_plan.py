"""Plans and workflows over HTTP."""

import json
import os
import socket
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from app.answers.plan import GoalAnswer, PlanAnswer, StepAnswer, plan_json
from app.domain.nodes.models import ToolId
from app.domain.reading.models import GoalCondition, GoalTask, Reading, StatedValue, ValueKind
from app.domain.workflows.plans import (
    MappedPart,
    Plan,
    PlanInput,
    PlanStep,
    Select,
    Sort,
    StandIn,
    StepBinding,
    UnmetTask,
    UnusedValue,
    When,
    Where,
)
from app.mcp.tools.served_tools import plain_schema
from ingest.sources.files import file_input
from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest
from tests.service import EXAMPLES, client, wait_until

GOAL = "cancel my order and refund the payment"


@pytest.fixture
def graph() -> InMemoryGraph:
    found = InMemoryGraph()
    ingest(found, file_input("openapi", EXAMPLES / "openapi.yaml", name="shop"))
    return found


@pytest.fixture
def shop(graph: InMemoryGraph) -> Iterator[TestClient]:
    with client(graph) as opened:
        yield opened


def plan(shop: TestClient, **body: Any) -> dict[str, Any]:
    answer = shop.post("/v1/plan", json={"goal": GOAL, **body})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def kept(shop: TestClient, workflow_id: str = "refund", **body: Any) -> dict[str, Any]:
    """A stored plan for the goal."""
    document = {key: value for key, value in plan(shop, **body).items() if key not in ANSWER_ONLY}
    answer = shop.post("/v1/workflows", json={"id": workflow_id, "plan": document})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


ANSWER_ONLY = {"generation", "reading", "took_ms", "workflows"}


def names(answer: dict[str, Any]) -> list[str]:
    return [step["tool_id"] for step in answer["steps"]]


def test_a_plan_is_answered_with_what_the_contract_names(shop: TestClient) -> None:
    """Steps with their bindings, nothing that says nothing."""
    answer = plan(shop)

    assert names(answer) == [
        *("shop/listOrders", "shop/cancelOrder", "shop/listOrderPayments", "shop/refundPayment")
    ]
    assert answer["steps"][3] == {
        "position": 4,
        "tool_id": "shop/refundPayment",
        "purpose": "refund the payment",
        "bindings": {"paymentId": {"step": 3, "path": "/*/id", "select": {"by": "ask"}}},
        "alternatives": answer["steps"][3]["alternatives"],
        "mutating": True,
    }
    assert (answer["goal"], answer["inputs"], answer["workflows"]) == (GOAL, [], [])
    assert (answer["generation"], answer["took_ms"] > 0) == (1, True)


def test_a_plan_is_sent_as_it_is_declared(shop: TestClient) -> None:
    """The declaration is what the OpenAPI page and MCP clients see; the JSON is that of plans in files."""
    answer = plan(shop)

    assert list(answer) == [field.name for field in fields(GoalAnswer)]
    assert answer["steps"]
    for step in answer["steps"]:
        assert list(step) == [field.name for field in fields(StepAnswer) if field.name in step]
        assert {field.name for field in fields(StepAnswer)} - step.keys() <= {
            "when",
            "may_call",
            "is_up",
            "instead_of",
            "ask",
        }
    TypeAdapter(GoalAnswer).validate_python(answer)


def test_every_form_of_a_plan_fits_its_declaration() -> None:
    """Selections, conditions, what is left over, and how the goal was read: for REST, and for clients of MCP."""
    select = Select(
        by="each", where=(Where(field="a", value=1),), except_=("o-1",), sort=Sort(field="b", descending=True)
    )
    when = When(step=1, path="/n", op="gt", value=0)
    value = StatedValue(text="12", kind=ValueKind.NUMBER, value=12, start=0, end=2)
    answer = PlanAnswer(
        plan=Plan(
            goal="12",
            steps=(
                PlanStep(position=1, tool_id=ToolId("a")),
                PlanStep(
                    position=2,
                    tool_id=ToolId("b"),
                    bindings={"x": StepBinding(step=1, path="/*/id", select=select)},
                    when=(when,),
                    may_call=True,
                    is_up=True,
                    instead_of=StandIn(
                        tool_id=ToolId("c"),
                        reason="source_down",
                        because="r",
                        inputs=(MappedPart(name="x", was="y", type="string"),),
                    ),
                    ask=True,
                ),
            ),
            inputs=(PlanInput(name="y", suggested=True),),
            unused=(UnusedValue(value=12, reason="r"),),
            unmet=(UnmetTask(task="t", reason="r"),),
        ),
        workflows=(),
        generation=1,
        from_graph=True,
        reading=Reading(
            tasks=(GoalTask(do="12", values=(value,), condition=GoalCondition(text="c", when=when)),)
        ),
    )

    document = json.loads(plan_json(answer, 0.0))

    assert list(document) == [field.name for field in fields(GoalAnswer)]
    assert list(document["steps"][1]) == [field.name for field in fields(StepAnswer)]
    assert document["steps"][1]["bindings"]["x"]["select"]["except"] == ["o-1"]
    assert Reading.model_validate(document["reading"]) == answer.reading
    TypeAdapter(GoalAnswer).validate_python(document)
    Draft202012Validator(plain_schema(GoalAnswer, mode="serialization")).validate(document)


def test_known_values_and_limits_are_taken(shop: TestClient) -> None:
    assert names(plan(shop, known={"orderId": "o-1"}))[0] == "shop/cancelOrder"
    assert len(plan(shop, max_steps=2)["steps"]) == 2
    assert all(not step["mutating"] for step in plan(shop, filters={"read_only": True})["steps"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body.goal"),
        ({"goal": ""}, "body.goal"),
        ({"goal": "x", "max_steps": 0}, "body.max_steps"),
        ({"goal": "x", "max_steps": 51}, "body.max_steps"),
        ({"goal": "x", "known": [1]}, "body.known"),
        ({"goal": "x", "colour": 1}, "body.colour"),
        (
            {"goal": "x", "timezone": "Mars/Phobos"},
            "body.timezone = \"Mars/Phobos\": 'Mars/Phobos' is no time zone",
        ),
        ({"goal": "x", "now": "soon"}, 'body.now = "soon"'),
        ({"goal": "x", "secret": ["key"]}, 'body.secret = ["key"]'),
        ({"goal": "x", "tasks": [{"do": "x", "after": [2]}]}, "task 1 comes after 2"),
        ({"goal": "x" * 501}, "goal"),
        ({"goal": "x", "filters": {"servers": ["nope"]}}, "'nope'"),
    ],
)
def test_a_bad_request_is_refused_and_says_what_is_wrong(
    shop: TestClient, body: dict[str, Any], field: str
) -> None:
    answer = shop.post("/v1/plan", json=body)

    assert answer.status_code == 422
    assert field in answer.json()["detail"]


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ('{"order_id": 1e999}', "body.known.order_id = Infinity"),
        ('{"order_id": NaN}', "body.known.order_id = NaN"),
        (
            '{"order": {"lines": [1, -1e999]}}',
            "/lines/1 is -Infinity, which is not finite; accepted: numbers up to 1.8e308",
        ),
    ],
)
def test_a_number_that_json_does_not_have_is_refused_by_name(shop: TestClient, known: str, said: str) -> None:
    """The answer would hold it as a word, which no other language reads."""
    answer = shop.post("/v1/plan", content=f'{{"goal": "cancel my order", "known": {known}}}', headers=JSON)

    assert answer.status_code == 422
    assert said in answer.json()["detail"]


def test_a_workflow_keeps_no_number_that_json_does_not_have(shop: TestClient) -> None:
    """Neither as a value that is known nor as a part of one."""
    document = kept(shop)["plan"]
    for binding in ('{"known": 1e999}', '{"compose": [NaN], "parts": {}}'):
        steps = [{**document["steps"][0], "bindings": {"orderId": "VALUE"}}]
        plan_text = json.dumps({**document, "steps": steps}).replace('"VALUE"', binding)
        text = f'{{"id": "other", "plan": {plan_text}}}'
        answer = shop.post("/v1/workflows", content=text, headers=JSON)

        assert answer.status_code == 422
        assert "steps.0.bindings.orderId" in answer.json()["detail"]
        assert "not finite" in answer.json()["detail"]


def test_plans_are_answered_from_memory_while_the_graph_is_away(
    shop: TestClient, graph: InMemoryGraph
) -> None:
    """The same plan; workflows, which only the graph has, are not available."""
    before = plan(shop)["steps"]

    graph.reachable = False

    assert plan(shop)["steps"] == before
    assert shop.get("/v1/workflows").status_code == 503


def test_a_kept_plan_is_listed_loaded_and_found_by_later_plans(shop: TestClient) -> None:
    saved = kept(shop)

    assert (saved["id"], saved["problems"], saved["broken"], saved["generation"]) == ("refund", [], False, 2)
    assert [(one["id"], one["steps"]) for one in shop.get("/v1/workflows").json()["workflows"]] == [
        ("refund", 4)
    ]
    loaded = shop.get("/v1/workflows/refund").json()
    assert loaded["plan"]["steps"] == plan(shop)["steps"]
    wait_until(lambda: [one["id"] for one in plan(shop)["workflows"]] == ["refund"])


def test_an_id_is_given_once_and_is_no_path(shop: TestClient) -> None:
    document = kept(shop)["plan"]

    for workflow_id, said in (
        ("refund", "already"),
        ("a/b", "accepted"),
        ("", "accepted"),
        ("-a", "accepted"),
    ):
        answer = shop.post("/v1/workflows", json={"id": workflow_id, "plan": document})
        assert (answer.status_code, said in answer.json()["detail"]) == (422, True), workflow_id


def test_a_workflow_is_reordered_by_the_order_of_its_steps(shop: TestClient) -> None:
    """Positions name the steps as they were; the answer has them numbered anew, references too."""
    document = kept(shop)["plan"]
    first, cancel, payments, refund = document["steps"]

    answer = shop.put(
        "/v1/workflows/refund", json={"plan": {**document, "steps": [first, payments, cancel, refund]}}
    ).json()

    assert names(answer["plan"]) == [
        *("shop/listOrders", "shop/listOrderPayments", "shop/cancelOrder", "shop/refundPayment")
    ]
    assert [step["position"] for step in answer["plan"]["steps"]] == [1, 2, 3, 4]
    assert answer["plan"]["steps"][3]["bindings"]["paymentId"]["step"] == 2
    assert answer["problems"] == []


def test_a_change_that_adds_a_problem_is_refused_and_nothing_is_kept(
    shop: TestClient, graph: InMemoryGraph
) -> None:
    """Order, inputs without a source, unknown tools: each is named, with its step."""
    document = kept(shop)["plan"]
    first, cancel, payments, refund = document["steps"]
    unbound = {**refund, "bindings": {}}
    for steps, said in (
        ([cancel, first, payments, refund], "not before"),
        ([first, cancel, payments, unbound], "'paymentId'"),
        ([first, {**cancel, "tool_id": "shop/nope"}], "'shop/nope'"),
        ([], "no step"),
    ):
        answer = shop.put("/v1/workflows/refund", json={"plan": {**document, "steps": steps}})
        assert (answer.status_code, said in answer.json()["detail"]) == (422, True), answer.text
    assert shop.get("/v1/workflows/refund").json()["plan"] == document
    assert graph.state().generation == 2


def test_validate_says_what_is_wrong_and_writes_nothing(shop: TestClient, graph: InMemoryGraph) -> None:
    """With a body that plan, without one the stored workflow."""
    document = kept(shop)["plan"]
    broken = {**document, "steps": [{**document["steps"][1], "bindings": {}}]}

    found = shop.post("/v1/workflows/refund/validate", json={"plan": broken}).json()

    assert not found["valid"]
    assert [(one["code"], one["step"]) for one in found["problems"]] == [("unbound", 2)]
    assert shop.post("/v1/workflows/refund/validate").json() == {"valid": True, "problems": []}
    assert shop.post("/v1/workflows/nope/validate").status_code == 404
    assert graph.state().generation == 2


def test_a_workflow_may_run_another_but_not_itself(shop: TestClient) -> None:
    document = kept(shop)["plan"]
    step = {"position": 1, "workflow_id": "refund"}
    outer = shop.post("/v1/workflows", json={"id": "outer", "plan": {"goal": "all", "steps": [step]}})
    assert (outer.status_code, outer.json()["problems"]) == (201, [])

    again = {**document, "steps": [*document["steps"], {"position": 5, "workflow_id": "outer"}]}
    answer = shop.put("/v1/workflows/refund", json={"plan": again})

    assert (answer.status_code, "again" in answer.json()["detail"]) == (422, True)
    refused = shop.delete("/v1/workflows/refund")
    assert (refused.status_code, "'refund' is a step of outer" in refused.json()["detail"]) == (422, True)


def test_a_deleted_workflow_is_gone(shop: TestClient) -> None:
    kept(shop)

    assert shop.delete("/v1/workflows/refund").status_code == 204
    assert shop.get("/v1/workflows/refund").status_code == 404
    assert shop.delete("/v1/workflows/refund").status_code == 404


def test_a_change_while_another_writer_is_at_work_is_asked_for_again(graph: InMemoryGraph) -> None:
    """It is no defect: the answer says when to come back, and nothing is written."""
    with client(graph, lease_wait_s=0.05) as shop:
        document = kept(shop)["plan"]
        with graph.lease(owner=f"{socket.gethostname()}:{os.getpid()}:ingest", wait_s=0.0):
            answer = shop.put("/v1/workflows/refund", json={"plan": {**document, "goal": "another"}})
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1"), answer.text
        assert "is writing" in answer.json()["detail"]
        assert shop.get("/v1/workflows/refund").json()["goal"] == GOAL


def test_what_somebody_else_changed_meanwhile_is_not_written_over(shop: TestClient) -> None:
    """With If-Match a change is kept only where the workflow is as it was read; without it the last one wins."""
    document = kept(shop)["plan"]
    path = "/v1/workflows/refund"
    read = shop.get(path).headers["ETag"]
    theirs = shop.put(path, json={"plan": {**document, "goal": "theirs"}}, headers={"If-Match": read})
    assert (theirs.status_code, shop.get(path).headers["ETag"]) == (200, theirs.headers["ETag"])

    for answer in (
        shop.put(path, json={"plan": {**document, "goal": "ours"}}, headers={"If-Match": read}),
        shop.delete(path, headers={"If-Match": read}),
        shop.delete(path, headers={"If-Match": f"W/{theirs.headers['ETag']}"}),
    ):
        assert (answer.status_code, answer.json()["type"]) == (412, "urn:outfitter:problem:changed-meanwhile")
        assert theirs.headers["ETag"] in answer.json()["detail"]
    assert shop.get(path).json()["goal"] == "theirs"

    either = f'"other", {theirs.headers["ETag"]}'
    assert shop.put(path, json={"plan": document}, headers={"If-Match": either}).headers["ETag"] == read
    assert shop.put(path, json={"plan": document}).status_code == 200
    assert shop.delete(path, headers={"If-Match": "*"}).status_code == 204


def test_query_answers_carry_what_the_matches_need(shop: TestClient) -> None:
    """Behind all matches, or each behind its match; none when none are asked for."""
    body = {"query": "refund a payment", "top_k": 1}
    needed = {"listOrderPayments", "listOrders"}

    plain = shop.post("/v1/query", json={**body, "prerequisites": 0}).json()["tools"]
    behind = shop.post("/v1/query", json=body).json()["tools"]
    two = shop.post("/v1/query", json={**body, "top_k": 2, "order": "blocks"}).json()["tools"]

    assert [(one["id"], one["role"]) for one in plain] == [("shop/refundPayment", "match")]
    assert behind[0] == plain[0]
    assert {one["name"] for one in behind[1:]} >= needed
    assert {one["role"] for one in behind[1:]} == {"prerequisite"}
    payments = next(one for one in behind if one["name"] == "listOrderPayments")
    assert (payments["needed_by"], payments["parameter"]) == ("shop/refundPayment", "paymentId")
    assert two[0]["id"] == "shop/refundPayment"
    assert two[1]["needed_by"] == "shop/refundPayment"
    assert sum(one["role"] == "match" for one in two) == 2
    assert shop.post("/v1/query", json={**body, "prerequisites": 21}).status_code == 422
