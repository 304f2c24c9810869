"""Goals of several tasks: each is done as it would be alone, unless it speaks of what another one finds or makes."""

import pytest

from app.domain.workflows.plans import KnownBinding, Plan, StepBinding
from tests.calls import NUMBER, TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan, selected

STATUS: Schema = {"type": "string", "enum": ["open", "closed"]}
TEXTS: Schema = {"type": "array", "items": TEXT}
NUMBERS: Schema = {"type": "array", "items": NUMBER}
DEAL = record("Deal", "dealId", "name", "ownerId")
COMPANY = record("Company", "id", "name", "ownerId")
CRM = [
    call("GET /companies", "listCompanies", "List companies", query=("name",), answer=page("companies", COMPANY)),
    call("GET /companies/{companyId}", "getCompany", "Get a company", answer=COMPANY),
    call("PATCH /companies/{companyId}", "updateCompany", "Update a company", optional={"name": TEXT}),
    call("DELETE /companies/{companyId}", "deleteCompany", "Delete a company"),
    call("GET /deals", "listDeals", "List deals", query=("companyId", "ownerId", "q"), answer=page("deals", DEAL)),
    call("POST /deals/{dealId}/win", "winDeal", "Win a deal"),
    call("DELETE /deals/{dealId}", "deleteDeal", "Delete a deal"),
    call("DELETE /companies/{companyId}/tags/{tag}", "removeTag", "Remove a tag from a company"),
]  # fmt: skip
TICKETS = [
    call("PATCH /tickets/{ticketId}", "updateTicket", "Update a ticket", optional={"status": STATUS}, details={"ticketId": NUMBER}),
    call("DELETE /tickets/{ticketId}", "deleteTicket", "Delete a ticket", details={"ticketId": NUMBER}),
    call("POST /tickets/{ticketId}/merge", "mergeTickets", "Merge a ticket into another one", body={"targetTicketId": NUMBER}, details={"ticketId": NUMBER}),
]  # fmt: skip
BRANCHES = [
    call("POST /branches", "createBranch", "Create a branch", body=("name",), answer=record("Branch", "name")),
    call("PUT /branches/{branch}", "updateBranch", "Update a branch"),
    call("DELETE /branches/{branch}", "deleteBranch", "Delete a branch"),
    call("DELETE /merged_branches", "deleteMerged", "Delete all merged branches"),
]  # fmt: skip


def givens(found: Plan, name: str) -> list[object]:
    """What each step that has an input of a name is given for it."""
    bound = [step.bindings[name] for step in found.steps if name in step.bindings]
    return [one.known if isinstance(one, KnownBinding) else None for one in bound]


def test_who_names_another_thing_means_that_one() -> None:
    found = plan('rename company 7 to Team and delete the company named "Old"', CRM)

    assert names(found) == ["updateCompany", "listCompanies", "deleteCompany"]
    assert known(found, 1) == {"name": "Old"}
    assert givens(found, "companyId") == ["7", None]


def test_it_is_what_was_found_last() -> None:
    found = plan('delete company 12, find the deal "Acme renewal" and delete it', CRM)

    assert names(found) == ["deleteCompany", "listDeals", "deleteDeal"]
    assert selected(found, "dealId").step == 2


def test_a_list_of_what_belongs_to_a_thing_that_was_found_is_narrowed_to_it() -> None:
    found = plan("find the company Acme, list the deals and win the newest", CRM)

    listed = next(step for step in found.steps if step.tool_id.endswith("listDeals"))
    assert "companyId" in listed.bindings
    assert "ownerId" not in listed.bindings


def test_a_list_of_other_things_is_not_narrowed_by_what_stands_beside_it() -> None:
    found = plan("win deal 3, then list the companies", CRM)

    assert names(found) == ["winDeal", "listCompanies"]
    assert known(found, 1) == {}


def test_what_is_asked_to_be_shown_is_shown_though_a_later_task_does_not_need_it() -> None:
    found = plan('list the deals of company 4, then delete the company "Old"', CRM)

    assert "listDeals" in names(found)
    assert givens(found, "companyId")[0] == "4"


@pytest.mark.parametrize("joint", [" and ", ", then ", "; "])
def test_a_number_behind_a_verb_alone_is_of_the_thing_before(joint: str) -> None:
    found = plan(f"delete ticket 5{joint}merge 6 into 7", TICKETS)

    assert [known(found, 0), known(found, 1)] == [{"ticketId": 5}, {"ticketId": 6, "targetTicketId": 7}]


