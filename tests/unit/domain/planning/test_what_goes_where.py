"""What goes into a thing is not that thing, and what many things are of names none of them."""

from app.domain.workflows.plans import StepBinding
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan, selected

IDS: Schema = {"type": "array", "items": {"type": "string"}, "description": "IDs of the products."}
SHOP = [
    call(
        "GET /collections",
        "listCollections",
        "List collections",
        query=("title",),
        answer=page("collections", record("Collection", "handle", "title")),
    ),
    call(
        "GET /products",
        "listProducts",
        "List products",
        query=("q",),
        answer=page("products", record("Product", "id", "title")),
    ),
    call(
        "POST /collections/{handle}/products",
        "addToCollection",
        "Put products into a collection",
        body={"product_ids": IDS},
    ),
]
STATUS: Schema = {"type": "string", "enum": ["open", "closed"]}
STAFF = [
    call(
        "GET /job-openings",
        "listOpenings",
        "List job openings",
        query=("q",),
        answer=page("openings", record("Opening", "requisition", "title", "status")),
    ),
    call(
        "PATCH /job-openings/{requisition}",
        "changeOpening",
        "Change a job opening",
        optional={"status": STATUS},
    ),
]
POST = [
    call(
        "GET /templates",
        "listTemplates",
        "List templates",
        query=("search",),
        answer=page("data", record("Template", "id", "name")),
    ),
    call(
        "POST /sends",
        "sendMail",
        "Send a mail",
        body={"to": {"type": "string", "format": "email"}},
        optional={"template_id": TEXT, "text": TEXT},
    ),
]


def test_what_is_put_into_a_thing_is_neither_its_id_nor_its_name() -> None:
    found = plan("put the merino beanie into the winter sale collection", SHOP)
    assert names(found) == ["listCollections", "listProducts", "addToCollection"]
    assert known(found, 0) == {}
    assert known(found, 1) == {"q": "merino beanie"}
    assert selected(found, "product_ids").select.by == "match"
    assert selected(found, "handle").select.by == "ask"


def test_where_every_one_of_many_is_names_none_of_them() -> None:
    """Which are meant is asked, as nothing knows of the state: neither all are closed, nor one that is called so."""
    found = plan("close every job in Marketing that is currently paused", STAFF)
    assert names(found) == ["listOpenings", "changeOpening"]
    assert known(found, 1) == {"status": "closed"}
    assert selected(found, "requisition").select.by == "ask"


def test_the_thing_whose_parts_are_all_meant_is_still_named() -> None:
    parts = [call("DELETE /tickets/{ticketId}/labels", "removeLabels", "Remove all labels of a ticket")]
    assert known(plan("remove all labels from 12", parts), 0) == {"ticketId": "12"}


def test_a_quoted_name_before_its_noun_is_looked_up_also_directly_behind_the_verb() -> None:
    found = plan('mail our "Order confirmation" template to ann@acme.com', POST)
    assert names(found) == ["listTemplates", "sendMail"]
    assert known(found, 0) == {"search": "Order confirmation"}
    assert known(found, 1) == {"to": "ann@acme.com"}
    assert isinstance(found.steps[1].bindings["template_id"], StepBinding)
