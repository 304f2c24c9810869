"""Values that no noun leads to an input, and that only one input can take."""

import pytest

from app.domain.planning.draft import draft_plan
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from tests.calls import NUMBER, TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_plain_apis import bound, ends_with
from tests.unit.domain.planning.test_unseen_goals import names, plan

TYPES: Schema = {"type": "array", "items": TEXT, "description": "Types of events to return."}
HOSTING = [
    call(
        "PATCH /namespaces/{namespace}/services/{name}",
        "updateService",
        "Update a service",
        optional={"type": TEXT, "replicas": NUMBER},
    ),
    call(
        "PATCH /machines/{machineId}",
        "updateMachine",
        "Update a virtual machine",
        details={"machineId": NUMBER},
        optional={
            "memory": {**NUMBER, "title": "Memory (MB)"},
            "disk": {**NUMBER, "title": "Disk (GB)"},
            "autoRenew": {"type": "boolean"},
        },
    ),
    call(
        "GET /events",
        "listEvents",
        "List events",
        query=("type", "client"),
        details={"type": TYPES},
        answer=page("events", record("Event", "id", "type")),
    ),
    call(
        "GET /log",
        "listMessages",
        "List messages of the log",
        query=("type",),
        details={"type": {**TEXT, "description": "log type (DEFAULT, INFO, WARN, ERROR) to filter by"}},
    ),
    call(
        "GET /trends",
        "listTrends",
        "List trends near a place",
        query=("lat", "long"),
    ),
]
TRAVEL = [
    call(
        "PATCH /trips/{tripId}",
        "updateTrip",
        "Update a trip",
        optional={
            "name": {**TEXT, "description": "Title of the trip."},
            "destinationCity": TEXT,
            "memo": {**TEXT, "description": "Message printed above the lines."},
        },
    ),
    call(
        "PATCH /interviews/{interviewId}",
        "updateInterview",
        "Update an interview",
        optional={"starts_at": {**TEXT, "description": "Start with offset."}, "location": TEXT},
    ),
    call(
        "PATCH /rules/{ruleId}",
        "updateRule",
        "Update a rule",
        details={"ruleId": NUMBER},
        optional={
            "threshold": {"type": "number", "description": "New value to compare with."},
            "forMinutes": {**NUMBER, "description": "How long it must hold."},
        },
    ),
    call(
        "POST /incidents",
        "openIncident",
        "Open an incident",
        body={"title": TEXT, "serialNumbers": {"type": "array", "items": TEXT}},
    ),
    call("POST /devices/{serialNumber}/stop", "stopDevice", "Stop a device"),
]
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
OFFICE = [
    call(
        "POST /requests/{requestId}/approve",
        "approveRequest",
        "Approve a request for leave",
        optional={"comment": {**TEXT, "description": "Is sent along."}},
    ),
    call(
        "PUT /shifts/{shiftId}/days",
        "replaceDays",
        "Replace the days of a shift",
        body={"days": {"type": "array", "items": {"type": "string", "enum": DAYS}}},
    ),
]


@pytest.mark.parametrize(
    ("goal", "last"),
    [
        ("scale service web in shop to 3 replicas", {"namespace": "shop", "name": "web", "replicas": 3}),
        ("update machine 87: 8192 MB ram", {"machineId": 87, "memory": 8192}),
        ("update machine 87: 40 GB", {"machineId": 87, "disk": 40}),
        ("show me the LOGIN_ERROR events", {"type": ["LOGIN_ERROR"]}),
        ("show the errors in the log", {"type": "ERROR"}),
        ("list trends around 48.8566, 2.3522", {"lat": "48.8566", "long": "2.3522"}),
    ],
)
def test_of_a_server(goal: str, last: dict[str, object]) -> None:
    found = plan(goal, HOSTING)
    assert bound(found, -1) == last


