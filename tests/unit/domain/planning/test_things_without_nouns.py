"""Goals that call things by their names alone, by ids that say what they are of, by pronouns, or by what they are about."""

from collections.abc import Mapping

import pytest

from app.domain.workflows.plans import StepBinding
from tests.calls import DATE, NUMBER, TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_plain_apis import bound, ends_with
from tests.unit.domain.planning.test_unseen_goals import names, plan

MOMENT: Schema = {"type": "string", "format": "date-time"}
SERIAL: Mapping[str, Schema] = {
    "serialNumber": {"description": "Serial number of the device, for example `SG-40291`."}
}
TICKET_ID: Mapping[str, Schema] = {"ticketId": NUMBER}
EVENT = record("Event", "id", "title", "starts_at")
STATUS: Schema = {"type": "string", "enum": ["open", "pending", "solved"]}
TICKET: Schema = {"type": "object", "properties": {"id": NUMBER, "subject": TEXT, "status": STATUS}}
CUSTOMER = record("Customer", "id", "name", "email")
TRAVELLER = record("Traveller", "id", "firstName", "lastName", "email")

CALENDAR = [
    call(
        "GET /events",
        "searchEvents",
        "Search events",
        query=("q", "from", "to", "attendee_email"),
        details={"from": DATE, "to": DATE},
        answer=page("items", EVENT),
    ),
    call("POST /events", "createEvent", "Create an event", body={"title": TEXT}, answer=EVENT),
    call("GET /events/{eventId}", "getEvent", "Get an event", answer=EVENT),
    call(
        "PATCH /events/{eventId}", "updateEvent", "Update an event", optional={"title": TEXT, "notes": TEXT}
    ),
    call("POST /events/{eventId}/cancel", "cancelEvent", "Cancel an event", optional={"message": TEXT}),
    call(
        "POST /events/{eventId}/reschedule",
        "rescheduleEvent",
        "Move an event to another time",
        body={"starts_at": MOMENT},
    ),
    call(
        "POST /events/{eventId}/attendees",
        "addAttendee",
        "Add an attendee to an event",
        body={"email": {"type": "string", "format": "email"}},
        optional={"name": TEXT},
    ),
    call("POST /events/{eventId}/labels", "addLabel", "Add a label to an event", body={"label": TEXT}),
]

FLEET = [
    call(
        "GET /devices",
        "listDevices",
        "List devices",
        query=("q", "siteId"),
        answer=page("devices", record("Device", "serialNumber", "displayName")),
    ),
    call("GET /devices/{serialNumber}", "getDevice", "Get a device", details=SERIAL),
    call(
        "PATCH /devices/{serialNumber}",
        "updateDevice",
        "Update a device",
        details=SERIAL,
        optional={"displayName": TEXT, "locationHint": TEXT},
    ),
    call(
        "POST /devices/{serialNumber}/relocate",
        "relocateDevice",
        "Relocate a device",
        details=SERIAL,
        body={"siteId": {**TEXT, "description": "Site the device goes to, for example `site_rtm01`."}},
    ),
    call(
        "GET /alerts",
        "listAlerts",
        "List alerts",
        query=("status", "serialNumber"),
        details={"serialNumber": {"description": "Only alerts of this device."}},
        answer=page("alerts", record("Alert", "id", "title", "serialNumber", "raisedAt")),
    ),
    call("POST /alerts/{alertId}/resolve", "resolveAlert", "Resolve an alert"),
    call("GET /sites", "listSites", "List sites", answer=page("items", record("Site", "id", "name"))),
    call("PATCH /sites/{siteId}", "updateSite", "Update a site", optional={"name": TEXT}),
    call(
        "GET /databases",
        "listDatabases",
        "List databases",
        query=("name_contains",),
        answer=page("databases", record("Database", "id", "name", "created_at")),
    ),
    call(
        "GET /databases/{databaseId}/backups",
        "listBackups",
        "List backups of a database",
        answer=page("backups", record("Backup", "id", "taken_at")),
    ),
    call(
        "POST /databases/{databaseId}/restore",
        "restoreDatabase",
        "Restore a database from a backup",
        body={"backup_id": TEXT},
    ),
    call(
        "POST /databases/{databaseId}/users",
        "createDatabaseUser",
        "Create a user of a database",
        body={"username": TEXT},
    ),
]

