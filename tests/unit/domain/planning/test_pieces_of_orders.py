"""A piece of an order that is no order: a value by its name, why it is done, what became of a thing as an input takes it."""

import pytest

from tests.calls import DATE, NUMBER, TEXT, call, page, record
from tests.unit.domain.planning.test_plain_apis import bound
from tests.unit.domain.planning.test_unseen_goals import names, plan

TRIPS = [
    call("GET /trips", "listTrips", "List trips", query=("status",), answer=page("trips", record("Trip", "id", "status"))),
    call(
        "POST /trips/{tripId}/flights",
        "bookFlight",
        "Book a flight",
        body={"origin": TEXT, "destination": TEXT, "departureDate": DATE},
        optional={"returnDate": DATE, "cabin": {"type": "string", "enum": ["economy", "business"]}},
        details={"tripId": NUMBER},
    ),
    call(
        "PATCH /trips/{tripId}/flights/{flightId}",
        "changeFlight",
        "Change a flight",
        optional={"departureDate": DATE, "returnDate": DATE},
        details={"tripId": NUMBER, "flightId": NUMBER},
    ),
    call("POST /trips/{tripId}/submit", "submitTrip", "Submit a trip for approval", details={"tripId": NUMBER}),
    call(
        "POST /trips/{tripId}/cancel",
        "cancelTrip",
        "Cancel a trip",
        optional={"reason": TEXT},
        details={"tripId": NUMBER},
    ),
    call("POST /bills", "createBill", "Enter a bill", body={"supplier": TEXT}),
    call(
        "POST /bills/{billId}/reject",
        "rejectBill",
        "Reject a bill",
        optional={"comment": TEXT},
        details={"billId": NUMBER},
    ),
    call(
        "POST /webhooks",
        "createWebhook",
        "Create a webhook",
        body={
            "url": {**TEXT, "format": "uri"},
            "events": {
                "type": "array",
                "items": {"type": "string", "enum": ["TRIP_SUBMITTED", "TRIP_CANCELLED", "BILL_ENTERED"]},
            },
        },
    ),
    call(
        "POST /items/{itemId}/discontinue",
        "discontinueItem",
        "Discontinue an item",
        optional={"replacementItemId": NUMBER},
        details={"itemId": NUMBER},
    ),
    call("PATCH /items/{itemId}", "updateItem", "Update an item", optional={"name": TEXT}, details={"itemId": NUMBER}),
]  # fmt: skip


@pytest.mark.parametrize("said", ["return 2026-12-09", "return on 2026-12-09", "returning 2026-12-09"])
def test_a_value_behind_its_name_is_one_of_the_order_before(said: str) -> None:
    found = plan(
        f"book a flight for trip 7 from FRA to LIS, depart 2026-12-05, {said}, business class", TRIPS
    )

    assert names(found) == ["bookFlight"]
    assert bound(found, 0) == {
        "tripId": 7,
        "origin": "FRA",
        "destination": "LIS",
        "departureDate": "2026-12-05",
        "returnDate": "2026-12-09",
        "cabin": "business",
    }


def test_another_thing_that_an_input_takes_is_not_changed_itself() -> None:
    found = plan("discontinue item 301, replacement is item 302", TRIPS)

    assert names(found) == ["discontinueItem"]
    assert bound(found, 0) == {"itemId": 301, "replacementItemId": 302}


@pytest.mark.parametrize(
    ("goal", "step", "why"),
    [
        ("cancel trip 7 because the client moved away", "cancelTrip", {"reason": "the client moved away"}),
        ("cancel trip 7 because of the storm", "cancelTrip", {"reason": "the storm"}),
        ("cancel trip 7, booked twice", "cancelTrip", {"reason": "booked twice"}),
        ("cancel trip 7 - booked twice", "cancelTrip", {"reason": "booked twice"}),
        ("reject bill 9: too expensive", "rejectBill", {"comment": "too expensive"}),
        ("reject bill 9, entered twice", "rejectBill", {"comment": "entered twice"}),
    ],
)
def test_why_something_is_done_goes_to_the_input_that_takes_it(
    goal: str, step: str, why: dict[str, str]
) -> None:
    found = plan(goal, TRIPS)

    assert names(found) == [step]
    assert why.items() <= bound(found, 0).items()
    assert not found.unmet
    assert not found.unused


def test_the_reason_for_one_is_not_that_for_another() -> None:
    found = plan("cancel trip 7 because it rains, cancel trip 8 because it is over", TRIPS)

    assert names(found) == ["cancelTrip", "cancelTrip"]
    assert all("reason" not in bound(found, at) for at in range(2))


@pytest.mark.parametrize("said", ["and nothing else", "as soon as possible", "sorry for the delay"])
def test_what_says_something_else_is_no_reason(said: str) -> None:
    assert "reason" not in bound(plan(f"cancel trip 7, {said}", TRIPS), 0)


def test_what_takes_no_reason_says_that_it_is_not_met() -> None:
    found = plan("submit trip 7: too expensive", TRIPS)

    assert names(found) == ["submitTrip"]
    assert [one.task for one in found.unmet] == ["too expensive"]


@pytest.mark.parametrize(
    ("said", "events"),
    [
        ("trip submitted and trip cancelled", ["TRIP_SUBMITTED", "TRIP_CANCELLED"]),
        ("bill entered, trip cancelled", ["TRIP_CANCELLED", "BILL_ENTERED"]),
    ],
)
def test_what_became_of_things_is_what_a_list_takes(said: str, events: list[str]) -> None:
    found = plan(f"add a webhook https://a.example/hook for {said}", TRIPS)

    assert names(found) == ["createWebhook"]
    assert sorted(bound(found, 0)["events"]) == sorted(events)  # type: ignore[call-overload]


KITCHEN = [
    call(
        "POST /list/recipes",
        "addRecipe",
        "Add a recipe to the grocery list",
        body={"recipeId": NUMBER},
        optional={"scale": {"type": "number"}},
    ),
    call(
        "PUT /items/{itemId}/rule",
        "setRule",
        "Set when an item is reordered",
        body={"minQuantity": NUMBER, "maxQuantity": NUMBER},
        details={"itemId": NUMBER},
    ),
]


def test_by_how_much_says_what_was_done() -> None:
    found = plan("add recipe 178920 to the grocery list, scaled by 2", KITCHEN)

    assert names(found) == ["addRecipe"]
    assert bound(found, 0) == {"recipeId": 178920, "scale": 2}


def test_what_is_done_when_something_is_below_a_number_keeps_it_above() -> None:
    found = plan("set the rule of item 301: reorder when below 10, up to 50", KITCHEN)

    assert bound(found, 0) == {"itemId": 301, "minQuantity": 10, "maxQuantity": 50}


APPROVALS = [
    call("POST /approvals/{approvalId}/approve", "approve", "Approve a request", details={"approvalId": NUMBER}),
    call("POST /approvals/{approvalId}/reject", "reject", "Reject a request", optional={"approvalId2": NUMBER, "reason": TEXT}, details={"approvalId": NUMBER}),
    call(
        "POST /approvals/{approvalId}/delegate",
        "delegate",
        "Delegate an approval",
        body={"userId": NUMBER},
        details={"approvalId": NUMBER},
    ),
]  # fmt: skip


@pytest.mark.parametrize("goal", ["reject approval 8, approve 9", "delegate approval 8 to user 4, approve 9"])
def test_a_second_order_is_one_though_an_input_has_its_stem(goal: str) -> None:
    found = plan(goal, APPROVALS)

    assert names(found)[-1] == "approve"
    assert bound(found, -1) == {"approvalId": 9}
