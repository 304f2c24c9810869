"""What surrounds a node, and cards of nodes, over HTTP."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.fakes import InMemoryGraph
from tests.service import client, ingest


@pytest.fixture(scope="module")
def shop() -> Iterator[TestClient]:
    graph = InMemoryGraph()
    ingest(graph)
    with client(graph) as opened:
        yield opened


def test_a_neighbourhood_names_its_nodes_and_counts_its_edges(shop: TestClient) -> None:
    """Both ends of every edge are among the nodes; a page goes on where its cursor says."""
    answer = shop.get("/v1/neighbours/orders/open_return?kind=Tool&per_kind=1").json()

    keys = {node["key"] for node in answer["nodes"]}
    assert "Tool:orders/open_return" in keys
    assert {end for edge in answer["edges"] for end in (edge["source"], edge["target"])} <= keys
    counts = {(one["kind"], one["direction"]): one for one in answer["counts"]}
    more = next(one for one in counts.values() if one["next_cursor"])
    page = shop.get(f"/v1/neighbours/orders/open_return?kind=Tool&cursor={more['next_cursor']}").json()
    assert len(page["edges"]) == more["count"] - 1
    assert {edge["kind"] for edge in page["edges"]} == {more["kind"]}


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/v1/neighbours/orders/open_return?kind=Method", 404, "it is the id of a Tool"),
        ("/v1/neighbours/orders/open_return?kind=Spoon", 422, "kind"),
        ("/v1/neighbours/orders/open_return?kinds=EATS", 422, "accepted, separated by commas"),
        ("/v1/neighbours/orders/open_return?cursor=x", 422, "next_cursor"),
        ("/v1/neighbours/orders/open_return?min_confidence=2", 422, "min_confidence"),
        ("/v1/nodes/Method/shipping.retrn", 404, "shipping.return"),
        ("/v1/nodes/Tool/orders/open_return", 404, "tools are at /v1/tools"),
        ("/v1/nodes/Method/%00", 422, "printable"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is_accepted(
    shop: TestClient, address: str, status: int, words: str
) -> None:
    answer = shop.get(address)

    assert answer.status_code == status, answer.text
    assert words in answer.text


def test_each_kind_of_node_has_a_card(shop: TestClient) -> None:
    """From the snapshot; a method with its examples and tools, a category with all tools that are in it."""
    method = shop.get("/v1/nodes/Method/shipping.return").json()
    category = shop.get(f"/v1/nodes/Category/{method['category']}").json()

    assert (method["kind"], method["id"], method["tool_count"]) == (
        "Method",
        "shipping.return",
        len(method["tools"]),
    )
    assert method["examples"]
    assert "orders/open_return" in method["tools"]
    assert set(method["tools"]) <= set(category["tools"])
