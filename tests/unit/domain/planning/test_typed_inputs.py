"""What a goal says in its own way goes to inputs as their documents type them."""

from collections.abc import Mapping, Sequence

import pytest

from app.domain.nodes.models import Tool
from tests.calls import call, page, record
from tests.unit.domain.planning.test_context import stated
from tests.unit.domain.planning.test_unseen_goals import plan

TEXT = {"type": "string"}
DATE = {"type": "string", "format": "date"}
WHOLE = {"type": "integer"}
TOOLS = [
    call(
        "GET /invoices",
        "listInvoices",
        "List invoices",
        answer=page("invoices", record("Invoice", "id", "name")),
        optional={
            "created_after": DATE,
            "created_before": DATE,
            "is_draft": {"type": "integer", "enum": [0, 1]},
        },
    ),
    call(
        "PATCH /machines/{id}",
        "updateMachine",
        "Update a machine",
        optional={
            "vcpus": WHOLE,
            "autoRenew": {"type": "boolean"},
        },
    ),
    call(
        "POST /image/background/tags/add",
        "addTag",
        "Add a tag to a background",
        body={"id": TEXT, "tags": TEXT},
    ),
    call(
        "POST /numbers/check",
        "checkNumbers",
        "Check numbers",
        body={
            "contacts": {
                "type": "array",
                "items": TEXT,
                "description": "Phone numbers in E.164 format",
            }
        },
    ),
]


def given(goal: str, name: str, tools: Sequence[Tool] = TOOLS) -> Mapping[str, object]:
    """The values that a call of the plan is given."""
    return dict(stated(plan(goal, tools)))[name]


@pytest.mark.parametrize(
    "said",
    [
        "from 1 to 31 May 2025",
        "from the 1st until 31st of May 2025",
        "between 1 and 31 May 2025",
        "from May 1 to 31, 2025",
        "between May 1 and 31, 2025",
    ],
)
def test_two_days_of_one_month_are_a_period(said: str) -> None:
    assert given(f"list the invoices {said}", "listInvoices") == {
        "created_after": "2025-05-01",
        "created_before": "2025-05-31",
    }


def test_a_number_beside_a_date_begins_no_period() -> None:
    found = given("list the invoices 3 and 9 June 2025", "listInvoices")
    assert "2025-06-03" not in found.values()


def test_a_word_switches_on_what_is_0_or_1() -> None:
    assert given("list all draft invoices", "listInvoices") == {"is_draft": 1}


def test_what_says_only_that_something_is_on_need_not_be_said() -> None:
    assert given("stop renewing machine 87", "updateMachine") == {"id": "87", "autoRenew": False}


def test_an_id_without_a_noun_is_of_any_thing_of_the_path() -> None:
    found = given("add the tag winter to the background 75c3EoOmPVolqfB4KeUhXgeF", "addTag")
    assert found == {"id": "75c3EoOmPVolqfB4KeUhXgeF", "tags": "winter"}


def test_a_list_of_telephone_numbers_takes_one() -> None:
    assert given("check +16315550199", "checkNumbers") == {"contacts": ["+16315550199"]}


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("list the expenses over 5000", {"min_amount": 5000}),
        ("list the expenses above 12.5", {"min_amount": 12.5}),
        ("list the expenses of more than 40", {"min_amount": 40}),
        ("list the expenses under 300", {"max_amount": 300}),
        ("list the expenses of less than 7", {"max_amount": 7}),
        ("list the expenses for 300", {}),
    ],
)
def test_a_number_that_others_are_above_or_below_is_a_bound(goal: str, expected: Mapping[str, float]) -> None:
    tool = call(
        "GET /expenses",
        "listExpenses",
        "List expenses",
        query=("min_amount", "max_amount"),
        details={"min_amount": {"type": "number"}, "max_amount": {"type": "number"}},
        answer=page("expenses", record("Expense", "id")),
    )
    assert given(goal, "listExpenses", [tool]) == expected


