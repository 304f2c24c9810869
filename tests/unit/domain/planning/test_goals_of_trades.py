"""Goals as people of a trade type them: two ends of a kind, people by their roles, filters in brackets, amounts and addresses."""

from collections.abc import Mapping

import pytest

from app.domain.workflows.plans import StepBinding
from tests.calls import DATE, NUMBER, TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_plain_apis import bound, ends_with
from tests.unit.domain.planning.test_unseen_goals import names, plan

FLAG: Schema = {"type": "boolean"}
AGENT_ID: Schema = {**NUMBER, "description": "Agent who owns it."}
CUSTOMER_ID: Schema = {**NUMBER, "description": "Customer on whose behalf it is raised."}
TICKET: Schema = {
    "type": "object",
    "properties": {
        "id": NUMBER,
        "subject": TEXT,
        "createdAt": TEXT,
        "assigneeId": NUMBER,
        "requesterId": NUMBER,
    },
}


def lines(name: str) -> Schema:
    return {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {name: {"type": "integer"}, "quantity": NUMBER},
            "required": [name, "quantity"],
        },
    }


STOCK = [
    call(
        "GET /items",
        "listItems",
        "List items",
        query=("sku",),
        answer=page("items", record("Item", "id:integer", "sku")),
    ),
    call(
        "GET /transfers",
        "listTransfers",
        "List transfers",
        query=("fromWarehouseId", "toWarehouseId"),
        details={"fromWarehouseId": NUMBER, "toWarehouseId": NUMBER},
        answer=page("items", record("Transfer", "id:integer", "createdAt")),
    ),
    call(
        "POST /transfers",
        "createTransfer",
        "Move stock to another warehouse",
        body={"fromWarehouseId": NUMBER, "toWarehouseId": NUMBER, "lines": lines("itemId")},
        answer=record("Transfer", "id:integer"),
    ),
    call(
        "PATCH /purchase-orders/{purchaseOrderId}",
        "updatePurchaseOrder",
        "Update a purchase order",
        details={"purchaseOrderId": NUMBER},
        optional={"expectedOn": DATE, "note": TEXT},
    ),
]

DESK = [
    call(
        "GET /agents",
        "listAgents",
        "List agents",
        query=("email",),
        answer=page("agents", {**record("Agent", "id:integer", "name", "email")}),
    ),
    call(
        "GET /customers",
        "listCustomers",
        "List customers",
        query=("email",),
        answer=page("customers", record("Customer", "id:integer", "name", "email")),
    ),
    call(
        "GET /tickets",
        "listTickets",
        "List tickets",
        query=("status", "assigneeId", "requesterId"),
        details={
            "status": {**TEXT, "enum": ["open", "solved"]},
            "assigneeId": {**NUMBER, "description": "Only tickets owned by this agent."},
            "requesterId": {**NUMBER, "description": "Only tickets raised by this customer."},
        },
        answer=page("tickets", TICKET),
    ),
    call(
        "POST /tickets",
        "createTicket",
        "Open a ticket",
        body={"requesterId": CUSTOMER_ID, "subject": TEXT},
        optional={"assigneeId": AGENT_ID},
        answer=TICKET,
    ),
    call(
        "PATCH /tickets/{ticketId}",
        "updateTicket",
        "Update a ticket",
        details={"ticketId": NUMBER},
        optional={"assigneeId": AGENT_ID, "priority": {**TEXT, "enum": ["low", "high"]}},
    ),
]

MONITORS = [
    call(
        "GET /monitors",
        "listMonitors",
        "List monitors",
        query=("filter[status]", "filter[name]"),
        details={"filter[status]": {**TEXT, "enum": ["up", "down", "paused"]}},
        answer=page("data", record("Monitor", "id", "name", "status")),
    ),
    call("DELETE /monitors/{monitor_id}", "deleteMonitor", "Delete a monitor"),
    call(
        "POST /monitors/{monitor_id}/snooze",
        "snoozeMonitor",
        "Snooze a monitor",
        body={"snooze_minutes": {**NUMBER, "description": "How long, in minutes."}},
    ),
]

ROOMS = [
    call(
        "POST /trips/{tripId}/hotels",
        "bookHotel",
        "Book a hotel for a trip",
        details={"tripId": {"description": "Trip, such as `TR-20418`."}},
        body={"city": TEXT},
        optional={"breakfastIncluded": FLAG, "sendConfirmation": FLAG},
    ),
    call(
        "PUT /people/{personId}/hours",
        "setHours",
        "Set the working hours of a person",
        details={"personId": NUMBER},
        body={
            "start_time": {**TEXT, "description": "`HH:MM`."},
            "end_time": {**TEXT, "description": "`HH:MM`."},
        },
    ),
]

