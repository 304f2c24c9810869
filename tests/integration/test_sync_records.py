"""Renames, the health of sources and the records of syncs: the same in memory and in both engines."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind, ToolId
from app.domain.nodes.syncs import Change, Severity, SyncStatus
from app.domain.workflows.plans import KnownBinding, Plan, PlanStep
from app.usecases.workflows import WorkflowStore
from ingest.commands.report_json import report_json
from ingest.diff.changes import Status
from ingest.sources.files import IngestInput
from tests.fakes import InMemoryGraph
from tests.ingest_cases import Graph, dump, ingest, manifest, rejected, remove, taxonomy, tool, tools

IMPLEMENTS = EdgeForm(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL)
STEP = EdgeForm(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.TOOL)
ONE_ARGUMENT = {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]}


def implements(graph: Graph) -> set[tuple[str, str]]:
    return {(one, other) for one, other, _ in graph.edge_pairs(IMPLEMENTS, stated=True)}


def saved(graph: Graph, tool_id: str) -> WorkflowStore:
    """A workflow of one step."""
    workflows = WorkflowStore(graph, owner=lambda: "tests:1:1", lease_wait_s=5.0)
    step = PlanStep(position=1, tool_id=ToolId(tool_id), bindings={"sum": KnownBinding(known=3)})
    workflows.create("settle", Plan(goal="settle the bill", steps=(step,)))
    return workflows


def test_a_renamed_tool_keeps_its_edges_and_what_refers_to_it(graph: Graph, tmp_path: Path) -> None:
    """Edges of other sources and saved workflows follow; a reference by the old name still finds it."""
    wants = taxonomy(tmp_path, "wants", methods=[{"id": "m", "implements": ["bank/pay", "scan"]}])
    pay, settle = tool("pay", "Pays a bill.", inputSchema=ONE_ARGUMENT), tool("settle", "Pays a bill.")
    bank = manifest(tmp_path, "bank", pay, tool("refund", "Gives it back."))
    ingest(graph, bank, wants)
    workflows = saved(graph, "bank/pay")

    manifest(tmp_path, "bank", {**settle, "inputSchema": ONE_ARGUMENT}, tool("refund", "Gives it back."))
    report = ingest(graph, bank)

    assert [one.renamed for one in report.outcomes] == [[("bank/pay", "bank/settle")]]
    assert report_json(report)["sources"][0]["renamed"] == [{"from": "bank/pay", "to": "bank/settle"}]
    assert (report.nodes_written, report.nodes_removed) == (1, 0)
    assert implements(graph) == {("m", "bank/settle"), ("m", "scan")}
    assert graph.tool("bank/settle").name == "settle"
    workflow = workflows.load("settle")
    assert ([one.tool_id for one in workflow.workflow.plan.steps], workflow.problems) == (["bank/settle"], ())
    assert graph.edge_pairs(STEP, stated=True) == [("settle", "bank/settle", 1.0)]
    assert report.workflows.followed == ("settle",)
    assert report.workflows.broken == ()

    taxonomy(
        tmp_path,
        "wants",
        methods=[{"id": "m", "implements": ["bank/pay", "scan"]}, {"id": "n", "implements": ["pay"]}],
    )
    again = ingest(graph, wants, bank)

    assert rejected(again) == []
    assert implements(graph) == {("m", "bank/settle"), ("m", "scan"), ("n", "bank/settle")}
    assert tools(graph) == {("bank/settle", False), ("bank/refund", False), ("scan", True)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([tool("a", "Same."), tool("b", "Same.")], [tool("c", "Same."), tool("x")]),
        ([tool("a", "Same."), tool("x")], [tool("b", "Same."), tool("c", "Same."), tool("x")]),
        ([tool("a", "One."), tool("x")], [tool("b", "Another."), tool("x")]),
        ([{"name": "a"}, tool("x")], [{"name": "b"}, tool("x")]),
    ],
    ids=["two vanished", "two came", "not equal", "nothing to tell them by"],
)
def test_only_a_rename_that_is_certain_is_one(
    tmp_path: Path, before: list[dict[str, object]], after: list[dict[str, object]]
) -> None:
    """Where nobody can say which tool became which, tools went and came."""
    graph = InMemoryGraph()
    filler = [tool(f"filler{number}") for number in range(5)]
    ingest(graph, manifest(tmp_path, "s", *before, *filler))

    report = ingest(graph, manifest(tmp_path, "s", *after, *filler))

    assert [one.renamed for one in report.outcomes] == [[]]
    assert {one for one, _ in tools(graph)} >= {f"s/{one['name']}" for one in after}


def test_a_server_that_renames_all_its_tools_has_not_shrunk(tmp_path: Path) -> None:
    """What is told to be the same is not lost."""
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path, "s", *(tool(f"a{n}", f"Does {n}.") for n in range(4))))

    report = ingest(graph, manifest(tmp_path, "s", *(tool(f"b{n}", f"Does {n}.") for n in range(4))))

    assert rejected(report) == []
    assert sorted(report.outcomes[0].renamed) == [(f"s/a{n}", f"s/b{n}") for n in range(4)]


def test_each_change_is_kept_with_what_it_means(graph: Graph, tmp_path: Path) -> None:
    """Created, changed and gone tools, the gravest first, and the saved workflow that it broke."""
    texts = [tool("x", "X."), tool("y", "Y."), tool("z", "Z.")]
    bank = manifest(tmp_path, "bank", tool("pay", inputSchema=ONE_ARGUMENT), tool("old", "Old."), *texts)
    ingest(graph, bank)
    saved(graph, "bank/pay")

    stricter = {**ONE_ARGUMENT, "properties": {"sum": {"type": "number"}, "to": {"type": "string"}}}
    stricter["required"] = ["sum", "to"]
    manifest(
        tmp_path, "bank", tool("pay", inputSchema=stricter), tool("x", "Xs."), tool("new", "New."), *texts[1:]
    )
    generation = ingest(graph, bank).generation

    last, first = graph.syncs("manifest:bank")
    assert (first.number, first.status, first.severity) == (1, SyncStatus.CHANGED, Severity.COMPATIBLE)
    assert first.nodes["Tool"].created == 5
    assert (last.number, last.generation, last.severity) == (2, generation, Severity.BREAKING)
    assert [(one.id, one.change, one.severity, one.reasons) for one in last.tools] == [
        ("bank/old", Change.REMOVED, Severity.BREAKING, ("is gone",)),
        ("bank/pay", Change.UPDATED, Severity.BREAKING, ("input to: is required now",)),
        ("bank/new", Change.CREATED, Severity.COMPATIBLE, ()),
        ("bank/x", Change.UPDATED, Severity.DESCRIPTION, ()),
    ]
    assert [one.id for one in last.workflows_broken] == ["settle"]
    assert "needs 'to'" in last.workflows_broken[0].reason


def test_an_unchanged_sync_leaves_no_trace(graph: Graph, tmp_path: Path) -> None:
    """No record, no generation, no other state."""
    bank = manifest(tmp_path, "bank", tool("pay"))
    generation = ingest(graph, bank).generation
    before = dump(graph), graph.sources(), graph.syncs("manifest:bank")

    assert ingest(graph, bank).generation == generation

    assert (dump(graph), graph.sources(), graph.syncs("manifest:bank")) == before


def test_a_failing_source_is_marked_once_and_healthy_again(graph: Graph, tmp_path: Path) -> None:
    """Nothing is deleted, nobody's answers change, and the same failure again is no news."""
    bank = manifest(tmp_path, "bank", *(tool(name) for name in "abcde"))
    generation = ingest(graph, bank).generation
    before = dump(graph)

    manifest(tmp_path, "bank", tool("a"))
    report = ingest(graph, bank)

    (source,) = graph.sources()
    assert [one.status for one in report.outcomes] == [Status.REFUSED]
    assert (source.healthy, "lost 4 of 5 nodes" in source.problem) == (False, True)
    assert (graph.state().generation, dump(graph)) == (generation, before)
    failed = graph.syncs("manifest:bank")[0]
    assert (failed.status, failed.number, failed.reasons) == (SyncStatus.FAILED, 2, 1)
    at = source.problem_at

    ingest(graph, bank)
    assert graph.sources() == [source]

    bank.path.write_text("{")
    ingest(graph, bank)
    (source,) = graph.sources()
    failed = graph.syncs("manifest:bank")[0]
    assert "not JSON" in source.problem
    assert (failed.number, failed.reasons, failed.at <= source.problem_at, at <= source.problem_at) == (
        *(2, 2, True),
        True,
    )

    manifest(tmp_path, "bank", *(tool(name) for name in "abcde"))
    ingest(graph, bank)
    (source,) = graph.sources()
    assert (source.healthy, source.problem, source.problem_at) == (True, "", "")
    assert graph.state().generation == generation
    assert len(graph.syncs("manifest:bank")) == 2


