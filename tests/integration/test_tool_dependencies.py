"""What ingest infers between tools and does to stored workflows: the same in memory and in both engines."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.domain.nodes.dependencies import INFERRED, Evidence
from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind, SourceId
from app.domain.workflows.commands import MoveStep
from app.errors import InvalidInputError, NotReadyError
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.questions import PlanRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.workflows import WorkflowStore
from ingest.run.report import Report
from ingest.sources.files import IngestInput, file_input
from tests.fakes import InMemoryGraph
from tests.ingest_cases import Graph, dump, ingest, manifest, remove, taxonomy, tool

REQUIRES = EdgeForm(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL)
GOAL = "cancel my order and refund the payment"
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "openapi.yaml"


def pets(folder: Path, *, without: str = "", named: str = "petId", server: str = "pets") -> IngestInput:
    """A small API, written anew: pets, their visits, and a link between two calls."""
    pet = {
        "type": "object",
        "title": "Pet",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
    }
    item = {"name": named, "in": "path", "required": True, "schema": {"type": "string"}}
    paths: dict[str, Any] = {
        "/pets": {"get": operation("listPets", {"type": "array", "items": pet})},
        f"/pets/{{{named}}}": {
            "get": operation("getPet", pet, item),
            "delete": operation("deletePet", {}, item),
        },
        f"/pets/{{{named}}}/visits": {"post": operation("addVisit", {"type": "object"}, item)},
    }
    paths = {
        path: {method: one for method, one in methods.items() if one["operationId"] != without}
        for path, methods in paths.items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{server}.json"
    file.write_text(
        json.dumps({"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": paths})
    )
    return file_input("openapi", file)


def operation(name: str, answer: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "operationId": name,
        "summary": name,
        "parameters": list(parameters),
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": answer}}}},
    }


def requires(graph: Graph) -> set[tuple[str, str, str]]:
    return {(one.consumer, one.producer, one.parameter) for one in graph.catalogue().requirements}


def index_of(graph: Graph) -> SearchIndex:
    return SearchIndex.build(graph.catalogue())


def store_of(graph: Graph) -> WorkflowStore:
    return WorkflowStore(graph, owner=lambda: "tests:1:1", lease_wait_s=5.0)


def test_edges_between_operations_are_inferred_and_say_why(graph: Graph, tmp_path: Path) -> None:
    """The list gives what the item's calls need; each edge names input, place, confidence, evidence, rank."""
    report = ingest(graph, pets(tmp_path))

    found = {(one.consumer, one.producer): one for one in graph.catalogue().requirements}
    edge = found["pets/deletePet", "pets/listPets"]
    assert (edge.parameter, edge.required, edge.field, edge.rank) == ("petId", True, "/*/id", 1)
    assert edge.evidence in INFERRED
    assert 0.5 <= edge.confidence <= 1
    assert report.dependencies is not None
    assert report.dependencies.tools == 4
    assert report.dependencies.requires == len(
        graph.requirements([f"pets/{n}" for n in ("getPet", "deletePet", "addVisit", "listPets")])
    )
    assert ("pets/listPets", "pets/deletePet") not in {(one[0], one[1]) for one in requires(graph)}


def test_the_same_document_again_writes_nothing(graph: Graph, tmp_path: Path) -> None:
    """Neither edges nor a generation."""
    ingest(graph, pets(tmp_path))
    before = requires(graph)

    report = ingest(graph, pets(tmp_path))

    assert (report.generation, report.dependencies, requires(graph)) == (1, None, before)


def test_a_changed_source_recomputes_its_own_edges_only(graph: Graph, tmp_path: Path) -> None:
    """What another server has stays; the result is that of a fresh graph; only what differs is written."""
    ingest(graph, pets(tmp_path), pets(tmp_path / "b", server="zoo"))
    zoo = {one for one in requires(graph) if one[0].startswith("zoo/")}

    report = ingest(graph, pets(tmp_path, without="getPet"))

    assert report.dependencies is not None
    assert report.dependencies.tools == 3
    fresh = InMemoryGraph()
    ingest(fresh, pets(tmp_path, without="getPet"))
    assert {one for one in requires(graph) if one[0].startswith("pets/")} == requires(fresh)
    assert {one for one in requires(graph) if one[0].startswith("zoo/")} == zoo
    assert requires(fresh)


