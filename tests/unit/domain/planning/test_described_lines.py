"""What a price is for, where a goal says it beside the price."""

import pytest

from app.domain.workflows.plans import StepBinding
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

LINE: Schema = {
    "type": "object",
    "required": ["description", "unitPrice"],
    "properties": {
        "description": TEXT,
        "quantity": {"type": "number"},
        "unitPrice": {"type": "number"},
    },
}
SALES = [
    call(
        "GET /customers",
        "listCustomers",
        "List customers",
        query=("name",),
        answer=page("customers", record("Customer", "id", "name")),
    ),
    call(
        "POST /invoices",
        "createInvoice",
        "Create an invoice",
        body={"customerId": TEXT, "lines": {"type": "array", "items": LINE}},
        answer=page("invoices", record("Invoice", "invoiceId", "number")),
    ),
    call("POST /invoices/{invoiceId}/send", "sendInvoice", "Send an invoice"),
]


def line(goal: str) -> object:
    found = plan(goal, SALES)
    step = names(found).index("createInvoice")
    return known(found, step).get("lines")


@pytest.mark.parametrize(
    ("goal", "lines"),
    [
        (
            "create an invoice for customer cus_7, 450 for a logo",
            [{"description": "logo", "unitPrice": 450}],
        ),
        (
            "create an invoice for customer cus_7: 4 shelving units at 210 each",
            [{"description": "shelving units", "quantity": 4, "unitPrice": 210}],
        ),
        (
            "create an invoice for customer cus_7 with a travel fee of 40",
            [{"description": "travel fee", "unitPrice": 40}],
        ),
    ],
)
def test_what_stands_beside_a_price_describes_the_line(goal: str, lines: object) -> None:
    assert line(goal) == lines


@pytest.mark.parametrize(
    "goal",
    [
        "create an invoice of 450 for the customer",
        "create an invoice of 450 for two weeks",
        "create an invoice of 450 for Ann Lee",
        "create an invoice of 450 for customer cus_7",
        "create an invoice of 450 for me",
        "create an invoice for customer cus_7 with a price of 20",
        "create an invoice for customer cus_7, 200 for design and 100 for hosting",
    ],
)
def test_whom_and_when_it_is_for_is_no_description(goal: str) -> None:
    assert line(goal) is None


def test_what_makes_a_thing_gives_no_other() -> None:
    found = plan("create an invoice for customer cus_7, 450 for a logo, and send it", SALES)
    assert names(found) == ["createInvoice", "sendInvoice"]
    picked = found.steps[1].bindings["invoiceId"]
    assert isinstance(picked, StepBinding)
    assert picked.select is not None
    assert picked.select.by == "first"
