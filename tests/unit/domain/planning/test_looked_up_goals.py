"""Goals that call things by something else than the ids that calls take."""

import pytest

from app.domain.workflows.plans import Plan, StepBinding
from tests.calls import NUMBER, TEXT, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

HOOKS = [
    call(
        "GET /hooks",
        "listHooks",
        "List hooks",
        query=["name"],
        answer=page("items", record("Hook", "id", "name")),
    ),
    call(
        "POST /hooks", "createHook", "Create a hook", body={"name": TEXT}, answer=record("Hook", "id", "name")
    ),
    call("DELETE /hooks/{id}", "deleteHook", "Delete a hook"),
]


def test_what_is_made_later_is_not_what_is_deleted_first() -> None:
    found = plan('delete the hook "Old sync" and create a hook "New sync"', HOOKS)
    assert names(found) == ["listHooks", "deleteHook", "createHook"]
    bound = found.steps[1].bindings["id"]
    assert isinstance(bound, StepBinding)
    assert bound.step == 1


TENANTS = [
    call("GET /tenants", "listTenants", "List tenants", answer=page("items", record("Tenant", "id", "name"))),
    call(
        "POST /tenant-groups",
        "createTenantGroup",
        "Create a tenant group",
        body={"name": TEXT},
        answer=record("TenantGroup", "id", "name"),
    ),
    call("PATCH /tenants/{id}", "updateTenant", "Update a tenant", optional={"group": TEXT}),
]


def test_a_compound_is_no_thing_of_its_first_noun() -> None:
    found = plan('create a tenant group "North" and update the tenant Initech', TENANTS)
    bound = found.steps[names(found).index("updateTenant")].bindings["id"]
    assert isinstance(bound, StepBinding)
    assert found.steps[bound.step - 1].tool_id == "shop/listTenants"


CLIENTS = [
    call(
        "GET /{realm}/clients",
        "listClients",
        "List clients",
        query=["clientId"],
        answer={"type": "array", "items": record("Client", "id", "clientId", "name")},
    ),
    call("POST /{realm}/clients/{id}/client-secret", "newSecret", "Generate a new secret for the client"),
]


def test_what_a_sentence_before_names_is_looked_up() -> None:
    found = plan("the secret of client web-shop has leaked. Generate its new secret", CLIENTS)
    assert names(found) == ["listClients", "newSecret"]
    assert known(found, 0) == {"clientId": "web-shop"}


DEVICES = [
    call(
        "GET /devices",
        "listDevices",
        "List devices",
        query=["name", "rack"],
        answer=page("results", record("Device", "id", "name")),
    ),
    call(
        "PATCH /devices/{id}",
        "updateDevice",
        "Update a device",
        optional={"rack": NUMBER},
        details={"id": NUMBER},
    ),
]


def test_what_a_change_sets_is_no_filter_of_the_list() -> None:
    found = plan("update the device sw-ber-03 to rack 41", DEVICES)
    assert names(found) == ["listDevices", "updateDevice"]
    assert known(found, 0) == {"name": "sw-ber-03"}
    assert known(found, 1) == {"rack": 41}


CONFIGS = [
    call(
        "GET /configs",
        "listConfigs",
        "List configs",
        answer={"type": "array", "items": record("Config", "configId", "name")},
    ),
    call(
        "GET /keys/{key}/details",
        "getKeyDetails",
        "Get details of a key",
        answer=page(
            "details", {"type": "object", "properties": {"config": record("Config", "configId", "name")}}
        ),
    ),
    call("DELETE /configs/{configId}", "deleteConfig", "Delete a config"),
]


def test_the_list_of_what_an_input_identifies_comes_first() -> None:
    assert names(plan('delete the config "Mobile App"', CONFIGS)) == ["listConfigs", "deleteConfig"]


BILLS = [
    call("GET /bills", "listBills", "List bills", answer=page("items", record("Bill", "id", "name"))),
    call("DELETE /bills/{id}", "deleteBill", "Delete a bill"),
    call("GET /customers/{id}", "getCustomer", "Get a customer"),
]


