"""Which of many things a goal means: what it denies, what nothing can say, and what it leaves out."""

import pytest

from app.domain.workflows.plans import Plan, Select, StepBinding, Where
from tests.calls import DATE, NUMBER, TEXT, Schema, call, page
from tests.unit.domain.planning.test_plain_apis import bound
from tests.unit.domain.planning.test_unseen_goals import names, plan

STATUS: Schema = {"type": "string", "enum": ["new", "open", "solved", "closed"]}
PRIORITY: Schema = {"type": "string", "enum": ["low", "normal", "urgent"]}
PAID: Schema = {"type": "string", "enum": ["paid", "unpaid"]}
TICKET: Schema = {
    "type": "object",
    "properties": {
        "id": NUMBER,
        "subject": TEXT,
        "status": STATUS,
        "priority": PRIORITY,
        "spam": {"type": "boolean"},
        "createdAt": TEXT,
        "assigneeId": NUMBER,
    },
}
INVOICE: Schema = {"type": "object", "properties": {"id": NUMBER, "state": PAID, "createdAt": TEXT}}
DESK = [
    call(
        "GET /tickets",
        "listTickets",
        "List tickets",
        query=("status", "priority", "assigneeId", "search", "createdBefore", "sort"),
        details={
            "status": STATUS,
            "priority": PRIORITY,
            "assigneeId": {**NUMBER, "description": "Agent who has it."},
            "createdBefore": {**DATE, "description": "Only tickets raised before that day."},
            "sort": {"type": "string", "enum": ["createdAt", "-createdAt", "dueOn", "-dueOn"]},
        },
        answer=page("tickets", TICKET),
    ),
    call(
        "PATCH /tickets/{ticketId}",
        "updateTicket",
        "Update a ticket",
        details={"ticketId": NUMBER},
        optional={
            "status": STATUS,
            "priority": PRIORITY,
            "assigneeId": {**NUMBER, "description": "Agent who gets it."},
        },
    ),
    call("DELETE /tickets/{ticketId}", "deleteTicket", "Delete a ticket", details={"ticketId": NUMBER}),
    call(
        "GET /agents",
        "listAgents",
        "List agents",
        query=("email",),
        answer=page(
            "agents",
            {"type": "object", "properties": {"id": NUMBER, "name": TEXT, "email": TEXT}},
        ),
    ),
    call(
        "GET /invoices",
        "listInvoices",
        "List invoices",
        query=("state", "orderby", "order"),
        details={
            "state": PAID,
            "orderby": {"type": "string", "enum": ["amount", "due_date", "date"]},
            "order": {"type": "string", "enum": ["asc", "desc"]},
        },
        answer=page("invoices", INVOICE),
    ),
]


def chosen(goal: str) -> Select | None:
    """Which items of a list the last step of a plan takes."""
    binding = plan(goal, DESK).steps[-1].bindings["ticketId"]
    assert isinstance(binding, StepBinding)
    return binding.select


def unused(found: Plan) -> list[object]:
    return [one.value for one in found.unused]


@pytest.mark.parametrize(
    ("goal", "where"),
    [
        ("delete all tickets that aren't urgent", Where(field="priority", op="ne", value="urgent")),
        ("close all tickets that are not solved", Where(field="status", op="ne", value="solved")),
        ("delete all tickets that are not spam", Where(field="spam", op="eq", value=False)),
        ("delete all tickets except the urgent ones", Where(field="priority", op="ne", value="urgent")),
    ],
)
def test_what_is_denied_is_left_alone(goal: str, where: Where) -> None:
    select = chosen(goal)
    assert select is not None
    assert (select.by, select.where, select.except_) == ("each", (where,), ())
    assert not bound(plan(goal, DESK), 0)


@pytest.mark.parametrize(
    "goal",
    [
        "delete all purple tickets",
        "delete all old tickets",
        "delete all tickets that nobody answered",
        "close all tickets not assigned to ann@acme.com",
        "close all tickets without an assignee",
        "close all unassigned tickets",
        "delete tickets older than 30 days",
        "delete all tickets but the 5 newest ones",
        "delete all tickets but those of customer 77",
        "close all tickets except the ones from last week",
    ],
)
def test_nothing_is_changed_that_nothing_tells_from_the_others(goal: str) -> None:
    select = chosen(goal)
    assert select is not None
    assert select.by == "ask"


