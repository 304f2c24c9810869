"""Calls that share words with a task, and do something else: refused where nothing better is there, too."""

from collections.abc import Sequence

import pytest

from app.domain.choosing.acts import is_other_act, is_other_change
from app.domain.choosing.candidate import Candidate
from app.domain.nodes.models import Tool
from app.domain.planning.draft import context_over, draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import KnownBinding, Plan
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import TEXT, Schema, call, page, record


def plan(goal: str, tools: Sequence[Tool]) -> Plan:
    index = PlanIndex(tools)
    edges = requirements_within(infer_dependencies(tools).requires)
    return finish_plan(index, draft_plan(index, goal, requirements=edges, known={}))


def names(found: Plan) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in found.steps]


def candidate(goal: str, name: str, tools: Sequence[Tool]) -> Candidate:
    """A call as one for the first task of a goal."""
    index = PlanIndex(tools)
    context = context_over(index, goal, servers=index.servers, known={})
    at = next(at for at, tool in enumerate(tools) if tool.name == name)
    return Candidate(index, context, 0, at)


def is_refused(goal: str, name: str, tools: Sequence[Tool]) -> bool:
    """Whether a call does something else than the first task of a goal, whatever others there are."""
    one = candidate(goal, name, tools)
    return is_other_act(one) or is_other_change(one)


def changes(goal: str, tools: Sequence[Tool]) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in plan(goal, tools).steps if step.mutating]


HOOKS = [
    call(
        "GET /sites/{siteId}/hooks",
        "listHooks",
        "List hooks",
        answer=page("hooks", record("Hook", "hookId", "url")),
    ),
    call("PATCH /sites/{siteId}", "updateSite", "Update a site", optional={"paused": {"type": "boolean"}}),
]


def test_what_is_taken_out_of_a_place_by_a_call_of_that_place_leaves_it() -> None:
    batches = [
        call("DELETE /batches/{batchId}", "deleteBatch", "Delete a batch"),
        call(
            "POST /batches/{batchId}/remove",
            "removeFromBatch",
            "Remove shipments from a batch",
            body={"shipmentIds": {"type": "array", "items": TEXT}},
        ),
    ]
    assert changes("take shipments s-101 and s-102 out of batch b-7", batches) == ["removeFromBatch"]


def test_the_place_of_things_is_not_changed_for_them() -> None:
    assert changes("pause the hooks on site 3", HOOKS) == []
    assert is_refused("update the hooks of site 3", "updateSite", HOOKS)
    assert changes("pause site 3", HOOKS) == ["updateSite"]


MEMBERS = [
    call(
        "GET /groups", "listGroups", "List groups", answer=page("groups", record("Group", "groupId", "name"))
    ),
    call("GET /users", "listUsers", "List users", answer=page("users", record("User", "userId", "name"))),
    call("DELETE /groups/{groupId}", "deleteGroup", "Delete a group"),
    call("DELETE /users/{userId}", "deleteUser", "Delete a user"),
]
LEAVE = call("DELETE /groups/{groupId}/users/{userId}", "removeUser", "Remove a user from a group")


def test_neither_the_group_nor_the_user_is_deleted_where_one_should_leave_the_other() -> None:
    goal = "remove user 12 from group 7"
    assert changes(goal, MEMBERS) == []
    assert is_refused("remove bob from group 7", "deleteGroup", MEMBERS)
    assert changes(goal, [*MEMBERS, LEAVE]) == ["removeUser"]
    assert changes("delete user 12", [*MEMBERS, LEAVE]) == ["deleteUser"]


def test_what_is_taken_out_of_a_state_is_not_deleted() -> None:
    tools = [
        call(
            "GET /servers",
            "listServers",
            "List servers",
            answer=page("servers", record("Server", "serverId")),
        ),
        call("DELETE /servers/{serverId}", "deleteServer", "Delete a server"),
    ]
    assert changes("take server 12 out of maintenance", tools) == []
    assert changes("delete server 12", tools) == ["deleteServer"]


