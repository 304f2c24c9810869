"""What is written is what is read, whatever keeps the graph."""

import pytest

from app.adapters.graph.connection import UniqueIdError
from app.adapters.graph.store import GraphStore
from app.domain.nodes.edge_forms import EDGE_FORMS
from app.domain.nodes.graph_views import ToolOrigin, ToolSource
from app.domain.nodes.models import EdgeForm, EdgeRow, NodeKind, NodeName, Provision
from tests.contract.rows import (
    CATEGORY,
    ENHANCES,
    EXAMPLE,
    GENERATOR,
    GENERATOR_USES,
    HAS_EXAMPLE,
    IMPLEMENTS,
    MANIFEST,
    METHOD,
    METHOD_IN,
    SIMILAR,
    TAXONOMY,
    TEMPLATE,
    TOOL,
    TOOL_IN,
    TOOL_REQUIRES,
    USES_TOOL,
    edge,
    inferred,
    node,
    provides,
    source,
    stated,
)
from tests.fakes import InMemoryGraph

AWKWARD_IDS = [
    'a"b',
    "it's",
    "s/a/b",
    "naïve/工具",
    "back\\slash",
    "{brace}",
    "$dollar",
    "new\nline",
    " ",
    "1",
]


def test_a_new_graph_is_of_generation_zero(graph: InMemoryGraph | GraphStore) -> None:
    """The schema leaves an empty, finished graph."""
    state = graph.state()

    assert (state.generation, state.writing, state.schema_version) == (0, False, 4)
    assert graph.sources() == []
    assert graph.catalogue().tools == ()


def test_applying_the_schema_again_changes_nothing(graph: InMemoryGraph | GraphStore) -> None:
    """The schema is idempotent, also over a graph with content."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("s/t", name="t")])
        lease.finish()

    graph.apply_schema()

    assert graph.state().generation == 1
    assert [tool.id for tool in graph.catalogue().tools] == ["s/t"]


def test_a_generation_is_marked_while_it_is_written(graph: InMemoryGraph | GraphStore) -> None:
    """`begin` sets the mark once, `finish` raises the generation and clears it."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.begin()
        lease.begin()
        during = graph.state()
        finished = lease.finish()
    after = graph.state()

    assert (during.generation, during.writing) == (0, True)
    assert (finished, after.generation, after.writing) == (1, 1, False)


def test_a_node_is_replaced_whole(graph: InMemoryGraph | GraphStore) -> None:
    """A property that is not named, or None, is absent afterwards; edges stay."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(
            TOOL, [node("s/t", server="s", name="t", title="old", read_only=True, deprecated=True)]
        )
        lease.put_nodes(METHOD, [node("m", name="m")])
        lease.put_edges(IMPLEMENTS, [edge("m", "s/t")])

        lease.put_nodes(TOOL, [node("s/t", server="s", name="t", description="new", read_only=None)])

    tool = graph.tool("s/t")
    assert (tool.title, tool.description, tool.read_only, tool.deprecated) == ("", "new", None, False)
    assert graph.edge_pairs(IMPLEMENTS, stated=True) == [("m", "s/t", 1.0)]


@pytest.mark.parametrize("kind", NodeKind)
def test_every_kind_of_node_comes_and_goes(graph: InMemoryGraph | GraphStore, kind: NodeKind) -> None:
    """A node of each kind is put, named, provided, and removed; what is removed twice is no error."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(TAXONOMY)])
        lease.put_nodes(kind, [node("b", name="B", text="B"), node("a", name="A", text="A")])
        lease.put_provisions([provides(TAXONOMY, kind, "b"), provides(TAXONOMY, kind, "a")])

        assert graph.node_names(kind) == [
            NodeName(id="a", name="A", declared=False),
            NodeName(id="b", name="B", declared=False),
        ]
        assert [(one.kind, one.id) for one in graph.provisions([TAXONOMY])] == [(kind, "a"), (kind, "b")]

        lease.remove_provisions(TAXONOMY, kind, ["a"])
        assert [one.id for one in graph.provisions([TAXONOMY])] == ["b"]
        assert [name.id for name in graph.node_names(kind)] == ["a", "b"]

        lease.remove_nodes(kind, ["a", "b"])
        lease.remove_nodes(kind, ["a", "b"])
    assert graph.node_names(kind) == []
    assert graph.provisions([TAXONOMY]) == []