def test_what_stands_behind_another_noun_is_no_name_of_an_item() -> None:
    found = plan("delete all bills of customer c-4411", BILLS)
    bound = found.steps[names(found).index("deleteBill")].bindings["id"]
    assert isinstance(bound, StepBinding)
    assert bound.select is not None
    assert bound.select.where == ()
    assert [one.value for one in found.unused] == ["c-4411"]


NUMBERS = [
    call(
        "GET /callers",
        "listCallers",
        "List verified callers",
        answer=page("items", record("Caller", "caller")),
    ),
    call("POST /callers/{caller}", "verifyCaller", "Verify a caller"),
]


def test_a_read_that_tells_whether_a_task_is_done_is_made() -> None:
    found = plan("list the verified callers and if it isn't there, verify the caller 12135550142", NUMBERS)
    assert names(found) == ["listCallers", "verifyCaller"]


PROJECTS = [
    call(
        "GET /projects",
        "listProjects",
        "List projects",
        query=["name"],
        answer=page("data", record("Project", "id", "name")),
    ),
    call(
        "GET /project_statuses",
        "listStatuses",
        "List project statuses",
        answer=page("data", record("Status", "id", "name")),
    ),
    call(
        "PUT /projects/{project_id}",
        "updateProject",
        "Update a project",
        optional={"name": TEXT, "project_status_id": TEXT},
    ),
]


def matched(found: Plan, name: str) -> str:
    """The name by which the item is taken that fills an input of the last step."""
    bound = found.steps[-1].bindings[name]
    assert isinstance(bound, StepBinding)
    assert bound.select is not None
    return str(bound.select.value)


def test_a_state_is_looked_up_by_its_name() -> None:
    found = plan('set the project "Garden" to "Ready for billing"', PROJECTS)
    assert names(found) == ["listProjects", "listStatuses", "updateProject"]
    assert known(found, 0) == {"name": "Garden"}
    assert matched(found, "project_id") == "Garden"
    assert matched(found, "project_status_id") == "Ready for billing"
    assert "name" not in known(found, 2)
    assert found.unused == ()


def test_a_version_is_no_id() -> None:
    versions = [
        call(
            "GET /projects/{key}/versions",
            "listVersions",
            "List the versions of a project",
            answer=page("values", record("Version", "id", "name")),
        ),
        call("DELETE /versions/{id}", "deleteVersion", "Delete a version"),
    ]
    found = plan("delete version 4.2.0 of project SHOP", versions)
    assert names(found) == ["listVersions", "deleteVersion"]
    assert matched(found, "id") == "4.2.0"
    assert names(plan("delete version 10511", versions)) == ["deleteVersion"]


TICKET = page("items", record("Ticket", "id", "subject"))
TICKETS = [
    call("GET /tickets", "listTickets", "List tickets", query=["search"], answer=TICKET),
    call("GET /tickets/overdue", "listOverdueTickets", "List overdue tickets", answer=TICKET),
    call("GET /tickets/closed", "listClosedTickets", "List closed tickets", answer=TICKET),
    call(
        "GET /tickets/{ticketId}/watchers",
        "listWatchers",
        "List watchers of a ticket",
        answer=page("items", record("Watcher", "id")),
    ),
    call("POST /tickets/{ticketId}/close", "closeTicket", "Close a ticket"),
]


@pytest.mark.parametrize(
    ("goal", "steps"),
    [
        ("who are the watchers of the overdue ticket", ["listOverdueTickets", "listWatchers"]),
        ('who are the watchers of the ticket "Login fails"', ["listTickets", "listWatchers"]),
        ('close the ticket "Login fails"', ["listTickets", "closeTicket"]),
        ("close the overdue tickets", ["listOverdueTickets", "closeTicket"]),
    ],
)
def test_a_list_of_those_that_are_spoken_of_is_looked_through(goal: str, steps: list[str]) -> None:
    """What is overdue is among the overdue ones; what is to be closed is not among those that are."""
    assert names(plan(goal, TICKETS)) == steps
