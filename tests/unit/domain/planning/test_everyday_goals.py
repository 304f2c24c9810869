"""Turns of everyday goals: what `one` stands for, who is asked for, which of two inputs a number is for, what only goes into another thing."""

from collections.abc import Sequence

import pytest

from app.domain.nodes.models import Tool
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import KnownBinding, Plan, StepBinding
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_context import stated

SWITCH: Schema = {"type": "boolean"}
PERSON = record("User", "id", "username", "email")
PEOPLE = [
    call("GET /users", "listUsers", "List users", query=("username", "email"), answer=page("users", PERSON)),
    call("POST /users", "createUser", "Create a user", body=("username", "email")),
    call("PUT /users/{id}", "updateUser", "Update a user", optional={"username": TEXT, "enabled": SWITCH}),
    call("PUT /users/{id}/disable-credential-types", "disableTypes", "Disable credentials of a type"),
    call("PUT /users/{id}/groups/{groupId}", "PUT_users_groups", ""),
    call("GET /groups/{groupId}", "getGroup", "Get a group"),
    call("GET /groups/{groupId}/members", "listMembers", "List members", answer=page("users", PERSON)),
    call("PUT /groups/{groupId}", "updateGroup", "Update a group", optional={"name": TEXT}),
]


def plan(goal: str, tools: Sequence[Tool]) -> Plan:
    index = PlanIndex(tools)
    edges = requirements_within(infer_dependencies(tools).requires)
    return finish_plan(index, draft_plan(index, goal, requirements=edges, known={}))


def names(found: Plan) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in found.steps]


def test_a_value_behind_with_tells_which_thing_is_meant() -> None:
    found = plan("disable the user with the username jdoe", PEOPLE)
    assert names(found) == ["listUsers", "updateUser"]
    assert found.steps[0].bindings["username"] == KnownBinding(known="jdoe")
    assert found.steps[1].bindings["enabled"] == KnownBinding(known=False)
    assert "username" not in found.steps[1].bindings
    assert isinstance(found.steps[1].bindings["id"], StepBinding)


def test_a_call_without_a_body_may_put_one_thing_into_another() -> None:
    found = plan("find the user with the email ann@corp.test and add her to the group 77aa-11", PEOPLE)
    assert names(found) == ["listUsers", "PUT_users_groups"]
    assert found.steps[1].bindings["groupId"] == KnownBinding(known="77aa-11")
    assert isinstance(found.steps[1].bindings["id"], StepBinding)


def test_who_asks_for_the_people_of_a_thing() -> None:
    assert names(plan("who is in the group 77aa-11?", PEOPLE)) == ["listMembers"]
    assert names(plan("what is the group 77aa-11?", PEOPLE)) == ["getGroup"]


def test_one_is_what_the_task_before_is_about() -> None:
    tools = [
        call("DELETE /templates/{id}", "deleteTemplate", "Delete a template"),
        call("POST /templates", "createTemplate", "Create a template", body=("name", "subject")),
        call("POST /triggers", "createTrigger", "Create a trigger", body=("name",)),
    ]
    found = plan('delete the template tp-1 and create one called Welcome with the subject "Hi"', tools)
    assert names(found) == ["deleteTemplate", "createTemplate"]
    assert found.steps[1].bindings["name"] == KnownBinding(known="Welcome")
    assert found.steps[1].bindings["subject"] == KnownBinding(known="Hi")


def test_turning_something_off_does_not_do_it() -> None:
    tools = [
        call(
            "PATCH /domains/{domain}",
            "updateDomain",
            "Update",
            optional={"locked": SWITCH, "renewAuto": SWITCH},
        ),
        call("POST /domains/{domain}/renew", "renewDomain", "Renew a domain"),
    ]
    found = plan("lock the domain a-tools.com and turn off auto renew", tools)
    assert names(found) == ["updateDomain"]
    assert found.steps[0].bindings["renewAuto"] == KnownBinding(known=False)
    assert names(plan("renew the domain a-tools.com", tools)) == ["renewDomain"]


def test_what_is_done_again_is_the_verb_without_re() -> None:
    tools = [
        call("GET /bounces/{bounceId}", "getBounce", "Get a bounce"),
        call("PUT /bounces/{bounceId}/activate", "activateBounce", "Activate a bounce"),
    ]
    assert names(plan("reactivate bounce 692560173", tools)) == ["activateBounce"]


@pytest.mark.parametrize(("said", "parameter"), [("14", "site_id"), ("ham1", "site")])
def test_a_number_goes_to_the_id_where_the_name_has_an_input_of_its_own(said: str, parameter: str) -> None:
    racks = call("GET /racks", "listRacks", "List racks", query=("site", "site_id"))
    found = plan(f"list the racks of site {said}", [racks])
    assert found.steps[0].bindings == {parameter: KnownBinding(known=said)}