def test_a_listed_source_that_was_never_read_is_known_as_unhealthy(graph: Graph, tmp_path: Path) -> None:
    """From its first failure on, with a record; it stands in nobody's way, and goes without consent."""
    bank = replace(manifest(tmp_path / "listed", "bank", tool("pay")), listed_in="file:///sources.yaml")
    bank.path.write_text("{")

    ingest(graph, bank)
    ingest(graph, bank)

    (source,) = graph.sources()
    (record,) = graph.syncs("manifest:bank")
    assert (source.healthy, source.synced_at, source.uri) == (False, "", bank.uri)
    assert "not JSON" in source.problem
    assert (record.status, record.number, record.problem) == (SyncStatus.FAILED, 1, source.problem)
    assert (graph.state().generation, tools(graph)) == (0, set())

    manifest(tmp_path / "listed", "bank", tool("pay"))
    report = ingest(graph, bank)

    (source,) = graph.sources()
    assert [(one.status, one.warnings) for one in report.outcomes] == [(Status.CREATED, [])]
    assert (source.healthy, source.synced_at != "", source.listed_in) == (True, True, bank.listed_in)
    assert [one.status for one in graph.syncs("manifest:bank")] == [SyncStatus.CHANGED, SyncStatus.FAILED]


def test_a_source_given_by_hand_is_not_known_before_it_is_read(tmp_path: Path) -> None:
    """A mistyped command leaves nothing to be cleared away."""
    graph = InMemoryGraph()
    bank = manifest(tmp_path, "bank", tool("pay"))
    bank.path.write_text("{")

    ingest(graph, bank)

    assert graph.sources() == []


