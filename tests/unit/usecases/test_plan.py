"""Plans over the example's order API, as the service makes them: from the graph, else from the snapshot."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from app.answers.plan import PlanAnswer
from app.domain.nodes.models import GraphState, NodeKind, ToolId
from app.domain.workflows.mermaid import plan_mermaid
from app.domain.workflows.plans import (
    InputBinding,
    KnownBinding,
    Plan,
    PlanStep,
    Select,
    StepBinding,
    plan_document,
)
from app.domain.workflows.stored import Workflow
from app.errors import InvalidInputError
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.questions import Filters, PlanRequest
from app.usecases.rankings.consistent import ConsistentGraph
from ingest.sources.files import file_input, manifest_inputs
from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest, manifest, taxonomy, tool

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "openapi.yaml"
GOAL = "cancel my order and refund the payment"


@pytest.fixture(scope="module")
def graph() -> InMemoryGraph:
    found = InMemoryGraph()
    report = ingest(found, file_input("openapi", EXAMPLE, name="shop"))
    assert report.rejected == 0
    return found


@pytest.fixture(scope="module")
def index(graph: InMemoryGraph) -> SearchIndex:
    return index_of(graph)


def index_of(graph: InMemoryGraph) -> SearchIndex:
    return SearchIndex.build(graph.catalogue())


def ask(index: SearchIndex, graph: Any, goal: str, **options: Any) -> PlanAnswer:
    return make_plan(PlanRequest(goal=goal, **options), ConsistentGraph(index, graph))


def calls(answer: PlanAnswer) -> list[str]:
    return [step.tool_id.removeprefix("shop/") for step in answer.plan.steps]


def bindings(answer: PlanAnswer) -> list[dict[str, Any]]:
    return [dict(step.bindings) for step in answer.plan.steps]


def test_cancel_and_refund_is_four_calls_in_order_with_their_inputs(
    index: SearchIndex, graph: InMemoryGraph
) -> None:
    """Nothing in the document says which call needs which, and no order is created."""
    answer = ask(index, graph, GOAL)

    order = StepBinding(step=1, path="/items/*/id", select=Select(by="ask"))
    payment = StepBinding(step=3, path="/*/id", select=Select(by="ask"))
    assert calls(answer) == ["listOrders", "cancelOrder", "listOrderPayments", "refundPayment"]
    assert bindings(answer) == [{}, {"orderId": order}, {"orderId": order}, {"paymentId": payment}]
    assert [step.mutating for step in answer.plan.steps] == [False, True, False, True]
    assert (answer.plan.inputs, answer.from_graph, answer.generation) == ((), True, 1)


def test_a_plan_says_that_the_graph_has_moved_on(index: SearchIndex, graph: InMemoryGraph) -> None:
    """Its edges are the snapshot's: while the graph is written, or has another generation, it is the same plan."""

    @dataclass
    class Moved:
        now: GraphState

        def state(self) -> GraphState:
            return self.now

    expected = ask(index, graph, GOAL)
    for now in (
        GraphState(generation=1, writing=True, schema_version=1),
        GraphState(generation=2, writing=False, schema_version=1),
    ):
        answer = ask(index, Moved(now), GOAL)
        assert (answer.plan, answer.from_graph) == (expected.plan, False)
        assert answer.generation == 1


def test_a_known_value_spares_the_calls_that_would_find_it(index: SearchIndex, graph: InMemoryGraph) -> None:
    """A goal whose needs are all known is one call."""
    answer = ask(index, graph, "cancel the order", known={"order_id": "o-17"})

    assert calls(answer) == ["cancelOrder"]
    assert bindings(answer) == [{"orderId": KnownBinding(known="o-17")}]


def test_what_no_call_gives_is_an_input_of_the_plan(index: SearchIndex, graph: InMemoryGraph) -> None:
    """A goal with no producer stays open."""
    answer = ask(index, graph, "redeem a gift card")

    assert calls(answer) == ["redeemGiftCard"]
    assert bindings(answer) == [{"giftCardCode": InputBinding(input="giftCardCode")}]
    assert [(item.name, item.type, item.required) for item in answer.plan.inputs] == [
        ("giftCardCode", "string", True)
    ]


