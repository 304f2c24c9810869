"""From a goal that says which, when and what not, to a plan that does that and nothing else."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from app.domain.nodes.models import Tool
from app.domain.planning.context import MAX_VALUES
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.reading.models import AskedTask
from app.domain.workflows.plans import (
    InputBinding,
    KnownBinding,
    Plan,
    Select,
    Sort,
    StepBinding,
    When,
    Where,
)
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import Schema, call, page, record
from tests.unit.catalogues import tool
from tests.unit.domain.planning.test_context import stated

SUNDAY = datetime(2026, 11, 22, 15, 0, tzinfo=UTC)
LAMP = record("Lamp", "lampId", "name", "createdAt")
LAMPS = call("GET /lamps", "listLamps", "List lamps", answer=page("lamps", LAMP))
DIM = call("POST /lamps/{lampId}/dim", "dimLamp", "Dim a lamp")
REMOVE = call("DELETE /lamps/{lampId}", "deleteLamp", "Delete a lamp")
READ = call("GET /lamps/{lampId}", "getLamp", "Get a lamp", answer=LAMP)


def ticket(**more: Schema) -> Schema:
    """A ticket whose answer may say more."""
    return {"type": "object", "title": "Ticket", "properties": {"ticketId": {"type": "string"}, **more}}


def desk(item: Schema) -> list[Tool]:
    """Tickets that are read, closed, reopened and deleted."""
    return [
        call("GET /tickets", "listTickets", "List tickets", answer=page("tickets", item)),
        call("GET /tickets/{ticketId}", "getTicket", "Get a ticket", answer=item),
        call("POST /tickets/{ticketId}/close", "closeTicket", "Close a ticket"),
        call("DELETE /tickets/{ticketId}", "deleteTicket", "Delete a ticket"),
        call(
            "POST /tickets/{ticketId}/notes",
            "createNote",
            "Create a note of a ticket",
            body={"text": {"type": "string"}},
        ),
    ]


STATUS: Schema = {"type": "string", "enum": ["waiting", "solved"]}
DESK = desk(ticket(status=STATUS))


def plan(goal: str, tools: Sequence[Tool], *, tasks: Sequence[AskedTask] = ()) -> Plan:
    index = PlanIndex(tools)
    edges = requirements_within(infer_dependencies(tools).requires)
    draft = draft_plan(index, goal, requirements=edges, known={}, tasks=tasks, now=SUNDAY)
    return finish_plan(index, draft)


def names(found: Plan) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in found.steps]


def codes(found: Plan) -> list[str]:
    return [warning.code for warning in found.warnings]


def chosen(found: Plan, parameter: str) -> Select | None:
    """Which item of a list the last step takes."""
    binding = found.steps[-1].bindings[parameter]
    assert isinstance(binding, StepBinding)
    return binding.select


def test_steps_about_the_same_thing_ask_for_it_once() -> None:
    tools = [
        call("POST /safes/{safeId}/open", "openSafe", "Open a safe"),
        call("POST /safes/{safeId}/paint", "paintSafe", "Paint a safe"),
    ]
    found = plan("open the safe and paint the safe", tools)
    assert names(found) == ["openSafe", "paintSafe"]
    assert [step.bindings for step in found.steps] == [{"safeId": InputBinding(input="safeId")}] * 2
    assert [entry.name for entry in found.inputs] == ["safeId"]


def test_a_thing_that_is_named_once_is_meant_by_the_tasks_behind_it() -> None:
    found = plan('close ticket 7 and create a note saying "done"', DESK)
    assert names(found) == ["closeTicket", "createNote"]
    assert [step.bindings["ticketId"] for step in found.steps] == [KnownBinding(known="7")] * 2


@pytest.mark.parametrize("goal", ["dim every lamp", "dim all lamps"])
def test_a_step_runs_for_each_item_of_a_list(goal: str) -> None:
    found = plan(goal, [LAMPS, DIM])
    assert names(found) == ["listLamps", "dimLamp"]
    assert chosen(found, "lampId") == Select(by="each")


def test_an_id_that_is_excepted_is_left_out_of_each() -> None:
    found = plan("dim all lamps except L4711", [LAMPS, DIM])
    assert chosen(found, "lampId") == Select(by="each", except_=("L4711",))
    assert found.unused == ()


def test_a_name_that_is_excepted_is_left_out_by_the_field_that_holds_it() -> None:
    found = plan('dim all lamps except "Kitchen"', [LAMPS, DIM])
    assert chosen(found, "lampId") == Select(
        by="each", where=(Where(field="name", op="ne", value="Kitchen"),)
    )


def test_what_no_field_can_spare_is_asked_for() -> None:
    bare = call("GET /lamps", "listLamps", "List lamps", answer=page("lamps", record("Lamp", "lampId")))
    found = plan('dim all lamps except "Kitchen"', [bare, DIM])
    assert chosen(found, "lampId") == Select(by="ask", except_=("Kitchen",))


@pytest.mark.parametrize(
    ("goal", "select"),
    [
        ("dim the latest lamp", Select(by="last", sort=Sort(field="createdAt"))),
        ("dim the oldest lamp", Select(by="first", sort=Sort(field="createdAt"))),
    ],
)
def test_the_latest_is_the_last_by_its_time(goal: str, select: Select) -> None:
    assert chosen(plan(goal, [LAMPS, DIM]), "lampId") == select


def test_the_latest_of_things_without_a_time_is_asked_for() -> None:
    bare = call("GET /lamps", "listLamps", "List lamps", answer=page("lamps", record("Lamp", "lampId")))
    assert chosen(plan("dim the latest lamp", [bare, DIM]), "lampId") == Select(by="ask")


@pytest.mark.parametrize(
    ("goal", "tool", "select"),
    [
        ("dim the lamp", DIM, Select(by="ask")),
        ("delete the lamp", REMOVE, Select(by="ask")),
        ("get a lamp", READ, Select(by="first")),
    ],
)
def test_what_is_changed_is_asked_for_and_what_is_read_is_the_first(
    goal: str, tool: Tool, select: Select
) -> None:
    assert chosen(plan(goal, [LAMPS, tool]), "lampId") == select


def test_a_condition_that_an_answer_tells_has_to_hold_before_the_step() -> None:
    found = plan("close ticket 7 if it is solved", DESK)
    assert names(found) == ["getTicket", "closeTicket"]
    assert found.steps[1].when == (When(step=1, path="/status", value="solved"),)
    assert found.steps[0].bindings == {"ticketId": KnownBinding(known="7")}


@pytest.mark.parametrize("goal", ["close ticket 7 unless it is solved", "close ticket 7 if it is not solved"])
def test_a_negated_condition_has_to_be_otherwise(goal: str) -> None:
    assert plan(goal, DESK).steps[-1].when == (When(step=1, path="/status", op="ne", value="solved"),)


def test_a_switch_of_an_answer_tells_a_condition_too() -> None:
    found = plan("close ticket 7 if it is locked", desk(ticket(locked={"type": "boolean"})))
    assert found.steps[-1].when == (When(step=1, path="/locked", value=True),)


def test_the_opposite_of_a_switch_is_the_switch_off() -> None:
    found = plan("close ticket 7 if it is public", desk(ticket(private={"type": "boolean"})))
    assert found.steps[-1].when == (When(step=1, path="/private", op="eq", value=False),)


def test_a_condition_that_no_answer_tells_is_warned_of() -> None:
    found = plan("close ticket 7 if it is solved", desk(ticket()))
    assert names(found)[-1] == "closeTicket"
    assert found.steps[-1].when == ()
    assert codes(found) == ["condition_not_checked"]
    assert "it is solved" in found.warnings[0].message


def test_a_condition_holds_for_the_tasks_behind_it() -> None:
    found = plan('if ticket 7 is solved, close ticket 7 and create a note saying "done"', DESK)
    assert names(found) == ["getTicket", "closeTicket", "createNote"]
    assert [bool(step.when) for step in found.steps] == [False, True, True]


@pytest.mark.parametrize(
    "goal",
    [
        "close ticket 7 but do not delete it",
        "close ticket 7 without deleting it",
        "close ticket 7, never delete it",
        "close ticket 7 but keep the ticket",
    ],
)
def test_what_is_excluded_is_not_called(goal: str) -> None:
    assert names(plan(goal, DESK)) == ["closeTicket"]


def test_an_excluded_action_is_not_called_though_no_other_fits() -> None:
    found = plan("get rid of ticket 7 without deleting it", [DESK[3]])
    assert names(found) == []


def test_a_task_that_no_tool_does_is_unmet_and_the_others_are_planned() -> None:
    found = plan("close ticket 7 and bake a cake", DESK)
    assert names(found) == ["closeTicket"]
    assert [unmet.task for unmet in found.unmet] == ["bake a cake"]
    assert codes(found) == ["missing_tool"]


def test_tasks_of_the_caller_are_planned_as_they_are_cut() -> None:
    tasks = [
        AskedTask(do="close the ticket", values={"ticket id": "T-9"}),
        AskedTask(do="create a note", values={"text": "done and dusted", "ticket id": "T-9"}),
    ]
    found = plan("tidy up", DESK, tasks=tasks)
    assert names(found) == ["closeTicket", "createNote"]
    assert found.steps[0].bindings == {"ticketId": KnownBinding(known="T-9")}
    assert found.steps[1].bindings == {
        "ticketId": KnownBinding(known="T-9"),
        "text": KnownBinding(known="done and dusted"),
    }


@pytest.mark.parametrize("verb", ["close", "delete", "lock"])
def test_what_a_goal_excludes_stays_excluded_with_tasks_of_the_caller(verb: str) -> None:
    lock = call("POST /tickets/{ticketId}/lock", "lockTicket", "Lock a ticket")
    tasks = [AskedTask(do=f"{verb} the ticket", values={"ticket id": "T-9"})]
    found = plan(f"finish it but do not {verb} it", [*DESK, lock], tasks=tasks)
    assert f"{verb}Ticket" not in names(found)


def test_a_condition_of_the_caller_is_taken_as_it_is() -> None:
    when = When(step=1, path="/status", value="solved")
    tasks = [
        AskedTask(do="get the ticket", values={"ticket id": "T-9"}),
        AskedTask(do="close the ticket", values={"ticket id": "T-9"}, if_=when),
    ]
    found = plan("tidy up", DESK, tasks=tasks)
    assert names(found) == ["getTicket", "closeTicket"]
    assert found.steps[1].when == (when,)


def test_a_value_that_no_input_takes_is_listed() -> None:
    found = plan("close ticket 7 at https://example.com/board", DESK)
    assert names(found) == ["closeTicket"]
    assert [one.value for one in found.unused] == ["https://example.com/board"]


def test_a_plan_that_takes_every_value_lists_none() -> None:
    assert plan('create a note of ticket 7 saying "done"', DESK).unused == ()


def test_an_amount_that_nothing_says_the_unit_of_is_asked_for_in_its_own_words() -> None:
    tools = [
        call(
            "POST /guests/{guestId}/bills", "billGuest", "Bill a guest", body={"amount": {"type": "integer"}}
        )
    ]
    found = plan("bill guest 7 an amount of 15.50 EUR", tools)
    (asked,) = found.inputs
    assert asked.name == "amount"
    assert "15.50 EUR" in asked.description
    assert found.unused == ()


def test_two_values_for_one_input_are_two_steps() -> None:
    found = plan("close the tickets 7 and 12", DESK)
    assert [step.bindings for step in found.steps] == [
        {"ticketId": KnownBinding(known="7")},
        {"ticketId": KnownBinding(known="12")},
    ]


def test_a_task_changes_the_thing_that_it_names_and_not_the_one_before() -> None:
    found = plan("close ticket 7, delete ticket 12", DESK)
    assert names(found) == ["closeTicket", "deleteTicket"]
    assert found.steps[1].bindings == {"ticketId": KnownBinding(known="12")}


def test_the_same_verb_said_twice_makes_two_steps() -> None:
    found = plan("close ticket 7 and close ticket 12", DESK)
    assert [step.bindings for step in found.steps] == [
        {"ticketId": KnownBinding(known="7")},
        {"ticketId": KnownBinding(known="12")},
    ]


def test_what_no_step_takes_of_two_things_is_listed() -> None:
    """Whatever becomes of the second one, it is never dropped in silence."""
    found = plan("close the tickets 7 and 12", DESK)
    bound = [step.bindings["ticketId"] for step in found.steps]
    assert KnownBinding(known="12") in bound or [one.value for one in found.unused] == [12]


MERGE_REQUESTS = [
    call(
        "POST /projects/{projectId}/merge_requests",
        "postMergeRequests",
        "Create a merge request",
        body={
            "title": {"type": "string"},
            "source_branch": {"type": "string"},
            "target_branch": {"type": "string"},
            "assignee_id": {"type": "integer", "description": "The ID of a user to assign it to"},
        },
    ),
    call(
        "PUT /projects/{projectId}/merge_requests/{mergeRequestId}",
        "putMergeRequest",
        "Update a merge request",
        body=["title", "assignee_id"],
    ),
    call(
        "PUT /projects/{projectId}/merge_requests/{mergeRequestId}/merge",
        "putMerge",
        "Merge a merge request",
    ),
]


def test_what_is_made_takes_what_the_next_task_says_of_it() -> None:
    goal = "open a merge request from feature/cart to master in project 512 and assign it to user 31"
    (step,) = plan(goal, MERGE_REQUESTS).steps
    assert step.tool_id.endswith("/postMergeRequests")
    assert step.bindings["source_branch"] == KnownBinding(known="feature/cart")
    assert step.bindings["target_branch"] == KnownBinding(known="master")
    assert step.bindings["assignee_id"] == KnownBinding(known=31)


def test_what_the_next_task_does_by_a_call_of_its_own_is_a_step() -> None:
    goal = 'open a merge request titled "Cart" in project 512 and merge it'
    assert names(plan(goal, MERGE_REQUESTS)) == ["postMergeRequests", "putMerge"]


VARIABLES = [
    call(
        "POST /projects/{projectId}/variables",
        "postVariables",
        "Create a new variable in a project",
        body=["key", "value"],
    ),
    call(
        "PUT /projects/{projectId}/variables/{key}",
        "putVariable",
        "Update an existing variable of a project",
        body=["value"],
    ),
]


def test_what_is_added_to_a_thing_of_the_path_is_made() -> None:
    (step,) = plan("add the variable DEPLOY_ENV with value staging to project 61", VARIABLES).steps
    assert step.tool_id.endswith("/postVariables")
    assert step.bindings == {
        "projectId": KnownBinding(known="61"),
        "key": KnownBinding(known="DEPLOY_ENV"),
        "value": KnownBinding(known="staging"),
    }


def test_what_has_a_number_is_not_made() -> None:
    tools = [call("POST /tickets", "createTicket", "Create a ticket", body=["title"])]
    assert names(plan("log 3h30m on ticket 15", tools)) == []


def test_what_goes_into_one_place_does_not_go_into_another() -> None:
    tools = [
        call("PUT /me/episodes", "saveEpisodes", "Save episodes for the current user", body=["ids"]),
        call("POST /me/queue", "addToQueue", "Add an item to the queue", body=["uri"]),
    ]
    assert names(plan("add episode 5CfCWKI5 to my queue", tools)) == ["addToQueue"]


def hosts(*fields: str) -> list[Tool]:
    """Servers with a cache, of which a list says this."""
    server = record("Server", "id", *fields)
    return [
        call("GET /servers", "listServers", "List servers", answer=page("servers", server)),
        call("POST /servers/{server_id}/flush", "flushServer", "Flush the cache of a server"),
    ]


def test_what_has_no_name_is_called_by_its_id() -> None:
    (step,) = plan("flush the cache on server localhost", hosts("url")).steps
    assert step.bindings == {"server_id": KnownBinding(known="localhost")}


def test_what_has_a_name_is_not_taken_for_an_id() -> None:
    found = plan("flush the cache on server localhost", hosts("url", "name"))
    assert found.steps[-1].bindings["server_id"] != KnownBinding(known="localhost")


def test_a_condition_is_looked_up_in_the_same_way_whatever_the_order_of_the_tools() -> None:
    goal = 'close the ticket if its name is "Kitchen"'
    listed, read, close = desk(ticket(name={"type": "string"}))[:3]
    assert plan(goal, [read, listed, close]) == plan(goal, [listed, read, close])


def test_a_condition_is_looked_up_on_the_thing_that_the_step_changes() -> None:
    found = plan("close the ticket if it is solved", DESK)
    by_name = dict(zip(names(found), found.steps, strict=True))
    assert [entry.name for entry in found.inputs] == []
    assert "ticketId" in by_name["closeTicket"].bindings


SITES = [
    call("GET /sites", "listSites", "List allowed sites", answer=page("sites", record("Site", "id", "name"))),
    call("POST /sites", "allowSite", "Allow a site", body=["name"]),
    call("GET /makers/{id}", "getMaker", "Get a maker", answer=record("Maker", "id", "name")),
    call("DELETE /makers/{id}", "deleteMaker", "Delete a maker"),
    call(
        "GET /devices",
        "listDevices",
        "List devices",
        query=["makerId"],
        answer=page("devices", record("Device", "id", "name")),
    ),
    call("GET /domains/{domainName}", "getDomain", "Get a verified domain", answer=record("Domain", "name")),
]


@pytest.mark.parametrize(
    ("goal", "first", "bound"),
    [
        # What is made may be in the list already.
        ("allow the site shop.example unless that site is there already", "listSites", {}),
        # What it speaks of is another thing than the one that is changed.
        ("delete maker 23 unless there are devices of maker 23", "listDevices", {"makerId": "23"}),
        # Its value fills an input of the read.
        ("delete maker 23 if acme.example is a verified domain", "getDomain", {"domainName": "acme.example"}),
        # It speaks of nothing but the thing itself.
        ("delete maker 23 if it is old", "getMaker", {"id": "23"}),
    ],
)
def test_a_condition_is_looked_up_where_it_can_be_seen(goal: str, first: str, bound: dict[str, str]) -> None:
    found = plan(goal, SITES)
    assert stated(found)[0] == (first, bound)
    assert codes(found).count("condition_not_checked") == (not found.steps[-1].when)


def test_a_tool_without_a_path_has_no_list_of_what_it_makes() -> None:
    """Else any read of an MCP server would be one."""
    tools = [
        tool("shop/read_clock", "Read the clock", read_only=True),
        tool("shop/create_invoice", "Create an invoice", read_only=False),
    ]
    assert names(plan("create an invoice unless I already did", tools)) == ["create_invoice"]


RUNNERS = [
    call("DELETE /projects/{projectId}/runners/{runnerId}", "removeRunner", "Remove a runner of a project"),
    call("DELETE /runners/{runnerId}", "deleteRunner", "Delete a runner"),
    call("GET /runners/{runnerId}", "getRunner", "Get a runner"),
]


def test_what_only_leaves_a_thing_is_not_deleted() -> None:
    found = plan("take runner 31 off project 512, don't delete the runner", RUNNERS)
    assert names(found) == ["removeRunner"]
    assert found.steps[0].bindings == {
        "projectId": KnownBinding(known="512"),
        "runnerId": KnownBinding(known="31"),
    }


@pytest.mark.parametrize("order", ["take contact 4 out of list 9", "remove contact 4 from list 9"])
def test_what_leaves_a_list_by_a_call_for_its_items_is_not_deleted(order: str) -> None:
    tools = [
        call("DELETE /lists/{id}/items/{contactId}", "removeItem", "Remove a contact from a list"),
        call("DELETE /contacts/{id}", "deleteContact", "Delete a contact"),
        call("PUT /contacts/{id}", "updateContact", "Update a contact", optional={"deleted": {"type": "boolean"}}),
    ]  # fmt: skip
    found = plan(f"{order}, but don't delete the contact itself", tools)
    assert names(found) == ["removeItem"]
    assert found.steps[0].bindings == {"id": KnownBinding(known="9"), "contactId": KnownBinding(known="4")}


def test_a_thing_is_not_deleted_where_nothing_only_takes_it_away() -> None:
    assert names(plan("take runner 31 off project 512, don't delete the runner", RUNNERS[1:])) == []


def test_to_have_something_done_is_no_question() -> None:
    tools = [call("POST /numbers/{number}/code", "callCode", "Have a code phoned to a number"), *DESK]
    found = plan("have the code phoned to 4930123456", tools)
    assert names(found) == ["callCode"]


def test_a_thing_for_somebody_is_made_itself() -> None:
    tools = [*DESK, call("POST /tickets", "createTicket", "Create a ticket", body=["name"])]
    assert names(plan("create a ticket for bob@example.com", tools)) == ["createTicket"]


@pytest.mark.parametrize("goal", ["list tickets, 20 at most", "list tickets, 20 max"])
def test_a_bound_may_stand_behind_its_number(goal: str) -> None:
    tickets = call(
        "GET /tickets", "listTickets", "List tickets", query=["limit"], details={"limit": {"type": "integer"}}
    )
    found = plan(goal, [tickets])
    assert found.steps[0].bindings == {"limit": KnownBinding(known=20)}


def test_what_a_thing_is_called_that_no_call_takes_is_unused() -> None:
    found = plan('create a blimp "Zeppelin" and close ticket 7', DESK)
    assert names(found) == ["closeTicket"]
    assert {"Zeppelin", "blimp"} <= {one.value for one in found.unused}
    assert [one.task for one in found.unmet] == ["create a blimp Zeppelin"]


def test_a_value_beyond_the_most_that_are_placed_is_unused() -> None:
    names_of_notes = [f'"note {number}"' for number in range(MAX_VALUES)]
    found = plan(f"close ticket 7, then read {', '.join(names_of_notes)} and ticket 1234", DESK)
    assert found.steps[0].bindings == {"ticketId": KnownBinding(known="7")}
    beyond = [one.value for one in found.unused if str(MAX_VALUES) in one.reason]
    assert beyond == [f"note {MAX_VALUES - 1}", 1234]


def test_what_a_task_of_the_caller_excepts_is_spared() -> None:
    task = AskedTask(do="dim all lamps except L4711")
    found = plan("dim all lamps except L4711", [LAMPS, DIM], tasks=[task])
    assert chosen(found, "lampId") == Select(by="each", except_=("L4711",))


def pools(*, item: Schema, body: Sequence[str] = ("id",)) -> list[Tool]:
    """Pools that are listed, made and resized."""
    return [
        call("GET /pools", "listPools", "List pools", answer=page("value", item)),
        call("POST /pools", "createPool", "Create a pool", body=body),
        call("POST /pools/{poolId}/resize", "resizePool", "Resize a pool"),
    ]


def test_an_id_that_callers_choose_is_what_people_call_the_thing() -> None:
    (step,) = plan("resize pool gpu-pool", pools(item=record("Pool", "id", "displayName"))).steps
    assert step.bindings == {"poolId": KnownBinding(known="gpu-pool")}


def test_an_id_that_the_server_gives_is_looked_up() -> None:
    found = plan("resize pool gpu-pool", pools(item=record("Pool", "id", "name"), body=["name"]))
    assert names(found) == ["listPools", "resizePool"]
    assert chosen(found, "poolId") == Select(by="match", field="name", value="gpu-pool")


def test_an_id_that_no_call_gives_is_what_the_goal_says() -> None:
    tools = [call("POST /{tenantID}/groups", "createGroup", "Create a group", body=["name"])]
    (step,) = plan('create the group "Field" in tenant example.org', tools).steps
    assert step.bindings["tenantID"] == KnownBinding(known="example.org")


TOKEN = record("Token", "tokenId", "ownerId", "name")
TOKENS = [
    call("GET /tokens", "listTokens", "List tokens", answer=page("result", TOKEN)),
    call("DELETE /owners/{ownerId}/tokens/{tokenId}", "deleteToken", "Delete a token of an owner"),
]


def test_all_that_a_step_takes_of_a_list_is_of_one_item() -> None:
    found = plan("delete the token named ci-bot", TOKENS)
    which = Select(by="match", field="name", value="ci-bot")
    assert found.steps[-1].bindings == {
        "tokenId": StepBinding(step=1, path="/result/*/tokenId", select=which),
        "ownerId": StepBinding(step=1, path="/result/*/ownerId", select=which),
    }


@pytest.mark.parametrize("again", ["print it", "print the ticket"])
def test_what_is_spoken_of_again_is_looked_up_once(again: str) -> None:
    tools = [
        *desk(ticket(name={"type": "string"})),
        call("POST /tickets/{ticketId}/print", "printTicket", "Print a ticket"),
    ]
    found = plan(f'close the ticket "Kitchen" and {again}', tools)
    assert names(found) == ["listTickets", "closeTicket", "printTicket"]
    assert found.steps[1].bindings["ticketId"] == found.steps[2].bindings["ticketId"]


def test_where_a_thing_is_is_not_its_name() -> None:
    select = chosen(plan("delete the lamp in Attic", [LAMPS, REMOVE]), "lampId")
    assert select is not None
    assert select.by == "ask"


def test_a_noun_behind_a_possessive_is_no_verb() -> None:
    tools = [
        call("GET /charges/{charge}", "getCharge", "Get a charge"),
        call("GET /charges/{charge}/events", "listEvents", "List the events of a charge"),
        call("GET /charges/{charge}/refunds", "listRefunds", "List the refunds of a charge"),
        call("POST /charges/{charge}/refunds", "createRefund", "Create a refund of a charge"),
        call("POST /charges/{charge}/refund", "refundCharge", "Refund a charge"),
    ]
    found = plan("show me charge ch_3Nx77, its events and its refunds", tools)
    assert [step.tool_id for step in found.steps if step.mutating] == []
    assert "listRefunds" in names(found)


def test_a_caller_may_leave_a_value_out_of_the_words_of_its_task() -> None:
    """The release 4.2 need not be there, though the words of the task say `the release`."""
    tools = [
        call("POST /releases", "createRelease", "Create a release", body=["tag"]),
    ]
    tasks = [AskedTask(do="publish the release", values={"release": "v1.4.0"})]
    (step,) = plan("publish release v1.4.0", tools, tasks=tasks).steps
    assert step.bindings == {"tag": KnownBinding(known="v1.4.0")}


def test_an_amount_of_a_caller_keeps_its_currency() -> None:
    tasks = [AskedTask(do="dim the lamp", values={"price": "15.50 EUR"})]
    found = plan("dim the lamp for 15.50 EUR", [LAMPS, DIM], tasks=tasks)
    assert [one.value for one in found.unused] == ["15.50 EUR"]