PATIENTS = [
    call(
        "GET /patients",
        "listPatients",
        "List patients",
        query=("q",),
        answer=page("data", record("Patient", "id", "patient_number", "last_name", "email")),
    ),
    call(
        "PATCH /patients/{patient_id}",
        "updatePatient",
        "Update a patient",
        details={"patient_id": {"description": "Id of the patient."}},
        optional={
            "email": TEXT,
            "phone": TEXT,
            "address": {
                "type": "object",
                "properties": {"street": TEXT, "postal_code": TEXT, "city": TEXT, "country": TEXT},
            },
        },
    ),
    call(
        "GET /appointments",
        "listAppointments",
        "List appointments",
        query=("from", "to", "status"),
        details={"from": DATE, "to": DATE, "status": {**TEXT, "enum": ["booked", "cancelled"]}},
        answer=page("data", record("Appointment", "id", "starts_at", "status")),
    ),
    call("DELETE /appointments/{appointment_id}", "deleteAppointment", "Delete an appointment"),
]

LEDGER = [
    call(
        "GET /contacts",
        "listContacts",
        "List contacts",
        query=("search",),
        answer=page("contacts", record("Contact", "id", "name")),
    ),
    call(
        "POST /invoices",
        "createInvoice",
        "Create an invoice",
        body={"contact_id": TEXT},
        optional={"date": DATE, "due_date": DATE, "expiry_date": DATE, "amount": {"type": "number"}},
        answer=record("Invoice", "id"),
    ),
    call(
        "GET /charges",
        "listCharges",
        "List charges",
        query=("customer_id", "reference", "amount[gte]"),
        details={
            "reference": {"description": "Merchant reference, usually your order number."},
            "amount[gte]": {**NUMBER, "description": "Smallest amount, in cents."},
        },
        answer=page("charges", record("Charge", "id", "reference", "created")),
    ),
    call(
        "POST /charges/{charge_id}/refunds",
        "createRefund",
        "Refund a charge",
        details={"charge_id": {"description": "Charge, such as `ch_8Kd21`."}},
        optional={"amount": {**NUMBER, "description": "In cents."}},
    ),
]


def test_what_leads_from_one_to_another_fills_both_ends() -> None:
    """`25 of item 12` says how many."""
    found = plan("move 25 of item 20418 from warehouse 1 to warehouse 6", STOCK)
    assert names(found) == ["createTransfer"]
    assert bound(found, 0) == {
        "fromWarehouseId": 1,
        "toWarehouseId": 6,
        "lines": [{"itemId": 20418, "quantity": 25}],
    }


def test_a_list_is_asked_for_both_ends() -> None:
    found = plan("list the transfers from warehouse 1 to warehouse 5", STOCK)
    assert bound(found, 0) == {"fromWarehouseId": 1, "toWarehouseId": 5}


def test_initials_are_read_as_what_the_catalogue_has() -> None:
    assert ends_with("po 88190 will come on 2026-05-18 instead", STOCK) == (
        ["updatePurchaseOrder"],
        {"purchaseOrderId": 88190, "expectedOn": "2026-05-18"},
    )


@pytest.mark.parametrize(
    ("goal", "steps", "last"),
    [
        (
            "give ticket 48455 to tom@northlight.io",
            ["listAgents", "updateTicket"],
            {"ticketId": 48455, "assigneeId": "listAgents"},
        ),
        (
            'open a ticket for jo@acme.com, subject "Charged twice"',
            ["listCustomers", "createTicket"],
            {"requesterId": "listCustomers", "subject": "Charged twice"},
        ),
        (
            "set the newest ticket from pablo@ridgeway.co to high",
            ["listCustomers", "listTickets", "updateTicket"],
            {"ticketId": "listTickets", "priority": "high"},
        ),
    ],
)
def test_people_are_looked_up_where_their_role_says(
    goal: str, steps: list[str], last: Mapping[str, object]
) -> None:
    """Ids may be numbers, and who something is from is not who gets it."""
    assert ends_with(goal, DESK) == (steps, last)


def test_names_without_a_word_are_no_fault() -> None:
    """Some answers have a field `_`, and some calls such an input."""
    agents = call(
        "GET /agents",
        "listAgents",
        "List agents",
        query=("email", "_"),
        answer=page("agents", record("Agent", "_", "id:integer", "email")),
    )
    update = call(
        "PATCH /tickets/{ticketId}",
        "updateTicket",
        "Update a ticket",
        details={"ticketId": NUMBER},
        optional={"_": TEXT, "assigneeId": AGENT_ID},
    )
    assert ends_with("give ticket 48455 to tom@northlight.io", [agents, update]) == (
        ["listAgents", "updateTicket"],
        {"ticketId": 48455, "assigneeId": "listAgents"},
    )


