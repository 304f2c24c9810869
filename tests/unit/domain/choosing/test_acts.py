"""A plan does what a goal asks for: no change for a question, nothing else taken away, nothing made that is there."""

from collections.abc import Sequence

import pytest

from app.domain.choosing.candidate import Candidate
from app.domain.choosing.fitness import fit_of
from app.domain.nodes.models import Tool
from app.domain.planning.draft import context_over, draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import KnownBinding, Plan
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import TEXT, Schema, call, page, record

ISSUE = record("Issue", "issueId", "title", "status")
READS = [
    call("GET /issues", "listIssues", "List issues", answer=page("issues", ISSUE)),
    call("GET /issues/{issueId}", "getIssue", "Get an issue", answer=ISSUE),
]
ISSUES = [
    *READS,
    call("POST /issues/{issueId}/open", "openIssue", "Open an issue"),
    call("POST /issues/{issueId}/close", "closeIssue", "Close an issue"),
    call("DELETE /issues/{issueId}", "deleteIssue", "Delete an issue"),
]


def plan(goal: str, tools: Sequence[Tool]) -> Plan:
    index = PlanIndex(tools)
    edges = requirements_within(infer_dependencies(tools).requires)
    return finish_plan(index, draft_plan(index, goal, requirements=edges, known={}))


def names(found: Plan) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in found.steps]


@pytest.mark.parametrize(
    "goal",
    ["did she open issue 12?", "is issue 12 closed?", "who closed issue 12?", "did she delete issue 12?"],
)
def test_a_question_changes_nothing(goal: str) -> None:
    found = plan(goal, ISSUES)
    assert names(found) == ["getIssue"]
    assert not any(step.mutating for step in found.steps)


@pytest.mark.parametrize(
    ("goal", "step"),
    [
        ("can you close issue 12?", "closeIssue"),
        ("open issue 12", "openIssue"),
        ("get rid of issue 12", "deleteIssue"),
    ],
)
def test_a_request_changes_what_it_names(goal: str, step: str) -> None:
    assert names(plan(goal, ISSUES)) == [step]


def test_a_question_that_only_a_change_could_answer_has_no_plan() -> None:
    assert names(plan("did she open issue 12?", ISSUES[2:])) == []


def test_to_delete_is_never_to_read() -> None:
    found = plan("delete issue 12", READS)
    assert names(found) == []
    assert [warning.code for warning in found.warnings] == ["missing_tool"]
    assert names(plan("show issue 12", READS)) == ["getIssue"]


PRODUCTS = [
    call(
        "GET /products",
        "listProducts",
        "List products",
        answer=page("products", record("Product", "productId", "name")),
    ),
    call("DELETE /products/{productId}", "deleteProduct", "Delete a product"),
    call("GET /users", "listUsers", "List users", answer=page("users", record("User", "userId", "name"))),
    call("POST /products/{productId}/users", "addUser", "Add a user to a product", body={"userId": TEXT}),
]
REMOVE = call("DELETE /products/{productId}/users/{userId}", "removeUser", "Remove a user from a product")


def test_what_something_is_removed_from_stays() -> None:
    goal = "remove user 12 from product 7"
    assert "deleteProduct" not in names(plan(goal, PRODUCTS))
    found = plan(goal, [*PRODUCTS, REMOVE])
    assert names(found) == ["removeUser"]
    assert found.steps[0].bindings == {
        "productId": KnownBinding(known="7"),
        "userId": KnownBinding(known="12"),
    }
    assert names(plan("delete product 7", [*PRODUCTS, REMOVE])) == ["deleteProduct"]


@pytest.mark.parametrize("goal", ["remove product 7", "drop product 7", "get rid of product 7"])
def test_what_a_path_only_goes_through_is_not_what_is_deleted(goal: str) -> None:
    assert names(plan(goal, [*PRODUCTS, REMOVE])) == ["deleteProduct"]


BRANCHES = [
    call("POST /merges/{mergeId}/close", "closeMerge", "Close a merge"),
    call(
        "GET /branches",
        "listBranches",
        "List branches",
        answer=page("branches", record("Branch", "branchId", "name")),
    ),
    call(
        "GET /branches/{branchId}", "getBranch", "Get a branch", answer=record("Branch", "branchId", "name")
    ),
    call("DELETE /branch-rules/{ruleId}", "deleteBranchRule", "Delete a branch rule"),
]


def test_a_rule_of_branches_is_no_branch() -> None:
    goal = "close merge 7 and delete its branch"
    assert names(plan(goal, BRANCHES)) == ["closeMerge"]
    delete = call("DELETE /branches/{branchId}", "deleteBranch", "Delete a branch")
    assert names(plan(goal, [*BRANCHES, delete])) == ["closeMerge", "listBranches", "deleteBranch"]
    assert names(plan("delete the branch rule 7", [*BRANCHES, delete])) == ["deleteBranchRule"]


