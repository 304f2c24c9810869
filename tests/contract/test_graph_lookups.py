"""What people and drawings ask of the graph."""

from collections import Counter
from typing import Any

import pytest

from app.adapters.graph.store import GraphStore
from app.domain.nodes.graph_views import Neighbourhood, NodeRef
from app.domain.nodes.models import EdgeKind, NodeKind
from app.errors import InvalidInputError, NotFoundError
from app.usecases.graph.neighbourhoods import Reach, neighbourhood, read_cursor
from tests.contract.rows import (
    CATEGORY,
    ENHANCES,
    GENERATOR,
    GENERATOR_USES,
    IMPLEMENTS,
    MANIFEST,
    METHOD,
    METHOD_IN,
    SIMILAR,
    TAXONOMY,
    TOOL,
    TOOL_IN,
    TOOL_REQUIRES,
    edge,
    node,
    provides,
    source,
    stated,
)
from tests.fakes import InMemoryGraph


@pytest.fixture
def drawn(graph: InMemoryGraph | GraphStore) -> InMemoryGraph | GraphStore:
    """sunburst -USES-> w/draw <-IMPLEMENTS- line -SIMILAR-> curve -ENHANCES-> w/far; categories on both sides."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(TAXONOMY), source(MANIFEST)])
        lease.put_nodes(
            TOOL, [node("w/draw", server="w", name="draw"), node("w/far", server="w", name="far")]
        )
        lease.put_nodes(TOOL, [node("x/other", server="x", name="other")])
        lease.put_nodes(GENERATOR, [node("sunburst", name="Sunburst")])
        lease.put_nodes(
            METHOD, [node("line", name="Line"), node("curve", name="Curve"), node("far", name="Far")]
        )
        lease.put_nodes(CATEGORY, [node("shapes", name="Shapes"), node("line", name="Lines")])
        lease.put_edges(GENERATOR_USES, [edge("sunburst", "w/draw")])
        lease.put_edges(IMPLEMENTS, [edge("line", "w/draw"), edge("far", "w/far")])
        lease.put_edges(SIMILAR, [stated("line", "curve", 0.5)])
        lease.put_edges(ENHANCES, [edge("curve", "far", confidence=1.0, evidence="taxonomy")])
        lease.put_edges(METHOD_IN, [edge("line", "shapes")])
        lease.put_edges(TOOL_IN, [edge("x/other", "shapes", stated_by=TAXONOMY)])
        lease.put_provisions(
            [provides(MANIFEST, TOOL, "w/draw"), provides(TAXONOMY, TOOL, "w/draw", declares=True)]
        )
    return graph


def test_a_tool_is_found_by_its_id(drawn: InMemoryGraph | GraphStore) -> None:
    """An unknown id, and that of a generator, name no tool."""
    assert drawn.tool("w/draw").name == "draw"
    for unknown in ("draw", "sunburst", ""):
        with pytest.raises(NotFoundError, match="no tool"):
            drawn.tool(unknown)


def test_tools_come_in_pages(drawn: InMemoryGraph | GraphStore) -> None:
    """A page begins after the id that the last one ended with."""
    first = drawn.list_tools(limit=2)
    second = drawn.list_tools(limit=2, after_id=first[-1].id)

    assert [tool.id for tool in first] == ["w/draw", "w/far"]
    assert [tool.id for tool in second] == ["x/other"]
    assert drawn.list_tools(limit=2, after_id="x/other") == []


def test_tools_are_filtered_by_server_and_category(drawn: InMemoryGraph | GraphStore) -> None:
    """A tool is in its own categories and in those of the methods that it carries out."""
    assert [tool.id for tool in drawn.list_tools(server="w", limit=9)] == ["w/draw", "w/far"]
    assert [tool.id for tool in drawn.list_tools(category="shapes", limit=9)] == ["w/draw", "x/other"]
    assert [tool.id for tool in drawn.list_tools(server="x", category="shapes", limit=9)] == ["x/other"]
    assert drawn.list_tools(server="nobody", limit=9) == []


def test_the_tools_of_servers_come_whole(drawn: InMemoryGraph | GraphStore) -> None:
    """By id, with their categories; a server without tools adds none."""
    found = drawn.tools_of_servers({"w", "x", "nobody"})

    assert found == drawn.list_tools(limit=9)
    assert [tool.id for tool in drawn.tools_of_servers({"x"})] == ["x/other"]
    assert drawn.tools_of_servers(set()) == []


def test_details_say_what_touches_a_tool(drawn: InMemoryGraph | GraphStore) -> None:
    """Methods, generators and sources of a tool, each with its name."""
    details = drawn.tool_details("w/draw")

    assert [(one.source, one.declares) for one in details.sources] == [(MANIFEST, False), (TAXONOMY, True)]
    assert [(edge.source, edge.kind) for edge in details.edges] == [
        ("Method:line", "IMPLEMENTS"),
        ("Generator:sunburst", "USES"),
    ]
    assert {node.name for node in details.nodes} == {"draw", "Line", "Sunburst"}


def test_a_call_knows_where_to_go(drawn: InMemoryGraph | GraphStore) -> None:
    """The server and the ways to be let in that a document names, and who provides the tool."""
    with drawn.lease(owner="a:1:x", wait_s=1) as lease:
        operation = node(
            "w/buy", server="w", name="buy", base_url="https://w.example/v1", security=["k (oauth2)"]
        )
        lease.put_nodes(TOOL, [operation])
        lease.put_provisions([provides(MANIFEST, TOOL, "w/buy")])

    found = drawn.call_target("w/buy")
    bare = drawn.call_target("w/draw")
    orphan = drawn.call_target("w/far")

    assert (found.tool.id, found.base_url, found.security) == (
        "w/buy",
        "https://w.example/v1",
        ("k (oauth2)",),
    )
    assert [(one.source, one.declares) for one in found.sources] == [(MANIFEST, False)]
    assert (bare.base_url, bare.security) == ("", ())
    assert [(one.source, one.declares) for one in bare.sources] == [(MANIFEST, False), (TAXONOMY, True)]
    assert orphan.sources == ()
    for unknown in ("w/nothing", "sunburst"):
        with pytest.raises(NotFoundError):
            drawn.call_target(unknown)


def around(
    graph: InMemoryGraph | GraphStore, node_id: str, *, kind: NodeKind | None = None, **reach: Any
) -> Neighbourhood:
    return neighbourhood(graph, node_id, kind=kind, reach=Reach(**reach))


def test_a_neighbourhood_grows_with_its_depth(drawn: InMemoryGraph | GraphStore) -> None:
    """Each step follows edges in both directions; every edge comes once, with both ends."""
    one, two, three = (around(drawn, "w/draw", depth=depth) for depth in (1, 2, 3))

    assert _ids(one.nodes) == {"Tool w/draw", "Generator sunburst", "Method line"}
    assert _ids(two.nodes) == _ids(one.nodes) | {"Method curve", "Category shapes"}
    assert _ids(three.nodes) == _ids(two.nodes) | {"Method far", "Tool x/other"}
    assert [len(found.edges) for found in (one, two, three)] == [2, 4, 6]
    assert not three.truncated
    (similar,) = [edge for edge in two.edges if edge.kind is EdgeKind.SIMILAR]
    assert (similar.source, similar.target, similar.weight, similar.reason) == (
        "Method:line",
        "Method:curve",
        0.5,
        "taxonomy",
    )


def test_a_neighbourhood_follows_the_kinds_asked_for(drawn: InMemoryGraph | GraphStore) -> None:
    """Other kinds of edges are as if they were not there."""
    kinds = frozenset((EdgeKind.IMPLEMENTS, EdgeKind.BELONGS_TO))
    found = around(drawn, "w/draw", depth=3, kinds=kinds)

    assert _ids(found.nodes) == {"Tool w/draw", "Method line", "Category shapes", "Tool x/other"}


def test_a_neighbourhood_has_a_limit(drawn: InMemoryGraph | GraphStore) -> None:
    """What is left out is said; what is drawn has both its ends."""
    found = around(drawn, "w/draw", depth=3, limit=2)

    assert (len(found.edges), found.truncated) == (2, True)
    ends = {end for edge in found.edges for end in (edge.source, edge.target)}
    assert ends <= {node.key for node in found.nodes}


def test_nodes_of_different_kinds_may_have_one_id(drawn: InMemoryGraph | GraphStore) -> None:
    """An id that a method and a category have is the middle of both neighbourhoods, unless a kind is asked for."""
    both = around(drawn, "line")
    method = around(drawn, "line", kind=NodeKind.METHOD)
    category = around(drawn, "line", kind=NodeKind.CATEGORY)

    assert {"Method line", "Category line"} <= _ids(both.nodes)
    assert {count.node for count in method.counts} == {"Method:line"}
    assert (_ids(category.nodes), category.edges) == ({"Category line"}, ())


def test_an_unknown_id_has_no_neighbourhood(drawn: InMemoryGraph | GraphStore) -> None:
    """Nothing found is an error that names the id, and the kinds that do have it."""
    with pytest.raises(NotFoundError, match="nowhere"):
        around(drawn, "nowhere")
    with pytest.raises(
        NotFoundError, match="no node 'line' of kind Tool; it is the id of a Category, a Method"
    ):
        around(drawn, "line", kind=NodeKind.TOOL)


@pytest.fixture
def hub(graph: InMemoryGraph | GraphStore) -> InMemoryGraph | GraphStore:
    """h/hub in 30 categories, which five tools need, the surer the lower their number; it needs one itself."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        users = [f"h/user{number}" for number in range(5)]
        lease.put_nodes(TOOL, [node(one, server="h", name=one) for one in ("h/hub", "h/first", *users)])
        lease.put_nodes(CATEGORY, [node(f"c{number:02}", name=f"C{number}") for number in range(30)])
        lease.put_edges(TOOL_IN, [edge("h/hub", f"c{number:02}", stated_by=TAXONOMY) for number in range(30)])
        need = {"stated_by": TAXONOMY, "optional": False, "field": "/id", "rank": 1}
        lease.put_edges(
            TOOL_REQUIRES,
            [
                *(
                    edge(
                        one,
                        "h/hub",
                        **need,
                        parameter="hub_id",
                        evidence="name",
                        confidence=0.9 - number / 10,
                    )
                    for number, one in enumerate(users)
                ),
                edge(
                    "h/hub",
                    "h/first",
                    **{**need, "optional": True, "rank": 2},
                    parameter="first",
                    evidence="link",
                    confidence=1.0,
                ),
            ],
        )
    return graph


