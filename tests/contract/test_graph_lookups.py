"""What people and drawings ask of the graph."""

import pytest

from app.adapters.graph.store import GraphStore
from app.domain.nodes.models import EdgeKind
from app.errors import NotFoundError
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
    assert [(edge.source.kind, edge.source.name, edge.kind) for edge in details.edges] == [
        ("Method", "Line", "IMPLEMENTS"),
        ("Generator", "Sunburst", "USES"),
    ]


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


def test_a_neighbourhood_grows_with_its_depth(drawn: InMemoryGraph | GraphStore) -> None:
    """Each step follows edges in both directions; every edge comes once, with both ends."""
    one, two, three = (drawn.neighbours("w/draw", depth=depth) for depth in (1, 2, 3))

    assert _ids(one.nodes) == {"Tool w/draw", "Generator sunburst", "Method line"}
    assert _ids(two.nodes) == _ids(one.nodes) | {"Method curve", "Category shapes"}
    assert _ids(three.nodes) == _ids(two.nodes) | {"Method far", "Tool x/other"}
    assert [len(found.edges) for found in (one, two, three)] == [2, 4, 6]
    assert not three.truncated
    (similar,) = [edge for edge in two.edges if edge.kind is EdgeKind.SIMILAR]
    assert (similar.source.id, similar.target.id, similar.weight, similar.reason) == (
        "line",
        "curve",
        0.5,
        "taxonomy",
    )


def test_a_neighbourhood_follows_the_kinds_asked_for(drawn: InMemoryGraph | GraphStore) -> None:
    """Other kinds of edges are as if they were not there."""
    found = drawn.neighbours("w/draw", depth=3, kinds=[EdgeKind.IMPLEMENTS, EdgeKind.BELONGS_TO])

    assert _ids(found.nodes) == {"Tool w/draw", "Method line", "Category shapes", "Tool x/other"}


def test_a_neighbourhood_has_a_limit(drawn: InMemoryGraph | GraphStore) -> None:
    """What is left out is said; what is drawn has both its ends."""
    found = drawn.neighbours("w/draw", depth=3, limit=2)

    assert (len(found.edges), found.truncated) == (2, True)
    ends = {f"{end.kind} {end.id}" for edge in found.edges for end in (edge.source, edge.target)}
    assert ends <= _ids(found.nodes)


def test_nodes_of_different_kinds_may_have_one_id(drawn: InMemoryGraph | GraphStore) -> None:
    """An id that a method and a category have is the middle of both neighbourhoods."""
    found = drawn.neighbours("line")

    assert {"Method line", "Category line"} <= _ids(found.nodes)


def test_an_unknown_id_has_no_neighbourhood(drawn: InMemoryGraph | GraphStore) -> None:
    """Nothing found is an error that names the id."""
    with pytest.raises(NotFoundError, match="nowhere"):
        drawn.neighbours("nowhere")


def _ids(nodes: tuple[object, ...]) -> set[str]:
    return {f"{node.kind} {node.id}" for node in nodes}  # type: ignore[attr-defined]