NOUNS = {"parcel": "print_label", "voucher": "charge_card"}
"""Things with an id, and what takes the id though it is about something else."""
SERVERS = st.dictionaries(
    st.sampled_from(["north", "south", "west"]),
    st.sets(
        st.tuples(st.sampled_from(["list", "get", "use", "describe"]), st.sampled_from(sorted(NOUNS))),
        min_size=1,
    ),
    min_size=1,
)


def of_noun(verb: str, noun: str) -> dict[str, object]:
    """A list gives ids; get and use need one; what describes does neither."""
    item = {"title": noun.title(), "type": "object", "properties": {f"{noun}Id": {"type": "string"}}}
    needs = {"type": "object", "properties": {f"{noun}Id": {"type": "string"}}, "required": [f"{noun}Id"]}
    gives = {"type": "object", "properties": {f"{noun}s": {"type": "array", "items": item}}}
    fields: dict[str, object] = {"outputSchema": gives} if verb == "list" else {}
    if verb in ("get", "use"):
        fields["inputSchema"] = needs
    name = NOUNS[noun] if verb == "use" else f"{verb}_{noun}" + "s" * (verb == "list")
    return tool(name, f"{verb} a {noun}", **fields)


@settings(max_examples=60)
@given(st.lists(SERVERS, min_size=2, max_size=4))
@example([{"north": {("use", "parcel")}}, {"north": {("use", "parcel")}, "west": {("list", "parcel")}}])
def test_what_is_inferred_step_by_step_is_what_a_fresh_graph_has(
    steps: list[dict[str, set[tuple[str, str]]]],
) -> None:
    """Servers come, change and go; edges across them follow, whichever of them changed."""
    grown = InMemoryGraph()
    with TemporaryDirectory() as name:
        for servers in steps:
            fresh = InMemoryGraph()
            inputs = [
                manifest(Path(name), server, *(of_noun(*one) for one in sorted(servers[server])))
                for server in sorted(servers)
            ]
            gone = [SourceId(one.id) for one in grown.sources() if one.name not in servers]
            ingest(grown, *inputs, removals=gone, allow_shrink=True)
            ingest(fresh, *inputs)

            assert grown.catalogue().requirements == fresh.catalogue().requirements


def test_an_input_is_filled_across_servers_when_its_producer_comes_later(tmp_path: Path) -> None:
    """The property above is about something."""
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path, "north", of_noun("use", "parcel")))
    before = requires(graph)

    ingest(graph, manifest(tmp_path, "west", of_noun("list", "parcel")))

    assert (before, requires(graph)) == (set(), {("north/print_label", "west/list_parcels", "parcelId")})


def test_what_a_taxonomy_states_goes_before_inference_and_survives_it(graph: Graph, tmp_path: Path) -> None:
    """A stated edge and a veto outlive every re-sync of the API; they go with the taxonomy."""
    inferred = {}
    ingest(graph, pets(tmp_path))
    inferred["before"] = requires(graph)
    said = taxonomy(
        tmp_path / "t",
        "wants",
        tools=[
            {
                "id": "pets/deletePet",
                "requires": [{"tool": "pets/addVisit", "parameter": "petId"}],
                "not_requires": ["pets/listPets"],
            }
        ],
    )

    ingest(graph, said)
    ingest(graph, pets(tmp_path, named="petId", without="getPet"))
    ingest(graph, pets(tmp_path))

    edges = [one for one in graph.catalogue().requirements if one.consumer == "pets/deletePet"]
    assert ("pets/addVisit", Evidence.MANUAL, 1.0) in {
        (one.producer, one.evidence, one.confidence) for one in edges
    }
    assert "pets/listPets" not in {one.producer for one in edges}
    remove(graph, "taxonomy:wants")
    assert requires(graph) == inferred["before"]