DESK = [
    call(
        "GET /customers",
        "listCustomers",
        "List customers",
        query=("email", "search"),
        answer=page("customers", CUSTOMER),
    ),
    call(
        "PATCH /customers/{customerId}",
        "updateCustomer",
        "Update a customer",
        optional={"name": TEXT, "email": TEXT, "isBlocked": {"type": "boolean"}},
    ),
    call(
        "GET /tickets",
        "listTickets",
        "List tickets",
        query=("status", "customerId", "nextToken"),
        answer=page("tickets", TICKET),
    ),
    call("GET /tickets/{ticketId}", "getTicket", "Get a ticket", details=TICKET_ID, answer=TICKET),
    call(
        "PATCH /tickets/{ticketId}",
        "updateTicket",
        "Update a ticket",
        details=TICKET_ID,
        optional={
            "subject": TEXT,
            "status": STATUS,
            "teamId": TEXT,
        },
    ),
    call(
        "POST /tickets/{ticketId}/merge",
        "mergeTicket",
        "Merge a ticket into another",
        details=TICKET_ID,
        body={"targetTicketId": NUMBER},
    ),
    call("GET /teams", "listTeams", "List teams", answer=page("teams", record("Team", "id", "name"))),
    call(
        "GET /agents",
        "listAgents",
        "List agents",
        query=("email",),
        answer=page("agents", record("Agent", "id", "name", "email", "teamId")),
    ),
    call("PUT /teams/{teamId}/members/{agentId}", "putTeamMember", "Add an agent to a team"),
]

MAIL = [
    call(
        "GET /lists",
        "listLists",
        "List mailing lists",
        query=("search",),
        answer=page("data", record("List", "id", "name")),
    ),
    call(
        "GET /templates",
        "listTemplates",
        "List templates",
        query=("search",),
        answer=page("data", record("Template", "id", "name")),
    ),
    call(
        "POST /campaigns",
        "createCampaign",
        "Create a campaign",
        body={"name": TEXT},
        optional={"subject": TEXT, "list_id": TEXT, "template_id": TEXT},
        answer=record("Campaign", "id", "name"),
    ),
    call(
        "PATCH /campaigns/{campaign_id}",
        "updateCampaign",
        "Update a campaign",
        details={"campaign_id": {"description": "Campaign, such as `cmp_7h3`."}},
        optional={"name": TEXT, "subject": {**TEXT, "description": "Subject line."}},
    ),
    call(
        "POST /campaigns/{campaign_id}/duplicate",
        "duplicateCampaign",
        "Duplicate a campaign",
        optional={"name": TEXT},
        answer=record("Campaign", "id", "name"),
    ),
]

TRAVEL = [
    call(
        "GET /travellers",
        "listTravellers",
        "List travellers",
        query=("search", "nextToken"),
        answer=page("items", TRAVELLER),
    ),
    call(
        "GET /expenses",
        "listExpenses",
        "List expenses",
        query=("travellerId", "nextToken"),
        answer=page("items", record("Expense", "id", "amount")),
    ),
    call(
        "POST /trips",
        "createTrip",
        "Create a trip",
        body={"name": TEXT, "travellerId": TEXT, "startDate": DATE, "endDate": DATE},
        answer=record("Trip", "id", "name"),
    ),
]


@pytest.mark.parametrize(
    "goal",
    [
        "call off Standup",
        'call off "Standup"',
        'cancel the "Standup"',
        "cancel the board prep",
    ],
)
def test_what_stands_behind_the_verb_alone_is_looked_up(goal: str) -> None:
    found = plan(goal, CALENDAR)
    assert names(found) == ["searchEvents", "cancelEvent"]
    assert bound(found, 0)["q"] in ("Standup", "board prep")
    assert bound(found, 1) == {"eventId": "searchEvents"}


def test_what_something_is_put_into_is_looked_up_and_who_is_added_is_no_filter() -> None:
    found = plan("add lena@northwind.io to the pricing workshop", CALENDAR)
    assert names(found) == ["searchEvents", "addAttendee"]
    assert bound(found, 0) == {"q": "pricing workshop"}
    assert bound(found, 1) == {"eventId": "searchEvents", "email": "lena@northwind.io"}


@pytest.mark.parametrize(
    ("goal", "steps", "last"),
    [
        (
            'move SG-70012 over to site_ant01 and then rename it to "Aisle 4"',
            ["relocateDevice", "updateDevice"],
            {"serialNumber": "SG-70012", "displayName": "Aisle 4"},
        ),
        (
            "resolve the latest alert of SG-40777",
            ["listAlerts", "resolveAlert"],
            {"alertId": "listAlerts"},
        ),
        (
            "restore billing-db from its latest backup",
            ["listDatabases", "listBackups", "restoreDatabase"],
            {"databaseId": "listDatabases", "backup_id": "listBackups"},
        ),
        (
            "create a database user hannah on analytics-main",
            ["listDatabases", "createDatabaseUser"],
            {"databaseId": "listDatabases", "username": "hannah"},
        ),
    ],
)
def test_ids_say_what_they_are_of_and_places_are_looked_up(
    goal: str, steps: list[str], last: Mapping[str, object]
) -> None:
    assert ends_with(goal, FLEET) == (steps, last)


