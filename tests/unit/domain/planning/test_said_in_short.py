"""Short orders as anybody types them first: a verb, a noun and its id or name, a field and its value."""

from collections.abc import Mapping

import pytest

from app.domain.workflows.plans import StepBinding
from tests.calls import DATE, TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan, selected

UUID: Schema = {"type": "string", "format": "uuid"}
INTEGER: Schema = {"type": "integer"}
CURRENCIES: Schema = {"type": "string", "enum": ["AED", "CHF", "EUR"]}
OPEN: Schema = {"type": "string", "enum": ["open", "closed"]}
FOLDER = record("Folder", "folderId", "name")
FOLDERS = [
    call("GET /folders", "listFolders", "List folders", answer=page("folders", FOLDER)),
    call("GET /folders/{folderId}", "getFolder", "Get a folder", answer=FOLDER, details={"folderId": UUID}),
    call("DELETE /folders/{folderId}", "deleteFolder", "Delete a folder", details={"folderId": UUID}),
    call("PATCH /folders/{folderId}", "renameFolder", "Update a folder", optional={"name": TEXT}, details={"folderId": UUID}),
]  # fmt: skip
INVOICES = [
    call("GET /purchase_invoices/{guid}", "getInvoice", "Get a purchase invoice", answer=record("Invoice", "guid", "number")),
    call("GET /purchase_invoices/{guid}/{packaging}", "getPackaged", "Get a purchase invoice in a packaging", answer=record("Invoice", "guid", "number")),
    call("GET /orders/{id}", "getOrder", "Get an order", answer=record("Order", "id", "number")),
    call("GET /orders/{id}/payment-details", "getDetails", "Get the payment details of an order", answer=record("Details", "iban")),
    call("GET /buckets/{id}", "getBucket", "Get a bucket", answer=record("Bucket", "id")),
    call("GET /buckets/{bucket_id}/groups/{id}", "getGroup", "Retrieve one", answer=record("Group", "id")),
    call("GET /legal_entities/{id}", "getEntity", "Get a legal entity", answer=record("Entity", "id")),
    call("DELETE /legal_entities/{id}", "deleteEntity", "Delete a record"),
    call("DELETE /legal_entities/{legal_entity_id}/identifiers/{identifier}", "deleteIdentifier", "Delete an identifier of a legal entity"),
]  # fmt: skip
COMPANIES = [
    call("POST /companies", "createCompany", "Create a company", body={"name": TEXT}, optional={"description": TEXT, "currency": CURRENCIES, "language": TEXT, "business_partner_id": INTEGER}),
    call("PATCH /companies/{id}", "updateCompany", "Update a company", optional={"name": TEXT, "description": TEXT, "location": TEXT}),
    call("GET /locations", "listLocations", "List locations", answer=page("locations", record("Location", "id", "name"))),
]  # fmt: skip
ORDERS = [
    call("PATCH /orders/{id}", "updateOrder", "Update an order", optional={"status": OPEN, "payment_status": OPEN}),
    call("GET /promotions", "listPromotions", "List promotions", query=("page_size", "promoted_by"), details={"page_size": INTEGER}, answer=page("items", record("Promotion", "id"))),
    call("GET /payments", "listPayments", "List payments", query=("state", "from_settled_date", "from_date"), details={"state": {"enum": ["created", "cancelled"]}, "from_settled_date": DATE, "from_date": DATE}, answer=page("items", record("Payment", "paymentId"))),
    call("GET /payments/{paymentId}", "getPayment", "Get a payment", answer=record("Payment", "paymentId")),
]  # fmt: skip


@pytest.mark.parametrize("name", ["Q3 Report", "north wing", "prod-cluster", "Apollo"])
def test_what_a_thing_is_called_is_looked_up_whole(name: str) -> None:
    found = plan(f"delete the folder {name}", FOLDERS)

    assert names(found) == ["listFolders", "deleteFolder"]
    chosen = selected(found, "folderId").select
    assert chosen is not None
    assert chosen.value == name


@pytest.mark.parametrize("given", ["f-901", "77aa", "7f3a-22", "1207"])
def test_an_id_that_is_no_uuid_is_an_id_yet(given: str) -> None:
    found = plan(f"delete folder {given}", FOLDERS)

    assert names(found) == ["deleteFolder"]
    assert known(found, 0) == {"folderId": given}


@pytest.mark.parametrize(
    ("goal", "calls"),
    [
        ("show me purchase invoice 93", ["getInvoice"]),
        ("show me the payment details of order 42", ["getDetails"]),
        ("show me the details of order 42", ["getOrder"]),
        ("show me group 1207 of bucket 42", ["getGroup"]),
        ("check legal entity 1207, then delete it", ["deleteEntity"]),
    ],
)
def test_a_path_is_no_longer_than_what_is_said(goal: str, calls: list[str]) -> None:
    found = plan(goal, INVOICES)

    assert names(found)[-1:] == calls


