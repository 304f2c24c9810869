"""Calls about a part of a thing, or about what holds it, where a task means the thing itself or what it has."""

import pytest

from app.domain.choosing.acts import is_never_meant
from tests.calls import NUMBER, TEXT, call
from tests.unit.domain.choosing.test_refusals import candidate
from tests.unit.domain.planning.test_plain_apis import ends_with

ID = {"id": NUMBER}
PRIORITY = {"type": "string", "enum": ["low", "high"]}
PARTS = [
    call("PATCH /tickets/{id}", "updateTicket", "Update a ticket", optional={"priority": PRIORITY, "description": TEXT, "name": TEXT}, details=ID),
    call("POST /tickets/{id}/followers", "addFollower", "Add a follower to a ticket", optional={"name": TEXT}, details=ID),
    call("POST /tickets/{id}/tags", "addTag", "Add a tag to a ticket", body={"tag": TEXT}, details=ID),
    call("GET /tickets", "listTickets", "List tickets", query=("q",)),
    call("POST /groups", "createGroup", "Create a group", body={"subject": TEXT}),
    call("DELETE /groups/{id}/invite", "revokeInvite", "Revoke the invite link of a group", details=ID),
    call("DELETE /branches/{branch}/protection", "unprotectBranch", "Remove the protection of a branch"),
    call("DELETE /carts/{id}/items", "clearCart", "Remove the items of a cart", details=ID),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ('add a description "Bring laptops" to ticket 5', "addFollower"),
        ("add 15551234567 to group 7", "createGroup"),
        ("reassign all tickets of o_1 to o_2", "updateTicket"),
        ("remove group 7", "revokeInvite"),
        ("delete branch feature-x", "unprotectBranch"),
    ],
)
def test_a_part_or_what_holds_it_is_not_the_thing(goal: str, name: str) -> None:
    assert is_never_meant(candidate(goal, name, PARTS))


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("add the tag vip to ticket 5", "addTag"),
        ("revoke the invite of group 7", "revokeInvite"),
        ("remove the protection of branch feature-x", "unprotectBranch"),
        ("clear cart 7", "clearCart"),
        ("rename all tickets to Old", "updateTicket"),
        ('create a group "Friends"', "createGroup"),
    ],
)
def test_what_is_said_is_meant(goal: str, name: str) -> None:
    assert not is_never_meant(candidate(goal, name, PARTS))


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("add the priority high to ticket 5", {"id": 5, "priority": "high"}),
        ('add a description "Bring laptops" to ticket 5', {"id": 5, "description": "Bring laptops"}),
    ],
)
def test_what_is_added_may_be_set(goal: str, expected: dict[str, object]) -> None:
    assert ends_with(goal, PARTS) == (["updateTicket"], expected)


PLACES = [
    call("PUT /files/{fileId}", "updateFile", "Update a file", optional={"folderId": NUMBER, "name": TEXT}, details={"fileId": NUMBER}),
    call("PUT /folders/{folderId}", "updateFolder", "Update a folder", optional={"id": NUMBER, "name": TEXT}, details={"folderId": NUMBER}),
    call("PATCH /merchants/{id}", "updateMerchant", "Update a merchant", optional={"name": TEXT}, details={"id": NUMBER}),
    call("PATCH /locations/{id}", "updateLocation", "Update a location", optional={"name": TEXT, "merchantId": NUMBER}, details={"id": NUMBER}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "step", "expected"),
    [
        ("move file 7 into folder 3", "updateFile", {"fileId": 7, "folderId": 3}),
        ("rename folder 3 to Drafts", "updateFolder", {"folderId": 3, "name": "Drafts"}),
        ("rename merchant 12 to Downtown", "updateMerchant", {"id": 12, "name": "Downtown"}),
    ],
)
def test_what_is_changed_is_the_thing_and_not_what_stands_beside_it(
    goal: str, step: str, expected: dict[str, object]
) -> None:
    assert ends_with(goal, PLACES) == ([step], expected)
