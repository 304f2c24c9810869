"""Everyday goals over APIs as many are: tickets, users and teams, files and projects, called by what people know of them."""

from collections.abc import Mapping, Sequence

import pytest

from app.domain.nodes.models import Tool
from app.domain.workflows.plans import KnownBinding, Plan, StepBinding
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import names, plan

STATUS: Schema = {"type": "string", "enum": ["open", "pending", "solved", "closed"]}
PRIORITY: Schema = {"type": "string", "enum": ["low", "normal", "high", "urgent"]}
ROLE: Schema = {"type": "string", "enum": ["agent", "admin", "viewer"]}
TICKET = record("Ticket", "id", "subject", "status", "priority", "assignee_id")
USER = record("User", "id", "name", "email")
TEAM = record("Team", "id", "name")

TOOLS = [
    call(
        "GET /tickets",
        "listTickets",
        "List tickets",
        query=("status", "priority", "assignee_id", "q"),
        details={"status": STATUS, "priority": PRIORITY},
        answer=page("tickets", TICKET),
    ),
    call(
        "POST /tickets",
        "createTicket",
        "Create a ticket",
        body={"subject": TEXT},
        optional={"description": TEXT, "priority": PRIORITY, "assignee_id": TEXT},
        answer=TICKET,
    ),
    call(
        "PATCH /tickets/{ticket_id}",
        "updateTicket",
        "Update a ticket",
        optional={
            "subject": TEXT,
            "description": TEXT,
            "status": STATUS,
            "priority": PRIORITY,
            "assignee_id": TEXT,
        },
    ),
    call(
        "POST /tickets/{ticket_id}/merge",
        "mergeTickets",
        "Merge a ticket into another",
        body={"target_id": TEXT},
    ),
    call("GET /users", "listUsers", "List users", query=("email", "name"), answer=page("users", USER)),
    call(
        "POST /users",
        "createUser",
        "Create a user",
        body={"name": TEXT, "email": TEXT},
        optional={"role": ROLE},
    ),
    call(
        "PATCH /users/{user_id}",
        "updateUser",
        "Update a user",
        optional={"name": TEXT, "email": TEXT, "role": ROLE, "suspended": {"type": "boolean"}},
    ),
    call("GET /teams", "listTeams", "List teams", answer=page("teams", TEAM)),
    call(
        "GET /teams/{team_id}/members", "listMembers", "List members of a team", answer=page("members", USER)
    ),
    call("PUT /teams/{team_id}/members/{user_id}", "addMember", "Add a user to a team"),
    call("DELETE /teams/{team_id}/members/{user_id}", "removeMember", "Remove a user from a team"),
    call("GET /hooks", "listHooks", "List hooks", answer=page("hooks", record("Hook", "id", "url"))),
    call("DELETE /hooks/{hook_id}", "deleteHook", "Delete a hook"),
]


def bound(found: Plan, step: int) -> Mapping[str, object]:
    """What fills the inputs of a step: a value, or the name of the call that finds it."""
    filled: dict[str, object] = {}
    for name, one in found.steps[step].bindings.items():
        if isinstance(one, KnownBinding):
            filled[name] = one.known
        elif isinstance(one, StepBinding):
            filled[name] = names(found)[one.step - 1]
    return filled


def ends_with(goal: str, tools: Sequence[Tool]) -> tuple[list[str], Mapping[str, object]]:
    """The calls of the plan for a goal, and what fills the inputs of the last one."""
    found = plan(goal, tools)
    return names(found), bound(found, -1)