RENEWALS = [
    call("GET /domains/{domainId}", "getDomain", "Get a domain", answer=record("Domain", "domainId", "name")),
    call("POST /domains/{domainId}/renew", "renewDomain", "Renew a domain"),
]


def test_what_should_stop_is_not_done_once_more() -> None:
    assert changes("turn off renew for domain 7", RENEWALS) == []
    assert changes("renew domain 7", RENEWALS) == ["renewDomain"]


ACCOUNTS = [
    call(
        "GET /accounts/{accountId}",
        "getAccount",
        "Get an account",
        answer=record("Account", "accountId", "name"),
    ),
    call(
        "PUT /accounts/{accountId}/address",
        "updateAddress",
        "Update the address of an account",
        optional={"street": TEXT, "city": TEXT},
    ),
]


def test_a_change_that_knows_no_state_disables_nothing() -> None:
    assert changes("disable account 7", ACCOUNTS) == []
    assert is_refused("disable account 7", "updateAddress", ACCOUNTS)
    status = call(
        "PATCH /accounts/{accountId}",
        "patchAccount",
        "Change an account",
        optional={"disabled": {"type": "boolean"}},
    )
    found = plan("disable account 7", [*ACCOUNTS, status])
    assert names(found) == ["patchAccount"]
    assert found.steps[0].bindings == {
        "accountId": KnownBinding(known="7"),
        "disabled": KnownBinding(known=True),
    }


PODS = [
    call("GET /pods", "listPods", "List pods", answer=page("pods", record("Pod", "name"))),
    call(
        "GET /deployments",
        "listDeployments",
        "List deployments",
        answer=page("deployments", record("Deployment", "name")),
    ),
    call("POST /pods/{name}/restart", "restartPod", "Restart a pod"),
]


def test_a_call_for_another_thing_of_the_server_is_refused() -> None:
    restart = call("POST /deployments/{name}/restart", "restartDeployment", "Restart a deployment")
    assert changes("restart the deployment web-1", [*PODS, restart]) == ["restartDeployment"]
    assert changes("restart pod web-1", [*PODS, restart]) == ["restartPod"]


def test_a_number_by_its_noun_is_not_left_by_another_change() -> None:
    tools = [
        call("GET /services/{service}", "getService", "Get a service", answer=record("Service", "service")),
        call(
            "PUT /services/{service}/labels", "labelService", "Set labels of a service", body={"labels": TEXT}
        ),
    ]
    assert changes("expose service web-1 on port 80", tools) == []


ISSUES = [
    call(
        "POST /issues",
        "createIssue",
        "Create an issue",
        body={"title": TEXT, "project": TEXT},
        answer=record("Issue", "issueId", "title"),
    ),
    call(
        "POST /issue-links",
        "linkIssues",
        "Create a link between two issues",
        body={"comment": TEXT, "inward": TEXT, "type": TEXT},
    ),
    call(
        "GET /users",
        "listUsers",
        "Find users",
        query=["email"],
        answer=page("users", record("User", "userId", "email")),
    ),
    call("PUT /issues/{issueId}/assignee", "assignIssue", "Assign an issue to a user", body={"userId": TEXT}),
    call(
        "PUT /schemes/{schemeId}/issues", "assignScheme", "Assign a scheme to issues", body={"schemeId": TEXT}
    ),
]
GOAL = 'create a bug "Search is slow" in project SHOP, assign it to dev@acme.com and link it as blocked by SHOP-9'


CORPORA = [
    call(
        "GET /corpora/{corpusId}", "readCorpus", "Read a corpus", answer=record("Corpus", "corpusId", "name")
    ),
    call("DELETE /corpora/{corpusId}", "deleteCorpus", "Delete a corpus"),
]


def test_what_is_only_to_be_disabled_is_not_deleted() -> None:
    assert changes("disable corpus 7", CORPORA) == []
    assert changes("delete corpus 7", CORPORA) == ["deleteCorpus"]