def test_an_address_goes_to_the_input_that_takes_one() -> None:
    tool = call(
        "POST /webhooks",
        "createWebhook",
        "Create a webhook",
        optional={
            "callback": {**TEXT, "description": "URL that the webhook sends POST to"},
            "secret": {**TEXT, "description": "Signs what is sent to the URL"},
        },
    )
    assert given("create a webhook that calls https://hooks.lumen.example/in", "createWebhook", [tool]) == {
        "callback": "https://hooks.lumen.example/in"
    }


def test_the_only_date_of_a_change_takes_the_date() -> None:
    tool = call(
        "POST /groups/{id}/members",
        "addMember",
        "Add a member to a group",
        body={"user_id": WHOLE},
        optional={"expires_at": {"type": "string", "format": "date"}},
    )
    assert given("add user 318 to group 77, limited until 31 March 2027", "addMember", [tool]) == {
        "id": "77",
        "user_id": 318,
        "expires_at": "2027-03-31",
    }


def test_a_name_alone_is_a_last_name_where_people_have_no_other_filter() -> None:
    tool = call(
        "GET /appointments",
        "listAppointments",
        "List appointments",
        query=("lastname", "status"),
        answer=page("appointments", record("Appointment", "id")),
    )
    assert given("how many appointments did Okafor have", "listAppointments", [tool]) == {
        "lastname": "Okafor"
    }


def test_a_list_is_narrowed_by_the_id_that_its_things_are_called_by() -> None:
    tool = call(
        "GET /clients",
        "listClients",
        "List clients",
        query=("clientId", "viewableOnly"),
        answer={"type": "array", "items": record("Client", "id", "clientId")},
    )
    assert given("find the client web-shop", "listClients", [tool, *TOOLS]) == {"clientId": "web-shop"}


@pytest.mark.parametrize(("noun", "given_id"), [("employee", True), ("project", False)])
def test_a_noun_that_no_call_is_about_keeps_no_id_away(noun: str, *, given_id: bool) -> None:
    """A project is another thing, where calls are about projects; nobody knows what an employee would be but a user."""
    tools = [
        call(
            "GET /people/{user_id}/calendar",
            "getCalendar",
            "Get the calendar of somebody",
            details={"user_id": {"format": "uuid"}},
        ),
        call("GET /projects/{project_id}", "getProject", "Get a project"),
    ]
    uuid = "1f0c83d5-7e24-4b96-a8d1-c35e0b72f964"
    found = dict(stated(plan(f"get the calendar of {noun} {uuid}", tools)))
    assert (found.get("getCalendar") == {"user_id": uuid}) is given_id


def test_an_adjective_behind_a_number_says_what_it_measures() -> None:
    tool = call(
        "PUT /image",
        "makeImage",
        "Make an image of a quote",
        optional={"width": WHOLE, "height": WHOLE, "size": WHOLE},
    )
    assert given("make an image of a quote, 1080 wide and 1350 high", "makeImage", [tool]) == {
        "width": 1080,
        "height": 1350,
    }


