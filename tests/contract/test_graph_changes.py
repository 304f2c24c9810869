"""What each generation touched, and the part of the catalogue that this is."""

from collections.abc import Callable
from typing import TypeAlias

import pytest

from app.adapters.graph.store import GraphStore
from app.domain.changes import GENERATIONS_KEPT, TOUCHED_BYTES, TOUCHED_KEPT, CatalogueChanges, with_part
from app.domain.nodes.models import Label, NodeKind, StatedLabel
from app.errors import NotReadyError
from app.ports.graph import WriterLease
from tests.contract.rows import (
    CATEGORY,
    CONCEPT,
    EXAMPLE,
    GENERATOR,
    GENERATOR_USES,
    HAS_EXAMPLE,
    IMPLEMENTS,
    MANIFEST,
    METHOD,
    RELATED_TO,
    SIMILAR,
    SUGGESTS,
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
    suggested,
)
from tests.fakes import InMemoryGraph

Graph: TypeAlias = InMemoryGraph | GraphStore
Ids: TypeAlias = dict[NodeKind, set[str]]


def write(graph: Graph, work: Callable[[WriterLease], object]) -> None:
    """One generation."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.begin()
        work(lease)
        lease.finish()


def fill(lease: WriterLease) -> None:
    """Something of each kind that a catalogue has."""
    lease.put_sources([source(MANIFEST)])
    lease.put_nodes(TOOL, [node("s/a", server="s"), node("s/b", server="s"), node("s/c", server="s")])
    lease.put_nodes(GENERATOR, [node("g", name="G")])
    lease.put_nodes(METHOD, [node("m", name="M"), node("n", name="N")])
    lease.put_nodes(CATEGORY, [node("k", name="K")])
    lease.put_nodes(EXAMPLE, [node("e", text="Draw it"), node("f", text="Paint it")])
    lease.put_nodes(TEMPLATE, [node("t", name="T")])
    lease.put_nodes(CONCEPT, [node("o", name="O")])
    lease.put_edges(IMPLEMENTS, [edge("m", "s/a"), edge("m", "s/b"), edge("n", "s/b")])
    lease.put_edges(HAS_EXAMPLE, [edge("m", "e", position=1), edge("m", "f", position=0)])
    lease.put_edges(TOOL_IN, [edge("s/a", "k", stated_by=MANIFEST)])
    lease.put_edges(USES_TOOL, [edge("t", "s/b", position=0), edge("t", "s/a", position=1)])
    lease.put_edges(GENERATOR_USES, [edge("g", "s/c")])
    lease.put_edges(RELATED_TO, [edge("o", "n", position=0)])
    lease.put_edges(SIMILAR, [stated("m", "n", 0.5), inferred("n", "m", 0.4)])
    lease.put_edges(
        TOOL_REQUIRES, [edge("s/a", "s/b", parameter="id", confidence=0.9, evidence="schema", rank=1)]
    )
    lease.put_provisions([provides(MANIFEST, TOOL, "s/a")])


def touched(graph: Graph, work: Callable[[WriterLease], object]) -> Ids:
    """What one generation touched; that the part of it leads to the whole is looked at each time."""
    before = graph.catalogue()
    write(graph, work)
    changes = graph.changes(before.generation, stamp=before.stamp)
    assert changes is not None
    assert with_part(before, graph.part(changes)) == graph.catalogue()
    return ids(changes)


def ids(changes: CatalogueChanges) -> Ids:
    """As sets; kinds without any are left out."""
    return {kind: set(found) for kind, found in changes.ids.items() if found}


@pytest.fixture
def full(graph: Graph) -> Graph:
    """A graph of one generation."""
    write(graph, fill)
    return graph


def test_tools_are_counted_with_generators(full: Graph) -> None:
    """Enough to know whether a catalogue is large."""
    catalogue = full.catalogue()
    tools = len(catalogue.tools)
    assert tools <= full.tool_count() <= tools + len(catalogue.generators)


def test_nothing_has_changed_since_the_last_generation(full: Graph) -> None:
    """Whoever is there hears of nothing, and reads nothing."""
    state = full.state()
    changes = full.changes(1, stamp=state.stamp)

    assert changes is not None
    assert (changes.since, changes.generation, len(changes)) == (1, 1, 0)
    assert full.part(changes).tools == ()


def test_the_first_generation_is_a_part_of_nothing(graph: Graph) -> None:
    """From an empty graph on, every node comes by its id."""
    assert touched(graph, fill) == {
        TOOL: {"s/a", "s/b", "s/c"},
        GENERATOR: {"g"},
        METHOD: {"m", "n"},
        CATEGORY: {"k"},
        EXAMPLE: {"e", "f"},
        TEMPLATE: {"t"},
        CONCEPT: {"o"},
    }


@pytest.mark.parametrize(
    ("work", "found"),
    [
        (lambda lease: lease.put_nodes(TOOL, [node("s/a", server="s", title="A")]), {TOOL: {"s/a"}}),
        (lambda lease: lease.put_nodes(CATEGORY, [node("k", name="Kites")]), {CATEGORY: {"k"}}),
        (lambda lease: lease.put_nodes(EXAMPLE, [node("e", text="Draw two")]), {EXAMPLE: {"e"}}),
        (lambda lease: lease.put_edges(IMPLEMENTS, [edge("n", "s/c")]), {METHOD: {"n"}, TOOL: {"s/c"}}),
        (lambda lease: lease.remove_edges(IMPLEMENTS, ["m"]), {METHOD: {"m"}, TOOL: {"s/a", "s/b"}}),
        (
            lambda lease: lease.remove_edges(TOOL_IN, ["s/a"], stated_by=MANIFEST),
            {TOOL: {"s/a"}, CATEGORY: {"k"}},
        ),
        (
            lambda lease: lease.remove_tool_references(IMPLEMENTS, [edge("m", "s/a")]),
            {METHOD: {"m"}, TOOL: {"s/a"}},
        ),
        (
            lambda lease: lease.replace_inferred(
                TOOL_REQUIRES,
                remove=[("s/a", "s/b")],
                put=[edge("s/b", "s/c", parameter="x", confidence=0.5, evidence="path", rank=1)],
            ),
            {TOOL: {"s/a", "s/b", "s/c"}},
        ),
        (lambda lease: lease.confirm_tools(["s/b"]), {TOOL: {"s/b"}}),
        (lambda lease: lease.put_provisions([provides(MANIFEST, TOOL, "s/b")]), {TOOL: {"s/b"}}),
        (lambda lease: lease.remove_provisions(MANIFEST, TOOL, ["s/a"]), {TOOL: {"s/a"}}),
        (
            lambda lease: lease.rename_tools([("s/b", "s/new")]),
            {TOOL: {"s/a", "s/b", "s/new"}, METHOD: {"m", "n"}, TEMPLATE: {"t"}},
        ),
        (lambda lease: lease.remove_nodes(CATEGORY, ["k"]), {CATEGORY: {"k"}, TOOL: {"s/a"}}),
        (lambda lease: lease.remove_nodes(EXAMPLE, ["f"]), {EXAMPLE: {"f"}, METHOD: {"m"}}),
        (
            lambda lease: lease.remove_nodes(TOOL, ["s/b"]),
            {TOOL: {"s/a", "s/b"}, METHOD: {"m", "n"}, TEMPLATE: {"t"}},
        ),
        (
            lambda lease: lease.remove_nodes(METHOD, ["n"]),
            {METHOD: {"m", "n"}, TOOL: {"s/b"}, CONCEPT: {"o"}},
        ),
    ],
    ids=[
        "a node",
        "a category",
        "a text of an example",
        "an edge",
        "edges of a node",
        "edges of a source",
        "references",
        "inferred edges",
        "trust",
        "a provision",
        "a provision gone",
        "a rename",
        "a category gone",
        "an example gone",
        "a tool gone",
        "a method gone",
    ],
)
def test_a_write_touches_the_node_and_both_ends_of_its_edges(
    full: Graph, work: Callable[[WriterLease], object], found: Ids
) -> None:
    """Of edges that go with their node, too; and what is read of these ids makes the old catalogue the new one."""
    assert touched(full, work) == found


def test_a_generator_goes_with_its_tool(full: Graph) -> None:
    """Without one it cannot be called, so it is no part of the catalogue any more."""
    found = touched(full, lambda lease: lease.remove_nodes(TOOL, ["s/c"]))

    assert found[GENERATOR] == {"g"}
    assert full.catalogue().generators == ()


def test_changes_of_several_generations_are_one(full: Graph) -> None:
    """Whoever missed some gets all of it at once, as it is now."""
    before = full.catalogue()
    for title in ("A", "B"):
        write(full, lambda lease, title=title: lease.put_nodes(TOOL, [node(f"s/{title}", title=title)]))
    write(full, lambda lease: lease.remove_nodes(TOOL, ["s/A"]))
    changes = full.changes(before.generation, stamp=before.stamp)

    assert changes is not None
    assert (changes.generation, ids(changes)) == (4, {TOOL: {"s/A", "s/B"}})
    assert [one.id for one in full.part(changes).tools] == ["s/B"]
    assert with_part(before, full.part(changes)) == full.catalogue()


def test_a_part_fits_only_where_its_changes_begin(full: Graph) -> None:
    """Else what came in between would be missing."""
    before = full.catalogue()
    write(full, lambda lease: lease.put_nodes(TOOL, [node("s/a")]))
    changes = full.changes(1, stamp=before.stamp)
    assert changes is not None

    with pytest.raises(ValueError, match="since 1"):
        with_part(full.catalogue(), full.part(changes))


def test_after_a_killed_writer_nobody_knows_what_changed(full: Graph) -> None:
    """What it wrote came with no record of it, so the generation that finishes it says so; the next one is known."""
    before = full.state()
    with full.lease(owner="a:1:x", wait_s=1) as lease:
        lease.begin()
        lease.put_nodes(TOOL, [node("s/lost")])
    with pytest.raises(NotReadyError):
        full.changes(1, stamp=before.stamp)
    write(full, lambda lease: lease.put_nodes(TOOL, [node("s/other")]))
    assert full.changes(1, stamp=before.stamp) is None

    assert touched(full, lambda lease: lease.put_nodes(TOOL, [node("s/third")])) == {TOOL: {"s/third"}}


def test_who_is_too_far_behind_reads_all_of_it(full: Graph) -> None:
    """Only the last generations are kept, each in a place that is used again."""
    states = [full.state()]
    for number in range(GENERATIONS_KEPT + 1):
        write(full, lambda lease, number=number: lease.put_nodes(TOOL, [node(f"s/{number}")]))
        states.append(full.state())
    first, second = states[:2]

    assert full.changes(first.generation, stamp=first.stamp) is None
    changes = full.changes(second.generation, stamp=second.stamp)
    assert changes is not None
    assert len(changes) == GENERATIONS_KEPT


@pytest.mark.parametrize(
    "ids",
    [
        [f"s/{number}" for number in range(TOUCHED_KEPT + 1)],
        [f"s/{number:0300}" for number in range(TOUCHED_BYTES // 300)],
    ],
    ids=["ids", "characters"],
)
def test_a_generation_that_touched_too_much_is_read_whole(full: Graph, ids: list[str]) -> None:
    """The records stay small, and reading by id is no gain then."""
    before = full.state()
    write(full, lambda lease: lease.confirm_tools(ids))

    assert full.changes(before.generation, stamp=before.stamp) is None


def test_another_graph_of_the_same_generation_is_no_continuation(full: Graph) -> None:
    """What was read of a graph that was replaced, or restored, is not mixed with this one."""
    write(full, lambda lease: lease.put_nodes(TOOL, [node("s/a")]))
    state = full.state()

    assert full.changes(1, stamp="of another graph") is None
    assert full.changes(2, stamp="of another graph") is None
    assert full.changes(3, stamp=state.stamp) is None


def test_a_part_is_of_one_whole_generation(full: Graph) -> None:
    """What came after the changes were asked for would be half in it."""
    state = full.state()
    changes = full.changes(1, stamp=state.stamp)
    assert changes is not None
    write(full, lambda lease: lease.put_nodes(TOOL, [node("s/a")]))

    with pytest.raises(NotReadyError):
        full.part(changes)


def test_what_is_suggested_touches_both_ends(graph: Graph) -> None:
    """Where a tool is linked again, the method is another too; methods that suggest nothing are found."""
    write(graph, fill)
    put = [suggested("x", "s/a", 0.9), suggested("x", "s/b", 0.6)]

    ids = touched(
        graph,
        lambda lease: (
            lease.put_nodes(METHOD, [node("x", common=True), node("y", common=True)]),
            lease.replace_inferred(SUGGESTS, remove=[], put=put),
        ),
    )

    assert ids == {TOOL: {"s/a", "s/b"}, METHOD: {"x", "y"}}
    assert sorted(graph.suggestions(["s/b", "s/a", "s/c"])) == [("x", "s/a", 0.9), ("x", "s/b", 0.6)]
    assert graph.idle_methods() == ["y"]
    ids = touched(
        graph,
        lambda lease: lease.replace_inferred(
            SUGGESTS, remove=[("x", "s/a")], put=[suggested("x", "s/c", 0.7)]
        ),
    )
    assert ids == {TOOL: {"s/a", "s/c"}, METHOD: {"x"}}
    touched(graph, lambda lease: lease.remove_nodes(TOOL, ["s/b", "s/c"]))
    assert graph.suggestions(["s/a", "s/b", "s/c"]) == []
    assert graph.idle_methods() == ["x", "y"]


def test_what_a_source_rules_out_is_read_back(graph: Graph) -> None:
    """By source and by tool."""
    write(graph, fill)
    said = provides(MANIFEST, TOOL, "s/a").model_copy(update={"not_implements": ("m", "x")})

    write(graph, lambda lease: lease.put_provisions([said]))

    assert graph.refuted(["s/a", "s/b"]) == {("m", "s/a"), ("x", "s/a")}
    assert graph.providers(TOOL, ["s/a"]) == [said]
    assert graph.provisions([MANIFEST]) == [said]


def test_what_a_taxonomy_says_of_flows_is_read_with_the_tools(graph: Graph) -> None:
    """By id and with the whole catalogue; what two say is put together, and a tool without it has none."""
    write(graph, fill)
    sink = StatedLabel(label=Label.EXTERNAL_SINK, to=("to",), carries=("body", "subject"))
    no = StatedLabel(label=Label.DESTRUCTIVE, value=False)
    said = provides(TAXONOMY, TOOL, "s/a", declares=True).model_copy(update={"labels": (sink, no)})

    write(graph, lambda lease: lease.put_sources([source(TAXONOMY)]))
    assert touched(graph, lambda lease: lease.put_provisions([said])) == {TOOL: {"s/a"}}

    assert said in graph.providers(TOOL, ["s/a"])
    assert said in graph.provisions([TAXONOMY])
    labels = {str(one.id): one.labels for one in graph.labelled_tools(["s/a", "s/b", "s/none"])}
    assert labels == {"s/a": (sink, no), "s/b": ()}
    assert {str(one.id): one.labels for one in graph.catalogue().tools}["s/a"] == (sink, no)
    assert graph.found_tools(["s/a"])[0].labels == ()