def test_a_source_that_was_never_read_takes_no_server_s_name(tmp_path: Path) -> None:
    """Another source may bring that server's tools."""
    graph = InMemoryGraph()
    ingest(graph, IngestInput("openapi", "bank", tmp_path / "none.yaml", listed_in="file:///sources.yaml"))

    report = ingest(graph, manifest(tmp_path, "bank", tool("pay")))

    assert rejected(report) == []
    assert {one.id: one.healthy for one in graph.sources()} == {"manifest:bank": True, "openapi:bank": False}


def test_a_mistyped_path_is_no_failure_of_the_source(tmp_path: Path) -> None:
    """Another file of the same name says nothing about the one that was ingested."""
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path / "right", "bank", tool("a")))
    wrong = manifest(tmp_path / "wrong", "bank", tool("a"))
    wrong.path.write_text("{")

    ingest(graph, wrong)

    assert graph.sources()[0].healthy


def test_records_go_with_the_source(graph: Graph, tmp_path: Path) -> None:
    """A source that comes back begins anew."""
    bank = manifest(tmp_path, "bank", tool("pay"))
    ingest(graph, bank)
    remove(graph, "manifest:bank")
    assert graph.syncs("manifest:bank") == []

    ingest(graph, bank)

    assert [one.number for one in graph.syncs("manifest:bank")] == [1]


def test_a_record_of_a_huge_change_is_bounded(tmp_path: Path) -> None:
    """All is counted, some is named."""
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path, "s", *(tool(f"t{n}") for n in range(300))))

    (record,) = graph.syncs("manifest:s")

    assert (len(record.tools), record.tools_changed) == (100, 300)
    assert len(json.dumps(record.model_dump(mode="json"))) < 20_000