def test_a_list_is_read_by_its_first_item_and_changed_by_choice(
    index: SearchIndex, graph: InMemoryGraph
) -> None:
    """What only reads takes the first item; what changes something asks which."""
    read = ask(index, graph, "track my shipment")
    change = ask(index, graph, "cancel my order")

    assert calls(read) == ["listOrders", "listShipments", "trackShipment"]
    assert bindings(read)[2] == {"shipmentId": StepBinding(step=2, path="/*/id", select=Select(by="first"))}
    assert bindings(change)[1] == {
        "orderId": StepBinding(step=1, path="/items/*/id", select=Select(by="ask"))
    }


def test_a_goal_of_three_clauses_shares_what_its_calls_need(index: SearchIndex, graph: InMemoryGraph) -> None:
    """The orders are listed once for all."""
    answer = ask(index, graph, "cancel my order, refund the payment and track the shipment")

    assert calls(answer) == [
        *("listOrders", "cancelOrder", "listOrderPayments", "refundPayment"),
        *("listShipments", "trackShipment"),
    ]


def test_max_steps_cuts_from_the_end_and_says_so(index: SearchIndex, graph: InMemoryGraph) -> None:
    """What does not fit is left out with all that only it needs."""
    answer = ask(index, graph, GOAL, max_steps=3)

    assert calls(answer) == ["listOrders", "cancelOrder"]
    assert [warning.code for warning in answer.plan.warnings] == ["max_steps"]
    assert "refund the payment" in answer.plan.warnings[0].message
    assert ask(index, graph, GOAL, max_steps=1).plan.steps == ()


def test_a_goal_that_no_tool_fits_is_an_empty_plan(index: SearchIndex, graph: InMemoryGraph) -> None:
    """It says so."""
    answer = ask(index, graph, "xylophone zebra")

    assert (answer.plan.steps, [one.code for one in answer.plan.warnings]) == ((), ["missing_tool"])


def test_filters_restrict_the_plan(index: SearchIndex, graph: InMemoryGraph) -> None:
    """With `read_only` nothing is changed; an unknown server is refused by name."""
    answer = ask(index, graph, GOAL, filters=Filters(read_only=True))

    assert answer.plan.steps
    assert not any(step.mutating for step in answer.plan.steps)
    with pytest.raises(InvalidInputError, match="'nope'"):
        ask(index, graph, GOAL, filters=Filters(servers=("nope",)))


def test_an_empty_catalogue_gives_an_empty_plan() -> None:
    """No tools, no steps."""
    graph = InMemoryGraph()
    graph.apply_schema()

    assert ask(index_of(graph), graph, GOAL).plan.steps == ()


def schemas(*, takes: str = "", gives: str = "") -> dict[str, object]:
    """Schemas of an MCP tool with one required input, one output."""
    found: dict[str, object] = {}
    if takes:
        properties = {takes: {"type": "string"}}
        found["inputSchema"] = {"type": "object", "properties": properties, "required": [takes]}
    if gives:
        found["outputSchema"] = {"type": "object", "properties": {gives: {"type": "string"}}}
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def test_edges_of_mcp_tools_with_output_schemas_are_inferred_alike(folder: Path) -> None:
    """No path, no HTTP method: names and schemas are enough."""
    graph = InMemoryGraph()
    read = {"annotations": {"readOnlyHint": True}}
    ingest(
        graph,
        manifest(
            folder,
            "shop",
            tool("find_ticket", "Find a ticket", **schemas(gives="ticket_id"), **read),
            tool("close_ticket", "Close a ticket", **schemas(takes="ticket_id")),
        ),
    )

    answer = ask(index_of(graph), graph, "close the ticket")

    assert calls(answer) == ["find_ticket", "close_ticket"]
    assert bindings(answer)[1] == {"ticket_id": StepBinding(step=1, path="/ticket_id")}


def test_a_circle_is_reported_and_not_followed(folder: Path) -> None:
    """Two calls that need each other's answer: one input stays open, the warning names both."""
    graph = InMemoryGraph()
    ingest(
        graph,
        manifest(
            folder,
            "shop",
            tool("get_alpha", "Get the alpha", **schemas(takes="beta_id", gives="alpha_id")),
            tool("get_beta", "Get the beta", **schemas(takes="alpha_id", gives="beta_id")),
        ),
    )

    answer = ask(index_of(graph), graph, "get the alpha and get the beta")

    assert sorted(calls(answer)) == ["get_alpha", "get_beta"]
    (circle,) = [one for one in answer.plan.warnings if one.code == "cycle"]
    assert "get_alpha" in circle.message
    assert "get_beta" in circle.message
    assert len(answer.plan.inputs) == 1