@pytest.mark.parametrize("form", EDGE_FORMS, ids=lambda form: f"{form.source}-{form.kind}-{form.target}")
def test_every_form_of_edge_comes_and_goes(graph: InMemoryGraph | GraphStore, form: EdgeForm) -> None:
    """An edge of each form is put between existing nodes only, listed, and removed from its source."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(form.source, [node("a", name="a"), node("z", name="z")])
        lease.put_nodes(
            form.target,
            [node("b", name="b"), node("z", name="z")]
            if form.source is form.target
            else [node("b", name="b")],
        )
        lease.put_edges(form, [edge("a", "b"), edge("a", "missing"), edge("missing", "b"), edge("z", "b")])
        assert graph.edge_pairs(form, stated=True) == [("a", "b", 1.0), ("z", "b", 1.0)]
        assert graph.edge_pairs(form, stated=False) == []

        lease.remove_edges(form, ["a", "missing"])
        assert graph.edge_pairs(form, stated=True) == [("z", "b", 1.0)]

        lease.remove_nodes(form.target, ["b"])
    assert graph.edge_pairs(form, stated=True) == []


def test_edges_of_another_kind_or_target_stay(graph: InMemoryGraph | GraphStore) -> None:
    """Removing one form leaves the others of the same node."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(METHOD, [node("m"), node("n")])
        lease.put_nodes(TOOL, [node("t")])
        lease.put_edges(IMPLEMENTS, [edge("m", "t")])
        lease.put_edges(SIMILAR, [stated("m", "n", 0.5)])
        lease.put_edges(ENHANCES, [edge("m", "n", confidence=1.0, evidence="taxonomy")])

        lease.remove_edges(SIMILAR, ["m"])

    assert graph.edge_pairs(SIMILAR, stated=True) == []
    assert graph.edge_pairs(ENHANCES, stated=True) == [("m", "n", 1.0)]
    assert graph.edge_pairs(IMPLEMENTS, stated=True) == [("m", "t", 1.0)]


def test_a_source_takes_back_only_what_it_stated(graph: InMemoryGraph | GraphStore) -> None:
    """Two sources may say the same of one tool; each keeps its own edge."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("a"), node("b")])
        for one in (TAXONOMY, MANIFEST):
            lease.put_edges(TOOL_REQUIRES, [edge("a", "b", stated_by=one, confidence=1.0, evidence="manual")])

        lease.remove_edges(TOOL_REQUIRES, ["a"], stated_by=TAXONOMY)
        left = graph.edge_pairs(TOOL_REQUIRES, stated=True)
        lease.remove_edges(TOOL_REQUIRES, ["a"], stated_by=TAXONOMY)
        still = graph.edge_pairs(TOOL_REQUIRES, stated=True)
        lease.remove_edges(TOOL_REQUIRES, ["a"])

    assert left == still == [("a", "b", 1.0)]
    assert graph.edge_pairs(TOOL_REQUIRES, stated=True) == []


def test_inferred_edges_are_kept_apart_from_stated_ones(graph: InMemoryGraph | GraphStore) -> None:
    """Inference replaces its own pairs; a source's edges stay, and the other way round."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(METHOD, [node("a"), node("b"), node("c")])
        lease.put_edges(SIMILAR, [stated("a", "b")])
        lease.replace_inferred(SIMILAR, remove=[], put=[inferred("a", "b", 0.96), inferred("a", "c", 0.97)])
        lease.replace_inferred(SIMILAR, remove=[("a", "b"), ("x", "y")], put=[inferred("b", "c", 0.98)])
        first = (graph.edge_pairs(SIMILAR, stated=True), graph.edge_pairs(SIMILAR, stated=False))

        lease.remove_edges(SIMILAR, ["a", "b", "c"])

    assert first == ([("a", "b", 1.0)], [("a", "c", 0.97), ("b", "c", 0.98)])
    assert graph.edge_pairs(SIMILAR, stated=True) == []
    assert graph.edge_pairs(SIMILAR, stated=False) == [("a", "c", 0.97), ("b", "c", 0.98)]