@pytest.mark.parametrize(
    ("goal", "inputs"),
    [
        ('update company 7: name "Open house"', {"id": "7", "name": "Open house"}),
        ("update company 7: location Borealis", {"id": "7", "location": "Borealis"}),
        (
            "create a company with name Borealis and language sv",
            {"name": "Borealis", "language": "sv"},
        ),
        (
            'create a company with name Borealis and description "Open house"',
            {"name": "Borealis", "description": "Open house"},
        ),
        (
            "create a company with name Borealis and business partner id 25",
            {"name": "Borealis", "business_partner_id": 25},
        ),
    ],
)
def test_a_field_and_its_value_belong_to_the_thing(goal: str, inputs: Mapping[str, object]) -> None:
    """Nothing else is set: the stem of AED is an article."""
    found = plan(goal, COMPANIES)

    assert len(found.steps) == 1
    assert known(found, 0) == inputs


def test_what_a_list_is_narrowed_by_makes_nothing() -> None:
    tools = [
        call("GET /repos/commits", "listCommits", "List commits", query=("owner", "repo"), answer=page("items", record("Commit", "sha"))),
        call("POST /repos", "createRepository", "Create a repository", body={"name": TEXT}),
    ]  # fmt: skip

    found = plan("list the commits with owner acme and repository Silver Lake", tools)

    assert names(found) == ["listCommits"]


@pytest.mark.parametrize("goal", ["order 42 is open now", "update order 42: status open"])
def test_the_state_of_a_thing_is_not_that_of_its_payment(goal: str) -> None:
    found = plan(goal, ORDERS)

    assert names(found) == ["updateOrder"]
    assert known(found, 0) == {"id": "42", "status": "open"}


def test_how_many_are_listed_names_nobody() -> None:
    found = plan("list 5 promotions", ORDERS)

    assert known(found, 0) == {"page_size": 5}


def test_an_input_takes_what_stands_behind_its_whole_name() -> None:
    found = plan("list the payments with from date 2027-03-05", ORDERS)

    assert known(found, 0) == {"from_date": "2027-03-05"}


def test_that_behind_several_things_speaks_of_these() -> None:
    found = plan("show me the payments that are cancelled", ORDERS)

    assert names(found) == ["listPayments"]
    assert known(found, 0) == {"state": "cancelled"}


@pytest.mark.parametrize(
    "goal",
    [
        "give me the cancelled payments",
        "get me all cancelled payments",
        "I want to see the cancelled payments",
        "ok, can you give us the cancelled payments?",
    ],
)
def test_what_is_to_be_given_is_to_be_seen(goal: str) -> None:
    found = plan(goal, [*ORDERS, call("POST /payments", "createPayment", "Create a payment")])

    assert names(found) == ["listPayments"]
    assert known(found, 0) == {"state": "cancelled"}


def test_the_sign_of_a_number_is_no_part_of_it() -> None:
    assert known(plan("order #42 is open now", ORDERS), 0) == {"id": "42", "status": "open"}


@pytest.mark.parametrize("soon", ["asap", "right away", "immediately"])
def test_how_soon_something_is_made_is_no_part_of_its_name(soon: str) -> None:
    found = plan(f"create a company called Gold Plan {soon}", COMPANIES)

    assert names(found) == ["createCompany"]
    assert known(found, 0) == {"name": "Gold Plan"}


def test_to_describe_a_thing_is_to_read_it() -> None:
    tools = [
        call("POST /tables", "create_table", "Create a new table", body={"query": TEXT}),
        call("GET /tables/{name}", "describe_table", "Get the schema of a table", answer=record("Table", "name")),
    ]  # fmt: skip

    assert names(plan("describe the table users", tools)) == ["describe_table"]


def test_one_thing_is_named_once() -> None:
    vault: Schema = {"type": "object", "required": ["id"], "properties": {"id": TEXT}}
    tools = [
        call("GET /vaults", "listVaults", "List vaults", answer=page("vaults", record("Vault", "id", "name"))),
        call("POST /vaults/{vaultId}/items", "createItem", "Add an item", body={"vault": vault, "title": TEXT}),
    ]  # fmt: skip

    found = plan("add an item to vault 93 with title Borealis", tools)

    assert names(found) == ["createItem"]
    assert known(found, 0) == {"vaultId": "93", "vault": {"id": "93"}, "title": "Borealis"}


TEMPLATE = record("Template", "id", "name", "subject")
TEMPLATES = [
    call("GET /templates", "listTemplates", "List templates", answer=page("data", record("Template", "id", "name"))),
    call("GET /templates/{id}", "getTemplate", "Get a template", answer=TEMPLATE),
    call("PUT /templates/{id}", "replaceTemplate", "Replace a template", body={"name": TEXT, "subject": TEXT}),
]  # fmt: skip