@pytest.mark.parametrize(
    ("goal", "steps", "last"),
    [
        (
            "assign ticket 4711 to ann@acme.com",
            ["listUsers", "updateTicket"],
            {"ticket_id": "4711", "assignee_id": "listUsers"},
        ),
        (
            "assign ticket 4711 to Ann Lee",
            ["listUsers", "updateTicket"],
            {"ticket_id": "4711", "assignee_id": "listUsers"},
        ),
        (
            "add ann@acme.com to the team Support",
            ["listUsers", "listTeams", "addMember"],
            {"team_id": "listTeams", "user_id": "listUsers"},
        ),
        (
            "remove ann@acme.com from team Support",
            ["listUsers", "listTeams", "removeMember"],
            {"team_id": "listTeams", "user_id": "listUsers"},
        ),
        (
            "suspend the user ann@acme.com",
            ["listUsers", "updateUser"],
            {"user_id": "listUsers", "suspended": True},
        ),
        (
            "make ann@acme.com an admin",
            ["listUsers", "updateUser"],
            {"user_id": "listUsers", "role": "admin"},
        ),
        (
            "change ann@acme.com's email to ann.lee@acme.com",
            ["listUsers", "updateUser"],
            {"user_id": "listUsers", "email": "ann.lee@acme.com"},
        ),
        (
            "list all open tickets of ann@acme.com",
            ["listUsers", "listTickets"],
            {"status": "open", "assignee_id": "listUsers"},
        ),
        (
            'create a ticket "Printer broken" with high priority and assign it to ann@acme.com',
            ["listUsers", "createTicket"],
            {"subject": "Printer broken", "priority": "high", "assignee_id": "listUsers"},
        ),
        (
            "delete the hook https://old.example.com/hook",
            ["listHooks", "deleteHook"],
            {"hook_id": "listHooks"},
        ),
    ],
)
def test_what_people_call_things_by_is_looked_up(
    goal: str, steps: list[str], last: Mapping[str, object]
) -> None:
    assert ends_with(goal, TOOLS) == (steps, last)
    assert plan(goal, TOOLS).unused == ()


@pytest.mark.parametrize(
    "goal", ["give ann@acme.com the viewer role", "reopen ticket 4711 and tell them that it goes on"]
)
def test_nobody_is_made_and_nothing_merged_that_a_goal_does_not_ask_for(goal: str) -> None:
    assert not {"createUser", "mergeTickets"} & {*names(plan(goal, TOOLS))}


def test_the_one_who_is_added_is_not_called_as_the_team() -> None:
    assert bound(plan("add ann@acme.com to the team Support", TOOLS), 0) == {"email": "ann@acme.com"}


def test_a_change_of_many_gives_none_what_it_has() -> None:
    found = plan("close all pending tickets", TOOLS)
    assert names(found) == ["listTickets", "updateTicket"]
    assert bound(found, 1) == {"ticket_id": "listTickets", "status": "closed"}


@pytest.mark.parametrize(
    ("goal", "filters", "change"),
    [
        ("close all tickets with low priority", {"priority": "low"}, {"status": "closed"}),
        ("close all open tickets", {"status": "open"}, {"status": "closed"}),
        ("set the priority of all open tickets to high", {"status": "open"}, {"priority": "high"}),
        ("assign all urgent tickets to ann@acme.com", {"priority": "urgent"}, {"assignee_id": "listUsers"}),
        ("set all tickets of ann@acme.com to solved", {"assignee_id": "listUsers"}, {"status": "solved"}),
    ],
)
def test_what_says_which_of_many_are_meant_is_looked_for_and_not_set(
    goal: str, filters: Mapping[str, object], change: Mapping[str, object]
) -> None:
    found = plan(goal, TOOLS)
    assert sorted(names(found))[0] == "listTickets"
    assert names(found)[-1] == "updateTicket"
    assert bound(found, names(found).index("listTickets")) == filters
    assert bound(found, -1) == {"ticket_id": "listTickets", **change}


@pytest.mark.parametrize("goal", ["give ticket 12 to ann@acme.com", "hand ticket 12 over to Ann Lee"])
def test_what_is_given_to_somebody_is_theirs(goal: str) -> None:
    found = plan(goal, TOOLS)
    assert names(found) == ["listUsers", "updateTicket"]
    assert bound(found, -1) == {"ticket_id": "12", "assignee_id": "listUsers"}


