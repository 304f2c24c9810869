"""On which conditions something is done: the read that tells, and what its answer has to say."""

import pytest

from app.domain.workflows.plans import KnownBinding, When
from tests.calls import NUMBER, TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_goals import codes, names, plan
from tests.unit.domain.planning.test_unseen_goals import known

SWITCH: Schema = {"type": "boolean"}


def thing(title: str, **fields: Schema) -> Schema:
    """An object with fields of any type."""
    return {"title": title, "type": "object", "properties": fields}


STATUS: Schema = {"type": "string", "enum": ["draft", "open", "paid", "void"]}
INVOICE = thing("Invoice", id=TEXT, status=STATUS, locked=SWITCH, reminders_count=NUMBER)
NOTE = record("Note", "id", "text")
SHOP = [
    call(
        "GET /invoices",
        "listInvoices",
        "List invoices",
        query=("status", "customerId"),
        details={"status": STATUS},
        answer=page("invoices", INVOICE),
    ),
    call("GET /invoices/{invoiceId}", "getInvoice", "Get an invoice", answer=INVOICE),
    call("POST /invoices/{invoiceId}/send", "sendInvoice", "Send an invoice"),
    call("POST /invoices/{invoiceId}/void", "voidInvoice", "Void an invoice"),
    call(
        "GET /invoices/{invoiceId}/notes",
        "listNotes",
        "List the notes of an invoice",
        answer=page("notes", NOTE),
    ),
    call(
        "GET /customers/{customerId}",
        "getCustomer",
        "Get a customer",
        answer=record("Customer", "id", "name"),
    ),
    call("DELETE /customers/{customerId}", "deleteCustomer", "Delete a customer"),
]


def when(op: str, value: object, path: str = "/status") -> tuple[When, ...]:
    """What the first step has to say."""
    return (When.model_validate({"step": 1, "path": path, "op": op, "value": value}),)


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("void invoice 7 if it isn't paid", when("ne", "paid")),
        ("void invoice 7 if it hasn't been paid yet", when("ne", "paid")),
        ("void invoice 7 if nobody has paid it", when("ne", "paid")),
        ("void invoice 7 if it is still unpaid", when("ne", "paid")),
        ("void invoice 7 unless it isn't paid", when("eq", "paid")),
        ("void invoice 7 unless it has been paid", when("ne", "paid")),
        ("void invoice 7, but not if it is paid", when("ne", "paid")),
        ("void invoice 7, but leave it alone if it is paid", when("ne", "paid")),
        ("void invoice 7 except when it is paid", when("ne", "paid")),
        ("void invoice 7 if it isn't locked", when("ne", True, "/locked")),
        ("should invoice 7 be locked, void it", when("eq", True, "/locked")),
        ("void invoice 7 if it has more than 3 reminders", when("gt", 3, "/reminders_count")),
        ("void invoice 7 if it has at least 3 reminders", when("gt", 2, "/reminders_count")),
        ("void invoice 7 unless it has more than 3 reminders", when("lt", 4, "/reminders_count")),
        ("void invoice 7 if it has no more than 3 reminders", when("lt", 4, "/reminders_count")),
    ],
)
def test_a_condition_holds_as_it_is_said(goal: str, expected: tuple[When, ...]) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["getInvoice", "voidInvoice"]
    assert found.steps[1].when == expected
    assert not found.unused
    assert "condition_not_checked" not in codes(found)


def test_each_part_of_a_condition_has_to_hold() -> None:
    found = plan("void invoice 7 if it is open and not locked", SHOP)
    assert found.steps[1].when == (*when("eq", "open"), *when("ne", True, "/locked"))
    neither = plan("void invoice 7 unless it is paid or locked", SHOP)
    assert neither.steps[1].when == (*when("ne", "paid"), *when("ne", True, "/locked"))


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("void invoice 7 if it is open or locked", ()),
        ("void invoice 7 unless it is open and locked", ()),
        ("void invoice 7 if it is open and the weather is fine", when("eq", "open")),
        ("void invoice 7 if it has been open since 2026-01-31", when("eq", "open")),
    ],
)
def test_what_answers_do_not_tell_has_to_be_looked_at(goal: str, told: tuple[When, ...]) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["getInvoice", "voidInvoice"]
    assert found.steps[1].when == told
    assert "condition_not_checked" in codes(found)