def test_filters_in_brackets_are_filters() -> None:
    found = plan("delete all paused monitors", MONITORS)
    assert names(found) == ["listMonitors", "deleteMonitor"]
    assert bound(found, 0) == {"filter[status]": "paused"}


def test_the_state_before_the_noun_narrows_the_list_in_which_one_is_looked_up() -> None:
    found = plan('delete the paused "Homepage EU" monitor', MONITORS)
    assert bound(found, 0) == {"filter[status]": "paused", "filter[name]": "Homepage EU"}


@pytest.mark.parametrize(
    ("said", "minutes"), [("half an hour", 30), ("an hour and a half", 90), ("an hour", 60), ("2 hours", 120)]
)
def test_durations_in_words_are_numbers(said: str, minutes: int) -> None:
    found = plan(f"snooze monitor 63783933-d5f0-4510-bf6a-f8af81df6383 for {said}", MONITORS)
    assert bound(found, -1)["snooze_minutes"] == minutes


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("with breakfast", {"breakfastIncluded": True}),
        (", no confirmation", {"sendConfirmation": False}),
        ("without a confirmation", {"sendConfirmation": False}),
        ("with no breakfast", {"breakfastIncluded": False}),
        ("because she is unhappy with the breakfast", {}),
        ("", {}),
    ],
)
def test_what_comes_along_is_switched(said: str, more: Mapping[str, object]) -> None:
    found = plan(f"book a hotel in Lisbon for TR-30077 {said}", ROOMS)
    assert bound(found, -1) == {"tripId": "TR-30077", "city": "Lisbon", **more}


def test_times_of_day_have_no_date() -> None:
    found = plan("set the hours of person 311 from 09:00 till 15:00", ROOMS)
    assert bound(found, -1) == {"personId": 311, "start_time": "09:00", "end_time": "15:00"}


@pytest.mark.parametrize(
    ("goal", "more"),
    [
        (
            "tobias@web.de has moved, he now lives at Gartenweg 8, 50667 Köln",
            {"address": {"street": "Gartenweg 8", "postal_code": "50667", "city": "Köln"}},
        ),
        ("change the phone of tobias@web.de to +49301234567", {"phone": "+49301234567"}),
    ],
)
def test_whose_something_is_is_looked_up_and_not_set(goal: str, more: Mapping[str, object]) -> None:
    found = plan(goal, PATIENTS)
    assert names(found) == ["listPatients", "updatePatient"]
    assert bound(found, 0) == {"q": "tobias@web.de"}
    assert bound(found, -1) == {"patient_id": "listPatients", **more}
    source = found.steps[-1].bindings["patient_id"]
    assert isinstance(source, StepBinding)
    assert source.path == "/data/*/id"


def test_a_day_is_both_ends_of_a_period() -> None:
    found = plan("delete all appointments on 2026-03-16", PATIENTS)
    assert bound(found, 0) == {"from": "2026-03-16", "to": "2026-03-16"}


@pytest.mark.parametrize(
    "said",
    [
        ". leave apt_77 alone though",
        ", leave apt_77 out",
        ", leave apt_77 alone for now",
        ", leave appointment apt_77 alone",
        ", only keep apt_77",
        ", only leave apt_77",
    ],
)
def test_what_is_left_alone_is_spared(said: str) -> None:
    found = plan(f"delete all booked appointments{said}", PATIENTS)
    assert names(found) == ["listAppointments", "deleteAppointment"]
    source = found.steps[-1].bindings["appointment_id"]
    assert isinstance(source, StepBinding)
    assert source.select is not None
    assert list(source.select.except_) == ["apt_77"]


def test_a_document_is_made_out_and_due() -> None:
    found = plan("invoice Rosa Venn 450 EUR, due 2026-04-20", LEDGER)
    assert names(found) == ["listContacts", "createInvoice"]
    assert bound(found, -1) == {"contact_id": "listContacts", "due_date": "2026-04-20", "amount": 450}


def test_a_list_is_asked_by_the_number_that_its_filter_is_described_as() -> None:
    assert bound(plan("refund order A-10887", LEDGER), 0) == {"reference": "A-10887"}


@pytest.mark.parametrize("said", [", not more than 20 eur", ", but no more than 20 eur"])
def test_what_a_change_is_at_most_is_its_amount(said: str) -> None:
    """Else all of the charge would be refunded."""
    found = plan(f"refund the latest charge{said}", LEDGER)
    assert bound(found, -1) == {"charge_id": "listCharges", "amount": 2000}


def test_what_the_latest_is_above_is_no_amount_of_the_change() -> None:
    found = plan("refund the latest charge over 100 eur", LEDGER)
    assert bound(found, 0) == {"amount[gte]": 10000}
    assert bound(found, -1) == {"charge_id": "listCharges"}
