"""How many of a list are meant, names that go on with numbers, states by verbs with prefixes, and what only sets one state."""

from collections.abc import Sequence

import pytest

from app.domain.filling.states.words import opposed
from app.domain.nodes.models import Tool
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import KnownBinding, Plan
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import NUMBER, TEXT, call, page, record

TICKET = record("Ticket", "id", "subject", "status")


def plan(goal: str, tools: Sequence[Tool]) -> Plan:
    index = PlanIndex(tools)
    edges = requirements_within(infer_dependencies(tools).requires)
    return finish_plan(index, draft_plan(index, goal, requirements=edges, known={}))


@pytest.mark.parametrize(
    "goal",
    [
        "list tickets, at most 20",
        "show up to 20 tickets",
        "show me the 20 newest tickets",
        "list the first 20 tickets",
    ],
)
@pytest.mark.parametrize("limit", ["limit", "per_page", "display_size"])
def test_a_number_that_bounds_a_list_goes_to_its_limit(goal: str, limit: str) -> None:
    tools = [
        call(
            "GET /tickets",
            "listTickets",
            "List tickets",
            query=(limit, "page"),
            details={limit: NUMBER, "page": NUMBER},
            answer=page("tickets", TICKET),
        ),
        call("GET /tickets/{ticketId}", "getTicket", "Get a ticket", answer=TICKET),
    ]
    found = plan(goal, tools)
    assert [(step.tool_id, step.bindings) for step in found.steps] == [
        ("shop/listTickets", {limit: KnownBinding(known=20)})
    ]


@pytest.mark.parametrize("name", ["Summer Sale 2026", "Version 2", "Tax Returns 2025"])
def test_what_is_called_goes_on_with_a_number(name: str) -> None:
    folders = call("POST /folders", "createFolder", "Create a folder", body={"name": TEXT, "count": NUMBER})
    found = plan(f"create a folder called {name}", [folders])
    assert found.steps[0].bindings["name"] == KnownBinding(known=name)


def test_a_prefix_that_negates_turns_a_switch_off() -> None:
    assert "activ" in opposed("deactiv")
    assert opposed("under") == frozenset()


def test_a_name_of_two_words_is_an_input_that_is_written_together() -> None:
    customers = call("GET /customers", "listCustomers", "List customers", query=("lastname", "firstname"))
    found = plan("list the customers with the last name Novak", [customers])
    assert found.steps[0].bindings == {"lastname": KnownBinding(known="Novak")}


def test_what_another_date_ends_begins_a_period() -> None:
    move = call(
        "PUT /bookings/{id}/move",
        "moveBooking",
        "Move a booking",
        optional={
            "startDateTime": {**TEXT, "format": "date-time"},
            "endDateTime": {**TEXT, "format": "date-time"},
        },
    )
    found = plan("move booking 5512 to 2026-12-03T10:00:00+00:00 until 2026-12-03T10:30:00+00:00", [move])
    assert [str(found.steps[0].bindings[name]) for name in ("startDateTime", "endDateTime")] == [
        str(KnownBinding(known="2026-12-03T10:00:00+00:00")),
        str(KnownBinding(known="2026-12-03T10:30:00+00:00")),
    ]


def test_a_percentage_takes_percents() -> None:
    taxes = call(
        "POST /taxes", "createTax", "Create a tax", body={"name": TEXT, "percentage": {"type": "number"}}
    )
    found = plan("add a tax called Reduced of 8 percent", [taxes])
    assert found.steps[0].bindings["percentage"] == KnownBinding(known=8)


def test_to_tell_somebody_a_text_is_to_send_a_message() -> None:
    tools = [
        call("GET /tickets", "listTickets", "List tickets", query=("customer",)),
        call("POST /tickets/{ticketId}/message", "addMessage", "Add a message", body=("body",)),
        call("PUT /tickets/{ticketId}/close", "closeTicket", "Close a ticket"),
    ]
    found = plan('close ticket 9020 and tell the customer "A new one is on its way"', tools)
    assert [step.tool_id for step in found.steps] == ["shop/closeTicket", "shop/addMessage"]
    assert found.steps[1].bindings["body"] == KnownBinding(known="A new one is on its way")