@pytest.mark.parametrize(
    ("goal", "name", "last"),
    [
        ('rename trip TR-2 to "Audit Gdansk"', "updateTrip", {"tripId": "TR-2", "name": "Audit Gdansk"}),
        (
            'put "thanks for waiting" as the memo of trip TR-2',
            "updateTrip",
            {"tripId": "TR-2", "memo": "thanks for waiting"},
        ),
        (
            "push interview int_66b2 to 2026-02-11T14:30:00Z",
            "updateInterview",
            {"interviewId": "int_66b2", "starts_at": "2026-02-11T14:30:00Z"},
        ),
        ("raise the limit of rule 7 to -15", "updateRule", {"ruleId": 7, "threshold": -15}),
    ],
)
def test_of_a_change(goal: str, name: str, last: dict[str, object]) -> None:
    steps, filled = ends_with(goal, TRAVEL)
    assert (steps, filled) == ([name], last)


def test_what_is_spoken_of_goes_into_a_list_of_such_things() -> None:
    found = plan('stop device SG-4 and open an incident "Broken" for it', TRAVEL)
    assert names(found) == ["stopDevice", "openIncident"]
    assert bound(found, 1) == {"serialNumbers": ["SG-4"], "title": "Broken"}


@pytest.mark.parametrize(
    ("goal", "name", "last"),
    [
        (
            'approve request lr_7741, and tell him "enjoy the mountains"',
            "approveRequest",
            {"requestId": "lr_7741", "comment": "enjoy the mountains"},
        ),
        (
            "approve request lr_7741, comment for her: dates are fine",
            "approveRequest",
            {"requestId": "lr_7741", "comment": "dates are fine"},
        ),
        (
            "set the days of shift 12 to tue till fri",
            "replaceDays",
            {"shiftId": "12", "days": ["tue", "wed", "thu", "fri"]},
        ),
    ],
)
def test_of_what_is_said_beside_a_task(goal: str, name: str, last: dict[str, object]) -> None:
    found = plan(goal, OFFICE)
    assert (names(found), bound(found, -1)) == ([name], last)
    assert found.unmet == found.unused == ()


@pytest.mark.parametrize(
    "goal",
    [
        'approve request lr_7, but don\'t tell her "enjoy it"',
        'approve request lr_7 without the comment "enjoy it"',
        'approve request lr_7, never say "maybe"',
        'approve request lr_7. It is called "Summer trip"',
        'approve request lr_7 and comment on the photo "nice"',
        "approve request lr_7 and write a message to my mother: hello mom",
        'approve request lr_7 and post the comment "nice" on instagram',
        'approve request lr_7 and print the poster "Summer party"',
    ],
)
def test_what_is_for_somebody_else_or_not_to_be_said_is_no_comment(goal: str) -> None:
    assert all("comment" not in step.bindings for step in plan(goal, OFFICE).steps)


def test_a_text_is_for_none_of_several_calls_alike() -> None:
    found = plan('approve request lr_8, tell him "sorry", and approve request lr_7', OFFICE)
    assert len(found.steps) == 2
    assert all("comment" not in step.bindings for step in found.steps)
    assert [one.value for one in found.unused] == ["sorry"]


@pytest.mark.parametrize("days", ["from mon to thu", "mon to thu but not on tue"])
def test_what_may_be_no_range_is_none(days: str) -> None:
    found = plan(f"set the days of shift 12 {days}", OFFICE)
    assert all(bound(found, at).get("days") != ["mon", "tue", "wed", "thu"] for at in range(len(found.steps)))


def test_a_list_that_the_caller_knows_is_not_made_longer() -> None:
    index = PlanIndex(OFFICE)
    goal = "replace the days of shift 12, mon to thu"
    draft = draft_plan(index, goal, requirements=lambda _: (), known={"days": ["mon"]})
    assert bound(finish_plan(index, draft), -1)["days"] == ["mon"]


def test_a_task_that_no_tool_fits_keeps_what_it_says() -> None:
    found = plan('approve request lr_7741 and print the poster "Summer party"', OFFICE)
    assert names(found) == ["approveRequest"]
    assert "comment" not in found.steps[0].bindings
    assert "Summer party" in [one.value for one in found.unused]
    assert len(found.unmet) == 1
