"""Things are found by what they are numbered with: `TW-118` where the document shows article numbers of that form."""

import pytest

from app.domain.workflows.plans import ComposedBinding, KnownBinding, StepBinding
from tests.calls import NUMBER, TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

ITEM: Schema = record("Item", "id:integer", "sku", "name", "unitCost:number")
LINES: Schema = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"itemId": NUMBER, "quantity": NUMBER, "unitCost": {"type": "number"}},
        "required": ["itemId", "quantity"],
    },
}
STOCK = [
    call(
        "GET /items",
        "listItems",
        "List items",
        query=("search", "sku", "preferredSupplierId"),
        details={"sku": {"examples": ["TW-118"]}, "preferredSupplierId": NUMBER},
        answer=page("items", ITEM),
    ),
    call(
        "PATCH /items/{itemId}",
        "updateItem",
        "Change an item",
        details={"itemId": NUMBER},
        optional={"sku": TEXT, "name": TEXT, "unitCost": {"type": "number"}},
    ),
    call("POST /items/{itemId}/discontinue", "discontinueItem", "Discontinue an item"),
    call(
        "GET /suppliers",
        "listSuppliers",
        "List suppliers",
        query=("search",),
        answer=page("suppliers", record("Supplier", "id:integer", "name")),
    ),
    call(
        "POST /purchase-orders",
        "createPurchaseOrder",
        "Create a purchase order",
        body={"supplierId": NUMBER, "warehouseId": NUMBER},
        optional={"lines": LINES},
    ),
    call(
        "POST /transfers",
        "createTransfer",
        "Create a transfer",
        body={"fromWarehouseId": NUMBER, "toWarehouseId": NUMBER, "lines": LINES},
    ),
    call(
        "POST /shipments",
        "createShipment",
        "Create a shipment",
        body={"warehouseId": NUMBER, "lines": LINES},
        optional={"orderReference": {"type": "string", "examples": ["SO-11800"]}},
    ),
]


@pytest.mark.parametrize(
    ("goal", "change"),
    [
        ("set the unit cost of BX-2210 to 14.80", {"unitCost": 14.8}),
        ('rename BX-2210 to "Small box"', {"name": "Small box"}),
        ("change the sku of BX-2210 to BX-2211", {"sku": "BX-2211"}),
    ],
)
def test_what_is_changed_is_found_by_its_number(goal: str, change: dict[str, object]) -> None:
    found = plan(goal, STOCK)
    assert names(found) == ["listItems", "updateItem"]
    assert known(found, 0) == {"sku": "BX-2210"}
    assert known(found, 1) == change


def test_one_thing_has_a_number() -> None:
    """So nothing is left to choose."""
    item = plan("discontinue BX-2210", STOCK).steps[1].bindings["itemId"]
    assert isinstance(item, StepBinding)
    assert item.select is not None
    assert item.select.by == "first"


def test_what_another_thing_is_numbered_with_is_no_number_of_one() -> None:
    """A customer has many invoices: which one is sent is asked."""
    customer: Schema = {"type": "string", "examples": ["cus_9s6XKzkNRiz8i3"]}
    invoices = [
        call(
            "GET /invoices",
            "listInvoices",
            "List invoices",
            query=("customer",),
            details={"customer": customer},
            answer=page("invoices", record("Invoice", "id", "number")),
        ),
        call("POST /invoices/{invoiceId}/send", "sendInvoice", "Send an invoice"),
        call("GET /customers/{customer}", "getCustomer", "Get a customer", details={"customer": customer}),
    ]
    found = plan("send the invoice of cus_2", invoices)
    assert names(found) == ["listInvoices", "sendInvoice"]
    bound = found.steps[1].bindings["invoiceId"]
    assert isinstance(bound, StepBinding)
    assert bound.select is not None
    assert bound.select.by == "ask"


@pytest.mark.parametrize(
    ("goal", "change", "quantity"),
    [
        ("transfer 25 of BX-2210 from warehouse 1 to warehouse 6", "createTransfer", 25),
        ("order 500 of TW-118 from supplier 655 for warehouse 2", "createPurchaseOrder", 500),
        ("create a shipment from warehouse 2 for order SO-12077 with 4 of VN-300", "createShipment", 4),
    ],
)
def test_how_much_of_it_is_the_quantity_of_a_line(goal: str, change: str, quantity: int) -> None:
    """Its item is looked up, also where the lines need not be there."""
    found = plan(goal, STOCK)
    assert names(found) == ["listItems", change]
    assert [*known(found, 0)] == ["sku"]
    lines = found.steps[1].bindings["lines"]
    assert isinstance(lines, ComposedBinding)
    assert lines.compose == [{"itemId": "{itemId}", "quantity": quantity}]
    assert isinstance(lines.parts["itemId"], StepBinding)