def test_the_thing_that_an_earlier_task_named_is_the_one() -> None:
    update = call(
        "POST /update-corpus",
        "updateCorpus",
        "Enable or disable a corpus",
        body={"enabled": {"type": "boolean"}},
        optional={"corpusId": TEXT},
    )
    found = plan("read corpus 7 and disable the corpus", [*CORPORA, update])
    assert names(found) == ["readCorpus", "updateCorpus"]
    assert found.steps[1].bindings == {
        "corpusId": KnownBinding(known="7"),
        "enabled": KnownBinding(known=False),
    }


def test_hours_go_into_a_period_and_not_into_an_id() -> None:
    moment: Schema = {"type": "string", "format": "dateTime"}
    free = call(
        "GET /events/free",
        "isFree",
        "Check whether a user is free",
        query=["userId", "start", "end"],
        details={"start": moment, "end": moment},
    )
    found = plan("is somebody free tomorrow between 9 and 11?", [free])
    assert names(found) == ["isFree"]
    assert found.steps[0].bindings.keys() == {"start", "end"}


def test_the_verb_of_a_later_task_says_nothing_of_an_earlier_one() -> None:
    assert names(plan(GOAL, ISSUES))[0] == "createIssue"


def test_what_it_is_has_been_named_before() -> None:
    """SHOP-9 comes later: who is assigned is assigned to what is made."""
    found = plan(GOAL, ISSUES)
    by_name = dict(zip(names(found), found.steps, strict=True))
    assert by_name["assignIssue"].bindings["issueId"].model_dump()["step"] == by_name["createIssue"].position


def test_an_address_of_mail_looks_for_somebody() -> None:
    assert "assignScheme" not in names(plan(GOAL, ISSUES))


@pytest.mark.parametrize(("noun", "unused"), [("bug", ["bug"]), ("issue", [])])
def test_which_kind_of_thing_is_made_is_said_where_no_input_takes_it(noun: str, unused: list[str]) -> None:
    found = plan(f'create a {noun} "Search is slow" in project SHOP', ISSUES)
    assert names(found) == ["createIssue"]
    assert [one.value for one in found.unused] == unused


def test_a_kind_that_an_input_takes_is_set() -> None:
    kind: Schema = {"type": "string", "enum": ["defect", "story"]}
    typed = call(
        "POST /issues", "createIssue", "Create an issue", body={"title": TEXT}, optional={"type": kind}
    )
    found = plan('create a defect "Search is slow"', [typed, *ISSUES[1:]])
    assert found.steps[0].bindings["type"] == KnownBinding(known="defect")
    assert found.unused == ()


WEB = [
    call("GET /services/{service}", "getService", "Get a service", answer=record("Service", "service")),
    call("POST /services/{service}/expose", "exposeService", "Expose a service", body={"host": TEXT}),
    call("POST /services/{service}/routes", "createRoute", "Expose a route", body={"port": TEXT}),
    call(
        "PATCH /services/{service}",
        "updateService",
        "Update a service",
        optional={"host": TEXT, "note": TEXT},
    ),
]


@pytest.mark.parametrize(
    ("goal", "name", "refused"),
    [
        # A number that the goal calls by a noun, of which the call knows nothing.
        ("expose service web-1 on port 80", "updateService", True),
        ("expose service web-1 with note 80", "updateService", False),
        # Who says nothing of the thing does not mean one that would have to be looked up.
        ("hide the banner with the note old", "updateService", True),
    ],
)
def test_a_change_that_leaves_what_is_said_is_another(goal: str, name: str, *, refused: bool) -> None:
    assert is_refused(goal, name, WEB) == refused