def test_a_removed_source_takes_its_edges_along(graph: Graph, tmp_path: Path) -> None:
    """Nothing is left."""
    ingest(graph, pets(tmp_path))

    remove(graph, "openapi:pets")

    assert (requires(graph), graph.catalogue().precedences) == (set(), ())


def test_a_killed_ingest_is_finished_by_the_next(graph: Graph, tmp_path: Path) -> None:
    """With the mark of an unfinished write all edges are inferred anew."""
    ingest(graph, pets(tmp_path))
    expected = requires(graph)
    with graph.lease(owner="killed:1:0", wait_s=5) as lease:
        lease.begin()
        lease.replace_inferred(
            REQUIRES,
            remove=[(one, other) for one, other, _ in graph.edge_pairs(REQUIRES, stated=False)],
            put=[],
        )

    ingest(graph, pets(tmp_path))

    assert requires(graph) == expected
    assert not graph.state().writing


def test_the_example_is_planned_over_the_graph(graph: Graph) -> None:
    """With the edges that the ingest inferred."""
    ingest(graph, file_input("openapi", EXAMPLE, name="shop"))

    answer = make_plan(PlanRequest(goal=GOAL), ConsistentGraph(index_of(graph), graph))

    assert answer.from_graph
    assert [step.tool_id for step in answer.plan.steps] == [
        *("shop/listOrders", "shop/cancelOrder", "shop/listOrderPayments", "shop/refundPayment")
    ]


def changed_example(folder: Path, old: str, new: str) -> IngestInput:
    """The example with another text in it."""
    text = EXAMPLE.read_text(encoding="utf-8")
    assert old in text
    path = folder / "shop.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return file_input("openapi", path)


def store_plan(graph: Graph, folder: Path) -> WorkflowStore:
    ingest(graph, changed_example(folder, "Order API", "Orders"))
    plan = make_plan(PlanRequest(goal=GOAL), ConsistentGraph(index_of(graph), graph)).plan
    workflows = store_of(graph)
    workflows.create("refund", plan)
    return workflows


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "operationId: refundPayment\n      tags: [payments]\n      summary: Refund a payment\n      description:",
            "operationId: payBack\n      tags: [payments]\n      summary: Give it back\n      description: Anew.",
            "step 4: there is no tool 'shop/refundPayment'",
        ),
        (
            "/orders/{orderId}/cancel:",
            "/orders/{orderId}/cancel/{why}:",
            "step 2: shop/cancelOrder needs 'why'",
        ),
        (
            "        id: {type: string}\n        amount: {type: number}\n        method:",
            "        uid: {type: string}\n        amount: {type: number}\n        method:",
            "step 4: 'paymentId' takes '/*/id' from shop/listOrderPayments, whose answer does not have it",
        ),
    ],
)
def test_a_workflow_whose_step_or_binding_vanished_is_broken_and_mended(
    graph: Graph, tmp_path: Path, old: str, new: str, reason: str
) -> None:
    """The ingest says so, the plan stays as it was saved, and it is whole again when all is back."""
    workflows = store_plan(graph, tmp_path)
    before = workflows.load("refund").workflow.plan

    report: Report = ingest(graph, changed_example(tmp_path, old, new))

    broken = workflows.load("refund").workflow
    assert broken.broken
    assert broken.reason.startswith(reason)
    assert broken.plan == before
    assert [one for one, _ in report.workflows.broken] == ["refund"]

    mended = ingest(graph, changed_example(tmp_path, "Order API", "Orders"))

    whole = workflows.load("refund")
    assert (whole.workflow.broken, whole.workflow.reason, whole.problems) == (False, "", ())
    assert mended.workflows.mended == ("refund",)
    steps = EdgeForm(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.TOOL)
    assert len(graph.edge_pairs(steps, stated=True)) == 4