def test_what_a_thing_is_changed_to_is_not_the_thing() -> None:
    tool = call(
        "PUT /users/{id}/reset-password",
        "resetPassword",
        "Reset the password of a user",
        optional={"value": TEXT},
    )
    uuid = "5b0c7f9e-2d3a-4c18-9e64-a7d1f2b83c05"
    assert (
        given(f"User {uuid} forgot his password. Set it to Winter-2026", "resetPassword", [tool])["id"]
        == uuid
    )


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("with reference 88213 and price files switched on", True),
        ("with reference 88213 and price files turned off", False),
        ("with reference 88213, price files enabled", True),
        ("with reference 88213, price files disabled", False),
    ],
)
def test_a_switch_may_be_said_behind_what_it_switches(goal: str, *, expected: bool) -> None:
    tools = [
        call(
            "POST /vendors",
            "addVendor",
            "Add a vendor",
            body={"name": TEXT},
            optional={"reference": TEXT, "use_price_files": {"type": "boolean"}},
        ),
        call("GET /files", "listFiles", "List price files", answer=page("files", record("File", "id"))),
    ]
    found = stated(plan(f'add a vendor "Dansk Beslag" {goal}', tools))
    assert found == [
        ("addVendor", {"name": "Dansk Beslag", "reference": "88213", "use_price_files": expected})
    ]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("forward a.com permanently to https://b.com", "REDIRECT_PERMANENT"),
        ("forward a.com temporarily to https://b.com", "REDIRECT_TEMPORARY"),
        ("forward a.com to https://b.com", None),
    ],
)
def test_the_last_word_of_a_member_tells_it_where_no_other_has_it(goal: str, expected: str | None) -> None:
    tool = call(
        "POST /domains/{domain}/forwards",
        "createForward",
        "Forward a domain",
        body={"url": TEXT},
        optional={
            "type": {"type": "string", "enum": ["MASKED", "REDIRECT_PERMANENT", "REDIRECT_TEMPORARY"]},
        },
    )
    assert given(goal, "createForward", [tool]).get("type") == expected


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("show the log of pod web-1, the last 15 minutes", {"sinceSeconds": 900}),
        ("show the log of pod web-1, the last 90 seconds", {"sinceSeconds": 90}),
        ("snooze pod web-1 for 2 hours", {"num_minutes": 120}),
        ("snooze pod web-1 for 90 mins", {"num_minutes": 90}),
    ],
)
def test_a_measure_is_given_in_the_unit_that_an_input_counts(
    goal: str, expected: Mapping[str, object]
) -> None:
    tools = [
        call("GET /pods/{name}/log", "readLog", "Read the log of a pod", optional={"sinceSeconds": WHOLE}),
        call("POST /pods/{name}/snooze", "snooze", "Snooze a pod", body={"num_minutes": WHOLE}),
    ]
    name = "readLog" if "log" in goal else "snooze"
    assert given(goal, name, tools) == {"name": "web-1", **expected}


@pytest.mark.parametrize(
    ("unit", "expected"),
    [("seconds since the Unix epoch", 1709251200), ("milliseconds since the Unix epoch", 1709251200000)],
)
def test_a_moment_is_a_number_where_an_input_counts_from_the_epoch(unit: str, expected: int) -> None:
    tool = call(
        "POST /reports",
        "runReport",
        "Run a report",
        body={"kind": TEXT},
        optional={
            "interval_start": {"type": "integer", "description": f"Starting time in {unit}"},
            "interval_end": {"type": "integer", "description": f"Ending time in {unit}"},
            "currency": TEXT,
        },
    )
    found = given(
        'run the report "sales" in EUR from 2024-03-01 00:00 UTC to 2024-04-01', "runReport", [tool]
    )
    assert (found["interval_start"], found["currency"]) == (expected, "EUR")


def test_a_number_with_cents_is_money_where_something_takes_money() -> None:
    payment = call(
        "POST /invoices/{id}/payments",
        "bookPayment",
        "Book a payment on an invoice",
        optional={"amount": {"type": "number"}, "methodId": WHOLE, "rate": {"type": "number"}},
    )
    assert given("book 1250.50 on invoice 8813", "bookPayment", [payment]) == {"id": "8813", "amount": 1250.5}


def test_an_address_goes_to_the_input_that_is_described_so() -> None:
    hook = call(
        "POST /hooks",
        "createHook",
        "Create a hook",
        body={"name": TEXT},
        optional={"callback": {**TEXT, "description": "URL that is called"}, "label": TEXT},
    )
    goal = 'create a hook named "Sync" that calls https://a.example/x whenever a label is set'
    assert given(goal, "createHook", [hook]) == {"name": "Sync", "callback": "https://a.example/x"}


