"""From a goal to a plan: the right calls, in the order in which they work, each input bound."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from app.domain.nodes.dependencies import Evidence, Requirement
from app.domain.nodes.models import Tool, ToolId
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import ComposedBinding, InputBinding, KnownBinding, Plan, Select, StepBinding
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import call, page, record, shop


def plan(
    goal: str,
    tools: Sequence[Tool],
    known: Mapping[str, JsonValue] | None = None,
    edges: Sequence[Requirement] | None = None,
) -> Plan:
    index = PlanIndex(tools)
    found = infer_dependencies(tools).requires if edges is None else edges
    given = known or {}
    draft = draft_plan(index, goal, requirements=requirements_within(found), known=given)
    return finish_plan(index, draft)


def names(found: Plan) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in found.steps]


def codes(found: Plan) -> list[str]:
    return [warning.code for warning in found.warnings]


def needs(consumer: str, producer: str, parameter: str, *, rank: int = 1) -> Requirement:
    return Requirement(
        ToolId(consumer), ToolId(producer), parameter, True, f"/{parameter}", 1.0, Evidence.SCHEMA, rank
    )


def test_cancel_and_refund_finds_the_order_and_its_payment_and_creates_nothing() -> None:
    found = plan("cancel my order and refund the payment", shop())
    assert names(found) == ["listOrders", "cancelOrder", "listOrderPayments", "refundPayment"]
    _, cancel, payments, refund = found.steps
    the_order = StepBinding(step=1, path="/orders/*/orderId", select=Select(by="ask"))
    assert cancel.bindings == {"orderId": the_order}
    assert payments.bindings == {"orderId": the_order}
    assert refund.bindings == {
        "paymentId": StepBinding(step=3, path="/payments/*/paymentId", select=Select(by="ask")),
        "amount": InputBinding(input="amount"),
    }
    assert [(entry.name, entry.type) for entry in found.inputs] == [("amount", "number")]
    assert [step.mutating for step in found.steps] == [False, True, False, True]


def test_a_known_value_spares_the_call_that_would_find_it() -> None:
    found = plan("cancel my order and refund the payment", shop(), {"order_id": "o-7"})
    assert names(found) == ["cancelOrder", "listOrderPayments", "refundPayment"]
    assert found.steps[0].bindings == {"orderId": KnownBinding(known="o-7")}


def test_a_value_in_the_goal_is_taken_from_there() -> None:
    found = plan("cancel order 4711", shop())
    assert names(found) == ["cancelOrder"]
    assert found.steps[0].bindings == {"orderId": KnownBinding(known="4711")}


def test_a_goal_that_is_met_by_what_is_known_needs_no_call() -> None:
    found = plan("find the order id", shop(), {"orderId": "o-7"})
    assert found.steps == ()
    assert codes(found) == ["already_known"]


def test_a_read_whose_result_is_known_is_left_out_of_a_longer_goal() -> None:
    tools = [
        call(
            "GET /users/search",
            "searchUsers",
            "Search users",
            query=["email"],
            answer=page("users", record("User", "userId", "email")),
        ),
        call("POST /users/{userId}/roles", "assignRole", "Assign a role to a user", body=["note"]),
    ]
    goal = "search the users and assign a role to the user"
    assert names(plan(goal, tools)) == ["searchUsers", "assignRole"]
    known = plan(goal, tools, {"user_id": 5})
    assert names(known) == ["assignRole"]
    assert codes(known) == ["already_known"]


def test_an_input_that_no_call_gives_stays_open() -> None:
    tools = [call("POST /vouchers/{voucherId}/redeem", "redeemVoucher", "Redeem a voucher")]
    found = plan("redeem the voucher", tools)
    assert found.steps[0].bindings == {"voucherId": InputBinding(input="voucherId")}
    assert [entry.name for entry in found.inputs] == ["voucherId"]


def test_steps_that_need_the_same_value_share_one_open_input() -> None:
    tools = [
        call("POST /doors/{doorId}/open", "openDoor", "Open a door"),
        call("POST /doors/{doorId}/lock", "lockDoor", "Lock a door"),
    ]
    found = plan("open the door, then lock the door", tools)
    assert names(found) == ["openDoor", "lockDoor"]
    assert [entry.name for entry in found.inputs] == ["doorId"]


def test_a_named_item_of_a_list_is_matched_by_its_name() -> None:
    tools = [
        call("GET /lamps", "listLamps", "List lamps", answer=page("lamps", record("Lamp", "lampId", "name"))),
        call("POST /lamps/{lampId}/dim", "dimLamp", "Dim a lamp"),
    ]
    found = plan('dim the lamp "Kitchen"', tools)
    assert found.steps[1].bindings["lampId"] == StepBinding(
        step=1, path="/lamps/*/lampId", select=Select(by="match", field="name", value="Kitchen")
    )


def test_a_read_takes_the_first_item_of_a_list() -> None:
    found = plan("get a payment", shop())
    binding = found.steps[-1].bindings["paymentId"]
    assert names(found)[-1] == "getPayment"
    assert isinstance(binding, StepBinding)
    assert binding.select == Select(by="first")


def test_a_call_that_changes_something_is_never_added() -> None:
    """Only createTicket gives the ticket id: the id is asked for, no ticket is made."""
    tools = [
        call("POST /tickets", "createTicket", "Create a ticket", answer=record("Ticket", "ticketId")),
        call("POST /tickets/{ticketId}/close", "closeTicket", "Close a ticket"),
    ]
    found = plan("close the ticket", tools)
    assert names(found) == ["closeTicket"]
    assert [entry.name for entry in found.inputs] == ["ticketId"]


def test_a_thing_that_the_goal_creates_is_used_and_not_looked_for() -> None:
    tools = [
        call(
            "GET /tickets",
            "listTickets",
            "List tickets",
            answer=page("tickets", record("Ticket", "ticketId")),
        ),
        call("POST /tickets", "createTicket", "Create a ticket", answer=record("Ticket", "ticketId")),
        call("POST /tickets/{ticketId}/close", "closeTicket", "Close a ticket"),
    ]
    found = plan("create a ticket and close the ticket", tools)
    assert names(found) == ["createTicket", "closeTicket"]
    assert found.steps[1].bindings == {"ticketId": StepBinding(step=1, path="/ticketId")}


def test_a_circle_is_reported_and_its_last_input_left_open() -> None:
    tools = [
        call("POST /keys", "makeKey", "Make a key", body=["lockCode"]),
        call("POST /locks", "makeLock", "Make a lock", body=["keyCode"]),
    ]
    edges = [
        needs("shop/makeKey", "shop/makeLock", "lockCode"),
        needs("shop/makeLock", "shop/makeKey", "keyCode"),
    ]
    found = plan("make a key and make a lock", tools, edges=edges)
    assert names(found) == ["makeKey", "makeLock"]
    assert codes(found) == ["cycle"]
    assert "lockCode of makeKey" in found.warnings[0].message
    assert found.steps[0].bindings == {"lockCode": InputBinding(input="lockCode")}
    assert found.steps[1].bindings == {"keyCode": StepBinding(step=1, path="/keyCode")}


def test_a_producer_that_is_not_in_the_catalogue_is_named() -> None:
    edges = [needs("shop/cancelOrder", "shop/findOrders", "orderId")]
    found = plan("cancel my order", shop(), edges=edges)
    assert names(found) == ["cancelOrder"]
    assert codes(found) == ["missing_tool"]
    assert "'shop/findOrders'" in found.warnings[0].message


def test_a_goal_that_no_tool_fits_gives_an_empty_plan_that_says_so() -> None:
    found = plan("sing a lullaby", shop())
    assert found.steps == ()
    assert codes(found) == ["missing_tool"]
    assert "'sing a lullaby'" in found.warnings[0].message


def test_what_cannot_be_undone_is_warned_of() -> None:
    found = plan("delete the order", shop())
    assert names(found) == ["listOrders", "deleteOrder"]
    assert [(warning.code, warning.step) for warning in found.warnings] == [("destructive", 2)]


def test_a_step_comes_after_what_it_needs_even_if_the_goal_says_it_first() -> None:
    found = plan("cancel the order after list orders", shop())
    assert names(found) == ["listOrders", "cancelOrder"]


def test_parts_of_a_nested_body_are_put_together() -> None:
    line: dict[str, object] = {
        "type": "object",
        "properties": {"productId": {"type": "string"}, "quantity": {"type": "integer"}},
        "required": ["productId", "quantity"],
    }
    tools = [
        *shop(),
        call(
            "POST /baskets", "fillBasket", "Fill a basket", body={"lines": {"type": "array", "items": line}}
        ),
    ]
    found = plan("fill a basket", tools)
    assert names(found) == ["listProducts", "fillBasket"]
    binding = found.steps[1].bindings["lines"]
    assert isinstance(binding, ComposedBinding)
    assert binding.compose == [{"productId": "{productId}", "quantity": "{quantity}"}]
    assert binding.parts["quantity"] == InputBinding(input="quantity")
    assert isinstance(binding.parts["productId"], StepBinding)


def test_a_tool_that_must_come_first_without_an_input_comes_first() -> None:
    tools = [
        call("", "select_project", "Select the project", server="desk").model_copy(
            update={"read_only": True}
        ),
        call("", "draw_circle", "Draw a circle", server="desk"),
    ]
    edges = [
        Requirement(tools[1].id, tools[0].id, "", True, "", 1.0, Evidence.MANUAL, 1),
    ]
    assert names(plan("draw a circle", tools, edges=edges)) == ["select_project", "draw_circle"]


def test_a_goal_is_planned_inside_the_server_it_speaks_to() -> None:
    mail = [
        call(
            "GET /letters",
            "listLetters",
            "List letters",
            server="mail",
            answer=page("letters", record("Letter", "letterId")),
        ),
        call("POST /letters/{letterId}/cancel", "cancelLetter", "Cancel a letter", server="mail"),
    ]
    assert names(plan("cancel the letter", [*shop(), *mail])) == ["listLetters", "cancelLetter"]


def test_alternatives_of_an_added_step_are_other_ways_to_the_same_value() -> None:
    tools = [
        *shop(),
        call(
            "GET /orders/search",
            "searchOrders",
            "Search orders",
            query=["q"],
            answer=page("orders", record("Order", "orderId")),
        ),
    ]
    found = plan("cancel my order", tools)
    assert {names(found)[0], *(tool.split("/")[1] for tool in found.steps[0].alternatives)} >= {
        "searchOrders",
        "listOrders",
    }


def test_a_plan_is_the_same_whatever_the_order_of_the_tools() -> None:
    goal = "cancel my order and refund the payment"
    assert plan(goal, shop()) == plan(goal, list(reversed(shop())))
