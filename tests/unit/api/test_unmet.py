"""GET /v1/unmet and DELETE /v1/unmet/{id}: what REST and MCP were asked and did not find."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import yaml
from starlette.testclient import TestClient

from app.domain.unmet.entries import UnmetEntry, UnmetKind, UnmetMode
from tests.fakes import InMemoryGraph
from tests.service import client, ingest, wait_until

UNMET = "qwxz vbnm rockets"
MCP_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-11-25",
}


@contextmanager
def serving(mode: UnmetMode, graph: InMemoryGraph | None = None) -> Iterator[TestClient]:
    graph = graph or InMemoryGraph()
    ingest(graph)
    with client(graph, unmet=mode) as opened:
        yield opened


def unmet(service: TestClient, **params: object) -> dict[str, Any]:
    answer = service.get("/v1/unmet", params={name: str(value) for name, value in params.items()})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def called(service: TestClient, name: str, arguments: dict[str, object]) -> dict[str, Any]:
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    answer = service.post("/mcp", content=json.dumps(body), headers=MCP_HEADERS)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_nothing_is_kept_unless_it_is_asked_for() -> None:
    """Off is the default: no entry, not even a number."""
    graph = InMemoryGraph()
    with serving(UnmetMode.OFF, graph) as service:
        service.post("/v1/query", json={"query": UNMET})
        found = unmet(service)

    assert (found["mode"], found["groups"], graph.unmet_entries) == ("off", [], {})


def test_a_query_without_an_answer_is_kept_with_what_would_help() -> None:
    """How often and when, the near tools, and an entry of a taxonomy to copy; what was found is not kept."""
    graph = InMemoryGraph()
    with serving(UnmetMode.TEXTS, graph) as service:
        generation = graph.generation
        for query in ("refnd paymnt", "Refnd  paymnt", "where is my parcel"):
            service.post("/v1/query", json={"query": query})
        wait_until(lambda: unmet(service)["count"] == 2)
        (group,) = unmet(service)["groups"]

    (request,) = group["requests"]
    assert (request["kind"], request["text"].lower(), request["count"]) == ("request", "refnd paymnt", 2)
    assert "payments/refund_payment" in group["near"]
    assert group["remedies"][0]["kind"] == "example"
    assert request["text"] in group["remedies"][0]["taxonomy"]
    assert graph.generation == generation


def test_a_request_that_nothing_is_near_to_gets_a_method_to_copy() -> None:
    """Its tools are left open, and its id is one that a taxonomy takes."""
    with serving(UnmetMode.TEXTS) as service:
        service.post("/v1/query", json={"query": "qwxz: hjkl yuio!"})
        wait_until(lambda: unmet(service)["count"] == 1)
        (group,) = unmet(service)["groups"]

    (remedy,) = group["remedies"]
    (entry,) = yaml.safe_load(remedy["taxonomy"])["methods"]
    assert group["near"] == []
    assert entry == {"id": "qwxz_hjkl_yuio", "implements": [], "examples": ["qwxz: hjkl yuio!"]}


def test_counts_keep_numbers_alone() -> None:
    """No text anywhere in the graph, and none in the answer."""
    graph = InMemoryGraph()
    with serving(UnmetMode.COUNTS, graph) as service:
        for query in ("refnd paymnt", "paymnt refnds"):
            service.post("/v1/query", json={"query": query})
        wait_until(lambda: unmet(service)["count"] == 2)
        found = unmet(service)

    assert "refnd" not in repr(graph.unmet_entries)
    assert "refnd" not in json.dumps(found)
    assert found["groups"][0]["remedies"] == []
    assert all(one["text"] == "" for group in found["groups"] for one in group["requests"])


def test_what_agents_do_not_find_is_kept_too() -> None:
    """Each of several queries, and the tasks of a goal for which there is no call."""
    with serving(UnmetMode.TEXTS) as service:
        called(service, "search_tools", {"queries": [UNMET, "refund a payment"]})
        called(service, "plan_workflow", {"goal": "cancel the order and launch the rockets"})
        plan = service.post("/v1/plan", json={"goal": "launch the rockets and cancel the order"}).json()
        tasks = {one["task"] for one in plan["unmet"]}
        wait_until(lambda: unmet(service)["count"] >= 3)
        kept = [one for group in unmet(service)["groups"] for one in group["requests"]]

    assert tasks
    assert tasks <= {one["text"] for one in kept if one["kind"] == "task"}
    assert UNMET in {one["text"] for one in kept if one["kind"] == "request"}


def test_asking_why_or_looking_around_is_not_kept() -> None:
    """Nor is a description with a request, as it is no search of its own."""
    graph = InMemoryGraph()
    with serving(UnmetMode.TEXTS, graph) as service:
        service.post("/v1/explain", json={"query": UNMET, "tools": ["orders/get_order"]})
        service.get("/v1/find", params={"q": UNMET})
        called(service, "describe_tool", {"id": "orders/get_order", "request": UNMET})

    assert graph.unmet_entries == {}


def test_what_was_noted_is_written_at_the_end() -> None:
    """Between two batches a service that ends loses nothing."""
    graph = InMemoryGraph()
    with serving(UnmetMode.TEXTS, graph) as service:
        service.post("/v1/query", json={"query": UNMET})

    assert [one.text for one in graph.unmet_entries.values()] == [UNMET]


def test_a_request_that_is_deleted_is_gone() -> None:
    """404 the second time; another one stays."""
    with serving(UnmetMode.TEXTS) as service:
        for query in (UNMET, "hjkl yuio"):
            service.post("/v1/query", json={"query": query})
        wait_until(lambda: unmet(service)["count"] == 2)
        first = unmet(service)["groups"][0]["requests"][0]["id"]
        deleted = service.delete(f"/v1/unmet/{first}")
        again = service.delete(f"/v1/unmet/{first}")
        left = unmet(service)

    assert (deleted.status_code, again.status_code, left["count"]) == (204, 404, 1)
    assert first in again.json()["detail"]


def _old(number: int, last_at: str) -> UnmetEntry:
    return UnmetEntry(
        id=f"{number:032x}",
        kind=UnmetKind.REQUEST,
        text=f"word{number} alone",
        near=(),
        count=number,
        first_at=last_at,
        last_at=last_at,
    )


def test_groups_are_paged_the_most_frequent_first() -> None:
    """Each group once; what nobody asked for in 90 days is not shown."""
    graph = InMemoryGraph()
    graph.unmet_entries = {
        one.id: one for one in (_old(number, "9026-01-01T00:00:00Z") for number in range(1, 8))
    }
    graph.unmet_entries["f" * 32] = _old(99, "2020-01-01T00:00:00Z").model_copy(update={"id": "f" * 32})
    with serving(UnmetMode.OFF, graph) as service:
        seen, cursor = [], ""
        while cursor is not None:
            page = unmet(service, limit=3, **({"cursor": cursor} if cursor else {}))
            seen += [group["count"] for group in page["groups"]]
            cursor = page["next_cursor"]

    assert (seen, page["groups_total"], page["count"]) == ([7, 6, 5, 4, 3, 2, 1], 7, 28)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/unmet?limit=0"),
        ("GET", "/v1/unmet?cursor=x"),
        ("GET", "/v1/unmet?cursor=YQ"),
        ("DELETE", "/v1/unmet/short"),
        ("DELETE", "/v1/unmet/" + "G" * 32),
    ],
)
def test_a_wrong_page_or_id_is_refused(method: str, path: str) -> None:
    """422 as a problem document."""
    with serving(UnmetMode.OFF) as service:
        answer = service.request(method, path)

    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


def test_without_the_graph_the_answer_says_so() -> None:
    """503: requests are kept there; what is noted meanwhile waits, and is written once it is back."""
    graph = InMemoryGraph()
    with serving(UnmetMode.TEXTS, graph) as service:
        graph.reachable = False
        wait_until(lambda: service.get("/readyz").json()["status"] == "degraded")
        service.post("/v1/query", json={"query": UNMET})
        away = service.get("/v1/unmet")
        graph.reachable = True
        wait_until(lambda: service.get("/v1/unmet").status_code == 200)
        wait_until(lambda: unmet(service)["count"] == 1)

    assert away.status_code == 503