FILE = record("File", "id", "name", "folder_id")
FOLDER = record("Folder", "id", "name")
WORK = [
    call("GET /files", "listFiles", "List files", query=("folder_id", "name"), answer=page("files", FILE)),
    call("PATCH /files/{file_id}", "updateFile", "Update a file", optional={"name": TEXT, "folder_id": TEXT}),
    call("POST /files/{file_id}/copy", "copyFile", "Copy a file", optional={"folder_id": TEXT}, answer=FILE),
    call("GET /folders", "listFolders", "List folders", query=("name",), answer=page("folders", FOLDER)),
    call(
        "POST /folders", "createFolder", "Create a folder", body={"name": TEXT}, optional={"parent_id": TEXT}
    ),
    call(
        "GET /projects",
        "listProjects",
        "List projects",
        answer=page("projects", record("Project", "id", "name")),
    ),
    call(
        "POST /projects",
        "createProject",
        "Create a project",
        body={"name": TEXT},
        optional={"public": {"type": "boolean"}},
    ),
    call(
        "PATCH /projects/{project_id}",
        "updateProject",
        "Update a project",
        optional={"name": TEXT, "public": {"type": "boolean"}},
    ),
    call(
        "GET /projects/{project_id}/tasks",
        "listTasks",
        "List tasks of a project",
        answer=page("tasks", record("Task", "id", "title", "completed:boolean")),
    ),
    call("POST /projects/{project_id}/tasks", "createTask", "Create a task", body={"title": TEXT}),
    call(
        "PATCH /tasks/{task_id}",
        "updateTask",
        "Update a task",
        optional={"title": TEXT, "completed": {"type": "boolean"}},
    ),
]


@pytest.mark.parametrize(
    ("goal", "steps", "last"),
    [
        (
            "rename the file budget.xlsx to budget-2026.xlsx",
            ["listFiles", "updateFile"],
            {"file_id": "listFiles", "name": "budget-2026.xlsx"},
        ),
        (
            "move the file budget.xlsx to the folder Finance",
            ["listFiles", "listFolders", "updateFile"],
            {"file_id": "listFiles", "folder_id": "listFolders"},
        ),
        (
            'copy the file template.docx into the folder "Q4 reports"',
            ["listFiles", "listFolders", "copyFile"],
            {"file_id": "listFiles", "folder_id": "listFolders"},
        ),
        ("create a folder Invoices inside Finance", ["createFolder"], {"name": "Invoices"}),
        (
            "make the project Phoenix public",
            ["listProjects", "updateProject"],
            {"project_id": "listProjects", "public": True},
        ),
        (
            'move the "Q4 plan" file to the Finance folder',
            ["listFiles", "listFolders", "updateFile"],
            {"file_id": "listFiles", "folder_id": "listFolders"},
        ),
        (
            "make the Phoenix project public",
            ["listProjects", "updateProject"],
            {"project_id": "listProjects", "public": True},
        ),
        (
            "complete all tasks of project 7",
            ["listTasks", "updateTask"],
            {"task_id": "listTasks", "completed": True},
        ),
    ],
)
def test_what_is_there_is_changed_and_not_made_again(
    goal: str, steps: list[str], last: Mapping[str, object]
) -> None:
    assert ends_with(goal, WORK) == (steps, last)


