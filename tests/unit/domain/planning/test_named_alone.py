"""What is only named is looked at, what a thing had is not what it gets, and a piece without an order does nothing of its own."""

import pytest

from app.domain.filling.forms import is_credential
from app.domain.schemas.tool_schemas import inputs_of
from tests.calls import NUMBER, TEXT, call, page, record
from tests.unit.domain.planning.test_plain_apis import bound, ends_with
from tests.unit.domain.planning.test_unseen_goals import names, plan

STATE = {"type": "string", "enum": ["open", "closed", "approved", "unsubscribed"]}
PRIORITY = {"type": "string", "enum": ["low", "high", "urgent"]}
WORK = [
    call(
        "GET /tickets",
        "listTickets",
        "List tickets",
        query=("state", "requesterId", "priority"),
        details={"state": STATE, "priority": PRIORITY, "requesterId": NUMBER},
        answer=page("tickets", record("Ticket", "id", "subject")),
    ),
    call(
        "PATCH /tickets/{id}",
        "updateTicket",
        "Update a ticket",
        optional={"state": STATE, "priority": PRIORITY, "cost": {"type": "number"}, "quantity": NUMBER},
        details={"id": NUMBER},
    ),
    call("POST /tickets", "createTicket", "Create a ticket", body={"subject": TEXT}),
    call(
        "POST /shipments/{id}/ship",
        "shipShipment",
        "Mark a shipment as shipped",
        optional={"carrier": TEXT, "trackingNumber": TEXT},
        details={"id": NUMBER},
    ),
    call("GET /shipments", "listShipments", "List shipments", query=("q",), answer=page("shipments", record("Shipment", "id"))),
    call("POST /trackers", "track", "Track a shipment", body={"number": TEXT}),
    call(
        "GET /absences",
        "listAbsences",
        "List absences",
        query=("start_date", "end_date"),
        details={"start_date": {**TEXT, "format": "date"}, "end_date": {**TEXT, "format": "date"}},
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "asked"),
    [
        ("closed tickets of requester 55", {"state": "closed", "requesterId": 55}),
        ("open tickets of requester 55", {"state": "open", "requesterId": 55}),
        ("approved tickets of requester 55", {"state": "approved", "requesterId": 55}),
        ("tickets of requester 55, high priority", {"priority": "high", "requesterId": 55}),
        ("list the tickets of requester 55, approved", {"state": "approved", "requesterId": 55}),
    ],
)
def test_things_that_are_only_named_are_listed(goal: str, asked: dict[str, object]) -> None:
    assert ends_with(goal, WORK) == (["listTickets"], asked)


@pytest.mark.parametrize(
    "goal", ["close tickets of requester 55", "tickets of requester 55 should be closed", "all tickets of requester 55: close them"]
)  # fmt: skip
def test_what_is_to_be_done_with_them_is_done(goal: str) -> None:
    assert names(plan(goal, WORK))[-1] == "updateTicket"


@pytest.mark.parametrize(
    ("goal", "changed"),
    [
        ("priority of ticket 9 from low to urgent", {"priority": "urgent"}),
        ("change the state of ticket 9 from open to closed", {"state": "closed"}),
        ("change the cost of ticket 9 from 4.20 to 4.85", {"cost": 4.85}),
        ("raise the quantity of ticket 9 from 3 to 5", {"quantity": 5}),
        ("increase the quantity of ticket 9 to 5", {"quantity": 5}),
        ("state of ticket 9 to closed", {"state": "closed"}),
    ],
)
def test_what_a_thing_had_is_not_what_it_gets(goal: str, changed: dict[str, object]) -> None:
    found = plan(goal, WORK)

    assert names(found) == ["updateTicket"]
    assert bound(found, 0) == {"id": 9, **changed}
    assert not found.unused


@pytest.mark.parametrize("said", ["tracking 0034567", "tracking number 0034567"])
def test_a_word_and_its_value_are_no_order(said: str) -> None:
    found = plan(f"ship shipment 5 with DHL, {said}", WORK)

    assert names(found) == ["shipShipment"]
    assert bound(found, 0)["trackingNumber"] == "0034567"


@pytest.mark.parametrize("dash", [" - ", " \u2013 "])
def test_two_days_with_a_dash_are_a_period(dash: str) -> None:
    found = plan(f"list absences 2026-12-01{dash}2026-12-05", WORK)

    assert bound(found, -1) == {"start_date": "2026-12-01", "end_date": "2026-12-05"}


def test_no_word_of_a_goal_is_a_secret() -> None:
    header: dict[str, object] = {"x-in": "header", "type": "string"}
    tool = call(
        "PUT /server",
        "updateServer",
        "Update the server",
        query=("X-Shop-Server-Token", "X-Shop-Color"),
        details={"X-Shop-Server-Token": header, "X-Shop-Color": header},
    )
    asked = {item.name: is_credential(item) for item in inputs_of(tool)}

    assert asked == {"X-Shop-Server-Token": True, "X-Shop-Color": False}


READS = [
    call(
        "GET /trips",
        "listTrips",
        "List trips",
        query=("destination", "status", "limit"),
        details={"status": {"type": "string", "enum": ["open", "booked"]}, "limit": NUMBER},
        answer=page("trips", record("Trip", "id", "status")),
    ),
    call("POST /trips", "createTrip", "Create a trip", body={"destination": TEXT}),
    call("DELETE /trips/{id}", "deleteTrip", "Delete a trip", details={"id": NUMBER}),
    call("GET /trips/{id}/status", "getTripStatus", "Get the status of a trip", details={"id": NUMBER}),
    call("GET /trips/{id}/comments", "listComments", "List comments of a trip", query=("limit",), details={"id": NUMBER, "limit": NUMBER}),
    call("POST /trips/{id}/comments", "addComment", "Comment on a trip", body={"text": TEXT}, details={"id": NUMBER}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "step"),
    [
        ("trips to Tokyo leaving in December", "listTrips"),
        ("open trips", "listTrips"),
        ("trips that are booked, please", "listTrips"),
        ("last 5 comments of trip 7", "listComments"),
        ("comments of trip 7?", "listComments"),
        ("status of trip 7?", "getTripStatus"),
    ],
)
def test_what_has_no_verb_changes_nothing(goal: str, step: str) -> None:
    assert names(plan(goal, READS))[-1] == step
    assert not any(one.mutating for one in plan(goal, READS).steps)


@pytest.mark.parametrize(
    ("goal", "step"),
    [
        ("new trip to Tokyo", "createTrip"),
        ("comment on trip 7: nice", "addComment"),
        ("delete trips 7 and 8", "deleteTrip"),
    ],
)
def test_what_has_one_does(goal: str, step: str) -> None:
    assert names(plan(goal, READS))[-1] == step


@pytest.mark.parametrize(
    "goal",
    [
        "may I delete trip 7?",
        "can trip 7 be deleted?",
        "can I delete trip 7?",
        "protect trip 7 from being deleted",
        "make sure trip 7 can't be deleted",
        "prevent trip 7 from being deleted",
    ],
)
def test_who_asks_about_a_deletion_or_forbids_it_deletes_nothing(goal: str) -> None:
    assert "deleteTrip" not in names(plan(goal, READS))


def test_who_asks_for_one_gets_it() -> None:
    assert names(plan("can you delete trip 7?", READS)) == ["deleteTrip"]