def test_a_list_is_asked_by_the_number_of_a_thing() -> None:
    assert bound(plan("resolve the latest alert of SG-40777", FLEET), 0) == {"serialNumber": "SG-40777"}


def test_the_latest_is_meant_of_the_things_that_it_stands_before() -> None:
    found = plan("restore billing-db from its latest backup", FLEET)
    assert bound(found, 0) == {"name_contains": "billing-db"}
    database, backup = (found.steps[-1].bindings[name] for name in ("databaseId", "backup_id"))
    assert isinstance(database, StepBinding)
    assert isinstance(backup, StepBinding)
    assert database.select is not None
    assert backup.select is not None
    assert (database.select.by, database.select.value) == ("match", "billing-db")
    assert backup.select.by == "last"
    assert backup.select.sort is not None
    assert backup.select.sort.field == "taken_at"


@pytest.mark.parametrize(
    ("goal", "steps", "last"),
    [
        (
            "hans.meier@web.de keeps insulting people, block him",
            ["listCustomers", "updateCustomer"],
            {"customerId": "listCustomers", "isBlocked": True},
        ),
        ("solve 48620", ["updateTicket"], {"ticketId": 48620, "status": "solved"}),
        ("merge 51210 into 51198", ["mergeTicket"], {"ticketId": 51210, "targetTicketId": 51198}),
        (
            "put lena@northlight.io in the Billing team",
            ["listTeams", "listAgents", "putTeamMember"],
            {"agentId": "listAgents", "teamId": "listTeams"},
        ),
    ],
)
def test_who_and_what_is_meant_is_found_without_its_noun(
    goal: str, steps: list[str], last: Mapping[str, object]
) -> None:
    """Nobody's address or name is written who is only named by one."""
    assert ends_with(goal, DESK) == (steps, last)


@pytest.mark.parametrize(
    "goal",
    [
        "if ticket 50233 is still pending mark it solved",
        "if ticket 50233 is still pending, mark it solved",
    ],
)
def test_a_condition_ends_where_an_order_begins(goal: str) -> None:
    found = plan(goal, DESK)
    assert names(found) == ["getTicket", "updateTicket"]
    assert bound(found, 1) == {"ticketId": 50233, "status": "solved"}
    assert [(one.op, one.value) for one in found.steps[1].when] == [("eq", "pending")]


@pytest.mark.parametrize(
    ("goal", "steps", "last"),
    [
        (
            'copy cmp_Aa71 and call the new one "May promo"',
            ["duplicateCampaign"],
            {"campaign_id": "cmp_Aa71", "name": "May promo"},
        ),
        ('create a campaign and call it "May promo"', ["createCampaign"], {"name": "May promo"}),
        (
            'change the subject line of cmp_8Kp2 to "Last chance"',
            ["updateCampaign"],
            {"campaign_id": "cmp_8Kp2", "subject": "Last chance"},
        ),
        (
            'create a campaign "Easter" for the list Newsletter NL with the template Spring Basic',
            ["listLists", "listTemplates", "createCampaign"],
            {"name": "Easter", "list_id": "listLists", "template_id": "listTemplates"},
        ),
    ],
)
def test_things_are_called_as_the_goal_says_and_each_is_looked_up_among_its_kind(
    goal: str, steps: list[str], last: Mapping[str, object]
) -> None:
    assert ends_with(goal, MAIL) == (steps, last)


def test_somebody_is_looked_up_by_a_full_name() -> None:
    found = plan("create a trip for Amelie Laurent called Berlin, 2026-06-08 till 2026-06-11", TRAVEL)
    assert names(found) == ["listTravellers", "createTrip"]
    assert bound(found, 0) == {"search": "Amelie Laurent"}
    assert bound(found, 1) == {
        "name": "Berlin",
        "travellerId": "listTravellers",
        "startDate": "2026-06-08",
        "endDate": "2026-06-11",
    }


def test_where_the_next_page_begins_is_no_value_of_a_goal() -> None:
    found = plan("list expenses of Marta Kowalska", TRAVEL)
    assert names(found) == ["listTravellers", "listExpenses"]
    assert bound(found, 1) == {"travellerId": "listTravellers"}


@pytest.mark.parametrize("goal", ["tag evt_1182 as client", 'label evt_1182 "client"'])
def test_what_is_tagged_gets_a_tag(goal: str) -> None:
    found = plan(goal, CALENDAR)
    assert names(found) == ["addLabel"]
    assert bound(found, 0) == {"eventId": "evt_1182", "label": "client"}
