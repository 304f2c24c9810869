"""Goals that name things as people do, over documents that call them otherwise."""

from collections.abc import Sequence

import pytest

from app.domain.nodes.models import Tool
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import KnownBinding, Plan, StepBinding, Where
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import TEXT, Schema, call, page, record

BOARD = record("Board", "boardId", "name")
MEMBER = record("Member", "memberId", "email")
CARD: Schema = {
    "type": "object",
    "title": "Card",
    "properties": {"cardId": TEXT, "name": TEXT, "completed": {"type": "boolean"}},
}
BOARDS = [
    call("GET /boards", "listBoards", "List boards", answer=page("boards", BOARD)),
    call(
        "PUT /boards/{boardId}",
        "updateBoard",
        "Update a board",
        body={"name": TEXT, "archived": {"type": "boolean"}},
    ),
    call("DELETE /boards/{boardId}", "deleteBoard", "Delete a board"),
    call(
        "GET /boards/{boardId}/members",
        "listMembers",
        "List members of a board",
        answer=page("members", MEMBER),
    ),
    call("DELETE /boards/{boardId}/members/{memberId}", "removeMember", "Remove a member from a board"),
    call("GET /boards/{boardId}/cards", "listCards", "List cards of a board", answer=page("cards", CARD)),
    call("DELETE /cards/{cardId}", "deleteCard", "Delete a card"),
    call(
        "PUT /cards/{cardId}",
        "updateCard",
        "Update a card",
        body={"name": TEXT, "completed": {"type": "boolean"}, "assignee": TEXT},
    ),
]


def plan(goal: str, tools: Sequence[Tool] = BOARDS) -> Plan:
    index = PlanIndex(tools)
    edges = requirements_within(infer_dependencies(tools).requires)
    return finish_plan(index, draft_plan(index, goal, requirements=edges, known={}))


def names(found: Plan) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in found.steps]


def known(found: Plan, step: int) -> dict[str, object]:
    bindings = found.steps[step].bindings
    return {name: one.known for name, one in bindings.items() if isinstance(one, KnownBinding)}


def selected(found: Plan, parameter: str) -> StepBinding:
    bound = found.steps[-1].bindings[parameter]
    assert isinstance(bound, StepBinding)
    return bound


def test_whoever_is_removed_from_a_place_leaves_the_place_there() -> None:
    found = plan("remove sue@acme.com from the board Growth")
    assert names(found)[-1] == "removeMember"
    assert "deleteBoard" not in names(found)


@pytest.mark.parametrize("goal", ['archive the board "Growth"', "archive the board Growth"])
def test_what_is_changed_is_looked_up_by_its_name_and_not_renamed(goal: str) -> None:
    found = plan(goal)
    assert names(found) == ["listBoards", "updateBoard"]
    assert not isinstance(found.steps[-1].bindings.get("name"), KnownBinding)
    select = selected(found, "boardId").select
    assert select is not None
    assert (select.by, select.value) == ("match", "Growth")


def test_to_rename_fills_the_name_alone() -> None:
    found = plan('rename the board Growth to "Growth EU"')
    assert found.steps[-1].bindings["name"] == KnownBinding(known="Growth EU")


def test_what_says_which_of_all_narrows_the_list() -> None:
    found = plan("delete all completed cards of board b-1")
    assert names(found) == ["listCards", "deleteCard"]
    select = selected(found, "cardId").select
    assert select is not None
    assert (select.by, select.where) == ("each", (Where(field="completed", op="eq", value=True),))


def test_a_state_by_another_name_is_the_state() -> None:
    found = plan("mark card 12 as done")
    assert found.steps[-1].bindings["completed"] == KnownBinding(known=True)


def test_whom_a_task_is_assigned_to_is_its_assignee() -> None:
    """The catalogue has no tasks, but cards."""
    found = plan("assign card 12 to Zoe")
    assert found.steps[-1].bindings["assignee"] == KnownBinding(known="Zoe")


def test_the_format_at_the_end_of_a_path_names_nothing() -> None:
    tools = [
        call(
            "GET /calls.json", "listCalls", "List calls", answer=page("calls", record("Call", "sid", "name"))
        ),
        call("POST /calls/{Sid}.json", "updateCall", "Update a call", body={"status": TEXT}),
    ]
    assert PlanIndex(tools).operation(1).ends_with_parameter == "Sid"


def test_a_first_and_a_last_name_are_filled_from_a_whole_one() -> None:
    guests = [
        call("POST /guests", "createGuest", "Create a guest", body={"first_name": TEXT, "last_name": TEXT})
    ]
    bindings = plan("create a guest Ann Lee", guests).steps[0].bindings
    assert bindings["first_name"] == KnownBinding(known="Ann")
    assert bindings["last_name"] == KnownBinding(known="Lee")


def test_what_was_made_is_known_by_any_kind_of_id_behind_an_envelope() -> None:
    section: Schema = {
        "type": "object",
        "properties": {"data": {"type": "object", "properties": {"gid": TEXT}}},
    }
    tools = [
        call("POST /sections", "createSection", "Create a section", body={"name": TEXT}, answer=section),
        call(
            "POST /sections/{section_gid}/addTask", "addTask", "Add a task to a section", body={"task": TEXT}
        ),
    ]
    found = plan("create a section called Blocked and put task 12 into it", tools)
    assert names(found) == ["createSection", "addTask"]
    assert selected(found, "section_gid").path == "/data/gid"
