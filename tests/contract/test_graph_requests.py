"""Requests written for tools, in the graph: both engines and the fake keep, read and lose them alike."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import pytest

from app.adapters.graph.store import GraphStore
from app.domain.changes import with_part
from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind, ToolRequest
from app.domain.requests.basis import request_basis
from app.ports.graph import WriterLease
from app.usecases.index.changed import changed_index
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from ingest.cards import REQUESTS
from ingest.enrich.requests.kept import put_requests, update_requests
from tests.contract.rows import TOOL, node
from tests.fakes import InMemoryGraph

Graph: TypeAlias = InMemoryGraph | GraphStore

AT = "2026-11-23T05:00:00Z"
HAS_REQUEST = EdgeForm(NodeKind.TOOL, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE)


@contextmanager
def writing(graph: Graph) -> Iterator[WriterLease]:
    """A generation."""
    with graph.lease(owner="tests:1:0", wait_s=5) as lease:
        lease.begin()
        yield lease
        lease.finish()


def request(text: str, language: str = "en") -> ToolRequest:
    """One that a model wrote."""
    return ToolRequest(text=text, language=language, model="small", at=AT)


@pytest.fixture
def shop(graph: Graph) -> Graph:
    """Three tools, of which two have requests."""
    with writing(graph) as lease:
        lease.put_nodes(
            TOOL,
            [
                node("s/a", server="s", name="refund", description="Refunds."),
                node("s/b", server="s", name="list_orders", description="Lists."),
                node("s/c", server="s", name="ship", description="Ships."),
            ],
        )
    tools = {tool.id: tool for tool in graph.found_tools(["s/a", "s/b"])}
    requests = {
        "s/a": [request("give her the money back"), request("Geld zurück", "de")],
        "s/b": [request("what did I buy")],
    }
    put_requests(
        graph,
        {tool: (tools[tool], said) for tool, said in requests.items()},  # type: ignore[index]
        owner="tests:1:0",
        lease_wait_s=5,
        at=AT,
    )
    return graph


def test_tools_come_with_their_requests(shop: Graph) -> None:
    """In the order in which they were written, with model and date, whichever way a tool is read."""
    expected = (request("give her the money back"), request("Geld zurück", "de"))
    kept = shop.requests_of(["s/a", "s/c", "s/none"])

    assert [(one.tool, one.text, one.language) for one in kept] == [
        ("s/a", "give her the money back", "en"),
        ("s/a", "Geld zurück", "de"),
    ]
    assert shop.found_tools(["s/a"])[0].requests == expected
    assert shop.tool("s/a").requests == expected
    assert shop.catalogue().tools[0].requests == expected
    assert {one.basis for one in kept} == {request_basis(shop.tool("s/a"))}
    assert shop.edge_pairs(HAS_REQUEST, stated=True) == []
    assert len(shop.edge_pairs(HAS_REQUEST, stated=False)) == 3
    assert [source.id for source in shop.sources()] == [REQUESTS]
    # What moves a tool from one source to another takes along what is stated; these were written for its definition.
    assert shop.tool_edges(["s/a"]) == []


def test_the_index_takes_requests_in_like_any_other_change(shop: Graph) -> None:
    """From a generation before them to the one with them by what changed alone: found at once, and the same numbers."""
    before = shop.catalogue()
    old = SearchIndex.build(before)
    tool = shop.tool("s/c")
    put_requests(
        shop,
        {"s/c": (tool, [request("put the parcel into the post")])},
        owner="tests:1:0",
        lease_wait_s=5,
        at=AT,
    )
    changes = shop.changes(before.generation, stamp=before.stamp)
    assert changes is not None
    part = shop.part(changes)

    index = changed_index(old, part)

    assert with_part(before, part) == shop.catalogue()
    assert index is not None
    asked = SearchRequest(query="parcel post", prerequisites=0, explain=True)
    found = search(asked, ConsistentGraph(index)).tools[0]
    whole = search(asked, ConsistentGraph(SearchIndex.build(shop.catalogue()))).tools[0]
    assert (found.id, found.score) == (whole.id, whole.score) == ("s/c", whole.score)
    assert any("requests" in why.fields for why in found.why or ())


def test_other_requests_come_in_place_of_the_old_ones(shop: Graph) -> None:
    """Of the tools that are given alone; an empty list takes them away, and the source goes with the last."""
    tools = {tool.id: tool for tool in shop.found_tools(["s/a", "s/b"])}
    later = "2026-11-24T05:00:00Z"

    def put(**requests: list[ToolRequest]) -> list[str]:
        return put_requests(
            shop,
            {f"s/{name}": (tools[f"s/{name}"], said) for name, said in requests.items()},  # type: ignore[index]
            owner="tests:1:0",
            lease_wait_s=5,
            at=later,
        )

    assert put(a=[request("undo the charge")]) == []
    assert [one.text for one in shop.requests_of(["s/a", "s/b"])] == ["undo the charge", "what did I buy"]
    assert put(a=[], b=[]) == []
    assert shop.requests_of(["s/a", "s/b"]) == []
    assert shop.sources() == []
    assert shop.node_names(NodeKind.EXAMPLE) == []


def test_a_tool_that_is_another_by_now_gets_nothing(shop: Graph) -> None:
    """What was written for the old one may be wrong, and what the graph has stays for the next ingest to judge."""
    old = shop.tool("s/a")
    with writing(shop) as lease:
        lease.put_nodes(TOOL, [node("s/a", server="s", name="refund", description="Refunds in full.")])

    passed = put_requests(
        shop, {"s/a": (old, [request("x")]), "s/gone": (old, [])}, owner="tests:1:0", lease_wait_s=5, at=AT
    )

    assert passed == ["s/a", "s/gone"]
    assert len(shop.requests_of(["s/a"])) == 2


def test_requests_go_with_their_tool_and_with_its_definition(shop: Graph) -> None:
    """And it is said of which tool, and why; others stay."""
    with writing(shop) as lease:
        lease.put_nodes(TOOL, [node("s/a", server="s", name="refund", description="Refunds in full.")])
        lease.remove_nodes(TOOL, ["s/b"])
        counts = update_requests(shop, lease, ["s/a", "s/b", "s/c"])

    assert (dict(counts.changed), dict(counts.gone), counts.removed) == ({"s/a": 2}, {"s/b": 1}, 3)
    assert shop.node_names(NodeKind.EXAMPLE) == []
    assert shop.sources() == []
    assert shop.tool("s/a").requests == ()


def test_a_tool_keeps_its_requests_under_another_id(shop: Graph) -> None:
    """Its name and texts are the same: only its server is called something else."""
    with writing(shop) as lease:
        lease.rename_tools([("s/a", "shop/a")])
        lease.put_nodes(TOOL, [node("shop/a", server="shop", name="refund", description="Refunds.")])
        counts = update_requests(shop, lease, ["shop/a"])

    assert counts.removed == 0
    assert [one.text for one in shop.tool("shop/a").requests] == ["give her the money back", "Geld zurück"]