TICKETS = [
    call(
        "PATCH /tickets/{id}",
        "updateTicket",
        "Update a ticket",
        optional={"title": TEXT, "description": TEXT, "status": TEXT},
    )
]


@pytest.mark.parametrize(
    "goal",
    ['set ticket 12 to "In Review"', "move ticket 12 to In Review", 'mark ticket 12 as "In Review"'],
)
def test_what_a_thing_is_set_to_is_its_state_and_not_what_it_is_called(goal: str) -> None:
    assert given(goal, "updateTicket", TICKETS) == {"id": "12", "status": "In Review"}


@pytest.mark.parametrize(
    "goal", ['set the title of ticket 12 to "In Review"', 'rename ticket 12 to "In Review"']
)
def test_what_a_thing_is_renamed_to_is_no_state(goal: str) -> None:
    assert given(goal, "updateTicket", TICKETS) == {"id": "12", "title": "In Review"}


@pytest.mark.parametrize(
    "goal",
    [
        'comment "done" on ticket 12, dont email the watchers',
        'comment "done" on ticket 12 without notifying anybody',
        'comment "done" on ticket 12 but do not send a notification',
    ],
)
@pytest.mark.parametrize("name", ["notifyUsers", "send_notifications", "sendEmail"])
def test_who_must_not_be_told_is_not_notified(goal: str, name: str) -> None:
    comment = call(
        "POST /tickets/{id}/comments",
        "addComment",
        "Add a comment to a ticket",
        body={"text": TEXT},
        optional={name: {"type": "boolean"}, "pinned": {"type": "boolean"}},
    )
    assert given(goal, "addComment", [comment]) == {"id": "12", "text": "done", name: False}


SHOWN_IDS = [
    call(
        "GET /payment_methods/{payment_method}",
        "getPaymentMethod",
        "Get a payment method",
        details={"payment_method": {"examples": ["pm_1Lu2"]}},
    ),
    call("DELETE /customers/{customer}/cards/{id}", "deleteCard", "Delete a card"),
]


@pytest.mark.parametrize(
    "goal", ["delete card pm_9Xk2 of customer 7", "delete the card of customer 7, pm_9Xk2"]
)
def test_an_id_of_the_form_of_one_thing_is_not_taken_for_another(goal: str) -> None:
    """Ids of payment methods begin with `pm_`, whatever people call them."""
    assert not [step for step in plan(goal, SHOWN_IDS).steps if step.mutating]


def test_an_id_of_an_unknown_form_is_what_it_is_called() -> None:
    assert given("delete card crd_9Xk2 of customer 7", "deleteCard", SHOWN_IDS) == {
        "customer": "7",
        "id": "crd_9Xk2",
    }


@pytest.mark.parametrize(
    "goal",
    [
        "could you mute 554300671829917696 in the voice room 778800213649055744? workspace is 120776514093821952",
        "mute 554300671829917696 in the voice room 778800213649055744 of workspace 120776514093821952",
    ],
)
def test_digits_as_many_as_in_an_example_say_nothing(goal: str) -> None:
    """All ids of a path look alike; what they are called tells them apart."""
    mute = call(
        "PATCH /workspaces/{workspaceId}/channels/{channelId}/participants/{userId}",
        "updateParticipant",
        "Change a participant of a voice room",
        optional={"muted": {"type": "boolean"}},
        details={
            "workspaceId": {"examples": ["118402938475610112"]},
            "channelId": {
                "examples": ["771204983350132736"],
                "description": "Id of the channel or voice room.",
            },
            "userId": {"examples": ["554019287733100544"], "description": "Id of the person."},
        },
    )
    assert given(goal, "updateParticipant", [mute]) == {
        "workspaceId": "120776514093821952",
        "channelId": "778800213649055744",
        "userId": "554300671829917696",
        "muted": True,
    }