@pytest.mark.parametrize(
    ("goal", "name", "refused"),
    [
        ("change the deployment web-1 to 5", "sizePod", True),
        ("scale the pod web-1 to 5", "sizePod", False),
        ("scale the deployment web-1 to 5", "scaleDeployment", False),
    ],
)
def test_a_change_of_another_thing_of_the_server_is_another(goal: str, name: str, *, refused: bool) -> None:
    tools = [
        *PODS,
        call("PUT /pods/{name}/size", "sizePod", "Set the size of a pod", body={"size": TEXT}),
        call("PUT /deployments/{name}/scale", "scaleDeployment", "Scale a deployment", body={"size": TEXT}),
    ]
    assert is_refused(goal, name, tools) == refused


@pytest.mark.parametrize(("field", "refused"), [("name", True), ("email", False)])
def test_somebody_by_an_address_of_mail_is_found_by_one(field: str, *, refused: bool) -> None:
    people = page("users", record("User", "userId", field))
    tools = [
        call("GET /users", "listUsers", "List users", answer=people),
        call("PUT /users/{userId}/role", "setRole", "Promote a user", body={"role": TEXT}),
    ]
    assert is_refused("promote dev@acme.com", "setRole", tools) == refused


@pytest.mark.parametrize(
    ("goal", "refused"), [("revoke every consent of app 7", True), ("grant the consent", False)]
)
def test_what_takes_back_makes_nothing(goal: str, *, refused: bool) -> None:
    tools = [call("POST /consents", "createConsent", "Create a consent", body={"app": TEXT})]
    assert is_refused(goal, "createConsent", tools) is refused


BILLING = [
    call("POST /charges/{chargeId}/refunds", "refundCharge", "Refund a charge"),
    call("POST /customers/{customerId}/cards", "createCard", "Create a card"),
    call("POST /charges/{chargeId}", "updateCharge", "Update a charge", optional={"receipt_email": TEXT}),
    call("POST /invoices/{invoiceId}/send", "sendInvoice", "Send an invoice"),
    call("POST /invoice/sendtoclient", "sendToClient", "Send to client", body={"id": TEXT}),
]


@pytest.mark.parametrize(
    ("goal", "name", "refused"),
    [
        ("mail the customer a receipt for charge 12", "refundCharge", True),
        ("mail customer 7 a handwritten card", "createCard", True),
        ("mail bob@acme.com the receipt of charge 12", "updateCharge", False),
        ("email invoice 12 to the customer", "sendInvoice", False),
        ("email invoice 12 to the customer", "sendToClient", False),
        ("refund charge 12", "refundCharge", False),
    ],
)
def test_what_is_mailed_is_sent_by_a_call_that_sends(goal: str, name: str, *, refused: bool) -> None:
    assert is_other_act(candidate(goal, name, BILLING)) is refused


def test_a_change_takes_what_a_thing_becomes() -> None:
    ranks = call(
        "PUT /priorities/move",
        "movePriorities",
        "Move priorities",
        body={"ids": {"type": "array", "items": TEXT, "description": "The list of card IDs"}},
    )
    assert is_refused("set the priority of KAN-12 to High", "movePriorities", [ranks])


SUBSCRIPTIONS = [
    call(
        "GET /customers",
        "listCustomers",
        "List customers",
        answer=page("customers", record("Customer", "customerId", "name")),
    ),
    call(
        "DELETE /customers/{customerId}/subscriptions/{subscriptionId}",
        "cancelCustomerSubscription",
        "Cancel a subscription",
    ),
]


def test_what_leads_to_a_thing_is_not_looked_up_where_it_has_a_path_of_its_own() -> None:
    own = call("DELETE /subscriptions/{subscriptionId}", "cancelSubscription", "Cancel a subscription")

    assert changes("cancel the subscription 12", SUBSCRIPTIONS) == ["cancelCustomerSubscription"]
    assert names(plan("cancel the subscription 12", [*SUBSCRIPTIONS, own])) == ["cancelSubscription"]
    assert "cancelSubscription" not in changes("cancel the customer subscription 12", [*SUBSCRIPTIONS, own])
    goal = "cancel the subscription 12 of customer 7"
    assert names(plan(goal, SUBSCRIPTIONS)) == ["cancelCustomerSubscription"]