def test_a_saved_workflow_outlives_recovery_and_other_sources(graph: Graph, tmp_path: Path) -> None:
    """It has no source, and is nobody's orphan."""
    workflows = store_plan(graph, tmp_path)
    with graph.lease(owner="killed:1:0", wait_s=5) as lease:
        lease.begin()
    with pytest.raises(NotReadyError, match="killed"):
        workflows.edit("refund", MoveStep(step=1, to=1))

    ingest(graph, pets(tmp_path / "pets"))

    assert [one.id for one in workflows.list()] == ["refund"]
    assert not workflows.list()[0].broken


def test_an_arazzo_document_brings_workflows_and_stated_edges(graph: Graph, tmp_path: Path) -> None:
    """Steps by the operations of an ingested API; ids have the source's name; users cannot change them."""
    ingest(graph, pets(tmp_path))
    steps = [
        {"stepId": "list", "operationId": "listPets", "outputs": {"pet": "$response.body#/0/id"}},
        {
            "stepId": "drop",
            "operationId": "deletePet",
            "parameters": [{"name": "petId", "in": "path", "value": "$steps.list.outputs.pet"}],
        },
    ]
    document = {
        "arazzo": "1.0.1",
        "info": {"title": "Flows", "version": "1"},
        "sourceDescriptions": [{"name": "pets", "url": "./pets.json", "type": "openapi"}],
        "workflows": [{"workflowId": "drop-first", "summary": "Drop the first pet", "steps": steps}],
    }
    (tmp_path / "flows.json").write_text(json.dumps(document))
    flows = file_input("arazzo", tmp_path / "flows.json")

    report = ingest(graph, flows)

    assert report.rejected == 0
    workflow = graph.workflow("flows/drop-first")
    assert [one.tool_id for one in workflow.plan.steps] == ["pets/listPets", "pets/deletePet"]
    assert (workflow.goal, workflow.source, workflow.broken) == ("Drop the first pet", "arazzo:flows", False)
    stated = [one for one in graph.catalogue().requirements if one.evidence is Evidence.ARAZZO]
    assert [(one.consumer, one.producer, one.parameter, one.field) for one in stated] == [
        ("pets/deletePet", "pets/listPets", "petId", "/0/id")
    ]
    with pytest.raises(InvalidInputError, match="arazzo:flows"):
        store_of(graph).delete("flows/drop-first")
    before = dump(graph)
    assert ingest(graph, flows).generation == report.generation
    assert dump(graph) == before
    remove(graph, "arazzo:flows")
    assert graph.workflows() == []
    assert Evidence.ARAZZO not in {one.evidence for one in graph.catalogue().requirements}


def test_an_input_that_names_an_entity_of_another_server_is_filled_from_there(
    graph: Graph, tmp_path: Path
) -> None:
    """Whichever comes first; when the other server goes, the edge goes."""
    toys = {
        "type": "object",
        "title": "Toy",
        "properties": {"id": {"type": "string"}, "price": {"type": "number"}},
    }
    item = {"name": "petId", "in": "query", "required": True, "schema": {"type": "string"}}
    paths = {"/toys": {"get": operation("listToys", {"type": "array", "items": toys}, item)}}
    (tmp_path / "toys.json").write_text(
        json.dumps({"openapi": "3.1.0", "info": {"title": "Toys", "version": "1"}, "paths": paths})
    )
    toy_shop = file_input("openapi", tmp_path / "toys.json")
    expected = ("toys/listToys", "pets/listPets", "petId")

    ingest(graph, toy_shop)
    assert requires(graph) == set()
    ingest(graph, pets(tmp_path))
    assert expected in requires(graph)
    remove(graph, "openapi:pets")
    assert requires(graph) == set()
    ingest(graph, pets(tmp_path))
    remove(graph, "openapi:toys")
    ingest(graph, toy_shop)
    assert expected in requires(graph)
