"""What is in the graph after an ingest: the same in memory and in both engines."""

import json
from pathlib import Path

import pytest

from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind
from app.errors import NotFoundError
from ingest.commands.report_json import report_json
from ingest.diff.changes import Status
from ingest.sources.files import file_input, manifest_inputs
from tests.fakes import InMemoryGraph
from tests.ingest_cases import (
    Graph,
    dump,
    ingest,
    ingest_folder,
    manifest,
    rejected,
    remove,
    taxonomy,
    tool,
    tools,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
IMPLEMENTS = EdgeForm(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL)
REQUIRES = EdgeForm(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL)


def implements(graph: Graph) -> set[tuple[str, str]]:
    return {(source, target) for source, target, _ in graph.edge_pairs(IMPLEMENTS, stated=True)}


def shop(folder: Path) -> list[Path]:
    """A taxonomy that names three tools, and the two servers that bring them."""
    taxonomy(
        folder,
        "wants",
        categories=[{"id": "c", "name": "C"}],
        methods=[
            {"id": "m1", "implements": ["pay", "ship"], "category": "c", "examples": ["Do it"]},
            {"id": "m2", "implements": ["ship"], "relations": {"similar": ["m1"]}},
        ],
        templates=[{"id": "t", "uses": ["ship", "pay"], "methods": ["m1"]}],
        concepts=[{"id": "k", "related_to": ["m2", "m1"]}],
        generators=[{"id": "g", "tool": "ship"}],
        tools=[{"id": "ship", "requires": [{"tool": "pay", "parameter": "p"}], "not_requires": ["scan"]}],
    )
    manifest(folder / "servers", "bank", tool("pay"), tool("refund"))
    manifest(folder / "servers", "post", tool("ship"), tool("scan"))
    return [folder / "wants.yaml", folder / "servers"]


def test_the_order_of_ingest_does_not_matter(graph: Graph, tmp_path: Path) -> None:
    """Taxonomy, then manifests; manifests, then taxonomy; all at once: one and the same graph."""
    wants, servers = shop(tmp_path)
    ingest(graph, file_input("taxonomy", wants))
    ingest(graph, *manifest_inputs([servers]))
    first = dump(graph)
    orders = [
        [manifest_inputs([servers]), [file_input("taxonomy", wants)]],
        [[*manifest_inputs([servers]), file_input("taxonomy", wants)]],
        [[file_input("taxonomy", wants), *manifest_inputs([servers])]],
    ]

    for order in orders:
        other = InMemoryGraph()
        for inputs in order:
            assert rejected(ingest(other, *inputs)) == []
        assert dump(other) == first

    assert tools(graph) == {
        ("bank/pay", False),
        ("bank/refund", False),
        ("post/scan", False),
        ("post/ship", False),
    }
    assert implements(graph) == {("m1", "bank/pay"), ("m1", "post/ship"), ("m2", "post/ship")}
    assert [one.uses for one in graph.catalogue().templates] == [("post/ship", "bank/pay")]


def test_the_same_again_writes_nothing(graph: Graph, tmp_path: Path) -> None:
    """No write, no lease, the same generation; also with rejections, which are read again."""
    wants, servers = shop(tmp_path)
    manifest(servers, "odd", tool("fine"), {"name": "broken", "inputSchema": 3})
    inputs = [file_input("taxonomy", wants), *manifest_inputs([servers])]
    generation = ingest(graph, *inputs).generation
    before = dump(graph)

    again = ingest(graph, *inputs)

    assert (again.generation, again.nodes_written, again.edges_written) == (generation, 0, 0)
    assert {outcome.status for outcome in again.outcomes} == {Status.UNCHANGED}
    assert len(rejected(again)) == 1
    assert dump(graph) == before


def test_one_tool_changed_is_one_tool_written(graph: Graph, tmp_path: Path) -> None:
    """And one new generation; everything else is as it was."""
    wants, servers = shop(tmp_path)
    inputs = [file_input("taxonomy", wants), *manifest_inputs([servers])]
    generation = ingest(graph, *inputs).generation
    before = dump(graph)

    manifest(servers, "post", tool("ship", "Sends it."), tool("scan"))
    report = ingest(graph, *inputs)

    (post,) = [one for one in report.outcomes if one.source == "manifest:post"]
    assert (report.nodes_written, report.edges_written, report.generation) == (1, 0, generation + 1)
    assert (post.nodes["Tool"].updated, post.nodes["Tool"].unchanged) == (["post/ship"], 1)
    after = dump(graph)
    assert {name for name in after if after[name] != before[name]} == {"provisions", "tools"}
    assert graph.tool("post/ship").description == "Sends it."


def test_a_changed_method_has_the_edges_that_it_states_now(graph: Graph, tmp_path: Path) -> None:
    """The old ones go, and a tool that nobody names any more goes with them."""
    source = taxonomy(
        tmp_path, "w", methods=[{"id": "m", "implements": ["a", "b"], "tags": ["x"]}, {"id": "n"}]
    )
    ingest(graph, source)

    taxonomy(tmp_path, "w", methods=[{"id": "m", "implements": ["b", "c"]}, {"id": "n"}])
    report = ingest(graph, source)

    assert implements(graph) == {("m", "b"), ("m", "c")}
    assert tools(graph) == {("b", True), ("c", True)}
    assert graph.catalogue().method_by_id["m"].tags == ()
    assert report.outcomes[0].nodes["Method"].updated == ["m"]


def test_removing_a_server_leaves_declared_what_a_taxonomy_names(graph: Graph, tmp_path: Path) -> None:
    """Its other tools are gone, edges go back to the name, and the server can come back."""
    wants, servers = shop(tmp_path)
    ingest(graph, file_input("taxonomy", wants), *manifest_inputs([servers]))
    before = dump(graph)

    report = remove(graph, "manifest:bank")

    assert tools(graph) == {("pay", True), ("post/scan", False), ("post/ship", False)}
    assert graph.tool("pay").description == ""
    assert ("m1", "pay") in implements(graph)
    assert report.outcomes[0].nodes["Tool"].removed == ["bank/pay", "bank/refund"]
    ingest(graph, *manifest_inputs([servers]))
    assert dump(graph) == before


def test_removing_every_source_leaves_nothing(graph: Graph, tmp_path: Path) -> None:
    wants, servers = shop(tmp_path)
    ingest(graph, file_input("taxonomy", wants), *manifest_inputs([servers]))

    remove(graph, "taxonomy:wants")
    remove(graph, "manifest:bank", "manifest:post")

    assert not any(dump(graph).values())


def test_removing_an_unknown_source_names_near_ones(graph: Graph, tmp_path: Path) -> None:
    ingest(graph, manifest(tmp_path, "github", tool("a")))

    with pytest.raises(NotFoundError, match="no source 'manifest:githib'; known near ones: manifest:github"):
        remove(graph, "manifest:githib")


def test_a_source_that_lost_most_of_its_tools_is_refused(graph: Graph, tmp_path: Path) -> None:
    """Nothing of it changes, the others go on; --allow-shrink accepts it. Half is not most."""
    many = manifest(tmp_path, "many", *(tool(name) for name in "abcd"))
    ingest(graph, many)
    manifest(tmp_path, "many", tool("a", "new"))
    other = manifest(tmp_path, "other", tool("x"))

    report = ingest(graph, many, other)

    assert "lost 3 of 4 nodes ('many/b', 'many/c', 'many/d')" in rejected(report)[0]
    assert tools(graph) == {(f"many/{name}", False) for name in "abcd"} | {("other/x", False)}
    assert graph.tool("many/a").description == "Does a."
    ingest(graph, many, allow_shrink=True)
    assert tools(graph) == {("many/a", False), ("other/x", False)}
    manifest(tmp_path, "many", tool("a"), tool("b"))
    ingest(graph, many)
    manifest(tmp_path, "many", tool("a"))
    assert rejected(ingest(graph, many)) == []


def test_a_broken_tool_keeps_its_old_version(graph: Graph, tmp_path: Path) -> None:
    """It is rejected by name, the rest of the file is taken, and its repair is noticed."""
    source = manifest(tmp_path, "s", tool("a"), tool("b"))
    ingest(graph, source)

    manifest(tmp_path, "s", {"name": "a", "inputSchema": 1}, tool("b", "new"))
    report = ingest(graph, source)

    assert rejected(report) == ["tool 'a': inputSchema: 1 is a number; accepted: a JSON schema object"]
    assert (graph.tool("s/a").description, graph.tool("s/b").description) == ("Does a.", "new")


def test_a_broken_method_keeps_its_old_version_with_all_edges(graph: Graph, tmp_path: Path) -> None:
    source = taxonomy(
        tmp_path, "w", methods=[{"id": "m", "implements": ["a"], "examples": ["e"]}, {"id": "n"}]
    )
    ingest(graph, source)
    before = dump(graph)

    taxonomy(tmp_path, "w", methods=[{"id": "m", "typo": 1}, {"id": "n"}])
    ingest(graph, source)

    after = dump(graph)
    assert {name for name in after if after[name] != before[name]} == {"sources"}


def test_a_broken_file_changes_nothing_and_stops_no_other(graph: Graph, tmp_path: Path) -> None:
    source = manifest(tmp_path, "s", tool("a"))
    ingest(graph, source)
    source.path.write_text("{")

    report = ingest(graph, source, manifest(tmp_path, "t", tool("x")))

    assert "not JSON" in rejected(report)[0]
    assert tools(graph) == {("s/a", False), ("t/x", False)}


def test_a_file_that_is_gone_keeps_its_tools_unless_pruned(graph: Graph, tmp_path: Path) -> None:
    """Only sources of the folder are touched."""
    folder = tmp_path / "servers"
    manifest(folder, "a", tool("x"))
    gone = manifest(folder / "deep", "b", tool("y"))
    ingest_folder(graph, folder)
    ingest(graph, manifest(tmp_path / "servers-2", "c", tool("z")))
    gone.path.unlink()

    kept = ingest_folder(graph, folder)
    assert (kept.kept, len(tools(graph))) == (["manifest:b"], 3)

    pruned = ingest_folder(graph, folder, prune=True)
    assert (pruned.kept, tools(graph)) == ([], {("a/x", False), ("c/z", False)})


def test_two_files_of_one_name_are_two_claims_to_one_source(graph: Graph, tmp_path: Path) -> None:
    """The second is refused, with what to do."""
    manifest(tmp_path / "1", "tools", tool("a"))
    manifest(tmp_path / "2", "tools", tool("b"))

    report = ingest_folder(graph, tmp_path)

    assert "is source 'manifest:tools' already" in rejected(report)[0]
    assert tools(graph) == {("tools/a", False)}


def test_a_source_from_another_path_has_moved(graph: Graph, tmp_path: Path) -> None:
    ingest(graph, manifest(tmp_path / "1", "s", tool("a")))

    report = ingest(graph, manifest(tmp_path / "2", "s", tool("a")))

    assert "moved from" in report.outcomes[0].warnings[0]
    assert (report.nodes_written, len(graph.sources())) == (0, 1)


@pytest.mark.parametrize("together", [True, False])
def test_a_declared_tool_goes_to_the_one_server_that_brings_it(
    graph: Graph, tmp_path: Path, together: bool
) -> None:
    """With a second one it belongs to neither, whether both come in one run or one after the other."""
    ingest(graph, taxonomy(tmp_path, "w", methods=[{"id": "m", "implements": ["run"]}]))
    servers = [manifest(tmp_path, name, tool("run")) for name in ("a", "b")]

    reports = [ingest(graph, *servers)] if together else [ingest(graph, one) for one in servers]

    assert implements(graph) == {("m", "run")}
    assert tools(graph) == {("run", True), ("a/run", False), ("b/run", False)}
    assert "several servers bring it: a/run, b/run" in reports[-1].outcomes[-1].warnings[0]


def test_an_ambiguous_name_is_declared_for_all_who_say_it(graph: Graph, tmp_path: Path) -> None:
    """Who said a name before a second server had it means no other tool than who says it after."""
    ingest(graph, manifest(tmp_path, "a", tool("run")))
    ingest(graph, taxonomy(tmp_path, "w", methods=[{"id": "m", "implements": ["run"]}, {"id": "n"}]))
    ingest(graph, manifest(tmp_path, "b", tool("run")))
    report = ingest(graph, taxonomy(tmp_path, "v", methods=[{"id": "o", "implements": ["run"]}]))

    assert rejected(report) == []
    assert report.outcomes[0].warnings == [
        "tool 'run' is only declared: several servers bring it: a/run, b/run; accepted in taxonomy:v, taxonomy:w:"
        " one of these ids, or 'server'"
    ]
    assert implements(graph) == {("m", "run"), ("o", "run")}


def test_an_unknown_reference_is_dropped_by_name_and_taken_up_once_it_is_known(
    graph: Graph, tmp_path: Path
) -> None:
    """The item stays; the same command later, with the other source there, completes it."""
    source = taxonomy(tmp_path, "w", methods=[{"id": "mail", "relations": {"similar": ["letter"]}}])
    similar = EdgeForm(NodeKind.METHOD, EdgeKind.SIMILAR, NodeKind.METHOD)

    report = ingest(graph, source)
    assert rejected(report) == [
        "method 'mail': relations.similar names 'letter', which no source has; no method is near"
    ]
    assert graph.edge_pairs(similar, stated=True) == []
    ingest(graph, taxonomy(tmp_path, "v", methods=[{"id": "letter"}]))
    assert rejected(ingest(graph, source)) == []

    assert graph.edge_pairs(similar, stated=True) == [("mail", "letter", 1.0)]


def test_sources_of_one_run_know_each_other(graph: Graph, tmp_path: Path) -> None:
    """A reference to what a later document of the run brings is no unknown one."""
    one = taxonomy(tmp_path, "a", methods=[{"id": "m", "relations": {"precedes": ["n"]}}])
    other = taxonomy(tmp_path, "b", methods=[{"id": "n", "relations": {"requires": ["m"]}}])

    assert rejected(ingest(graph, one, other)) == []


def test_a_node_has_one_content(graph: Graph, tmp_path: Path) -> None:
    """Equal content may come from several sources and goes with the last; another one is rejected."""
    same = {"id": "c", "name": "C"}
    ingest(graph, taxonomy(tmp_path, "a", categories=[same]))
    ingest(graph, taxonomy(tmp_path, "b", categories=[same]))

    report = ingest(graph, taxonomy(tmp_path, "c", categories=[{"id": "c", "name": "Other"}]))

    assert "category 'c': source 'taxonomy:a' provides it with another content" in rejected(report)[0] or (
        "category 'c': source 'taxonomy:b' provides it" in rejected(report)[0]
    )
    remove(graph, "taxonomy:a")
    assert [one.name for one in graph.catalogue().categories] == ["C"]
    remove(graph, "taxonomy:b")
    assert graph.catalogue().categories == ()


def test_a_node_may_change_hands_in_one_run(graph: Graph, tmp_path: Path) -> None:
    """One taxonomy gives a method up, another takes it: only the new edges are left."""
    one = taxonomy(tmp_path, "a", methods=[{"id": "m", "implements": ["x"]}, {"id": "n"}])
    other = taxonomy(tmp_path, "b", methods=[{"id": "o"}])
    ingest(graph, one, other)

    taxonomy(tmp_path, "a", methods=[{"id": "n"}])
    taxonomy(tmp_path, "b", methods=[{"id": "o"}, {"id": "m", "implements": ["y"]}])
    report = ingest(graph, one, other)

    assert rejected(report) == []
    assert implements(graph) == {("m", "y")}


def test_two_taxonomies_speak_of_one_tool(graph: Graph, tmp_path: Path) -> None:
    """What one takes back, the other still states."""
    first = taxonomy(tmp_path, "a", tools=[{"id": "x", "requires": ["y"]}, {"id": "z"}])
    ingest(
        graph, first, taxonomy(tmp_path, "b", tools=[{"id": "x", "requires": ["z"], "not_requires": ["y"]}])
    )

    taxonomy(tmp_path, "a", tools=[{"id": "z"}])
    ingest(graph, first)

    assert graph.edge_pairs(REQUIRES, stated=True) == [("x", "z", 1.0)]
    vetoes = {one.source: one.not_requires for one in graph.providers(NodeKind.TOOL, ["x"])}
    assert vetoes == {"taxonomy:b": ("y",)}


def test_a_generator_and_a_tool_share_one_space_of_ids(graph: Graph, tmp_path: Path) -> None:
    """A generator is no tool to be named, and its id is nobody else's."""
    ingest(graph, taxonomy(tmp_path, "a", generators=[{"id": "g", "tool": "x"}]))

    report = ingest(
        graph,
        taxonomy(
            tmp_path, "b", methods=[{"id": "m", "implements": ["g"]}], generators=[{"id": "x", "tool": "y"}]
        ),
    )

    assert rejected(report) == [
        "method 'm': implements names 'g', which is a generator; accepted: a tool",
        "generator 'x': 'x' is the id of a tool; accepted: an id that no tool and no generator has",
    ] or set(rejected(report)) == {
        "method 'm': implements names 'g', which is a generator; accepted: a tool",
        "generator 'x': 'x' is the id of a tool; accepted: an id that no tool and no generator has",
    }
    assert tools(graph) == {("x", True)}


@pytest.mark.parametrize("name", ["it's", 'say "hi"', "back\\slash", "{id}", "$x", "a//b", "ünï"])
def test_any_printable_name_is_an_id(graph: Graph, tmp_path: Path, name: str) -> None:
    """Names are values, never text of a statement."""
    ingest(graph, taxonomy(tmp_path, "w", methods=[{"id": name, "implements": [f"s/{name}"]}]))
    ingest(graph, manifest(tmp_path, "s", tool(name, name)))

    assert graph.tool(f"s/{name}").description == name
    assert implements(graph) == {(name, f"s/{name}")}


def test_a_dry_run_says_what_then_happens_and_writes_nothing(graph: Graph, tmp_path: Path) -> None:
    """Creation, change, takeover, removal and rejection, all in one."""
    wants, servers = shop(tmp_path)
    graph.apply_schema()
    for change in (
        lambda: None,
        lambda: manifest(servers, "bank", tool("pay", "new"), tool("give"), {"name": "x", "inputSchema": 1}),
        lambda: taxonomy(tmp_path, "wants", methods=[{"id": "m1", "implements": ["nix"]}, {"id": "m3"}]),
    ):
        change()
        inputs = [file_input("taxonomy", wants), *manifest_inputs([servers])]
        before, state = dump(graph), graph.state()

        dry = ingest(graph, *inputs, dry_run=True, allow_shrink=True)
        assert (dump(graph), graph.state()) == (before, state)
        done = ingest(graph, *inputs, allow_shrink=True)

        told, did = report_json(dry), report_json(done)
        for one in ("nodes_written", "nodes_removed", "edges_written", "rejected", "structure"):
            assert told[one] == did[one], one
        counted = json.loads(json.dumps(told["sources"]))
        for source in counted:
            for counts in source["nodes"].values():
                counts |= {what: len(counts[what]) for what in ("created", "updated", "removed")}
        assert counted == did["sources"]


def test_the_example_is_ingested_without_a_word(graph: Graph) -> None:
    report = ingest(
        graph, *manifest_inputs([EXAMPLES / "manifests"]), file_input("taxonomy", EXAMPLES / "taxonomy.yaml")
    )

    assert (rejected(report), [one.warnings for one in report.outcomes if one.warnings]) == ([], [])
    assert report.structure is not None
    assert report.structure.edges > 0


def test_an_edge_comes_back_with_the_node_that_another_source_provides(graph: Graph, tmp_path: Path) -> None:
    """The source that states it says meanwhile that its reference means nothing, and is not changed itself."""
    near = taxonomy(
        tmp_path,
        "near",
        methods=[{"id": "mine", "relations": {"similar": ["theirs"]}}, {"id": "other"}],
        concepts=[{"id": "k", "related_to": ["theirs"]}],
    )
    far = taxonomy(tmp_path, "far", methods=[{"id": "theirs"}, {"id": "a"}, {"id": "b"}])
    ingest(graph, far, near)
    similar = EdgeForm(NodeKind.METHOD, EdgeKind.SIMILAR, NodeKind.METHOD)
    before = graph.edge_pairs(similar, stated=True)
    whole = dump(graph)

    taxonomy(tmp_path, "far", methods=[{"id": "a"}, {"id": "b"}])
    ingest(graph, far, near)
    meanwhile = ingest(graph, far, near)
    assert graph.edge_pairs(similar, stated=True) == []
    assert sorted(one.split(",")[0] for one in rejected(meanwhile)) == [
        "concept 'k': related_to names 'theirs'",
        "method 'mine': relations.similar names 'theirs'",
    ]
    taxonomy(tmp_path, "far", methods=[{"id": "theirs"}, {"id": "a"}, {"id": "b"}])
    ingest(graph, far, near)
    ingest(graph, far, near)

    assert graph.edge_pairs(similar, stated=True) == before == [("mine", "theirs", 1.0)]
    assert dump(graph) == whole
    assert ingest(graph, far, near).nodes_written == 0
