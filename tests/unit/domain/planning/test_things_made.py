"""Goals whose later tasks are about what an earlier one makes, or what it stands in."""

from collections.abc import Sequence

import pytest

from app.domain.nodes.models import Tool
from app.domain.workflows.plans import StepBinding
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

CHANNEL = record("Channel", "id", "name")
CHAT = [
    call(
        "GET /teams",
        "listTeams",
        "List teams",
        query=["name"],
        answer=page("teams", record("Team", "id", "name")),
    ),
    call(
        "POST /teams/{teamId}/channels",
        "createChannel",
        "Create a channel",
        body={"name": TEXT},
        answer=CHANNEL,
    ),
    call(
        "GET /teams/{teamId}/channels",
        "listChannels",
        "List channels",
        query=["name"],
        answer=page("channels", CHANNEL),
    ),
    call("POST /teams/{teamId}/channels/{channelId}/archive", "archiveChannel", "Archive a channel"),
    call(
        "POST /teams/{teamId}/channels/{channelId}/messages",
        "sendMessage",
        "Send a message",
        body={"content": TEXT},
    ),
    call(
        "GET /teams/{teamId}/channels/{channelId}/threads",
        "listThreads",
        "List threads",
        query=["query"],
        answer=page("threads", record("Thread", "id", "title")),
    ),
    call(
        "POST /teams/{teamId}/channels/{channelId}/threads/{threadId}/messages",
        "sendThreadMessage",
        "Send a message in a thread",
        body={"content": TEXT},
    ),
    call(
        "PUT /teams/{teamId}/channels/{channelId}/members/{userId}",
        "addChannelMember",
        "Add a member to a channel",
    ),
]


def bound(tools: Sequence[Tool], goal: str, step: int, parameter: str) -> StepBinding:
    """From where a call takes an input."""
    binding = plan(goal, tools).steps[step].bindings[parameter]
    assert isinstance(binding, StepBinding)
    return binding


@pytest.mark.parametrize("where", ["it", "the channel"])
def test_what_is_written_in_a_new_thing_goes_to_no_part_of_it(where: str) -> None:
    """A new channel has no thread."""
    goal = f'in team 7 make a channel alerts and write "Alerts land here" in {where}'
    found = plan(goal, CHAT)
    assert names(found) == ["createChannel", "sendMessage"]
    assert known(found, 1) == {"teamId": "7", "content": "Alerts land here"}
    assert (bound(CHAT, goal, 1, "channelId").step, bound(CHAT, goal, 1, "channelId").path) == (1, "/id")


def test_a_place_that_is_looked_up_once_is_that_of_the_tasks_behind() -> None:
    goal = 'in the team "Northquay" make a channel alerts and write "Alerts land here" in the channel'
    assert names(plan(goal, CHAT)) == ["listTeams", "createChannel", "sendMessage"]
    assert bound(CHAT, goal, 1, "teamId").step == bound(CHAT, goal, 2, "teamId").step == 1


def test_a_new_thing_is_known_by_its_id_and_not_by_its_name() -> None:
    goal = "create a channel offsite-2026 in team 7 and add member 55 to it"
    found = plan(goal, CHAT)
    assert names(found) == ["createChannel", "addChannelMember"]
    assert known(found, 0)["name"] == "offsite-2026"
    assert bound(CHAT, goal, 1, "channelId").step == 1


def test_what_has_its_id_already_keeps_it() -> None:
    found = plan("list the threads of channel 12 in team 7 and archive the channel", CHAT)
    assert names(found) == ["listThreads", "archiveChannel"]
    assert known(found, 1) == {"teamId": "7", "channelId": "12"}


INVOICES: Schema = page("invoices", record("Invoice", "invoiceId"))
BOOKS = [
    call("POST /quotes/{quoteId}/convert", "convertQuote", "Convert a quote to an invoice", answer=INVOICES),
    call("POST /quotes/{quoteId}/approve", "approveQuote", "Approve a quote"),
    call("POST /invoices/{invoiceId}/approve", "approveInvoice", "Approve an invoice"),
    call("GET /invoices", "listInvoices", "List invoices", answer=INVOICES),
]


@pytest.mark.parametrize(
    "goal", ["turn QU-7 into an invoice and approve it", "make an invoice out of QU-7 and approve it"]
)
def test_what_was_turned_into_something_else_is_that_from_then_on(goal: str) -> None:
    found = plan(goal, BOOKS)
    assert names(found) == ["convertQuote", "approveInvoice"]
    assert known(found, 0) == {"quoteId": "QU-7"}


DISKS = [
    call("POST /volumes/{volumeId}/detach", "detachVolume", "Detach a volume"),
    call(
        "POST /volumes/{volumeId}/attach",
        "attachVolume",
        "Attach a volume to a server",
        body={"serverId": TEXT},
    ),
    call("GET /servers/{serverId}", "getServer", "Get a server", answer=record("Server", "id", "name")),
    call("PATCH /servers/{serverId}", "updateServer", "Update a server", optional={"name": TEXT}),
]


def test_the_noun_of_a_value_says_nothing_of_what_it_is() -> None:
    found = plan("detach volume vol_3c9 and give it to server 1450", DISKS)
    assert names(found) == ["detachVolume", "attachVolume"]
    assert known(found, 1) == {"volumeId": "vol_3c9", "serverId": "1450"}


def test_what_is_listed_by_all_the_rest_of_a_task_may_be_called_otherwise() -> None:
    """People say parcel, where the document says shipment."""
    tools = [
        call(
            "GET /orders/{orderNumber}/shipments",
            "listShipments",
            "List the shipments of an order",
            answer=page("shipments", record("Shipment", "id", "trackingNumber")),
        ),
        call(
            "PATCH /shipments/{shipmentId}",
            "updateShipment",
            "Update a shipment",
            optional={"trackingNumber": TEXT},
        ),
        call("GET /orders/{orderNumber}", "getOrder", "Get an order", answer=record("Order", "number")),
    ]
    found = plan("i mistyped the tracking number of order 10512's only parcel, should be 1Z999AA10123", tools)
    assert names(found) == ["listShipments", "updateShipment"]
    assert known(found, 0) == {"orderNumber": "10512"}
    assert known(found, 1) == {"trackingNumber": "1Z999AA10123"}


@pytest.mark.parametrize("said", ["the go-ahead", "the green-light"])
def test_nouns_of_turns_of_phrase_are_no_ids(said: str) -> None:
    tools = [
        call("POST /orders/{orderId}/approve", "approveOrder", "Approve an order", body=()),
        call("POST /orders", "createOrder", "Create an order", body={"reference": TEXT}),
    ]
    found = plan(f"order 88214 is fine by me, give it {said}", tools)
    assert names(found) == ["approveOrder"]
    assert not found.unused


def test_what_a_value_names_is_looked_up_for_a_new_thing() -> None:
    """A role is no part of a new user, though it stands in its path."""
    tools = [
        call(
            "POST /users",
            "createUser",
            "Create a user",
            body={"name": TEXT},
            answer=record("User", "id", "name"),
        ),
        call(
            "GET /roles",
            "listRoles",
            "List roles",
            query=["name"],
            answer=page("roles", record("Role", "id", "name")),
        ),
        call("POST /users/{userId}/roles/{roleId}", "assignRole", "Assign a role to a user"),
    ]
    found = plan('create a user named "Ann" and assign the role "Editor" to the user', tools)
    assert [name for name in names(found) if name != "listRoles"] == ["createUser", "assignRole"]
