"""Values that no noun leads to an input, and that only one input can take."""

import pytest

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
