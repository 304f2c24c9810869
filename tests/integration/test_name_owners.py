"""Who owns a bare name that a taxonomy declares: a function of who brings it, not of who came first."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind, SourceId, ToolId
from app.domain.workflows.plans import Plan, PlanStep
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from app.usecases.workflows import WorkflowStore
from ingest.diff.changes import Status
from ingest.run.report import Report
from ingest.sources.files import IngestInput, file_input, manifest_inputs
from tests.fakes import InMemoryGraph
from tests.ingest_cases import (
    Dump,
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
STEP = EdgeForm(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.TOOL)


def implements(graph: Graph) -> set[tuple[str, str]]:
    return {(source, target) for source, target, _ in graph.edge_pairs(IMPLEMENTS, stated=True)}


def warnings(report: Report) -> list[str]:
    """What is said of names that several servers bring."""
    return [text for outcome in report.outcomes for text in outcome.warnings if "only declared" in text]


def answers(graph: Graph, query: str) -> list[str]:
    """Ids of the tools that fit, best first."""
    index = SearchIndex.build(graph.catalogue())
    return [str(one.id) for one in search(SearchRequest(query=query), ConsistentGraph(index, graph)).tools]


@pytest.mark.parametrize("graph", ["memory", "embedded"], indirect=True)
@pytest.mark.parametrize("first", ["fake", "real"])
def test_a_second_server_with_the_name_leaves_it_to_nobody(graph: Graph, tmp_path: Path, first: str) -> None:
    """The edges go back to the declared name, whichever server came first; the warning names both and the way out."""
    fake = manifest(tmp_path, "payments_fake", tool("refund_payment", "x"))
    real = manifest_inputs([EXAMPLES / "manifests"])
    ingest(graph, file_input("taxonomy", EXAMPLES / "taxonomy.yaml"))

    for inputs in ([fake], real) if first == "fake" else (real, [fake]):
        report = ingest(graph, *inputs)

    assert ("refund_payment", True) in tools(graph)
    assert {target for source, target in implements(graph) if source == "money.refund"} == {"refund_payment"}
    assert warnings(report) == [
        "tool 'refund_payment' is only declared: several servers bring it: payments/refund_payment,"
        " payments_fake/refund_payment; accepted in taxonomy:taxonomy: one of these ids, or 'server'"
    ]
    found = answers(graph, "credit the card of the customer")
    assert found[0] == "refund_payment"
    assert "payments_fake/refund_payment" not in found, "words of the taxonomy, none of them in its name"


def speaks(folder: Path, version: int = 0) -> IngestInput:
    """A taxonomy that says bare names in every place where it may."""
    return taxonomy(
        folder,
        "words",
        categories=[{"id": "c"}],
        methods=[
            {"id": "m", "implements": ["pay", "ship"][: 2 - version], "category": "c"},
            {"id": "n", "implements": ["ship", "pay", "nobody"], "relations": {"similar": ["m"]}},
        ],
        templates=[{"id": "t", "uses": ["ship", "pay", "scan"], "methods": ["m"]}],
        generators=[{"id": "g", "tool": "pay"}],
        tools=[
            {
                "id": "pay",
                "requires": [{"tool": "ship", "parameter": "p"}, {"tool": "scan", "parameter": "q"}],
                "precedes": ["nobody"],
                "part_of": ["t"],
                "categories": ["c"],
                "not_requires": ["get_bill"],
            },
            {"id": "ship", "precedes": ["pay"], "not_requires": ["pay"]},
        ],
    )


def test_edges_come_back_when_one_of_two_servers_is_gone(graph: Graph, tmp_path: Path) -> None:
    """Removed, pruned, or without the tool: the other one has the name, as if it had always been alone."""
    folder = tmp_path / "servers"
    manifest(folder, "other", tool("z"))
    ingest(graph, speaks(tmp_path), manifest(folder, "a", tool("pay"), tool("x"), tool("y")))
    ingest_folder(graph, folder)
    alone = dump(graph)
    fake = (tool("pay"), tool("scan"), tool("z"))

    ingest(graph, manifest(tmp_path, "b", *fake))
    contested = dump(graph)
    assert implements(graph) == {("m", "pay"), ("m", "ship"), ("n", "pay"), ("n", "ship"), ("n", "nobody")}
    assert set(graph.edge_pairs(REQUIRES, stated=True)) == {("pay", "ship", 1.0), ("pay", "b/scan", 1.0)}
    said = graph.provisions([SourceId("taxonomy:words")])
    assert {one.id: one.not_requires for one in said if one.not_requires} == {
        "pay": ("get_bill",),
        "ship": ("pay",),
    }
    remove(graph, "manifest:b")
    assert dump(graph) == alone

    ingest(graph, manifest(tmp_path, "b", *fake))
    assert dump(graph) == contested
    ingest(graph, manifest(tmp_path, "b", *fake[1:]))
    assert ("n", "a/pay") in implements(graph)
    ingest(graph, manifest(tmp_path, "b", *fake))
    assert dump(graph) == contested

    (folder / "a.json").unlink()
    ingest_folder(graph, folder, prune=True)
    assert ("n", "b/pay") in implements(graph)
    assert {one for one, _ in tools(graph)} == {
        *("b/pay", "b/scan", "b/z", "other/z"),
        *("nobody", "ship", "get_bill"),
    }


def test_the_same_again_writes_nothing_while_a_name_is_contested(tmp_path: Path) -> None:
    """Who owns what is settled; nothing is written to and fro."""
    graph = InMemoryGraph()
    inputs = [speaks(tmp_path), *(manifest(tmp_path, one, tool("pay"), tool(f"only_{one}")) for one in "ab")]
    for one in inputs:
        generation = ingest(graph, one).generation

    for again in (inputs, reversed(inputs)):
        report = ingest(graph, *again)
        assert (report.generation, report.nodes_written, report.edges_written) == (generation, 0, 0)
        assert {outcome.status for outcome in report.outcomes} == {Status.UNCHANGED}


def test_a_dry_run_foresees_that_a_name_goes_back(tmp_path: Path) -> None:
    """Nodes, structural neighbours and warnings as they come then; nothing is written."""
    graph = InMemoryGraph()
    ingest(graph, speaks(tmp_path), manifest(tmp_path, "a", tool("pay"), tool("ship")))
    before = dump(graph)
    fake = manifest(tmp_path, "b", tool("pay"), tool("ship"))

    told = ingest(graph, fake, dry_run=True)
    assert dump(graph) == before
    did = ingest(graph, fake)

    assert told.structure == did.structure
    assert (told.nodes_written, told.nodes_removed, told.edges_written) == (
        did.nodes_written,
        did.nodes_removed,
        did.edges_written,
    )
    assert warnings(told) == warnings(did) != []


def test_a_saved_workflow_goes_to_no_other_server(graph: Graph, tmp_path: Path) -> None:
    """It stays with the server that it was saved for, whoever brings the name and even when that server is gone."""
    ingest(graph, speaks(tmp_path), manifest(tmp_path, "payments", tool("pay"), tool("x")))
    workflows = WorkflowStore(graph, owner=lambda: "tests:1:1", lease_wait_s=5.0)
    step = PlanStep(position=1, tool_id=ToolId("payments/pay"), bindings={})
    workflows.create("settle", Plan(goal="settle the bill", steps=(step,)))

    def called() -> tuple[str, bool, list[tuple[str, str, float]]]:
        found = workflows.load("settle").workflow
        return str(found.plan.steps[0].tool_id), found.broken, graph.edge_pairs(STEP, stated=True)

    whole = ("payments/pay", False, [("settle", "payments/pay", 1.0)])
    report = ingest(graph, manifest(tmp_path, "fake", tool("pay"), tool("z")))
    assert (called(), report.workflows.followed) == (whole, ())

    report = remove(graph, "manifest:payments")
    assert (called(), report.workflows.followed) == (("payments/pay", True, []), ())
    assert ("n", "fake/pay") in implements(graph)

    ingest(graph, manifest(tmp_path, "payments", tool("pay"), tool("x")))
    assert called() == whole


@pytest.mark.parametrize(
    "words",
    [
        {"methods": [{"id": "m", "implements": ["payments/refund"]}]},
        {"server": "payments", "methods": [{"id": "m", "implements": ["refund"]}]},
        {"methods": [{"id": "m", "implements": ["refund"]}, {"id": "n", "implements": ["payments/refund"]}]},
    ],
    ids=["id", "server", "id elsewhere in the taxonomy"],
)
def test_nobody_contests_a_tool_that_is_named_with_its_server(
    tmp_path: Path, words: Mapping[str, Any]
) -> None:
    """Neither by the name nor by a tool that is named like the id."""
    graph = InMemoryGraph()
    ingest(graph, taxonomy(tmp_path, "w", **words))
    report = ingest(graph, manifest(tmp_path, "fake", tool("refund"), tool("payments/refund")))
    assert (("m", "payments/refund") in implements(graph), warnings(report)) == (True, [])

    report = ingest(graph, manifest(tmp_path, "payments", tool("refund")))

    assert (("m", "payments/refund") in implements(graph), warnings(report)) == (True, [])
    assert ("payments/refund", False) in tools(graph)


def test_a_taxonomy_with_several_ids_of_a_name_means_none_of_them_by_it(tmp_path: Path) -> None:
    """Otherwise nobody could tell later which of its edges it stated by the name."""
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path, "a", tool("pay")))
    words = [
        {"id": "m", "implements": ["pay"]},
        {"id": "n", "implements": ["a/pay"]},
        {"id": "o", "implements": ["b/pay"]},
    ]
    ingest(
        graph,
        taxonomy(tmp_path, "w", methods=words),
        taxonomy(tmp_path, "v", methods=[{**words[0], "id": "p"}]),
    )

    assert implements(graph) == {("m", "pay"), ("n", "a/pay"), ("o", "b/pay"), ("p", "a/pay")}


def test_a_renamed_tool_has_its_old_name_until_its_server_gives_it_to_another(tmp_path: Path) -> None:
    """Another server that brings the old name contests it; the same server decides itself."""
    graph = InMemoryGraph()
    ingest(graph, speaks(tmp_path), manifest(tmp_path, "a", tool("pay", "Pays."), tool("x")))
    ingest(graph, manifest(tmp_path, "a", tool("settle", "Pays."), tool("x")))
    assert ("n", "a/settle") in implements(graph)
    renamed = dump(graph)

    report = ingest(graph, manifest(tmp_path, "b", tool("pay", "Another."), tool("y")))
    assert ("n", "pay") in implements(graph)
    assert "several servers bring it: a/settle, b/pay" in warnings(report)[0]
    remove(graph, "manifest:b")
    assert dump(graph) == renamed

    ingest(graph, manifest(tmp_path, "a", tool("settle", "Pays."), tool("pay", "New."), tool("x")))
    assert ("n", "a/pay") in implements(graph)


def test_a_generator_takes_no_name_that_a_taxonomy_writes_for_a_tool(tmp_path: Path) -> None:
    """The name is a server's now and may become a declared tool again."""
    graph = InMemoryGraph()
    ingest(graph, speaks(tmp_path), manifest(tmp_path, "a", tool("pay")))

    report = ingest(graph, taxonomy(tmp_path, "v", generators=[{"id": "pay", "tool": "a/pay"}]))
    assert rejected(report) == [
        "generator 'pay': 'pay' is the id of a tool; accepted: an id that no tool and no generator has"
    ]
    ingest(graph, manifest(tmp_path, "b", tool("pay")))
    assert ("n", "pay") in implements(graph)


