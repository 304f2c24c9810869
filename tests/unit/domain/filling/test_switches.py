"""Switches that an order sets beside what it does, and texts that no number or telephone is."""

import pytest

from tests.calls import NUMBER, TEXT, call, page, record
from tests.unit.domain.planning.test_plain_apis import bound
from tests.unit.domain.planning.test_unseen_goals import names, plan

SWITCH = {"type": "boolean"}
TOOLS = [
    call(
        "PUT /merge_requests/{id}/merge",
        "mergeRequest",
        "Merge a merge request",
        optional={"should_remove_source_branch": SWITCH},
        details={"id": NUMBER},
    ),
    call(
        "POST /servers/{serverId}/power",
        "setPower",
        "Turn a server on or off",
        body={"state": {"type": "string", "enum": ["on", "off", "reset"]}},
        optional={"graceful": SWITCH},
        details={"serverId": NUMBER},
    ),
    call(
        "PATCH /servers/{serverId}",
        "updateServer",
        "Update a server",
        optional={"backups": SWITCH},
        details={"serverId": NUMBER},
    ),
    call("DELETE /tickets/{ticketId}", "deleteTicket", "Delete a ticket", details={"ticketId": NUMBER}),
    call(
        "PATCH /tickets/{ticketId}",
        "updateTicket",
        "Update a ticket",
        optional={"status": TEXT, "subject": TEXT},
        details={"ticketId": NUMBER},
    ),
    call("GET /contacts", "listContacts", "List contacts", answer=page("contacts", record("Contact", "id"))),
    call("POST /contacts", "createContact", "Create a contact", optional={"id": TEXT, "name": TEXT, "email": TEXT}),
    call(
        "POST /discounts",
        "createDiscount",
        "Create a discount",
        body={"code": TEXT, "type": {"type": "string", "enum": ["percentage", "fixed_amount"]}},
        optional={"value": {"type": "number"}},
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "set_so"),
    [
        ("merge merge request 7 and remove the source branch", {"should_remove_source_branch": True}),
        ("turn server 301 off gracefully", {"state": "off", "graceful": True}),
        ("disable the backups of server 301", {"backups": False}),
    ],
)
def test_a_switch_stands_as_it_is_said(goal: str, set_so: dict[str, object]) -> None:
    assert set_so.items() <= bound(plan(goal, TOOLS), -1).items()


def test_who_closes_a_thing_that_has_a_state_does_not_delete_it() -> None:
    assert "deleteTicket" not in names(plan("close ticket 345", TOOLS))


def test_no_id_is_a_telephone_number_and_no_code_a_percentage() -> None:
    contact = plan("create a contact called Ann Lee, +45 20 11 22 33", TOOLS)
    discount = plan("create a discount of 10% with code WINTER10", TOOLS)

    assert "id" not in bound(contact, -1)
    assert bound(discount, -1)["code"] == "WINTER10"
