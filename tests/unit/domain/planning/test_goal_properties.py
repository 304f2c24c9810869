"""What holds for the plan of any goal, whatever it says and whatever else the catalogue has."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.language.goal_words import verb_classes
from app.domain.language.text import stem
from app.domain.nodes.models import Tool, ToolId
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.reading.models import AskedTask, StatedValue, ValueKind
from app.domain.workflows.plans import KnownBinding, Plan, StepBinding, binding_parts
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import TEXT, call, page, record

SUNDAY = datetime(2026, 11, 22, 15, 0, tzinfo=UTC)
TICKET = record("Ticket", "ticketId", "name", "status", "createdAt")
LAMP = record("Lamp", "lampId", "name")


def house() -> list[Tool]:
    """Tickets with notes, and lamps."""
    return [
        call("GET /tickets", "listTickets", "List tickets", query=["status"], answer=page("tickets", TICKET)),
        call("POST /tickets", "createTicket", "Create a ticket", body={"name": TEXT}, answer=TICKET),
        call("GET /tickets/{ticketId}", "getTicket", "Get a ticket", answer=TICKET),
        call("PATCH /tickets/{ticketId}", "updateTicket", "Update a ticket", optional={"name": TEXT}),
        call("POST /tickets/{ticketId}/close", "closeTicket", "Close a ticket"),
        call("DELETE /tickets/{ticketId}", "deleteTicket", "Delete a ticket"),
        call("POST /tickets/{ticketId}/notes", "createNote", "Create a note", body={"text": TEXT}),
        call("GET /lamps", "listLamps", "List lamps", answer=page("lamps", LAMP)),
        call("POST /lamps/{lampId}/dim", "dimLamp", "Dim a lamp", body={"level": {"type": "integer"}}),
        call("POST /lamps/{lampId}/lock", "lockLamp", "Lock a lamp"),
        call("DELETE /lamps/{lampId}", "deleteLamp", "Delete a lamp"),
    ]


def harbour() -> list[Tool]:
    """Another server, about other things."""
    boat = record("Boat", "boatId", "berth")
    return [
        call("GET /boats", "listBoats", "List boats", server="harbour", answer=page("boats", boat)),
        call("GET /boats/{boatId}", "getBoat", "Get a boat", server="harbour", answer=boat),
        call("POST /boats/{boatId}/tow", "towBoat", "Tow a boat", server="harbour"),
        call("DELETE /boats/{boatId}", "deleteBoat", "Delete a boat", server="harbour"),
        call("POST /anchors", "createAnchor", "Create an anchor", server="harbour", body={"weight": TEXT}),
    ]


NUMBERS = st.sampled_from(["7", "12", "4711", "T-9", "ABC-42"])
TEXTS = st.sampled_from(["Kitchen", "a leaking tap", "cancel and refund", "do not delete", "if it is open"])
REST = st.sampled_from(
    ["bob@example.com", "https://example.com/a", "15.50 EUR", "astrid/villa", "2026-12-24"]
)
PLAIN_TASKS = st.sampled_from(
    ["list the tickets", "close the ticket", "lock the lamp", "delete every lamp", "dim the latest lamp"]
)
TASKS = st.one_of(
    PLAIN_TASKS,
    NUMBERS.map("close ticket {}".format),
    NUMBERS.map("lock lamp {}".format),
    NUMBERS.map("dim the lamp to level {}".format),
    NUMBERS.map("delete all lamps except {}".format),
    TEXTS.map('create a ticket called "{}"'.format),
    TEXTS.map('lock the lamp "{}"'.format),
    TEXTS.map('delete all lamps except "{}"'.format),
    TEXTS.map('close the ticket if its name is "{}"'.format),
    st.builds('create a note of ticket {} saying "{}"'.format, NUMBERS, TEXTS),
    st.builds('rename ticket {} to "{}"'.format, NUMBERS, TEXTS),
    REST.map("close the ticket {}".format),
    REST.map("create a ticket for {}".format),
)
GOALS = st.builds(
    lambda tasks, joint: joint.join(tasks),
    st.lists(TASKS, min_size=1, max_size=3),
    st.sampled_from([" and ", ", then ", ". ", ", "]),
)


HOUSE = PlanIndex(house())
EDGES = requirements_within(infer_dependencies(house()).requires)


def planned(goal: str, tools: Sequence[Tool], *, server: str | None = None) -> Plan:
    index = PlanIndex(tools)
    scope = None if server is None else frozenset(index.of_server(server))
    edges = requirements_within(infer_dependencies(tools).requires)
    return finish_plan(index, draft_plan(index, goal, requirements=edges, known={}, scope=scope, now=SUNDAY))


def planned_alone(goal: str) -> Plan:
    return finish_plan(HOUSE, draft_plan(HOUSE, goal, requirements=EDGES, known={}, now=SUNDAY))


def without_alternatives(plan: Plan) -> Plan:
    steps = tuple(step.model_copy(update={"alternatives": ()}) for step in plan.steps)
    return plan.model_copy(update={"steps": steps})


def said(plan: Plan) -> str:
    """Everything in a plan by which a value can go into a call, as text in the lower case."""
    found: list[object] = [entry.description for entry in plan.inputs]
    for step in plan.steps:
        found += [(when.path, when.value) for when in step.when]
        for binding in step.bindings.values():
            found += [binding.known] if isinstance(binding, KnownBinding) else []
            found += [part.select for part in binding_parts(binding) if isinstance(part, StepBinding)]
            found += [getattr(binding, "compose", None)]
    return str(found).lower()


def is_kept(value: StatedValue, plan: Plan) -> bool:
    text = said(plan)
    spelt = [value.text, str(value.value)]
    if value.kind is ValueKind.AMOUNT:
        spelt.append(value.text.split(" ")[0])
    return any(re.search(rf"(?<!\w){re.escape(one.lower())}(?!\w)", text) for one in spelt) or (
        value.text if value.unit else value.value
    ) in [one.value for one in plan.unused]


def is_said_by_calls(value: StatedValue, plan: Plan) -> bool:
    """Whether what may be a name is a word of a call, or the plan has none, so that it stands in what is unmet."""
    called = " ".join(HOUSE.tools[HOUSE.position[step.tool_id]].title for step in plan.steps).lower()
    return not plan.steps or value.text.lower().rstrip("s") in called


@settings(max_examples=150, derandomize=True)
@given(goal=GOALS)
def test_no_value_of_a_goal_is_lost(goal: str) -> None:
    """Each is in a binding, in a selection, in what is asked, or in the list of what is not used."""
    draft = draft_plan(HOUSE, goal, requirements=EDGES, known={}, now=SUNDAY)
    plan = finish_plan(HOUSE, draft)
    lost = [
        value.text
        for value in draft.context.values
        if not is_kept(value, plan) and not (value.weak and is_said_by_calls(value, plan))
    ]
    assert lost == []


VALUES = st.dictionaries(
    st.sampled_from(["ticket", "lamp", "level", "name", "text", "owner"]),
    st.one_of(NUMBERS, TEXTS, REST),
    max_size=3,
)
ASKED = st.builds(
    AskedTask,
    do=st.sampled_from(
        [
            "close the ticket",
            "create a ticket",
            "create a note of the ticket",
            "rename the ticket",
            "dim the lamp",
        ]
    ),
    values=VALUES,
)


@settings(max_examples=150, derandomize=True)
@given(tasks=st.lists(ASKED, min_size=1, max_size=3))
def test_no_value_of_a_caller_is_lost(tasks: Sequence[AskedTask]) -> None:
    """What a caller sends by name goes into a call, or is said to be unused."""
    goal = " and ".join(task.do for task in tasks)
    draft = draft_plan(HOUSE, goal, requirements=EDGES, known={}, tasks=tasks, now=SUNDAY)
    plan = finish_plan(HOUSE, draft)
    given = [value for value in draft.context.values if value.by_name]
    assert sorted(value.text for value in given) == sorted(
        str(value) for task in tasks for value in task.values.values()
    )
    assert [value.text for value in given if not is_kept(value, plan)] == []


@settings(max_examples=100, derandomize=True)
@given(
    tasks=st.lists(PLAIN_TASKS, min_size=1, max_size=2),
    verb=st.sampled_from(["delete", "close", "create", "remove", "update", "change"]),
    excluding=st.sampled_from(
        [
            " but do not {} it",
            " but don't {} it",
            " but don\u2019t {} it",
            ", never {} it",
            " but never {} them",
        ]
    ),
)
def test_what_an_exclusion_names_is_not_done(tasks: Sequence[str], verb: str, excluding: str) -> None:
    goal = " and ".join(tasks) + excluding.format(verb)
    plan = planned_alone(goal)
    banned = verb_classes()[stem(verb)]
    done = [HOUSE.traits[HOUSE.position[step.tool_id]] for step in plan.steps if step.mutating]
    assert [traits.tool.name for traits in done if traits.verb_classes & banned] == []


@settings(max_examples=150, derandomize=True)
@given(
    task=TASKS,
    way=st.sampled_from(
        [
            "please {}",
            "Please {}.",
            "could you please {}?",
            "can you {}?",
            "I need you to {}",
            "i'd like you to {}",
            "i\u2019d like you to {}",
            "let's {}",
            "just {}",
            "I want to {}",
            "ok, {}",
            "{} for me",
            "{} asap",
            "hey, {}",
            "Hi there, please {}, thanks!",
            "{}, please",
            "{}.",
        ]
    ),
)
def test_how_politely_it_is_asked_changes_no_plan(task: str, way: str) -> None:
    before, after = planned_alone(task), planned_alone(way.format(task))
    assert [(step.tool_id, step.bindings) for step in after.steps] == [
        (step.tool_id, step.bindings) for step in before.steps
    ]
    assert [one.value for one in after.unused] == [one.value for one in before.unused]


@settings(max_examples=40, derandomize=True)
@given(goal=GOALS, tools=st.permutations(house()))
def test_the_order_of_the_tools_changes_no_plan(goal: str, tools: Sequence[Tool]) -> None:
    assert planned(goal, tools) == planned_alone(goal)


@settings(max_examples=25, derandomize=True)
@given(goal=GOALS, first=st.booleans(), is_scoped=st.booleans())
def test_a_server_about_other_things_changes_no_plan(goal: str, *, first: bool, is_scoped: bool) -> None:
    """Neither out of scope nor in it. Only how many other tools are near enough to be named may change: rarity counts."""
    tools = [*harbour(), *house()] if first else [*house(), *harbour()]
    found = planned(goal, tools, server="shop" if is_scoped else None)
    assert without_alternatives(found) == without_alternatives(planned_alone(goal))


@settings(max_examples=40, derandomize=True)
@given(goal=GOALS, seed=st.integers(min_value=0, max_value=10))
def test_other_names_of_the_operations_change_no_plan(goal: str, seed: int) -> None:
    """Titles, paths and inputs say what they do; an operationId may be any."""
    names = {tool.id: f"op{seed}x{at}" for at, tool in enumerate(house())}
    renamed = [
        tool.model_copy(update={"id": ToolId(f"shop/{names[tool.id]}"), "name": names[tool.id]})
        for tool in house()
    ]
    before, after = planned_alone(goal), planned(goal, renamed)
    assert [step.tool_id for step in after.steps] == [f"shop/{names[step.tool_id]}" for step in before.steps]
    assert [step.bindings for step in after.steps] == [step.bindings for step in before.steps]
    assert (after.inputs, after.unused, after.unmet) == (before.inputs, before.unused, before.unmet)


@settings(max_examples=25, derandomize=True)
@given(goal=GOALS)
def test_a_server_out_of_scope_is_in_no_plan(goal: str) -> None:
    found = planned(goal, [*house(), *harbour()], server="shop")
    named = [tool for step in found.steps for tool in (step.tool_id, *step.alternatives)]
    assert [tool for tool in named if not tool.startswith("shop/")] == []


def crowd() -> list[Tool]:
    """1,000 calls of another server, which say all words of the goals of the house often, in titles and in inputs."""
    things = ["ticket", "lamp", "note", "whois", "kitchen", "leaking", "tap", "level", "villa", "cancel"]
    return [
        call(
            f"POST /{things[at % 10]}s/{{id}}/{things[at // 10 % 10]}{at}",
            f"{things[at // 100]}{things[at % 10].title()}{at}",
            f"{things[at // 10 % 10].title()} the {things[at % 10]} of a {things[at // 100]}",
            server="crowd",
            optional={things[at // 100]: TEXT},
        )
        for at in range(1_000)
    ]


CROWDED = PlanIndex([*crowd(), *house()])
CROWDED_EDGES = requirements_within(infer_dependencies([*crowd(), *house()]).requires)


@settings(max_examples=60, derandomize=True)
@given(goal=GOALS)
def test_a_thousand_calls_of_another_server_change_no_plan(goal: str) -> None:
    """They say all words of the goals, and make none of them less telling for the server that is asked for."""
    scope = frozenset(CROWDED.of_server("shop"))
    draft = draft_plan(CROWDED, goal, requirements=CROWDED_EDGES, known={}, scope=scope, now=SUNDAY)
    assert finish_plan(CROWDED, draft) == planned_alone(goal)