A_BILL = {"type": "object", "properties": {"bill_id": {"type": "string"}}, "required": ["bill_id"]}
PAY = tool("pay", "Pays a bill.", inputSchema=A_BILL)
GET_BILL = tool(
    "get_bill", "A bill.", outputSchema={"type": "object", "properties": {"bill_id": {"type": "string"}}}
)
SERVERS: Mapping[str, Sequence[Sequence[dict[str, object]]]] = {
    "a": [
        [PAY, tool("ship"), GET_BILL],
        [tool("ship"), GET_BILL],
        [{**PAY, "name": "settle"}, tool("ship"), GET_BILL],
        [PAY, {**PAY, "name": "settle"}, GET_BILL],
    ],
    "b": [[PAY, GET_BILL, tool("refund")], [GET_BILL, tool("refund"), tool("scan")]],
}
IDS: Sequence[Mapping[str, Any]] = [
    {
        "methods": [{"id": "i", "implements": ["pay", "b/pay"]}],
        "tools": [{"id": "a/ship", "requires": ["b/refund"]}],
    },
    {
        "methods": [{"id": "i", "implements": ["pay", "b/pay", "a/pay"]}],
        "tools": [{"id": "ship", "precedes": ["pay"]}],
    },
]
Step: TypeAlias = tuple[str, ...]
"""Documents `NAME VERSION` that come in one run; or `-NAME`, a source that goes."""
DOCUMENTS = [f"{name} {version}" for name, versions in SERVERS.items() for version in range(len(versions))]
DOCUMENTS += [f"{name} {version}" for name in ("ids", "words") for version in range(2)]
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=3, unique_by=lambda one: one.split()[0]).map(
        tuple
    ),
    st.sampled_from([("-a",), ("-b",), ("-ids",), ("-words",)]),
)


