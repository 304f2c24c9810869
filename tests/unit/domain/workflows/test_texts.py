"""Texts that one caller leaves for others: stored workflows, goals and queries."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from starlette.testclient import TestClient

from app.domain.language.visible_text import has_hidden
from ingest.sources.files import file_input
from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest
from tests.service import EXAMPLES, client

GOAL = "cancel my order and refund the payment"
Document: TypeAlias = dict[str, Any]
Spoil: TypeAlias = Callable[[Document, str], object]


@pytest.fixture(scope="module")
def shop() -> Iterator[TestClient]:
    graph = InMemoryGraph()
    ingest(graph, file_input("openapi", EXAMPLES / "openapi.yaml", name="shop"))
    with client(graph) as opened:
        yield opened


def planned(shop: TestClient, goal: str = GOAL) -> Document:
    """A plan as a client would send it back to be kept."""
    answer = shop.post("/v1/plan", json={"goal": goal}).json()
    return {key: answer[key] for key in ("goal", "steps", "inputs", "warnings")}


def save(shop: TestClient, workflow_id: str, plan: Document, name: str = "") -> tuple[int, str]:
    answer = shop.post("/v1/workflows", json={"id": workflow_id, "name": name, "plan": plan})
    return answer.status_code, answer.text


SPOILT: dict[str, Spoil] = {
    "plan/goal": lambda plan, text: plan.update(goal=f"refund{text}"),
    "plan/steps/0/purpose": lambda plan, text: plan["steps"][0].update(purpose=f"list{text}"),
    "plan/steps/1/bindings/reason/known": lambda plan, text: plan["steps"][1]["bindings"].update(
        reason={"known": f"late{text}"}
    ),
    "plan/steps/1/bindings/reason/known/a/0": lambda plan, text: plan["steps"][1]["bindings"].update(
        reason={"known": {"a": [f"late{text}"]}}
    ),
    "plan/steps/1/bindings": lambda plan, text: plan["steps"][1]["bindings"].update(
        {f"re{text}": {"known": 1}}
    ),
    "plan/steps/0/alternatives/0": lambda plan, text: plan["steps"][0].update(alternatives=[f"shop/x{text}"]),
    "plan/inputs/0/description": lambda plan, text: plan.update(
        inputs=[{"name": "a", "description": f"What{text}"}]
    ),
    "plan/warnings/0/message": lambda plan, text: plan.update(
        warnings=[{"code": "x", "message": f"Mind{text}"}]
    ),
    "plan/outputs": lambda plan, text: plan.update(outputs={f"out{text}": {"step": 1, "path": ""}}),
}


@pytest.mark.parametrize("hidden", ["\x1b]0;x\x07", "\x9b", "\u202e", "\U000e0041", "\u2028"])
@pytest.mark.parametrize("place", SPOILT)
def test_a_workflow_with_hidden_characters_is_refused_by_field_and_character(
    shop: TestClient, place: str, hidden: str
) -> None:
    """Whoever may save one writes what other callers' plans show."""
    plan = planned(shop)
    SPOILT[place](plan, hidden)

    status, detail = save(shop, "spoilt", plan)

    assert status == 422
    assert f"{place}: " in detail
    assert f"U+{ord(hidden[0]):04X}" in detail
    assert shop.get("/v1/workflows/spoilt").status_code == 404


@pytest.mark.parametrize("name", ["\x1b]0;x\x07 n", "two\nlines", "a\tb", "\u200bn", "n\u2066"])
def test_a_name_is_one_visible_line(shop: TestClient, name: str) -> None:
    """A new one and one that replaces another."""
    plan = planned(shop)
    assert save(shop, f"named-{len(name)}-{ord(name[0])}", plan)[0] == 201

    status, detail = save(shop, "spoilt", plan, name)
    replaced = shop.put(f"/v1/workflows/named-{len(name)}-{ord(name[0])}", json={"name": name, "plan": plan})

    assert (status, replaced.status_code) == (422, 422)
    assert "name: " in detail
    assert not has_hidden(replaced.json()["detail"])


def test_what_people_write_is_kept(shop: TestClient) -> None:
    """Line ends, tabs, joined emoji, spaces of another width, right-to-left words."""
    plan = planned(shop)
    plan["goal"] = "refund it,\n\tplease \U0001f469\u200d\U0001f4bb\u00a0\u05e9\u05dc\u05d5\u05dd"
    plan["steps"][1]["bindings"]["orderId"] = {"known": "Dear shop,\r\ntoo late."}

    assert save(shop, "kind", plan, "\U0001f469\u200d\U0001f4bb refunds")[0] == 201
    kept = shop.get("/v1/workflows/kind").json()

    assert (kept["name"], kept["goal"]) == ("\U0001f469\u200d\U0001f4bb refunds", plan["goal"])
    assert kept["plan"]["steps"][1]["bindings"]["orderId"] == {"known": "Dear shop,\r\ntoo late."}


def test_hidden_characters_of_a_goal_count_for_nothing(shop: TestClient) -> None:
    """They come along when people copy from pages; the plan, which may be kept, does not repeat them."""
    hidden = planned(shop, "\ufeffcan\u200bcel my order\u2028and re\u2060fund the payment\u200e")

    assert hidden == {**planned(shop, "cancel my order\nand refund the payment")}
    assert save(shop, "copied", hidden)[0] == 201


def test_hidden_characters_of_a_query_count_for_nothing(shop: TestClient) -> None:
    def found(query: str) -> list[tuple[str, float]]:
        answer = shop.post("/v1/query", json={"query": query}).json()
        return [(tool["id"], tool["score"]) for tool in answer["tools"]]

    assert found("\ufeffre\u200bfund the pay\u2060ment\x1b") == found("refund the payment") != []
