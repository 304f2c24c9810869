"""The graph page: its layout, what it shows, the query for Neo4j Browser, what it answers."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app.domain.nodes.graph_views import Direction, GraphEdge, GraphNode, NodeRef, TouchingEdge
from app.domain.nodes.models import EdgeKind, NodeKind
from app.errors import InvalidInputError
from app.web.parts.browser_link import (
    Neo4jLink,
    browser_address,
    cypher_literal,
    neo4j_link,
    view_query,
)
from app.web.parts.columns import column_layout
from app.web.parts.sketches import HEIGHT, WIDTH, sketch
from app.web.parts.walks import MAX_NODES, node_ref, read_opened, walk_view
from tests.unit.web.pages import Elements, pages

KEYS = st.sampled_from([f"k{number}" for number in range(30)])
FOCUS = GraphNode(kind=NodeKind.TOOL, id="s/hub", name="hub")


@pytest.fixture(scope="module")
def shop() -> Iterator[TestClient]:
    with pages() as opened:
        yield opened


@given(
    st.dictionaries(KEYS, st.sampled_from(["Tool", "Method"]), max_size=30),
    st.lists(st.tuples(KEYS, KEYS), max_size=60),
    st.randoms(),
)
def test_no_two_nodes_stand_in_one_place_and_the_same_graph_looks_the_same(
    nodes: dict[str, str], flows: list[tuple[str, str]], order: object
) -> None:
    """Whatever leads where, in circles too; the order in which nodes and flows come does not matter."""
    spots = column_layout("k0", nodes, flows)
    shuffled = list(flows)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    again = column_layout("k0", dict(sorted(nodes.items(), reverse=True)), shuffled)

    assert len(set(spots.values())) == len(spots)
    assert spots.keys() == {"k0", *nodes}
    assert again == spots
    assert spots["k0"].column == 0
    for column in {spot.column for spot in spots.values()}:
        rows = sorted(spot.row for spot in spots.values() if spot.column == column)
        assert rows == list(range(len(rows)))


def test_what_leads_to_the_focus_stands_left_of_it() -> None:
    """By the number of steps; in a column by group, then by the mean place of what is nearer to the focus."""
    nodes = {"focus": "T", "a": "T", "b": "T", "c": "M", "far": "T", "next": "T", "alone": "T"}
    flows = [("a", "focus"), ("b", "focus"), ("c", "focus"), ("far", "a"), ("focus", "next")]

    spots = column_layout("focus", nodes, flows)

    assert {key: spot.column for key, spot in spots.items()} == {
        **{"focus": 0, "a": -1, "b": -1, "c": -1, "far": -2, "next": 1},
        # What nothing connects stands behind all others.
        "alone": 2,
    }
    assert sorted("abc", key=lambda key: spots[key].row) == ["c", "a", "b"]


def touching(
    count: int, *, kind: EdgeKind = EdgeKind.REQUIRES, shown: int = 1000, node: GraphNode = FOCUS
) -> list[TouchingEdge]:
    """A node with edges from this number of tools."""
    found = []
    for place in range(min(count, shown)):
        other = GraphNode(kind=NodeKind.TOOL, id=f"{node.id}-{place:04}", name=f"{place}")
        edge = GraphEdge(
            source=other.key, target=node.key, kind=kind, weight=1, confidence=1, evidence="", reason=""
        )
        found.append(TouchingEdge(node, Direction.IN, other, edge, place, count))
    return found


@settings(max_examples=25)
@given(st.integers(1, 900), st.integers(1, 500))
@example(count=300, asked=299)
def test_a_view_never_has_more_nodes_than_can_be_drawn(count: int, asked: int) -> None:
    """What is left out is counted; every edge has both its ends; the boxes of a drawing do not overlap."""
    opened = read_opened(FOCUS.ref, [f"{FOCUS.key}~REQUIRES.in~{asked}"])
    view = walk_view(FOCUS, touching(count), opened, frozenset(EdgeKind))

    assert len(view.nodes) <= MAX_NODES
    assert view.full is (min(count, asked, MAX_NODES) > MAX_NODES - 1)
    assert all({edge.source, edge.target} <= view.nodes.keys() for edge in view.edges)
    if not view.full:
        assert len(view.nodes) == 1 + min(count, asked)
        left = sum(more.count for more in view.more.values())
        assert left == max(0, count - asked)
    drawn = sketch(view)
    corners = {(box.x, box.y) for box in drawn.boxes}
    assert len(corners) == len(drawn.boxes)
    assert all(
        0 <= box.x <= drawn.width - WIDTH and 0 <= box.y <= drawn.height - HEIGHT for box in drawn.boxes
    )


def test_more_edges_open_in_steps_and_kinds_that_are_off_are_only_counted() -> None:
    """12 at first, then 24 more each time."""
    found = [*touching(50), *touching(7, kind=EdgeKind.SIMILAR)]
    first = walk_view(FOCUS, found, read_opened(FOCUS.ref, []), frozenset((EdgeKind.REQUIRES,)))
    (more,) = first.more.values()
    second = walk_view(FOCUS, found, read_opened(FOCUS.ref, [more.open]), frozenset((EdgeKind.REQUIRES,)))

    assert (len(first.nodes), more.count) == (13, 38)
    assert dict(first.counts) == {EdgeKind.REQUIRES: 50, EdgeKind.SIMILAR: 7}
    assert (len(second.nodes), next(iter(second.more.values())).count) == (37, 14)


@pytest.mark.parametrize("text", ["", "shop/x", "Spoon:x", "Tool:", "Tool:a\nb", f"Tool:{'x' * 1001}"])
def test_a_node_is_named_by_its_kind_and_id(text: str) -> None:
    assert node_ref("Tool:a:b") == NodeRef(NodeKind.TOOL, "a:b")
    with pytest.raises(InvalidInputError, match="an id behind one of Tool:"):
        node_ref(text)


@given(st.text(max_size=40))
def test_a_literal_is_read_back_as_the_text_and_nothing_else(text: str) -> None:
    """No quote, backslash or line end stands in it as it is: nothing of an id is Cypher."""
    literal = cypher_literal(text)
    inner = literal[1:-1]

    assert re.fullmatch(r"(?:\\u[0-9a-f]{4}|[^'\\\x00-\x1f\x7f-\U0010ffff])*", inner)
    halves = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), inner)
    assert halves.encode("utf-16-le", "surrogatepass") == text.encode("utf-16-le", "surrogatepass")


def test_a_view_leads_into_neo4j_browser_without_user_or_password() -> None:
    """The address has the query in its editor; the embedded engine has no Browser, nor a Neo4j that nobody named one for."""
    query = view_query([FOCUS.ref, NodeRef(NodeKind.METHOD, "it's")], [EdgeKind.USES], min_confidence=0.5)
    link = neo4j_link("neo4j://ann:secret@127.0.0.1:7687", "graph", None)

    assert link == Neo4jLink("http://127.0.0.1:7474/browser", "neo4j://127.0.0.1:7687", "graph")
    address = browser_address(link, query)
    assert address.startswith(
        "http://127.0.0.1:7474/browser/?dbms=neo4j%3A%2F%2F127.0.0.1%3A7687&db=graph&cmd=edit&arg=CALL"
    )
    assert "secret" not in address
    assert "ann" not in address
    assert r"'it\u0027s'" in query
    assert neo4j_link(None, "graph", "http://b") is None
    assert neo4j_link("bolt://db.example:7687", "graph", None) is None
    assert neo4j_link("bolt://db.example:7687", "graph", "https://b.example/browser") == Neo4jLink(
        "https://b.example/browser", "bolt://db.example:7687", "graph"
    )


def test_the_page_draws_what_surrounds_a_tool(shop: TestClient) -> None:
    """The same nodes as its twin; a tool may be named without its kind."""
    page = Elements(shop.get("/ui/graph?focus=orders/open_return").text)
    twin = shop.get("/ui/graph.json?focus=orders/open_return").json()
    rest = shop.get(
        "/v1/neighbours/orders%2Fopen_return",
        params={"kind": "Tool", "kinds": ",".join(sorted({edge["kind"] for edge in twin["edges"]}))},
    ).json()

    drawn = [said for said in page.all("a") if said.get("data-node")]
    assert len(drawn) == len(twin["nodes"])
    assert {edge["source"] for edge in rest["edges"]} == {edge["source"] for edge in twin["edges"]}
    assert any("open=Tool%3Aorders%2Fget_order" in unescape(said["href"] or "") for said in drawn)


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("graph", 200, "Most needed"),
        ("graph?focus=nowhere/x", 404, "no tool"),
        ("graph?focus=Method:nowhere", 404, "no node"),
        ("graph?focus=orders/open_return&kinds=EATS", 422, "no kind of edge"),
        ("graph?focus=orders/open_return&min=7", 422, "less than or equal to 1"),
        ("graph?focus=orders/open_return&open=x", 422, "an id behind one of"),
        ("graph?focus=orders/open_return&view=table", 200, "evidence"),
    ],
)
def test_every_address_is_answered_with_a_page(
    shop: TestClient, address: str, status: int, words: str
) -> None:
    answer = shop.get(f"/ui/{address}")

    assert answer.status_code == status
    assert words.casefold() in Elements(answer.text).text.casefold()