def test_a_renamed_tool_keeps_its_edges_and_provisions(graph: InMemoryGraph | GraphStore) -> None:
    """A declared tool becomes its server's; who spoke of it speaks of it still. Renaming twice is no error."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(TAXONOMY)])
        lease.put_nodes(TOOL, [node("search", name="search", declared=True)])
        lease.put_nodes(METHOD, [node("m", name="m")])
        lease.put_edges(IMPLEMENTS, [edge("m", "search")])
        lease.put_provisions([provides(TAXONOMY, TOOL, "search", declares=True)])

        lease.rename_tools([("search", "web/search")])
        lease.rename_tools([("search", "web/search")])

    assert graph.edge_pairs(IMPLEMENTS, stated=True) == [("m", "web/search", 1.0)]
    assert graph.node_names(TOOL) == [
        NodeName(id="web/search", name="search", declared=True, former_ids=("search",))
    ]
    assert graph.providers(TOOL, ["web/search", "search"]) == [
        provides(TAXONOMY, TOOL, "web/search", declares=True)
    ]
    origin = ToolOrigin(sources=(ToolSource(source=TAXONOMY, declares=True),), former_ids=("search",))
    assert graph.tool_origin("web/search") == origin
    assert graph.tool_details("web/search").former_ids == ("search",)
    assert graph.tool_origin("search") == ToolOrigin(sources=(), former_ids=())


def test_the_edges_of_a_tool_come_with_all_that_they_say(graph: InMemoryGraph | GraphStore) -> None:
    """Stated ones, from either side, each once; what inference wrote is not among them."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(TAXONOMY)])
        lease.put_nodes(TOOL, [node("a"), node("b")])
        lease.put_nodes(METHOD, [node("m")])
        lease.put_nodes(CATEGORY, [node("c")])
        lease.put_nodes(GENERATOR, [node("g")])
        lease.put_nodes(TEMPLATE, [node("t")])
        lease.put_provisions([provides(TAXONOMY, TOOL, "a", declares=True)])
        lease.put_edges(IMPLEMENTS, [edge("m", "a"), edge("m", "b")])
        lease.put_edges(USES_TOOL, [edge("t", "a", position=2)])
        lease.put_edges(GENERATOR_USES, [edge("g", "a")])
        lease.put_edges(TOOL_IN, [edge("a", "c", stated_by=TAXONOMY)])
        lease.put_edges(TOOL_REQUIRES, [needs("a", "b", TAXONOMY), edge("a", "b", evidence="schema", rank=1)])

    found = graph.tool_edges(["a", "b", "nobody"])

    assert sorted(
        (form, one.source, one.target, {k: v for k, v in one.properties.items() if v is not None})
        for form, one in found
    ) == sorted(
        [
            (GENERATOR_USES, "g", "a", {}),
            (IMPLEMENTS, "m", "a", {}),
            (IMPLEMENTS, "m", "b", {}),
            (USES_TOOL, "t", "a", {"position": 2}),
            (TOOL_IN, "a", "c", {"stated_by": TAXONOMY}),
            (TOOL_REQUIRES, "a", "b", dict(needs("a", "b", TAXONOMY).properties)),
        ],
        key=lambda found: found[:3],
    )


