"""Calls of REST over each engine: answers that need the graph, or follow from what it gives."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from app.domain.unmet.entries import UnmetMode
from app.roots.service import Graph
from tests.service import client, ingest, wait_until


@pytest.fixture
def shop(graph: Graph) -> Iterator[TestClient]:
    """The example shop, behind the service."""
    ingest(graph)
    with client(graph) as opened:
        yield opened


def test_why_a_tool_is_not_found_is_of_the_answer_that_the_graph_gives(shop: TestClient) -> None:
    """Place, score and reasons are those of the same query."""
    query = {"query": "The customer wants to be reimbursed", "top_k": 3}
    found = shop.post("/v1/query", json={**query, "explain": True, "prerequisites": 0}).json()
    ids = [tool["id"] for tool in found["tools"]]

    explained = shop.post("/v1/explain", json={**query, "tools": [*ids, "orders/cancel_order"]}).json()

    *those, missing = explained["tools"]
    assert [(one["place"], one["score"], one["why"]) for one in those] == [
        (place, tool["score"], tool["why"]) for place, tool in enumerate(found["tools"], 1)
    ]
    assert missing["case"] in {"below_cut", "not_reached"}
    assert missing["lacks"][0]["tool"] in ids


def test_a_card_says_where_a_tool_comes_from(shop: TestClient) -> None:
    """Its sources as the graph has them, and the workflows that call it."""
    before = shop.get("/v1/tools/orders/get_order").json()
    tools = [tool["id"] for tool in shop.get("/v1/tools", params={"server": "orders"}).json()["tools"]]
    free = next(
        one for one in tools if not shop.get(f"/v1/tools/{one}").json()["input_schema"].get("required")
    )
    plan = {"goal": "read", "steps": [{"position": 1, "tool_id": free, "bindings": {}}]}

    saved = shop.post("/v1/workflows", json={"id": "look", "plan": plan})

    assert saved.status_code == 201, saved.text
    assert before["sources"][0] == {"source": "manifest:orders", "declares": False}
    wait_until(lambda: shop.get(f"/v1/tools/{free}").json()["workflows"] == ["look"])
    assert shop.get("/v1/find", params={"q": "look", "kinds": "Workflow"}).json()["nodes"][0]["id"] == "look"


def test_changes_and_the_status_come_from_the_graph(shop: TestClient) -> None:
    """All sources of one ingest, newest first, and nobody who writes afterwards."""
    whole = shop.get("/v1/changes", params={"limit": 100}).json()
    first = shop.get("/v1/changes", params={"limit": 2}).json()
    second = shop.get("/v1/changes", params={"limit": 100, "cursor": first["next_cursor"]}).json()
    tool = shop.get("/v1/changes", params={"tool": "orders/get_order"}).json()
    status = shop.get("/v1/status").json()

    assert len(whole["changes"]) == len(shop.get("/v1/sources").json()["sources"])
    assert first["changes"] + second["changes"] == whole["changes"]
    assert [one["source"] for one in tool["changes"]] == ["manifest:orders"]
    assert tool["definition"]["now"]["read_only"] is True
    assert (status["status"], status["lease"], status["writing"]) == ("ready", None, False)
    assert status["graph_generation_at"] >= whole["changes"][0]["at"]


def test_what_nothing_met_is_kept_by_each_engine(graph: Graph) -> None:
    """Added up over batches, also of a service that comes later, and taken away again; no generation is made of it."""
    ingest(graph)
    generation = graph.state().generation
    for _ in range(2):
        with client(graph, unmet=UnmetMode.TEXTS) as service:
            service.post("/v1/query", json={"query": "refnd paymnt"})
    with client(graph) as service:
        found = service.get("/v1/unmet").json()
        (group,) = found["groups"]
        (request,) = group["requests"]
        deleted = service.delete(f"/v1/unmet/{request['id']}").status_code
        left = service.get("/v1/unmet").json()

    assert (found["mode"], request["count"], request["text"]) == ("off", 2, "refnd paymnt")
    assert group["remedies"][0]["kind"] == "example"
    assert (deleted, left["groups"]) == (204, [])
    assert graph.state().generation == generation