def test_two_things_become_each_what_is_said_of_it() -> None:
    found = plan("close ticket 5 and reopen ticket 6", TICKETS)

    assert known(found, 0) == {"ticketId": 5, "status": "closed"}
    assert known(found, 1) == {"ticketId": 6, "status": "open"}


def test_all_of_a_kind_are_not_what_was_made_before() -> None:
    found = plan("create a branch called fix. Delete all merged branches.", BRANCHES)

    assert names(found) == ["createBranch", "deleteMerged"]


def test_what_is_made_with_a_name_or_from_something_is_new() -> None:
    vlans = [
        call("POST /vlans", "createVlan", "Create a VLAN", body={"vid": NUMBER, "name": TEXT}),
        call("PATCH /vlans/{id}", "updateVlan", "Update a VLAN", optional={"vid": NUMBER, "name": TEXT}),
    ]

    assert names(plan("make the branch fix from main", BRANCHES)) == ["createBranch"]
    assert names(plan("make VLAN 120 named voice", vlans)) == ["createVlan"]


def test_what_a_change_takes_comes_from_what_was_made_though_nobody_says_so() -> None:
    tools = [
        call("POST /products", "createProduct", "Create a product", body=("name",), answer=record("Product", "id")),
        call("POST /prices", "createPrice", "Create a price", body={"amount": NUMBER}, optional={"product": TEXT}, answer=record("Price", "id")),
    ]  # fmt: skip
    found = plan("create a product called Mug and a price with amount 20", tools)

    assert names(found) == ["createProduct", "createPrice"]
    product = found.steps[1].bindings["product"]
    assert isinstance(product, StepBinding)
    assert product.step == 1


@pytest.mark.parametrize("joint", [" and ", ". ", "; "])
def test_a_thing_of_an_earlier_order_is_not_taken_for_what_an_order_names(joint: str) -> None:
    tools = [
        call("POST /documents/{id}/cancel", "cancelDocument", "Cancel a document", details={"id": NUMBER}),
        call("POST /documents/{id}/send", "sendDocument", "Send an invoice by email", body={"emails": TEXTS}, details={"id": NUMBER}),
    ]  # fmt: skip
    found = plan(f"cancel document 5512{joint}email invoice 8100 to kiss.anna@example.hu", tools)

    assert names(found) == ["cancelDocument", "sendDocument"]
    assert [known(found, 0)["id"], known(found, 1)["id"]] == [5512, 8100]


def test_what_is_added_to_it_goes_to_what_was_found_last() -> None:
    tools = [
        call("POST /broadcasts/{id}/archive", "archiveBroadcast", "Archive a broadcast", details={"id": NUMBER}),
        call("POST /broadcasts/{id}/contacts", "addToBroadcast", "Add contacts to a broadcast", body={"contactIds": NUMBERS}, details={"id": NUMBER}),
        call("GET /lists", "findLists", "Find contact lists", query=("name",), answer=page("items", record("ContactList", "id", "name"))),
        call("POST /lists/{id}/contacts", "addToList", "Add contacts to a contact list", body={"contactIds": NUMBERS}, details={"id": NUMBER}),
    ]  # fmt: skip
    found = plan(
        'archive broadcast 4301. Find the contact list "VIP customers" and add contact 8821 to it', tools
    )

    assert names(found) == ["archiveBroadcast", "findLists", "addToList"]
    assert selected(found, "id").step == 2


@pytest.mark.parametrize("thing", ["it", "the message"])
def test_a_thing_that_was_named_is_where_it_was(thing: str) -> None:
    number: Schema = {"type": "string", "description": "Timestamp of the message"}
    of_messages = {"channel": TEXT, "message_ts": number}
    tools = [
        call("POST /pins/remove", "removePin", "Unpin a message from a channel", body=of_messages),
        call("POST /messages/delete", "deleteMessage", "Delete a message", optional=of_messages),
    ]
    found = plan(f"unpin message 1405894322.002768 in channel C123 and then delete {thing}", tools)

    assert names(found) == ["removePin", "deleteMessage"]
    assert known(found, 1) == {"channel": "C123", "message_ts": "1405894322.002768"}