def _sources(goal: str, *, without: str = "") -> tuple[list[str], dict[str, tuple[int, str]]]:
    """The calls of a plan, and from which step and field its last call takes what it takes from others."""
    found = plan(goal, [tool for tool in TEMPLATES if not tool.id.endswith(without or "?")])
    bound = found.steps[-1].bindings
    return names(found), {
        name: (one.step, one.path) for name, one in bound.items() if isinstance(one, StepBinding)
    }


def test_what_a_whole_change_leaves_is_what_the_thing_has() -> None:
    calls, sources = _sources("rename template 12 to Autumn")

    assert calls == ["getTemplate", "replaceTemplate"]
    assert sources == {"subject": (1, "/subject")}


def test_what_is_looked_up_by_its_name_is_read_before_it_is_replaced() -> None:
    calls, sources = _sources('rename the template "Welcome" to Autumn')

    assert calls == ["listTemplates", "getTemplate", "replaceTemplate"]
    assert sources == {"id": (1, "/data/*/id"), "subject": (2, "/subject")}


def test_what_nothing_reads_is_asked() -> None:
    calls, sources = _sources("rename template 12 to Autumn", without="getTemplate")

    assert calls == ["replaceTemplate"]
    assert not sources


def test_a_list_that_holds_it_is_enough() -> None:
    tools = [
        call("GET /redirects", "listRedirects", "List redirects", answer=page("data", record("Redirect", "id", "name", "target"))),
        call("PUT /redirects/{id}", "replaceRedirect", "Replace a redirect", body={"name": TEXT, "target": TEXT}),
    ]  # fmt: skip

    found = plan('rename the redirect "old" to new-shop', tools)

    assert names(found) == ["listRedirects", "replaceRedirect"]
    assert selected(found, "target").path == "/data/*/target"
    assert selected(found, "target").select == selected(found, "id").select


def test_a_new_thing_has_nothing_of_those_that_are_there() -> None:
    address: Schema = {"type": "object", "required": ["post_code"], "properties": {"post_code": TEXT}}
    partner: Schema = {
        "type": "object",
        "title": "Partner",
        "properties": {"id": TEXT, "name": TEXT, "address": address},
    }
    tools = [
        call("GET /partners", "listPartners", "List partners", answer=page("data", partner)),
        call("GET /partners/{id}", "getPartner", "Get a partner", answer=partner),
        call("POST /partners", "createPartner", "Create a partner", body={"name": TEXT, "address": address}),
    ]  # fmt: skip

    assert names(plan("create a partner called Acme", tools)) == ["createPartner"]


@pytest.mark.parametrize(
    "goal", ["create a label urgent with color #112233", "create a label urgent, color #FF0000"]
)
def test_the_sign_of_a_colour_is_a_part_of_it(goal: str) -> None:
    tools = [call("POST /labels", "createLabel", "Create a label", body={"name": TEXT, "color": TEXT})]

    assert known(plan(goal, tools), 0) == {"name": "urgent", "color": goal.split()[-1]}


DESK = [
    call("GET /tickets", "listTickets", "List tickets", query=("status",), details={"status": OPEN}, answer=page("items", record("Ticket", "id", "subject"))),
    call("GET /tickets/{ticketId}", "getTicket", "Get a ticket", answer=record("Ticket", "id", "subject")),
    call("DELETE /tickets/{ticketId}", "deleteTicket", "Delete a ticket"),
    call("POST /tickets/{ticketId}/messages", "replyToTicket", "Reply to a ticket", body={"body": TEXT}),
    call("GET /tickets/{ticketId}/watchers", "listWatchers", "List watchers of a ticket", answer=page("items", record("Watcher", "watcherId", "email"))),
    call("DELETE /tickets/{ticketId}/watchers/{watcherId}", "removeWatcher", "Remove a watcher from a ticket"),
]  # fmt: skip


@pytest.mark.parametrize(
    "goal",
    [
        "would you not delete ticket 7?",
        "could you please not delete ticket 7?",
        "make sure to not delete ticket 7",
        "I want to know if I need to delete ticket 7",
        "remove me from ticket 7",
        "take them off ticket 7",
    ],
)
def test_who_asks_politely_that_something_is_not_done_has_it_left(goal: str) -> None:
    """Nor is the thing deleted from which somebody is taken away."""
    assert "deleteTicket" not in names(plan(goal, DESK))


@pytest.mark.parametrize(
    "text",
    [
        "we will fix it right away",
        "wait a bit and please restart",
        "this works for me",
        "let's ship it asap",
        "stop by. Please bring the router",
    ],
)
def test_a_text_keeps_its_courtesies(text: str) -> None:
    found = plan(f'please reply to ticket 7 saying "{text}"', DESK)

    assert names(found) == ["replyToTicket"]
    assert known(found, 0) == {"ticketId": "7", "body": text}


@pytest.mark.parametrize("text", ["let's ship it asap", "this works for me, thanks"])
def test_a_text_without_marks_keeps_them_too(text: str) -> None:
    assert known(plan(f"can you reply to ticket 7 saying {text}", DESK), 0) == {"ticketId": "7", "body": text}
