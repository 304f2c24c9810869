"""Members of enums that a goal means in other words than a document has."""

import pytest

from tests.calls import NUMBER, TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_goals import names, plan
from tests.unit.domain.planning.test_unseen_goals import known

CATEGORY: Schema = {"type": "string", "enum": ["lodging", "ground_transport", "meals"]}
REASON: Schema = {"type": "string", "enum": ["duplicate", "fraudulent", "out_of_stock"]}
STATUS: Schema = {"type": "string", "enum": ["draft", "sent", "overdue"]}
OFFICE = [
    call(
        "POST /expenses",
        "createExpense",
        "Record an expense",
        body={"category": CATEGORY, "amount": NUMBER},
    ),
    call(
        "POST /orders/{orderId}/cancel",
        "cancelOrder",
        "Cancel an order",
        optional={"reason": REASON, "comment": TEXT},
    ),
    call(
        "GET /invoices",
        "listInvoices",
        "List invoices",
        query=("status",),
        details={"status": STATUS},
        answer=page("invoices", record("Invoice", "id", "status")),
    ),
]


@pytest.mark.parametrize(
    ("goal", "name", "value"),
    [
        ("record an expense of 40 for a taxi", "category", "ground_transport"),
        ("cancel order 7, it is sold out", "reason", "out_of_stock"),
        ("cancel order 7, it was entered twice", "reason", "duplicate"),
        ("list the invoices that are past due", "status", "overdue"),
    ],
)
def test_a_member_is_meant_by_what_people_say_for_it(goal: str, name: str, value: str) -> None:
    assert known(plan(goal, OFFICE), -1)[name] == value


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("cancel order 7, it is not sold out", "reason"),
        ('cancel order 7 with the comment "sold out"', "reason"),
        ("cancel order 7, it can't be sold out", "reason"),
        ("cancel order 7, none was sold out", "reason"),
        ("cancel order 7, sold 3 out of 5", "reason"),
        ("record an expense of 40 for a hotel taxi", "category"),
    ],
)
def test_nothing_is_meant_by_what_is_denied_quoted_or_one_of_two(goal: str, name: str) -> None:
    found = plan(goal, OFFICE)
    assert names(found)
    assert name not in known(found, -1)
