"""A remark sets the switch, or the member of an enum, whose description says what it says."""

import pytest
from pydantic import JsonValue

from app.domain.filling.members import explained
from app.domain.workflows.plans import KnownBinding
from tests.calls import call, page, record
from tests.unit.domain.planning.test_unseen_goals import plan

TEXT = {"type": "string"}


def flag(description: str) -> dict[str, JsonValue]:
    return {"type": "boolean", "description": description}


TOOLS = [
    call(
        "POST /links",
        "createLink",
        "Add a link to the menu",
        body={"title": TEXT},
        optional={
            "target": {
                "type": "string",
                "enum": ["_self", "_blank"],
                "description": "`_blank` opens a new tab.",
            }
        },
    ),
    call(
        "POST /accounts",
        "createAccount",
        "Add somebody to the account",
        body={"email": TEXT},
        optional={
            "role": {
                "type": "string",
                "enum": ["owner", "responder", "viewer"],
                "description": "`responder` gets alarms, `viewer` only looks, `owner` may do everything.",
            },
            "send_invitation": flag("Set to false to add the person without the mail."),
        },
    ),
    call(
        "DELETE /articles/{id}",
        "deleteArticle",
        "Delete an article",
        query=["force"],
        details={"force": flag("Skip the trash and erase for good.")},
    ),
    call(
        "POST /servers/{serverId}/resize",
        "resizeServer",
        "Resize a server",
        body={"plan": TEXT},
        optional={"grow_disk": flag("Also enlarge the local disk, which cannot be undone.")},
    ),
    call(
        "POST /charges/{charge_id}/refunds",
        "refundCharge",
        "Refund a charge",
        optional={"notify_customer": flag("Send the customer an e-mail about the refund.")},
    ),
    call("POST /invoices/{invoice_id}/send", "sendInvoice", "Send an invoice to the customer"),
    call("POST /events/{eventId}/cancel", "cancelEvent", "Cancel an event", optional={
        "notify_attendees": flag("Set to false to cancel silently."),
    }),
    call(
        "POST /channels/{channelId}/messages",
        "postMessage",
        "Post a message in a channel",
        body={"content": TEXT},
        optional={"silent": flag("Deliver without a notification.")},
    ),
    call(
        "GET /bills",
        "listBills",
        "List bills",
        answer=page("bills", record("Bill", "id", "number")),
        query=["status"],
        details={
            "status": {
                "enum": ["draft", "open", "paid"],
                "description": "Only bills in this state; `open` is issued and not yet paid.",
            }
        },
    ),
]  # fmt: skip


def bound(goal: str) -> dict[str, dict[str, JsonValue]]:
    """Name of each call -> what the goal itself gives its inputs."""
    return {
        step.tool_id.rpartition("/")[2]: {
            name: one.known for name, one in step.bindings.items() if isinstance(one, KnownBinding)
        }
        for step in plan(goal, TOOLS).steps
    }


@pytest.mark.parametrize(
    ("goal", "name", "given"),
    [
        ('add a link "Shop", it should open in a new tab', "createLink", ("target", "_blank")),
        ("add bo@x.io to the account, she only needs to look at things", "createAccount", ("role", "viewer")),
        ("delete article 2208 for good", "deleteArticle", ("force", True)),
        ("delete article 2208 and skip the trash", "deleteArticle", ("force", True)),
        (
            "resize server 7 to cpu-8 but leave the disk as it is",
            "resizeServer",
            ("grow_disk", False),
        ),
        ("cancel event 7 silently", "cancelEvent", ("notify_attendees", False)),
        (
            'post "Coffee is ready" in channel 7 but without a notification',
            "postMessage",
            ("silent", True),
        ),
        ("which bills haven't we paid yet?", "listBills", ("status", "open")),
    ],
)
def test_what_a_description_says_is_set(goal: str, name: str, given: tuple[str, JsonValue]) -> None:
    pointer, value = given
    assert bound(goal)[name][pointer] == value


@pytest.mark.parametrize(
    ("goal", "name", "pointer"),
    [
        ('add a link "Shop"', "createLink", "target"),
        ('add a link "Shop", it was open in a new tab', "createLink", "target"),
        ("add bo@x.io to the account, our viewer is away", "createAccount", "role"),
        ("delete article 2208", "deleteArticle", "force"),
        ("delete article 2208, it's in the trash", "deleteArticle", "force"),
        ("resize server 7 to cpu-8", "resizeServer", "grow_disk"),
        ('post "Coffee is ready" in channel 7 with a notification', "postMessage", "silent"),
        ("refund charge ch_7, but keep him as a customer", "refundCharge", "notify_customer"),
    ],
)
def test_what_is_not_said_stays_open(goal: str, name: str, pointer: str) -> None:
    assert pointer not in bound(goal)[name]


def test_what_a_switch_of_the_call_before_does_needs_no_call_of_its_own() -> None:
    assert bound("refund charge ch_7, send the customer a mail about it") == {
        "refundCharge": {"charge_id": "ch_7", "notify_customer": True}
    }


def test_what_names_another_thing_is_a_call_of_its_own() -> None:
    assert [*bound("refund charge ch_7 and send invoice in_9 to the customer")] == [
        "refundCharge",
        "sendInvoice",
    ]


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ("soft", "asks the system to stop"),
        ("hard", "cuts the power"),
        ("open", ""),
    ],
)
def test_what_is_said_of_a_member_ends_before_the_next(member: str, said: str) -> None:
    description = "How it stops. `soft` asks the system to stop, `hard` cuts the power."
    assert explained(member, ["soft", "hard"], description) == said


def test_a_member_that_is_not_marked_as_the_others_are_is_a_word() -> None:
    description = "`open` is issued and not yet paid; `paid` is settled"
    assert explained("open", ["open", "paid"], description) == "is issued and not yet paid"
    assert explained("paid", ["open", "paid"], description) == "is settled"


@pytest.mark.parametrize(
    ("goal", "name", "pointer"),
    [
        ('add a link "Shop", it opens in the same tab', "createLink", "target"),
        ('delete article "Permanently yours"', "deleteArticle", "force"),
        ("delete article 2208, not permanently", "deleteArticle", "force"),
        ("cancel event 7, he sent a silent notification", "cancelEvent", "notify_attendees"),
        ('post "silently" in channel 7', "postMessage", "silent"),
        ('post "Ready, deliver it silently" in channel 7', "postMessage", "silent"),
        ("refund charge ch_7, he sent an e-mail to the customer", "refundCharge", "notify_customer"),
        ("refund charge ch_7, the customer sent us a mail about it", "refundCharge", "notify_customer"),
        ("which bills have not been issued yet?", "listBills", "status"),
        ("resize server 7 to cpu-8, it has a local disk", "resizeServer", "grow_disk"),
    ],
)
def test_what_is_said_of_something_else_sets_nothing(goal: str, name: str, pointer: str) -> None:
    assert bound(goal)[name].get(pointer) is not True
    assert bound(goal)[name].get(pointer) not in ("_blank", "open")


def test_how_one_is_deleted_says_nothing_of_another() -> None:
    for goal, forced in (
        ("permanently delete article 4 and delete article 5", [True, False]),
        ("delete article 4 and permanently delete article 5", [False, True]),
    ):
        assert ["force" in step.bindings for step in plan(goal, TOOLS).steps] == forced


def test_what_nothing_takes_in_full_is_not_swallowed() -> None:
    found = plan("refund charge ch_7 and mail the customer about the roadmap", TOOLS)
    assert found.unmet or len(found.steps) > 1