def test_single_edges_to_a_tool_can_be_taken_away(graph: InMemoryGraph | GraphStore) -> None:
    """Those of other nodes, of other sources and of inference stay."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("a"), node("b")])
        lease.put_nodes(METHOD, [node("m"), node("n")])
        lease.put_edges(IMPLEMENTS, [edge("m", "a"), edge("m", "b"), edge("n", "a")])
        lease.put_edges(TOOL_REQUIRES, [needs("a", "b", one) for one in (TAXONOMY, MANIFEST)])
        lease.put_edges(TOOL_REQUIRES, [edge("a", "b", evidence="schema", rank=1)])

        for _ in range(2):
            lease.remove_tool_references(IMPLEMENTS, [edge("m", "a")])
            lease.remove_tool_references(TOOL_REQUIRES, [needs("a", "b", MANIFEST)])

    assert graph.edge_pairs(IMPLEMENTS, stated=True) == [("m", "b", 1.0), ("n", "a", 1.0)]
    assert [
        one.properties["stated_by"] for form, one in graph.tool_edges(["b"]) if form == TOOL_REQUIRES
    ] == [TAXONOMY]
    assert graph.edge_pairs(TOOL_REQUIRES, stated=False) == [("a", "b", 1.0)]


def needs(consumer: str, producer: str, stated_by: str) -> EdgeRow:
    return edge(
        consumer, producer, stated_by=stated_by, parameter="id", confidence=1.0, evidence="manual", rank=1
    )


def test_a_provision_is_replaced_not_doubled(graph: InMemoryGraph | GraphStore) -> None:
    """A source says one thing of a node; other sources' words stay."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(TAXONOMY), source(MANIFEST)])
        lease.put_nodes(TOOL, [node("t")])
        lease.put_provisions(
            [provides(TAXONOMY, TOOL, "t", "1", declares=True), provides(MANIFEST, TOOL, "t")]
        )
        vetoed = Provision(
            kind=TOOL,
            id="t",
            source=TAXONOMY,
            content_hash="2",
            declares=False,
            not_requires=("b", "a"),
            named="n",
        )

        lease.put_provisions([vetoed])

    assert graph.providers(TOOL, ["t"]) == [provides(MANIFEST, TOOL, "t"), vetoed]
    assert graph.provisions([TAXONOMY]) == [vetoed]


def test_sources_come_and_go(graph: InMemoryGraph | GraphStore) -> None:
    """A source is replaced by id and leaves its nodes behind."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(TAXONOMY, "1"), source(MANIFEST, "1")])
        lease.put_sources([source(TAXONOMY, "2")])
        lease.put_nodes(TOOL, [node("t")])
        lease.put_provisions([provides(MANIFEST, TOOL, "t"), provides(TAXONOMY, TOOL, "t", declares=True)])
        counts = {one.source.id: (dict(one.nodes), one.declared) for one in graph.source_counts()}
        some = graph.source_counts([TAXONOMY, "nobody"])

        lease.remove_sources([MANIFEST])

    assert counts == {MANIFEST: ({TOOL: 1}, 0), TAXONOMY: ({TOOL: 1}, 1)}
    assert [(one.source, one.nodes, one.declared) for one in some] == [(source(TAXONOMY, "2"), {TOOL: 1}, 1)]
    assert graph.sources() == [source(TAXONOMY, "2")]
    assert [name.id for name in graph.node_names(TOOL)] == ["t"]


def test_a_generator_is_no_callable_tool(graph: InMemoryGraph | GraphStore) -> None:
    """Listings of tools leave generators out; they are found as generators."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("draw", name="draw")])
        lease.put_nodes(GENERATOR, [node("sunburst", name="Sunburst", parameters=["rays"])])
        lease.put_edges(GENERATOR_USES, [edge("sunburst", "draw")])

    catalogue = graph.catalogue()
    assert [tool.id for tool in catalogue.tools] == ["draw"]
    assert [tool.id for tool in graph.list_tools(limit=10)] == ["draw"]
    assert [name.id for name in graph.node_names(TOOL)] == ["draw"]
    (generator,) = catalogue.generators
    assert (generator.id, generator.tool, generator.parameters) == ("sunburst", "draw", ("rays",))