def test_a_tool_that_is_only_declared_is_named_as_missing(folder: Path) -> None:
    """A taxonomy says that a tool comes first, and no source brings it."""
    graph = InMemoryGraph()
    ingest(
        graph,
        manifest(folder, "shop", tool("close_ticket", "Close a ticket", **schemas(takes="ticket_id"))),
        taxonomy(
            folder,
            "wants",
            tools=[
                {
                    "id": "shop/close_ticket",
                    "requires": [{"tool": "desk/find_ticket", "parameter": "ticket_id"}],
                }
            ],
        ),
    )

    answer = ask(index_of(graph), graph, "close the ticket")

    assert calls(answer) == ["close_ticket"]
    assert bindings(answer) == [{"ticket_id": InputBinding(input="ticket_id")}]
    assert any(
        one.code == "missing_tool" and "desk/find_ticket" in one.message for one in answer.plan.warnings
    )


def test_a_stored_workflow_for_the_same_goal_is_offered(index: SearchIndex, graph: InMemoryGraph) -> None:
    """By the words of its goal; others are not."""
    step = PlanStep(position=1, tool_id=ToolId("shop/listOrders"))
    stored = (
        Workflow(
            id="same", name="same", plan=Plan(goal="cancel an order, refund the payment", steps=(step,))
        ),
        Workflow(id="other", name="other", plan=Plan(goal="track the parcel", steps=(step,))),
    )
    with_workflows = replace(index, catalogue=replace(index.catalogue, workflows=stored))

    assert [one.id for one in ask(with_workflows, graph, GOAL).workflows] == ["same"]
    assert ask(index, graph, GOAL).workflows == ()


@pytest.mark.parametrize(
    "known", [{}, {"order_id": "o-1"}, {"order_id": 7, "reason": "too late", "unused": [None]}]
)
def test_a_plan_comes_back_from_its_json(
    index: SearchIndex, graph: InMemoryGraph, known: dict[str, JsonValue]
) -> None:
    """The document that clients and files get is the plan, no more and no less."""
    plan = ask(index, graph, GOAL, known=known).plan

    assert Plan.model_validate(plan_document(plan)) == plan


def test_a_flowchart_has_a_node_per_step_and_an_arrow_per_binding(
    index: SearchIndex, graph: InMemoryGraph
) -> None:
    """Values go along solid arrows; a step that takes none from the one before it follows a dotted one."""
    chart = plan_mermaid(ask(index, graph, GOAL).plan)

    assert chart.startswith("flowchart TD\n")
    assert 's1["1. shop/listOrders' in chart
    assert 's2{{"2. shop/cancelOrder' in chart
    assert '  s1 -->|"orderId"| s2\n' in chart
    assert '  s1 -->|"orderId"| s3\n' in chart
    assert '  s3 -->|"paymentId"| s4\n' in chart
    assert "  s2 -.-> s3\n" in chart
    quoted = Plan(goal="", steps=(PlanStep(position=1, tool_id=ToolId('a"]<b>')),))
    assert 's1["1. a#quot;]#lt;b#gt;"]' in plan_mermaid(quoted)


def test_nodes_of_kind_workflow_are_no_tools(graph: InMemoryGraph) -> None:
    """A catalogue's tools are what can be called."""
    assert {one.id for one in graph.node_names(NodeKind.WORKFLOW)} == set()


@pytest.fixture(scope="module")
def servers() -> InMemoryGraph:
    """The six MCP servers of the example."""
    found = InMemoryGraph()
    ingest(found, *manifest_inputs([EXAMPLE.parent / "manifests"]))
    return found


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (
            "open a return for the order and refund the payment",
            ["orders/open_return", "payments/list_payments", "payments/refund_payment"],
        ),
        (
            "track the parcel and answer the ticket",
            ["orders/track_parcel", "helpdesk/search_tickets", "helpdesk/reply_to_ticket"],
        ),
        ("cancel the order", ["orders/cancel_order"]),
    ],
)
def test_a_goal_may_speak_to_several_servers(servers: InMemoryGraph, goal: str, expected: list[str]) -> None:
    """Each clause goes to the server that serves it far better than the others."""
    answer = ask(index_of(servers), servers, goal)

    assert [step.tool_id for step in answer.plan.steps] == expected
