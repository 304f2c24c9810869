"""What a goal says in its own way goes to inputs as their documents type them."""

from collections.abc import Mapping

import pytest

from tests.calls import call, page, record
from tests.unit.domain.planning.test_context import stated
from tests.unit.domain.planning.test_unseen_goals import plan

TEXT = {"type": "string"}
DATE = {"type": "string", "format": "date"}
WHOLE = {"type": "integer"}
TOOLS = [
    call(
        "GET /invoices",
        "listInvoices",
        "List invoices",
        answer=page("invoices", record("Invoice", "id", "name")),
        optional={
            "created_after": DATE,
            "created_before": DATE,
            "is_draft": {"type": "integer", "enum": [0, 1]},
        },
    ),
    call(
        "PATCH /machines/{id}",
        "updateMachine",
        "Update a machine",
        optional={
            "vcpus": WHOLE,
            "autoRenew": {"type": "boolean"},
        },
    ),
    call(
        "POST /image/background/tags/add",
        "addTag",
        "Add a tag to a background",
        body={"id": TEXT, "tags": TEXT},
    ),
    call(
        "POST /numbers/check",
        "checkNumbers",
        "Check numbers",
        body={
            "contacts": {
                "type": "array",
                "items": TEXT,
                "description": "Phone numbers in E.164 format",
            }
        },
    ),
]


def given(goal: str, name: str) -> Mapping[str, object]:
    """The values that a call of the plan is given."""
    return dict(stated(plan(goal, TOOLS)))[name]


@pytest.mark.parametrize(
    "said",
    [
        "from 1 to 31 May 2025",
        "from the 1st until 31st of May 2025",
        "between 1 and 31 May 2025",
        "from May 1 to 31, 2025",
        "between May 1 and 31, 2025",
    ],
)
def test_two_days_of_one_month_are_a_period(said: str) -> None:
    assert given(f"list the invoices {said}", "listInvoices") == {
        "created_after": "2025-05-01",
        "created_before": "2025-05-31",
    }


def test_a_number_beside_a_date_begins_no_period() -> None:
    found = given("list the invoices 3 and 9 June 2025", "listInvoices")
    assert "2025-06-03" not in found.values()


def test_a_word_switches_on_what_is_0_or_1() -> None:
    assert given("list all draft invoices", "listInvoices") == {"is_draft": 1}


def test_what_says_only_that_something_is_on_need_not_be_said() -> None:
    assert given("stop renewing machine 87", "updateMachine") == {"id": "87", "autoRenew": False}


def test_an_id_without_a_noun_is_of_any_thing_of_the_path() -> None:
    found = given("add the tag winter to the background 75c3EoOmPVolqfB4KeUhXgeF", "addTag")
    assert found == {"id": "75c3EoOmPVolqfB4KeUhXgeF", "tags": "winter"}


def test_a_list_of_telephone_numbers_takes_one() -> None:
    assert given("check +16315550199", "checkNumbers") == {"contacts": ["+16315550199"]}
