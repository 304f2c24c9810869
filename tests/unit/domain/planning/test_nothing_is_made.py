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


PAPER = [
    call(
        "GET /articles",
        "listArticles",
        "List articles",
        query=("search",),
        answer=page("articles", {"type": "object", "properties": {"id": NUMBER, "title": TEXT}}),
    ),
    call(
        "POST /articles",
        "createArticle",
        "Create an article",
        body={"title": TEXT},
        optional={"status": {"type": "string", "enum": ["draft", "published"]}},
    ),
    call(
        "PATCH /articles/{articleId}",
        "updateArticle",
        "Update an article",
        details={"articleId": NUMBER},
        optional={"title": TEXT, "status": {"type": "string", "enum": ["draft", "published"]}},
    ),
    call(
        "GET /authors",
        "listAuthors",
        "List authors",
        query=("email",),
        answer=page("authors", {"type": "object", "properties": {"id": NUMBER, "email": TEXT}}),
    ),
    call(
        "POST /authors",
        "createAuthor",
        "Create an author",
        body={"email": TEXT, "role": {"type": "string", "enum": ["writer", "editor"]}},
    ),
    call(
        "PATCH /authors/{authorId}",
        "updateAuthor",
        "Update an author",
        details={"authorId": NUMBER},
        optional={"role": {"type": "string", "enum": ["writer", "editor"]}},
    ),
]


@pytest.mark.parametrize(
    ("goal", "refused"),
    [
        ('publish the article "Tides"', True),
        ('the article "Tides" is too long', True),
        ('the "Tides" article is too long', True),
        ('put the article "Tides" live', True),
        ('put the article "Tides" on the list of articles', False),
        ('write the article "Tides"', False),
        ('add the article "Tides"', False),
        ('publish an article "Tides"', False),
    ],
)
def test_what_is_called_by_its_name_is_there(goal: str, *, refused: bool) -> None:
    assert is_other_act(candidate(goal, "createArticle", PAPER)) is refused


@pytest.mark.parametrize(
    ("goal", "refused"),
    [
        ("ann@acme.com was promoted, he's an editor from today", True),
        ("ann@acme.com is an editor now", True),
        ("she needs to be an author: ann@acme.com", False),
        ("there is no author ann@acme.com yet", False),
        ("add ann@acme.com, she's an editor", False),
    ],
)
def test_what_somebody_is_makes_nobody(goal: str, *, refused: bool) -> None:
    assert is_other_act(candidate(goal, "createAuthor", PAPER)) is refused


@pytest.mark.parametrize(
    "goal",
    [
        "ann@acme.com was promoted, he's an editor from today",
        "ann@acme.com is an editor now",
        "author ann@acme.com is an editor from today",
    ],
)
def test_who_becomes_something_is_not_made(goal: str) -> None:
    assert "createAuthor" not in changes(goal, PAPER)
    assert names(plan(goal, PAPER))[:1] == ["listAuthors"]


def test_what_is_said_of_a_new_thing_belongs_to_it() -> None:
    found = plan('create an article "Tides", it is a draft', PAPER)
    assert names(found) == ["createArticle"]
    assert not found.unmet