def test_a_kind_with_many_edges_leaves_room_for_the_others(hub: InMemoryGraph | GraphStore) -> None:
    """A hub's categories do not push out what needs it; how many there are is said by kind and direction."""
    found = around(hub, "h/hub", per_kind=3, limit=6)

    kinds = Counter((edge.kind, edge.source == "Tool:h/hub") for edge in found.edges)
    assert kinds == {
        (EdgeKind.BELONGS_TO, True): 3,
        (EdgeKind.REQUIRES, True): 1,
        (EdgeKind.REQUIRES, False): 2,
    }
    assert [(one.kind, one.direction, one.count, one.next_cursor) for one in found.counts] == [
        ("BELONGS_TO", "out", 30, "BELONGS_TO.out.3"),
        ("REQUIRES", "in", 5, "REQUIRES.in.3"),
        ("REQUIRES", "out", 1, None),
    ]
    assert found.truncated


def test_more_edges_of_one_kind_come_page_by_page(hub: InMemoryGraph | GraphStore) -> None:
    """The surest first, each once, until all are there."""
    cursor, seen = None, []
    for _ in range(5):
        found = around(hub, "h/hub", per_kind=2, cursor=cursor, kinds=frozenset((EdgeKind.REQUIRES,)))
        seen += [edge.source for edge in found.edges if edge.target == "Tool:h/hub"]
        following = next(one.next_cursor for one in found.counts if one.direction == "in")
        if following is None:
            break
        cursor = read_cursor(following)

    assert seen == [f"Tool:h/user{number}" for number in range(5)]
    assert not found.truncated


