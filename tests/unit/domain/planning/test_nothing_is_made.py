"""What is there is changed and not made: by questions nothing, by changes no new thing, by a part not its whole."""

import pytest

from app.domain.choosing.acts import is_other_act
from tests.calls import DATE, NUMBER, TEXT, Schema, call, page
from tests.unit.domain.choosing.test_refusals import candidate, changes
from tests.unit.domain.planning.test_unseen_goals import names, plan

STATUS: Schema = {"type": "string", "enum": ["draft", "sent", "paid"]}
INVOICE: Schema = {
    "type": "object",
    "properties": {"id": NUMBER, "number": TEXT, "status": STATUS, "customerEmail": TEXT},
}
REPLY: Schema = {"type": "object", "properties": {"id": NUMBER, "name": TEXT, "text": TEXT}}
BOOKS = [
    call(
        "GET /invoices",
        "listInvoices",
        "List invoices",
        query=("status", "customerEmail"),
        details={"status": STATUS},
        answer=page("invoices", INVOICE),
    ),
    call(
        "POST /invoices",
        "createInvoice",
        "Create an invoice",
        body={"customerEmail": TEXT},
        optional={"status": STATUS, "dueOn": DATE, "description": TEXT, "total": NUMBER},
    ),
    call(
        "POST /invoices/{invoiceId}/lines",
        "createInvoiceLine",
        "Add a line to an invoice",
        details={"invoiceId": NUMBER},
        body={"description": TEXT, "amount": NUMBER},
    ),
    call("POST /payments", "createPayment", "Pay an invoice", body={"invoiceId": NUMBER}),
    call("GET /replies", "listReplies", "List templates", query=("name",), answer=page("replies", REPLY)),
    call("POST /replies", "createReply", "Create a template", body={"name": TEXT, "text": TEXT}),
    call(
        "PATCH /replies/{replyId}",
        "updateReply",
        "Update a template",
        details={"replyId": NUMBER},
        optional={"name": TEXT, "text": TEXT},
    ),
]


@pytest.mark.parametrize(
    "goal",
    [
        "which invoices does pia@acme.com still have to pay?",
        "which invoices has pia@acme.com? paid ones too",
        "what do we have to pay? only invoices that were sent",
        "any invoices that pia@acme.com still has to pay?",
    ],
)
def test_a_question_makes_nothing(goal: str) -> None:
    assert changes(goal, BOOKS) == []
    assert names(plan(goal, BOOKS)) == ["listInvoices"]


def test_what_is_asked_for_behind_a_question_is_done() -> None:
    goal = "which invoices has pia@acme.com? pay invoice 12"
    assert changes(goal, BOOKS) == ["createPayment"]


@pytest.mark.parametrize(
    ("goal", "refused"),
    [
        ('rename the canned template "Sorry" to "Apology"', True),
        ('make "Sorry" visible to everybody', True),
        ('make customer 7 a reply "Sorry"', False),
        ('set "Sorry" as the reply', False),
        ('put "Sorry" on the list of replies', False),
        ('add the reply "Sorry"', False),
    ],
)
def test_a_change_of_what_is_there_makes_nothing(goal: str, *, refused: bool) -> None:
    assert is_other_act(candidate(goal, "createReply", BOOKS)) is refused


def test_a_part_of_a_whole_does_not_make_the_whole() -> None:
    goal = 'add "Shipping" for 12.00 to the newest draft invoice of pia@acme.com'
    assert changes(goal, BOOKS) == ["createInvoiceLine"]


def test_the_whole_is_made_where_it_is_new() -> None:
    assert "createInvoice" in changes("make a new invoice for pia@acme.com over 12.00", BOOKS)