def document(folder: Path, text: str) -> IngestInput:
    name, version = text.split()
    if name in SERVERS:
        return manifest(folder, name, *SERVERS[name][int(version)])
    if name == "ids":
        return taxonomy(folder, name, **IDS[int(version)])
    return speaks(folder, int(version))


def source_of(name: str) -> str:
    return f"manifest:{name}" if name in SERVERS else f"taxonomy:{name}"


def is_marked(graph: Graph, name: str) -> bool:
    return any(one.id == source_of(name) and not one.content_hash for one in graph.sources())


def whole(graph: Graph) -> Dump:
    """Everything, with what inference found between tools."""
    ids = [one.id for one in graph.node_names(NodeKind.TOOL)]
    return {
        **dump(graph),
        "requirements": {(repr(one),) for one in graph.requirements(ids)},
        "precedences": {(repr(one),) for one in graph.precedences(ids)},
    }


@given(st.lists(STEPS, min_size=1, max_size=8))
@example([("words 0",), ("a 0",), ("b 0",), ("-a",), ("a 0", "b 1"), ("b 0",)])
@example([("words 0", "a 0"), ("a 2",), ("ids 1",), ("b 0",), ("a 0",), ("-words",), ("words 1",)])
@settings(max_examples=40)
def test_the_graph_is_what_its_sources_make_it_in_any_order(steps: Sequence[Step]) -> None:
    """Whatever came, went and changed before: as if each source had come alone, the taxonomies last.

    Of a server counts what it brought since it came, since a renamed tool is told by what it was before. What a run
    has marked to be read again is read again.
    """
    graph = InMemoryGraph()
    brought: dict[str, list[str]] = {}
    with TemporaryDirectory() as folder:
        for step in steps:
            if step[0].startswith("-"):
                if brought.pop(step[0][1:], None):
                    remove(graph, source_of(step[0][1:]))
                continue
            ingest(graph, *(document(Path(folder), one) for one in step), allow_shrink=True)
            for one in step:
                brought.setdefault(one.split()[0], []).append(one)
        for one in [documents[-1] for name, documents in brought.items() if is_marked(graph, name)]:
            ingest(graph, document(Path(folder), one))
        expected = InMemoryGraph()
        for name, documents in sorted(brought.items()):
            for one in documents if name in SERVERS else documents[-1:]:
                ingest(expected, document(Path(folder), one), allow_shrink=True)

        assert whole(graph) == whole(expected)


def test_what_is_inferred_between_tools_follows_their_names(tmp_path: Path) -> None:
    """The property above would hold of a graph without any such edge as well."""
    graph = InMemoryGraph()
    ingest(graph, document(tmp_path, "a 0"))
    assert [(one.consumer, one.producer) for one in graph.requirements(["a/pay"])] == [
        ("a/pay", "a/get_bill")
    ]

    ingest(graph, document(tmp_path, "words 0"))
    assert not any(one.producer == "a/get_bill" for one in graph.requirements(["a/pay"]))
    ingest(graph, document(tmp_path, "b 0"))

    assert [(one.consumer, one.producer) for one in graph.requirements(["a/pay"])] == [
        ("a/pay", "a/get_bill")
    ]