def test_an_edge_says_what_it_carries(hub: InMemoryGraph | GraphStore) -> None:
    """What its form does not have is left open."""
    found = around(hub, "h/hub", min_confidence=0.85)

    edges = {(edge.source, edge.target): edge for edge in found.edges if edge.kind is EdgeKind.REQUIRES}
    assert edges.keys() == {("Tool:h/user0", "Tool:h/hub"), ("Tool:h/hub", "Tool:h/first")}
    used, needed = edges["Tool:h/user0", "Tool:h/hub"], edges["Tool:h/hub", "Tool:h/first"]
    assert (used.parameter, used.field, used.required, used.rank) == ("hub_id", "/id", True, 1)
    assert (needed.parameter, needed.required, needed.rank, needed.position) == ("first", False, 2, None)
    category = next(edge for edge in found.edges if edge.kind is EdgeKind.BELONGS_TO)
    assert (category.parameter, category.required, category.rank, category.position) == ("", None, None, None)


def test_several_nodes_are_asked_in_one(hub: InMemoryGraph | GraphStore) -> None:
    """Each edge as each of its ends sees it; an unknown node has no edges."""
    nodes = [NodeRef(TOOL, "h/hub"), NodeRef(TOOL, "h/user0"), NodeRef(METHOD, "h/hub")]
    found = hub.touching(nodes, kinds=[EdgeKind.REQUIRES], per_kind=9)

    seen = {(one.node.id, one.direction.value, one.other.id) for one in found}
    assert seen == {
        ("h/hub", "out", "h/first"),
        *(("h/hub", "in", f"h/user{number}") for number in range(5)),
        ("h/user0", "out", "h/hub"),
    }


def test_a_cursor_is_what_an_answer_gave() -> None:
    """Anything else is refused."""
    assert str(read_cursor("STEP.out.24")) == "STEP.out.24"
    for wrong in ("", "STEP.out", "STEP.up.1", "OTHER.in.1", "REQUIRES.in.-1"):
        with pytest.raises(InvalidInputError, match="is not valid"):
            read_cursor(wrong)


def _ids(nodes: tuple[object, ...]) -> set[str]:
    return {f"{node.kind} {node.id}" for node in nodes}  # type: ignore[attr-defined]