def test_who_has_them_says_which_are_meant_and_does_not_get_them() -> None:
    found = plan("close all open tickets assigned to ann@acme.com", DESK)
    assert names(found) == ["listAgents", "listTickets", "updateTicket"]
    assert bound(found, 1) == {"assigneeId": "listAgents", "status": "open"}
    assert bound(found, 2) == {"ticketId": "listTickets", "status": "closed"}
    assert chosen("close all open tickets assigned to ann@acme.com") == Select(by="each")


@pytest.mark.parametrize(
    "goal",
    [
        "close all urgent tickets",
        'close every ticket that mentions "refund"',
        "delete all tickets created before 2026-01-01",
        "delete all the remaining tickets",
    ],
)
def test_what_a_list_can_be_asked_for_is_all_changed(goal: str) -> None:
    assert chosen(goal) == Select(by="each")


@pytest.mark.parametrize("goal", ["delete all tickets but 77", "delete all tickets except 77"])
def test_but_excepts(goal: str) -> None:
    assert chosen(goal) == Select(by="each", except_=(77,))


def test_neither_of_two_is_meant() -> None:
    select = chosen("close all tickets that are not open or new")
    assert select is not None
    assert not bound(plan("close all tickets that are not open or new", DESK), 0)
    assert "eq" not in [one.op for one in select.where]


def test_a_call_on_the_whole_collection_spares_nothing() -> None:
    everything = call("DELETE /tickets", "deleteTickets", "Delete all tickets")
    tools = [*DESK, everything]
    assert names(plan("delete all tickets but 77", tools)) == ["listTickets", "deleteTicket"]
    assert names(plan("delete all old tickets", tools)) == ["listTickets", "deleteTicket"]


def test_what_things_become_does_not_say_which_are_meant() -> None:
    found = plan("set the priority of all tickets that are not closed to urgent", DESK)
    assert bound(found, -1) == {"ticketId": "listTickets", "priority": "urgent"}
    assert not bound(found, 0)


def test_to_whom_all_of_them_go_is_one() -> None:
    found = plan("assign all urgent tickets to ann@acme.com", DESK)
    binding = found.steps[-1].bindings["assigneeId"]
    assert isinstance(binding, StepBinding)
    assert binding.select is not None
    assert binding.select.by == "match"


def test_but_begins_another_order() -> None:
    assert chosen("close all urgent tickets but don't delete them") == Select(by="each")


@pytest.mark.parametrize(
    ("goal", "filters"),
    [
        ("which invoices are paid?", {"state": "paid"}),
        ("which invoices are not paid?", {"state": "unpaid"}),
        ("which invoices haven't been paid yet?", {"state": "unpaid"}),
    ],
)
def test_a_question_denies_as_well(goal: str, filters: dict[str, str]) -> None:
    found = plan(goal, DESK)
    assert (names(found), bound(found, 0)) == (["listInvoices"], filters)


def test_what_no_filter_leaves_out_is_said() -> None:
    found = plan("show me the tickets that are not closed", DESK)
    assert (names(found), bound(found, 0)) == (["listTickets"], {})
    assert unused(found) == ["not closed"]


@pytest.mark.parametrize(
    ("goal", "name", "filters"),
    [
        ("show me the open tickets, newest first", "listTickets", {"status": "open", "sort": "-createdAt"}),
        ("list tickets, oldest first", "listTickets", {"sort": "createdAt"}),
        ("list the invoices sorted by amount", "listInvoices", {"orderby": "amount"}),
        (
            "list the invoices sorted by due date, descending",
            "listInvoices",
            {"orderby": "due_date", "order": "desc"},
        ),
    ],
)
def test_a_list_comes_in_the_order_that_is_said(goal: str, name: str, filters: dict[str, str]) -> None:
    found = plan(goal, DESK)
    assert (names(found), bound(found, 0)) == ([name], filters)
    assert unused(found) == []