def test_a_number_of_years_goes_where_the_document_counts_years() -> None:
    tools = [
        call(
            "POST /domains/{domain}/renew",
            "renewDomain",
            "Renew a domain",
            optional={
                "price": {"type": "integer"},
                "period": {"type": "integer", "description": "Number of years to extend the domain."},
            },
        )
    ]
    bindings = plan("renew a-shop.net for 2 years", tools).steps[0].bindings
    assert bindings["period"] == KnownBinding(known=2)
    assert "price" not in bindings


def test_a_part_of_a_thing_goes_where_the_thing_stays() -> None:
    tools = [
        call("DELETE /documents/{id}", "deleteDocument", "Delete a document"),
        call("GET /documents/{id}/payments", "listPayments", "List the payments of a document"),
        call("DELETE /documents/{id}/payments", "deletePayments", "Delete all payments of a document"),
    ]
    assert names(plan("wipe the payments of document 4200 but keep the document", tools)) == [
        "deletePayments"
    ]


def test_a_word_that_may_be_a_name_is_a_thing_where_calls_are_about_such_things() -> None:
    tools = [
        call("POST /lists/create", "createList", "Create a list", optional={"name": TEXT, "mode": TEXT}),
        call("POST /lists/update", "updateList", "Update a list", optional={"name": TEXT, "mode": TEXT}),
    ]
    assert names(plan("create a private list called Competitors", tools)) == ["createList"]


def test_no_optional_part_of_a_body_is_made_up_from_an_answer() -> None:
    consent: Schema = {"type": "object", "properties": {"clientId": TEXT}}
    owner: Schema = {
        "type": "object",
        "title": "Account",
        "properties": {"id": TEXT, "username": TEXT, "consents": {"type": "array", "items": consent}},
    }
    tools = [
        call(
            "GET /accounts",
            "listAccounts",
            "List accounts",
            query=("username",),
            answer=page("accounts", owner),
        ),
        call(
            "PUT /accounts/{id}",
            "updateAccount",
            "Update an account",
            optional={"enabled": SWITCH, "consents": {"type": "array", "items": consent}},
        ),
    ]
    found = plan("disable the account with the username jdoe", tools)
    assert names(found) == ["listAccounts", "updateAccount"]
    assert set(found.steps[1].bindings) == {"id", "enabled"}


ORGANIZATIONS = [
    call("GET /orgs", "listOrgs", "List organizations", answer=page("orgs", record("Org", "id", "login"))),
    call("GET /orgs/{org}/members", "listMembers", "List members", answer=page("members", PERSON)),
    call("DELETE /orgs/{org}/members/{username}", "removeMember", "Remove a member"),
    call("GET /issues/{number}", "getIssue", "Get an issue", answer=record("Issue", "id", "state")),
    call("POST /issues/{number}/labels", "addLabels", "Add labels to an issue", body={"labels": TEXT}),
    call("POST /issues/{number}/merge", "mergeIssue", "Merge an issue", optional={"method": TEXT}),
]


@pytest.mark.parametrize("place", ["org acme", "organisation acme"])
def test_a_place_may_be_called_by_a_short_form_or_in_british_spelling(place: str) -> None:
    assert stated(plan(f"list the members in {place}", ORGANIZATIONS)) == [("listMembers", {"org": "acme"})]


def test_a_name_behind_of_is_whose_things_are_meant() -> None:
    assert stated(plan("list the members of acme", ORGANIZATIONS)) == [("listMembers", {"org": "acme"})]


def test_a_name_in_brackets_is_the_one_of_who_is_spoken_of() -> None:
    found = plan("Maria (mgarcia) has left. Remove her from org acme", ORGANIZATIONS)
    assert names(found)[-1] == "removeMember"
    assert "mgarcia" in found.steps[-1].model_dump_json()


def test_a_call_that_does_two_tasks_waits_for_the_condition_of_either() -> None:
    found = plan("squash and merge issue 91 if its state is open", ORGANIZATIONS)
    assert names(found)[-1] == "mergeIssue"
    waits = found.steps[-1].when or [one for one in found.warnings if one.code == "condition_not_checked"]
    assert waits


def test_what_every_call_of_a_server_needs_is_asked_for_once() -> None:
    tools = [
        call("POST /apps", "createApp", "Create an app", body=("name", "api-version")),
        call("POST /principals", "createPrincipal", "Create a principal", body=("label", "api-version")),
        *(
            call(f"POST /things{n}", f"createThing{n}", f"Create thing {n}", body=("api-version",))
            for n in range(15)
        ),
    ]
    found = plan('create an app "Time" and create a principal "Robot"', tools)
    assert [step.tool_id for step in found.steps] == ["shop/createApp", "shop/createPrincipal"]
    assert [one.name for one in found.inputs] == ["api-version"]