SITES = [
    call("GET /sites", "listSites", "List sites", answer=page("sites", record("Site", "siteId", "name"))),
    call("POST /sites", "createSite", "Create a site", body={"name": TEXT}),
    call("POST /servers", "createServer", "Create a server", body={"name": TEXT}),
]
MOVE = call("POST /sites/{siteId}/move", "moveSite", "Move a site to a server", body={"serverId": TEXT})


def test_to_move_a_thing_is_not_to_make_it() -> None:
    goal = "create the server edge-2 and move the site ham-1 over to it"
    assert "createSite" not in names(plan(goal, SITES))
    assert names(plan(goal, [*SITES, MOVE])) == ["createServer", "moveSite"]


@pytest.mark.parametrize("goal", ["create the site ham-1", "add site ham-1"])
def test_what_is_asked_for_is_made(goal: str) -> None:
    assert names(plan(goal, [*SITES, MOVE])) == ["createSite"]


FILES = [
    call("GET /files", "listFiles", "List files", answer=page("files", record("File", "fileId", "folderId"))),
    call(
        "PATCH /folders/{folderId}",
        "updateFolder",
        "Update a folder",
        optional={"name": TEXT, "parentId": TEXT},
    ),
]


@pytest.mark.parametrize(
    "move",
    [
        call("POST /files/{fileId}/move", "moveFile", "Move a file", body={"folderId": TEXT}),
        call(
            "PATCH /files/{fileId}",
            "updateFile",
            "Update a file",
            optional={"name": TEXT, "folderId": TEXT},
        ),
    ],
)
def test_what_something_is_moved_into_is_not_changed(move: Tool) -> None:
    found = plan("move file 5 into folder 7", [*FILES, move])
    assert [step.tool_id for step in found.steps] == [move.id]
    assert found.steps[0].bindings == {
        "fileId": KnownBinding(known="5"),
        "folderId": KnownBinding(known="7"),
    }


def test_a_folder_that_something_is_moved_into_is_not_moved_though_its_call_may_move() -> None:
    tools = [
        call("POST /files/{fileId}/move", "moveFile", "Move a file", body={"target": TEXT}),
        call(
            "PATCH /folders/{folderId}",
            "updateFolder",
            "Update or move a folder with its files",
            optional={"name": TEXT},
        ),
    ]
    assert names(plan("move file 5 into folder 7", tools)) == ["moveFile"]


def test_a_folder_that_is_moved_itself_is_changed() -> None:
    assert names(plan("move folder 7 into folder 8", FILES)) == ["updateFolder"]


LABELS = [
    call("GET /labels/{labelId}", "getLabel", "Get a label", answer=record("Label", "labelId", "status")),
    call(
        "PATCH /labels/{labelId}",
        "updateLabel",
        "Update a label",
        optional={"status": {"type": "string", "enum": ["void", "paid"]}, "note": TEXT},
    ),
]
VOID = call("PUT /labels/{labelId}/void", "voidLabel", "Void a label")


def test_a_path_that_ends_with_the_verb_comes_before_a_change_of_the_whole() -> None:
    assert names(plan("void label 7", [*LABELS, VOID])) == ["voidLabel"]
    assert names(plan("void label 7", LABELS)) == ["updateLabel"]
    assert names(plan("set the status of label 7 to paid", [*LABELS, VOID])) == ["updateLabel"]


def test_where_a_thing_is_does_not_say_that_it_is_made() -> None:
    """`in` says where the lamp is, `to` what a new one would go into."""
    tools = [call("POST /halls/{hall}/lamps", "createLamp", "Create a lamp of a hall", body=["name"])]
    assert names(plan("polish lamp Max in hall 5", tools)) == []
    assert names(plan("add lamp Max to hall 5", tools)) == ["createLamp"]


def test_who_says_a_state_speaks_of_the_input_that_it_sets() -> None:
    states = {"moderationStatus": {"type": "string", "enum": ["published", "rejected"]}}
    set_status = call(
        "POST /notes/setModerationStatus",
        "setModerationStatus",
        "Sets the status of notes",
        body=states,
        query=["id"],
    )
    found = plan("reject the note N7", [set_status, call("GET /notes", "listNotes", "List notes")])
    assert found.steps[0].bindings["moderationStatus"] == KnownBinding(known="rejected")


TITLED = [
    call("POST /boards/{board}/milestones", "createMilestone", "Create a milestone", body=["title"]),
    call("PUT /boards/{board}/roles/{role}/{person}", "assignRole", "Assign a role to a person"),
]