@pytest.mark.parametrize(
    ("goal", "op"),
    [
        ("delete customer 12 if there are no open invoices for him", "ne"),
        ("delete customer 12 unless she has open invoices", "ne"),
        ("delete customer 12 if he still has an open invoice", "eq"),
    ],
)
def test_other_things_are_looked_up_by_what_is_changed(goal: str, op: str) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["listInvoices", "deleteCustomer"]
    assert known(found, 0) == {"customerId": "12", "status": "open"}
    assert found.steps[1].when == when(op, "open", "/invoices/*/status")


@pytest.mark.parametrize(
    ("goal", "op"),
    [("void invoice 7 if it has no notes", "eq"), ("void invoice 7 as long as there are notes on it", "ne")],
)
def test_what_lies_below_a_thing_is_there_or_not(goal: str, op: str) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["listNotes", "voidInvoice"]
    assert found.steps[1].when == when(op, [], "/notes")


TEAM = [
    call("GET /teams/{teamId}", "getTeam", "Get a team", answer=record("Team", "id", "name")),
    call(
        "GET /teams/{teamId}/members",
        "listMembers",
        "List members of a team",
        answer=page("members", record("Member", "id", "email")),
    ),
    call("POST /teams/{teamId}/members", "addMember", "Add a member to a team", body=("email",)),
    call(
        "GET /labels",
        "listLabels",
        "List labels",
        query=("name", "color"),
        answer=page("labels", record("Label", "id", "name", "color")),
    ),
    call("POST /labels", "createLabel", "Create a label", body=("name",), optional={"color": TEXT}),
]


@pytest.mark.parametrize(
    "goal",
    [
        "add ann@acme.io to team 7 unless she is already in it",
        "add ann@acme.io to team 7 if she isn't in there yet",
    ],
)
def test_whether_somebody_is_in_a_list_is_seen_there(goal: str) -> None:
    found = plan(goal, TEAM)
    assert names(found) == ["listMembers", "addMember"]
    assert found.steps[1].when == when("ne", "ann@acme.io", "/members/*/email")


@pytest.mark.parametrize(
    "goal",
    [
        'create a label "urgent", color red, unless there is already one with that name',
        'if there isn\'t a label called "urgent" yet, create one',
        'create a label "urgent" if we don\'t have one called that',
    ],
)
def test_what_is_made_is_looked_for_by_its_name_alone(goal: str) -> None:
    found = plan(goal, TEAM)
    assert names(found) == ["listLabels", "createLabel"]
    assert found.steps[0].bindings == {"name": KnownBinding(known="urgent")}
    assert found.steps[1].when == when("ne", "urgent", "/labels/*/name")


def test_a_state_of_another_thing_in_an_answer_tells_nothing() -> None:
    owned = thing(
        "Lamp",
        id=TEXT,
        state=TEXT,
        room=thing("Room", id=TEXT, state={"type": "string", "enum": ["open", "closed"]}),
    )
    lamps = [
        call("GET /rooms", "listRooms", "List rooms", answer=page("rooms", record("Room", "id"))),
        call("GET /lamps/{lampId}", "getLamp", "Get a lamp", answer=owned),
        call("POST /lamps/{lampId}/dim", "dimLamp", "Dim a lamp"),
    ]
    assert plan("dim lamp 7 if it is open", lamps).steps[-1].when == ()
    set_to = call(
        "PATCH /lamps/{lampId}",
        "updateLamp",
        "Update a lamp",
        optional={"state": {"type": "string", "enum": ["open", "shut"]}},
    )
    assert plan("dim lamp 7 if it is open", [*lamps, set_to]).steps[-1].when == when("eq", "open", "/state")