def test_a_generator_may_not_take_a_tools_id(graph: InMemoryGraph | GraphStore) -> None:
    """Generators and tools share one space of ids."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("draw", name="draw")])
        with pytest.raises(UniqueIdError):
            lease.put_nodes(GENERATOR, [node("draw", name="draw")])

    assert [name.id for name in graph.node_names(TOOL)] == ["draw"]
    assert graph.node_names(GENERATOR) == []


def test_awkward_ids_are_kept_as_they_are(graph: InMemoryGraph | GraphStore) -> None:
    """Quotes, slashes, braces, other scripts, control characters: an id is a string and nothing else."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(MANIFEST)])
        lease.put_nodes(TOOL, [node(one, name=one) for one in AWKWARD_IDS])
        lease.put_provisions([provides(MANIFEST, TOOL, one) for one in AWKWARD_IDS])
        lease.put_edges(TOOL_REQUIRES, [edge(one, "1", confidence=1.0) for one in AWKWARD_IDS])

    assert [name.id for name in graph.node_names(TOOL)] == sorted(AWKWARD_IDS)
    assert [one.id for one in graph.providers(TOOL, AWKWARD_IDS)] == sorted(AWKWARD_IDS)
    assert graph.edge_pairs(TOOL_REQUIRES, stated=True) == [(one, "1", 1.0) for one in sorted(AWKWARD_IDS)]
    assert [graph.tool(one).name for one in AWKWARD_IDS] == AWKWARD_IDS


def test_more_rows_than_a_batch_holds(graph: InMemoryGraph | GraphStore) -> None:
    """Batching neither loses nor doubles a row, also when one source has more edges than a batch."""
    ids = [f"t{number:05}" for number in range(1_100)]
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node(one, name=one) for one in ids])
        lease.put_nodes(METHOD, [node(one) for one in ("m", "n")])
        lease.put_edges(
            IMPLEMENTS, [edge(method, one) for _ in range(5) for method in ("m", "n") for one in ids]
        )

    assert [name.id for name in graph.node_names(TOOL)] == ids
    assert len(graph.edge_pairs(IMPLEMENTS, stated=True)) == 5 * 2 * len(ids)


def test_the_catalogue_puts_everything_in_its_place(graph: InMemoryGraph | GraphStore) -> None:
    """Lists come in the taxonomy's order, sets by id, texts of examples by position."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(
            TOOL, [node("t1", server="s", name="one", read_only=False), node("t2", declared=True)]
        )
        lease.put_nodes(METHOD, [node("m", name="M", tags=["y", "x"], parameters=["p"]), node("n")])
        lease.put_nodes(CATEGORY, [node("c", name="C"), node("d", name="D")])
        lease.put_nodes(EXAMPLE, [node("e1", text="first"), node("e2", text="second")])
        lease.put_edges(IMPLEMENTS, [edge("m", "t2"), edge("m", "t1")])
        lease.put_edges(HAS_EXAMPLE, [edge("m", "e1", position=1), edge("m", "e2", position=0)])
        lease.put_edges(METHOD_IN, [edge("m", "c")])
        lease.put_edges(TOOL_IN, [edge("t1", "d", stated_by=TAXONOMY), edge("t1", "c", stated_by=MANIFEST)])
        lease.put_edges(SIMILAR, [stated("m", "n", 0.5)])
        lease.replace_inferred(SIMILAR, remove=[], put=[inferred("n", "m", 0.99)])
        lease.put_edges(ENHANCES, [edge("m", "n", confidence=1.0, evidence="taxonomy")])
        lease.finish()

    catalogue = graph.catalogue()

    first, second = catalogue.tools
    method, other = catalogue.methods
    assert (first.categories, first.read_only, first.declared) == (("c", "d"), False, False)
    assert (second.name, second.read_only, second.declared) == ("", None, True)
    assert (method.examples, method.category, method.tags) == (("second", "first"), "c", ("y", "x"))
    assert method.implements == ("t1", "t2")
    assert [(link.kind, link.target, link.weight) for link in method.related] == [
        ("ENHANCES", "n", 1.0),
        ("SIMILAR", "n", 0.5),
    ]
    assert other.related == ()
    assert [category.id for category in catalogue.categories] == ["c", "d"]
    assert catalogue.generation == 1
