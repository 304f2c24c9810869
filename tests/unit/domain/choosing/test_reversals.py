"""Calls that do the reverse of what a task says are refused, whatever else speaks for them."""

import pytest

from app.domain.choosing.acts import is_never_meant
from tests.calls import NUMBER, TEXT, call
from tests.unit.domain.choosing.test_refusals import candidate

ID = {"id": NUMBER}
TICKETS = [
    call("POST /projects/{id}/archive", "archiveProject", "Archive a project", details=ID),
    call("POST /projects/{id}/unarchive", "unarchiveProject", "Unarchive a project", details=ID),
    call("PATCH /projects/{id}", "updateProject", "Update a project", optional={"archived": {"type": "boolean"}}, details=ID),
    call("POST /broadcasts/{id}/start", "startBroadcast", "Start a broadcast", details=ID),
    call("POST /tickets/{id}/merge", "mergeTickets", "Merge a ticket into another one", body={"target": NUMBER}, details=ID),
    call("POST /tickets/{id}/close", "closeTicket", "Close a ticket", details=ID),
    call("POST /orders/{id}/hold", "holdOrder", "Put an order on hold", details=ID),
    call("POST /team/invitations", "invite", "Invite somebody to the team", body={"name": TEXT}),
    call("POST /subscriptions/{id}/cancel", "cancelSubscription", "Cancel a subscription", details=ID),
    call("POST /adjustments/{id}/reverse", "reverseAdjustment", "Reverse an adjustment", details=ID),
    call("DELETE /workspaces/{id}/members/{userId}", "removeMember", "Remove a member", details=ID),
    call("DELETE /workspaces/{id}/bans/{userId}", "removeBan", "Remove a ban", details=ID),
    call("POST /volumes/{id}/resize", "resizeVolume", "Resize a volume", body={"size": NUMBER}, details=ID),
    call("POST /invoices/{id}/void", "voidInvoice", "Void an invoice", details=ID),
    call("DELETE /documents/{id}/payments", "deletePayments", "Delete the payments of a document", details=ID),
    call("DELETE /playlists/{id}/followers", "leavePlaylist", "Unfollow a playlist", details=ID),
    call("PUT /contacts/{id}", "updateContact", "Update a contact", optional={"phone": TEXT}, details=ID),
    call("DELETE /lists/{id}", "deleteList", "Delete a contact list", details=ID),
    call("POST /Bills/{id}/Void", "voidBill", "Void a bill", details=ID),
    call("POST /environments/{id}/unfreeze", "unfreezeEnvironment", "Thaw an environment", details=ID),
    call("POST /issues/{id}/reset_time_estimate", "resetEstimate", "Set the time estimate back to 0", details=ID),
    call("POST /contacts/{id}/unsubscribe", "unsubscribeContact", "Unsubscribe a contact", details=ID),
    call("POST /devices/{id}/suspend-reporting", "suspendReporting", "Suspend reporting", details=ID),
    call("POST /devices/{id}/resume-reporting", "resumeReporting", "Resume reporting", details=ID),
    call("POST /incidents/{id}/resolve", "resolveIncident", "Resolve an incident", details=ID),
    call("POST /items", "createItem", "Create an item", body={"name": TEXT}, optional={"price": NUMBER}),
    call("GET /partners/{id}", "getPartner", "Get a partner", details=ID),
    call("DELETE /partners/{id}", "deletePartner", "Delete a partner", details=ID),
    call("GET /invoices/{id}", "getInvoice", "Get an invoice", details=ID),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("unarchive project 7", "archiveProject"),
        ("unarchive broadcast 7", "startBroadcast"),
        ("undo the merge of ticket 12", "mergeTickets"),
        ("reopen ticket 12", "closeTicket"),
        ("release order 1001 from hold", "holdOrder"),
        ("cancel the invitation for Amy", "invite"),
        ("uncancel subscription 4", "cancelSubscription"),
        ("restore subscription 4", "cancelSubscription"),
        ("unban user 55 from workspace 1", "removeMember"),
        ("undo the cancellation of partner 91", "deletePartner"),
        ("delete volume 9", "resizeVolume"),
        ("delete document 55", "deletePayments"),
        ("delete invoice 91", "deletePartner"),
        ("take contact 4 out of list 9", "updateContact"),
        ("new price for item it_4 is 12", "createItem"),
        ("unsuppress contact 7", "unsubscribeContact"),
        ("unsuspend reporting on device 7", "suspendReporting"),
    ],
)
def test_the_reverse_and_what_is_done_to_another_thing_are_never_meant(goal: str, name: str) -> None:
    assert is_never_meant(candidate(goal, name, TICKETS))


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("archive project 7", "archiveProject"),
        ("unarchive project 7", "unarchiveProject"),
        ("unarchive project 7", "updateProject"),
        ("cancel subscription 4", "cancelSubscription"),
        ("undo adjustment 4", "reverseAdjustment"),
        ("unban user 55 from workspace 1", "removeBan"),
        ("delete invoice 91", "voidInvoice"),
        ("delete the payments of document 55", "deletePayments"),
        ("unfollow playlist 5", "leavePlaylist"),
        ("delete partner 91", "deletePartner"),
        ("delete bill 4", "voidBill"),
        ("unlock environment 4", "unfreezeEnvironment"),
        ("remove the time estimate of issue 7", "resetEstimate"),
        ("unsuspend reporting on device 7", "resumeReporting"),
        ("clear incident 4", "resolveIncident"),
    ],
)
def test_what_a_task_says_may_be_done(goal: str, name: str) -> None:
    assert not is_never_meant(candidate(goal, name, TICKETS))


def test_what_is_to_be_made_is_not_ended() -> None:
    assert is_never_meant(candidate("schedule subscription 4 for 2026-03-02", "cancelSubscription", TICKETS))
    assert not is_never_meant(candidate("cancel subscription 4", "cancelSubscription", TICKETS))
