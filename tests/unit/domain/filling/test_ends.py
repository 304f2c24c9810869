"""Which of two things of one kind a call goes from, and which it leads to."""

import pytest

from tests.calls import NUMBER, TEXT, call
from tests.unit.domain.planning.test_plain_apis import bound
from tests.unit.domain.planning.test_unseen_goals import names, plan

JOINED = [
    call("POST /contacts/{contactId}/merge", "mergeContacts", "Merge a duplicate into this contact", body={"duplicateContactId": NUMBER}, details={"contactId": NUMBER}),
    call("POST /tickets/{ticketId}/merge", "mergeTickets", "Merge a ticket into another one", body={"targetTicketId": NUMBER}, details={"ticketId": NUMBER}),
    call("POST /projects/{id}/issues/{issueId}/move", "moveIssue", "Move an issue to another project", body={"toProjectId": NUMBER}, details={"id": NUMBER, "issueId": NUMBER}),
    call("PATCH /issues/{issueId}", "updateIssue", "Update an issue", optional={"milestone": NUMBER, "state": {"type": "string", "enum": ["open", "closed"]}}, details={"issueId": NUMBER}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("merge contact 8 into contact 9", {"contactId": 9, "duplicateContactId": 8}),
        ("merge ticket 8 into ticket 9", {"ticketId": 8, "targetTicketId": 9}),
        ("move issue 5 of project 3 to project 7", {"id": 3, "issueId": 5, "toProjectId": 7}),
    ],
)
def test_what_leads_to_an_id_says_where_it_goes(goal: str, expected: dict[str, int]) -> None:
    assert bound(plan(goal, JOINED), -1) == expected


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("close issue 5 and issue 6", [{"issueId": 5, "state": "closed"}, {"issueId": 6, "state": "closed"}]),
        (
            "move issue 5 to milestone 7 and issue 6 to milestone 8",
            [{"issueId": 5, "milestone": 7}, {"issueId": 6, "milestone": 8}],
        ),
    ],
)
def test_a_noun_that_is_a_verb_goes_on_with_what_is_done(
    goal: str, expected: list[dict[str, object]]
) -> None:
    found = plan(goal, JOINED[3:])

    assert names(found) == ["updateIssue"] * 2
    assert [bound(found, 0), bound(found, 1)] == expected


BUDGETS = [
    call(
        "POST /budgets/{CostCentreCode}/transfers",
        "transferBudget",
        "Transfer a part of a budget to another cost centre",
        body={"Amount": {"type": "number"}, "ToCostCentreCode": TEXT},
        optional={"Memo": TEXT},
    )
]


@pytest.mark.parametrize("said", ["", ", memo: Q4 events"])
def test_money_goes_where_it_is_said_to_go(said: str) -> None:
    found = plan(f"transfer 5000 from budget CC-12 to CC-14{said}", BUDGETS)

    assert names(found) == ["transferBudget"]
    expected: dict[str, object] = {"CostCentreCode": "CC-12", "Amount": 5000, "ToCostCentreCode": "CC-14"}
    assert bound(found, 0) == ({**expected, "Memo": "Q4 events"} if said else expected)