INTEGER: Schema = {"type": "integer"}
SERVER = record("Server", "id:integer", "name")
BALANCER = record("LoadBalancer", "id", "name")
HOSTING = [
    call("GET /servers", "listServers", "List servers", query=("search",), answer=page("servers", SERVER)),
    call("POST /servers/{serverId}/reboot", "rebootServer", "Reboot a server", details={"serverId": INTEGER}),
    call(
        "PATCH /servers/{serverId}",
        "updateServer",
        "Update a server",
        optional={"name": TEXT, "termination_protection": {"type": "boolean"}},
        details={"serverId": INTEGER},
    ),
    call(
        "POST /servers",
        "createServer",
        "Create a server",
        body={
            "name": TEXT,
            "region": {
                "type": "string",
                "enum": ["fra1", "ams2", "nyc1"],
                "description": "Where it runs. `fra1` Frankfurt, `ams2` Amsterdam, `nyc1` New York.",
            },
        },
        answer=SERVER,
    ),
    call(
        "GET /balancers",
        "listBalancers",
        "List load balancers",
        answer=page(
            "balancers",
            {
                **BALANCER,
                "properties": {"id": TEXT, "name": TEXT, "server_ids": {"type": "array", "items": INTEGER}},
            },
        ),
    ),
    call(
        "DELETE /balancers/{balancerId}/targets/{serverId}",
        "removeTarget",
        "Remove a server from a load balancer",
        details={"serverId": INTEGER},
    ),
    call(
        "GET /jobs",
        "listJobs",
        "List jobs",
        query=("name",),
        answer=page("jobs", record("Job", "id", "name")),
    ),
    call(
        "POST /jobs/{jobId}/retry",
        "retryJob",
        "Retry a job",
        details={"jobId": {"description": "Id of the job, starts with job_."}},
    ),
    call(
        "GET /jobs/{jobId}/log",
        "getLog",
        "Get the log of a job",
        query=("tail",),
        details={
            "jobId": {"description": "Id of the job, starts with job_."},
            "tail": {"type": "integer", "description": "Lines from the end."},
        },
    ),
    call(
        "POST /approvals/{approvalId}/decision",
        "decide",
        "Decide on an approval",
        body={"decision": {"type": "string", "enum": ["approve", "reject"]}},
        optional={"comment": TEXT},
        details={"approvalId": {"description": "Starts with apr_."}},
    ),
    call(
        "POST /events/{eventId}/reschedule",
        "rescheduleEvent",
        "Reschedule an event",
        body={"starts_at": {"type": "string", "description": "New start in the form `YYYY-MM-DDTHH:MM`."}},
        details={"eventId": {"description": "Starts with evt_."}},
    ),
    call(
        "GET /notes",
        "listNotes",
        "List notes",
        query=("subjectType", "subjectId"),
        details={"subjectType": {"enum": ["deal", "contact"]}},
        answer=page("notes", record("Note", "id", "createdAt")),
    ),
    call(
        "POST /notes",
        "createNote",
        "Create a note",
        body={
            "subjectType": {"type": "string", "enum": ["deal", "contact"]},
            "subjectId": TEXT,
            "body": TEXT,
        },
    ),
]


@pytest.mark.parametrize(
    ("goal", "steps", "last"),
    [
        ("reboot web-1", ["listServers", "rebootServer"], {"serverId": "listServers"}),
        (
            "take web-1 out of the balancer edge-eu",
            ["listServers", "listBalancers", "removeTarget"],
            {"balancerId": "listBalancers", "serverId": "listServers"},
        ),
        ("create a server web-3 in frankfurt", ["createServer"], {"name": "web-3", "region": "fra1"}),
        ("rename server 7741 to staging-old", ["updateServer"], {"serverId": 7741, "name": "staging-old"}),
        ("retry job_88", ["retryJob"], {"jobId": "job_88"}),
        ("retry the job e2e-chrome", ["listJobs", "retryJob"], {"jobId": "listJobs"}),
        ("show me the last 200 lines of the log of job_88", ["getLog"], {"jobId": "job_88", "tail": 200}),
        (
            'say yes to apr_55 with the comment "tested"',
            ["decide"],
            {"approvalId": "apr_55", "decision": "approve", "comment": "tested"},
        ),
        (
            "push evt_44 to 2026-03-12",
            ["rescheduleEvent"],
            {"eventId": "evt_44", "starts_at": "2026-03-12"},
        ),
        (
            'leave a note on deal 44019: "budget approved"',
            ["createNote"],
            {"subjectType": "deal", "subjectId": "44019", "body": "budget approved"},
        ),
    ],
)
def test_documents_say_how_their_things_are_named(
    goal: str, steps: list[str], last: Mapping[str, object]
) -> None:
    """By prefixes of ids, by what members of enums are called, by the nouns behind names, and by what numbers count."""
    assert ends_with(goal, HOSTING) == (steps, last)


def test_what_stays_is_not_touched() -> None:
    found = plan("take web-1 out of the balancer edge-eu, leave the machine running", HOSTING)
    assert names(found)[-1] == "removeTarget"
    assert "rebootServer" not in names(found)