def test_nothing_else_is_made_than_what_is_asked_for() -> None:
    """No document of these says bug: it is not made a milestone, and what is not made is not assigned."""
    found = plan('create a bug "Broken" in board 7 and assign it to maria', TITLED)

    assert found.steps == ()
    assert [one.reason for one in found.unmet] == [
        "no tool fits it well enough",
        "what it speaks of is not made",
    ]
    assert names(plan('create a milestone "Q3" in board 7', TITLED)) == ["createMilestone"]


PAYMENT = record("Payment", "paymentId", "state")
EVENT, REFUND = record("Event", "eventId"), record("Refund", "refundId")
PAYMENTS = [
    call("GET /payments/{paymentId}", "getPayment", "Get a payment", answer=PAYMENT),
    call("GET /payments/{paymentId}/events", "listEvents", "List events", answer=page("events", EVENT)),
    call("GET /refunds", "listAllRefunds", "List all refunds", answer=page("refunds", REFUND)),
    call("GET /payments/{paymentId}/refunds", "listRefunds", "List refunds", answer=page("refunds", REFUND)),
    call("POST /payments/{paymentId}/refunds", "createRefund", "Refund a payment", body={"amount": TEXT}),
]


@pytest.mark.parametrize("determiner", ["its", "the"])
def test_a_noun_behind_a_determiner_is_shown_and_not_done(determiner: str) -> None:
    """Its refunds are those of the payment, not everybody's."""
    found = plan(f"show me the events of payment 7 and {determiner} refunds", PAYMENTS)
    assert "listEvents" in names(found)
    assert not any(step.mutating for step in found.steps)
    if determiner == "its":
        assert names(found) == ["listEvents", "listRefunds"]
        assert [step.bindings["paymentId"] for step in found.steps] == [KnownBinding(known="7")] * 2


def test_a_change_takes_what_a_thing_is_to_become() -> None:
    """`/worklogs/move` shares the verb, and has no place for the state."""
    worklogs = call(
        "POST /issues/{issueId}/worklogs/move", "moveWorklogs", "Move worklogs", body={"ids": TEXT}
    )
    found = plan('move issue 12 to "In Review"', [*READS, worklogs])
    assert names(found) == []
    assert [one.value for one in found.unused] == [12, "In Review"]
    assert len(found.unmet) == 1


def test_what_goes_into_a_new_thing_changes_none_that_is_there() -> None:
    lists = [
        call("GET /lists", "listLists", "List lists", answer=page("lists", record("List", "listId", "name"))),
        call(
            "PATCH /lists/{listId}", "updateList", "Update a list", optional={"public": {"type": "boolean"}}
        ),
    ]
    assert "updateList" not in names(plan("copy the tracks into a new private list", lists))
    assert "updateList" in names(plan("make list 7 private", lists))


def test_everyone_is_no_channel() -> None:
    groups = [
        call("POST /groups/{groupId}/channels", "addChannels", "Add channels", body={"channel": TEXT}),
    ]
    assert names(plan("add everyone in channel 5 to group 9", groups)) == []
    users = call("POST /groups/{groupId}/users", "addUsers", "Add users", body={"user": TEXT})
    assert names(plan("add everyone in channel 5 to group 9", [*groups, users])) == ["addUsers"]


def test_a_change_that_leaves_a_measure_and_has_another_verb_is_another() -> None:
    todo = call("POST /issues/{issueId}/todo", "createTodo", "Create a todo on an issue")
    assert "createTodo" not in names(plan("log 3h30m on issue 15", [*READS, todo]))


def test_a_change_with_a_place_for_all_that_is_said_comes_first() -> None:
    tools = [
        call("DELETE /users/{userId}", "removeUser", "Remove a user"),
        call("POST /rooms/{roomId}/kick", "kick", "Removes a user from a room", body={"user": TEXT}),
    ]
    found = plan("remove user U7 from room R42", tools)
    assert names(found) == ["kick"]


def test_to_bind_a_role_is_to_make_a_role_binding() -> None:
    tools = [
        call("POST /bindings", "createBinding", "Create a Binding", body={"target": TEXT}),
        call("POST /rolebindings", "createRoleBinding", "Create a RoleBinding", body={"role": TEXT}),
        call("GET /rolebindings/{name}", "readRoleBinding", "Read a RoleBinding"),
    ]
    assert names(plan("bind the role editor", tools)) == ["createRoleBinding"]


def test_a_change_that_does_nothing_but_what_is_said_fits_better_than_one_that_may_do_more() -> None:
    active: Schema = {"type": "boolean"}

    def fit(**more: Schema) -> float:
        tool = call("PUT /status/{sku}", "putStatus", "Change", optional={"active": active, **more})
        index = PlanIndex([tool])
        context = context_over(index, "deactivate SKU-7", servers=index.servers, known={})
        return fit_of(Candidate(index, context, 0, 0))

    assert fit() > fit(address=TEXT) > fit(address=TEXT, footer=TEXT)