def test_a_number_that_begins_as_another_example_is_of_that() -> None:
    found = plan("create a shipment from warehouse 2 for order SO-12077 with 4 of VN-300", STOCK)
    assert found.steps[0].bindings["sku"] == KnownBinding(known="VN-300")
    assert found.steps[1].bindings["orderReference"] == KnownBinding(known="SO-12077")


def test_what_is_found_by_its_number_is_not_searched_by_a_name() -> None:
    found = plan("order 500 of TW-118 at 0.42 each from Hollis Wire for warehouse 2", STOCK)
    assert names(found)[-1] == "createPurchaseOrder"
    lookups = {name: known(found, at) for at, name in enumerate(names(found)[:-1])}
    assert lookups == {"listItems": {"sku": "TW-118"}, "listSuppliers": {"search": "Hollis Wire"}}


def test_each_of_two_that_are_looked_up_is_changed() -> None:
    found = plan("discontinue BX-2210 and TW-118", STOCK)
    assert names(found) == ["listItems", "listItems", "discontinueItem", "discontinueItem"]
    assert [known(found, at)["sku"] for at in (0, 1)] == ["BX-2210", "TW-118"]
    items = [found.steps[at].bindings["itemId"] for at in (2, 3)]
    assert [one.step for one in items if isinstance(one, StepBinding)] == [1, 2]


def test_each_of_two_names_is_the_one_that_is_taken_of_its_list() -> None:
    macros = [
        call(
            "GET /macros",
            "listMacros",
            "List macros",
            query=("search",),
            answer=page("macros", record("Macro", "id:integer", "name")),
        ),
        call("DELETE /macros/{macroId}", "deleteMacro", "Delete a macro"),
    ]
    found = plan('delete the macros "Sorry" and "Hello"', macros)
    assert names(found) == ["listMacros", "listMacros", "deleteMacro", "deleteMacro"]
    picked = [found.steps[at].bindings["macroId"] for at in (2, 3)]
    selects = [(one.step, one.select) for one in picked if isinstance(one, StepBinding)]
    assert [(step, select and select.value) for step, select in selects] == [(1, "Sorry"), (2, "Hello")]


def test_what_is_looked_up_on_the_way_is_looked_up_for_each() -> None:
    schedules = [
        call(
            "GET /schedules",
            "listSchedules",
            "List schedules",
            query=("name",),
            answer=page("schedules", record("Schedule", "id", "name")),
        ),
        call(
            "GET /schedules/{scheduleId}/overrides",
            "listOverrides",
            "List overrides",
            answer=page("overrides", record("Override", "id", "createdAt")),
        ),
        call("DELETE /schedules/{scheduleId}/overrides/{overrideId}", "deleteOverride", "Delete an override"),
    ]
    found = plan('delete the newest override of the schedules "Primary" and "Backup"', schedules)
    assert names(found) == [*["listSchedules"] * 2, *["listOverrides"] * 2, *["deleteOverride"] * 2]
    taken = [
        [one.step for one in found.steps[at].bindings.values() if isinstance(one, StepBinding)]
        for at in (2, 3, 4, 5)
    ]
    assert [sorted(steps) for steps in taken] == [[1], [2], [1, 3], [2, 4]]


def test_two_things_that_one_call_takes_are_given_to_one_call() -> None:
    contacts = [
        call(
            "GET /contacts",
            "listContacts",
            "List contacts",
            query=("q",),
            answer=page("contacts", record("Contact", "id:integer", "name")),
        ),
        call(
            "POST /contacts/{contactId}/merge",
            "mergeContacts",
            "Merge contacts",
            body={"duplicateContactId": NUMBER},
        ),
    ]
    found = plan('merge the contacts "Acme Ltd" and "Acme GmbH"', contacts)
    assert names(found).count("mergeContacts") == 1


def test_what_something_is_put_on_is_there() -> None:
    assert "createPurchaseOrder" not in names(plan("put 12 of item 20700 on purchase order 88275", STOCK))