@pytest.mark.parametrize(
    "goal",
    [
        "is invoice 7 locked? if so void it",
        "is invoice 7 locked? If it is, void it",
        "is invoice 7 locked? in that case void it",
        "is invoice 7 locked? void it if so",
    ],
)
def test_an_answer_stands_for_what_was_asked(goal: str) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["getInvoice", "voidInvoice"]
    assert found.steps[1].when == when("eq", True, "/locked")


@pytest.mark.parametrize(
    "goal",
    [
        "is invoice 7 locked? if not void it",
        "is invoice 7 locked? If it isn't, void it",
        "is invoice 7 locked? void it if not",
    ],
)
def test_a_no_stands_for_the_opposite(goal: str) -> None:
    assert plan(goal, SHOP).steps[-1].when == when("ne", True, "/locked")


@pytest.mark.parametrize(
    "goal",
    [
        "customer 12 can go",
        "nobody works with customer 12 any more, they can go",
        "we can get rid of customer 12",
        "can we get rid of customer 12?",
    ],
)
def test_what_can_go_is_deleted(goal: str) -> None:
    assert names(plan(goal, SHOP)) == ["deleteCustomer"]


@pytest.mark.parametrize(
    "goal", ["tell me if customer 12 can go", "check whether customer 12 can go", "invoice 7 can go out"]
)
def test_what_is_asked_is_not_deleted(goal: str) -> None:
    assert not any(step.mutating and "delete" in step.tool_id for step in plan(goal, SHOP).steps)


@pytest.mark.parametrize(
    ("goal", "op"),
    [
        ("void invoice 7 but don't if it's locked", "ne"),
        ("void invoice 7, but never if it is locked", "ne"),
        ("void invoice 7. Don't if it's locked", "ne"),
        ("void invoice 7 but keep it if it's locked", "ne"),
        ("void invoice 7 if it isnt locked", "ne"),
        ("void invoice 7 if it cannot be locked", "ne"),
    ],
)
def test_what_is_not_done_on_a_condition_is_done_without_it(goal: str, op: str) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["getInvoice", "voidInvoice"]
    assert found.steps[1].when == when(op, True, "/locked")


@pytest.mark.parametrize(
    "goal",
    [
        "if invoice 7 is a draft, send it, otherwise void it",
        "is invoice 7 a draft? if so, send it; if not, void it",
        "is invoice 7 a draft? if yes send it, if no void it",
    ],
)
def test_what_is_done_otherwise_has_the_opposite_condition(goal: str) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["getInvoice", "sendInvoice", "voidInvoice"]
    assert [step.when for step in found.steps[1:]] == [when("eq", "draft"), when("ne", "draft")]


def test_what_is_left_alone_is_not_changed() -> None:
    found = plan("if invoice 7 is paid, leave it alone, otherwise void it", SHOP)
    assert names(found) == ["getInvoice", "voidInvoice"]
    assert found.steps[1].when == when("ne", "paid")


@pytest.mark.parametrize(
    "goal",
    [
        "if the checks fail don't void it. Send invoice 7.",
        "if a customer asks don't void invoice 8, send invoice 7",
        "don't void invoice 7 if it is open",
    ],
)
def test_what_must_not_be_done_stays_so_on_a_condition(goal: str) -> None:
    assert "voidInvoice" not in names(plan(goal, SHOP))


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("delete customer 12 if all of his invoices are paid", ()),
        ("delete customer 12 unless he has an invoice that isn't paid", ()),
        ("delete customer 12 if none of his invoices are open", when("ne", "open", "/invoices/*/status")),
    ],
)
def test_one_item_does_not_tell_of_all(goal: str, told: tuple[When, ...]) -> None:
    assert plan(goal, SHOP).steps[-1].when == told


@pytest.mark.parametrize(
    "goal", ["nothing can go", "none of the customers can go", "book a room, Ann can go too", "7, 8 can go"]
)
def test_what_may_leave_is_not_deleted(goal: str) -> None:
    assert "deleteCustomer" not in names(plan(goal, SHOP))
