"""Plain goals on plain documents: rename, change an attribute of something, list all, delete two."""

import pytest

from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import InputBinding
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan, selected

DAY: Schema = {"type": "string", "format": "date"}
SEVERITY: Schema = {"type": "string", "enum": ["info", "warning", "critical"]}
KIND: Schema = {"type": "string", "enum": ["server", "volume"]}
ID_OF_CONTACT: Schema = {"examples": ["con_81fA"]}
DEPARTMENTS = [
    call(
        "GET /departments",
        "listDepartments",
        "List departments",
        answer=page("departments", record("Department", "id", "name", "code")),
    ),
    call(
        "PATCH /departments/{departmentId}",
        "updateDepartment",
        "Update a department",
        optional={"code": TEXT, "name": TEXT},
    ),
]
CONTACTS = [
    call(
        "GET /contacts",
        "listContacts",
        "List contacts",
        query=("email", "last_active_before", "created_after"),
        details={"last_active_before": DAY, "created_after": DAY},
        answer=page("contacts", record("Contact", "id", "email", "name")),
    ),
    call(
        "PATCH /contacts/{contact_id}",
        "updateContact",
        "Update a contact",
        details={"contact_id": ID_OF_CONTACT},
        optional={"first_name": TEXT, "last_name": TEXT, "time_zone": TEXT},
    ),
    call(
        "GET /contacts/{contact_id}/activities",
        "listActivities",
        "List what a contact did",
        query=("since",),
        details={"since": DAY},
        answer=page("activities", record("Activity", "id", "kind")),
    ),
]
PEOPLE_OF_CONTACTS = [
    call("DELETE /contacts/{contact_id}", "deleteContact", "Delete a contact"),
    call(
        "DELETE /contacts/{contact_id}/contact_persons/{contact_person_id}",
        "deleteContactPerson",
        "Delete a contact person",
    ),
]
ACCOUNTS = [
    call(
        "GET /accounts",
        "listAccounts",
        "List accounts",
        query=("searchTerm",),
        answer=page("accounts", record("Account", "code", "name")),
    ),
    call("PUT /accounts/{accountCode}", "updateAccount", "Update an account", optional={"taxType": TEXT}),
    call("DELETE /bank-accounts/{id}", "deleteBankAccount", "Delete a bank account"),
    call("POST /bank-accounts", "createBankAccount", "Add a bank account", body={"account_number": TEXT}),
]
RULES = [
    call("GET /alerts", "listAlerts", "List alerts", answer=page("alerts", record("Alert", "id", "rule_id"))),
    call(
        "PATCH /alert-rules/{ruleId}",
        "updateAlertRule",
        "Update an alert rule",
        optional={"severity": SEVERITY, "name": TEXT},
    ),
]
SNAPSHOTS = [
    call(
        "GET /snapshots",
        "listSnapshots",
        "List snapshots",
        query=("source_type", "created_before"),
        details={"source_type": KIND, "created_before": DAY},
        answer=page("snapshots", record("Snapshot", "id", "name", "source_type")),
    ),
    call("DELETE /snapshots/{snapshotId}", "deleteSnapshot", "Delete a snapshot"),
]
LISTS = [
    call("GET /properties", "listProperties", "Search the records of the county"),
    call("GET /properties/random", "randomProperties", "List properties at random"),
    call("GET /deploy_keys", "allKeys", "List deploy keys"),
    call("GET /projects", "listProjects", "List projects", answer=page("projects", record("Project", "id"))),
    call("GET /projects/{id}/deploy_keys", "keysOfProject", "List the deploy keys of a project"),
]
DEPLOYMENTS = [
    call(
        "GET /deployments",
        "listDeployments",
        "List deployments",
        query=("deployedBy",),
        answer=page("deployments", record("Deployment", "id", "deployedBy")),
    ),
]


@pytest.mark.parametrize("goal", ['rename department 7 to "Redwood"', "rename department 7 to Redwood"])
def test_a_new_name_is_no_code(goal: str) -> None:
    assert known(plan(goal, DEPARTMENTS), 0) == {"departmentId": "7", "name": "Redwood"}


def test_who_is_renamed_is_looked_up_and_the_new_name_is_not() -> None:
    found = plan("rename the Customer Success department to Client Services", DEPARTMENTS)
    assert names(found) == ["listDepartments", "updateDepartment"]
    assert selected(found, "departmentId").select.value == "Customer Success"
    assert known(found, 1) == {"name": "Client Services"}


def test_an_attribute_is_not_set_to_whom_it_is_of() -> None:
    found = plan("change the time zone of con_44bQ to Europe/Lisbon", CONTACTS)
    assert known(found, 0) == {"contact_id": "con_44bQ", "time_zone": "Europe/Lisbon"}


def test_a_last_name_is_not_the_last_of_many() -> None:
    found = plan("change the last name of contact con_44bQ to Novak", CONTACTS)
    assert known(found, 0) == {"contact_id": "con_44bQ", "last_name": "Novak"}


def test_since_when_something_is_not_so_ends_a_period() -> None:
    found = plan("which contacts haven't been online since 2025-11-01?", CONTACTS)
    assert known(found, 0) == {"last_active_before": "2025-11-01"}
    assert found.unused == ()


def test_since_when_something_is_not_so_says_nothing_of_when_it_was_made() -> None:
    made_before = [
        call(
            "GET /comments",
            "listComments",
            "List comments",
            query=("before",),
            details={"before": DAY},
            answer=page("comments", record("Comment", "id", "text")),
        )
    ]
    found = plan("show the comments that were not approved since 2026-01-01", made_before)
    assert all("before" not in step.bindings for step in found.steps)
    assert "2026-01-01" in {str(one.value) for one in found.unused}


def test_since_when_something_is_so_begins_one() -> None:
    """`/contacts/{contact_id}/activities` has an input of that name, and is about something else."""
    found = plan("show the contacts since 2025-11-01", CONTACTS)
    assert names(found) == ["listContacts"]
    assert known(found, 0) == {"created_after": "2025-11-01"}


@pytest.mark.parametrize(
    "goal", ["delete the contact person 41 of contact 9", "remove contact person 41 from contact 9"]
)
def test_an_id_goes_to_what_its_whole_noun_calls(goal: str) -> None:
    found = plan(goal, PEOPLE_OF_CONTACTS)
    assert names(found) == ["deleteContactPerson"]
    assert known(found, 0) == {"contact_id": "9", "contact_person_id": "41"}


def test_a_thing_whose_code_a_path_takes_is_looked_up_by_its_name() -> None:
    found = plan('change the tax type of the account Kestrel to "EXEMPT"', ACCOUNTS)
    assert names(found) == ["listAccounts", "updateAccount"]
    assert known(found, 0) == {"searchTerm": "Kestrel"}
    # A search may find others beside it.
    assert selected(found, "accountCode").select.value == "Kestrel"


def test_two_things_of_two_words_are_two_calls_alike() -> None:
    found = plan("delete bank account 4826 and bank account 4050", ACCOUNTS)
    assert names(found) == ["deleteBankAccount", "deleteBankAccount"]
    assert [known(found, at)["id"] for at in (0, 1)] == ["4826", "4050"]


def test_a_member_that_people_call_a_thing_is_a_member_where_something_is_set_to_it() -> None:
    """Where there are alerts and no warnings, a warning is an alert: but not here."""
    found = plan("set the severity of alert rule 3266 to warning", RULES)
    assert known(found, 0) == {"ruleId": "3266", "severity": "warning"}
    assert not any(isinstance(one, InputBinding) for one in found.steps[0].bindings.values())


@pytest.mark.parametrize("participle", ["taken", "created"])
def test_a_participle_is_no_name(participle: str) -> None:
    found = plan(f"delete all snapshots {participle} before 2025-10-01", SNAPSHOTS)
    assert known(found, 0) == {"created_before": "2025-10-01"}
    select = selected(found, "snapshotId").select
    assert (select.by, select.where) == ("each", ())


def test_what_is_excluded_by_its_kind_is_left_out() -> None:
    found = plan("delete all snapshots created before 2025-10-01, not the volume ones", SNAPSHOTS)
    assert names(found) == ["listSnapshots", "deleteSnapshot"]
    assert known(found, 0) == {"created_before": "2025-10-01"}
    spared = {(one.field, one.op, one.value) for one in selected(found, "snapshotId").select.where}
    assert ("source_type", "ne", "volume") in spared or ("name", "ne", "volume") in spared


def test_which_of_others_are_excluded_is_asked() -> None:
    found = plan("delete all snapshots created before 2025-10-01, not those of volume 7", SNAPSHOTS)
    assert selected(found, "snapshotId").select.by == "ask"


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("list all properties", "listProperties"),
        ("list random properties", "randomProperties"),
        ("list all deploy keys", "allKeys"),
        ("list the deploy keys of project 7", "keysOfProject"),
    ],
)
def test_all_of_a_thing_are_neither_some_of_it_nor_those_of_another(goal: str, expected: str) -> None:
    assert names(plan(goal, LISTS)) == [expected]


def test_what_was_done_is_not_who_did_it() -> None:
    found = plan("list deployment A7-532", DEPLOYMENTS)
    assert all("deployedBy" not in step.bindings for step in found.steps)


def test_who_did_it_is() -> None:
    found = plan("list the deployments deployed by ann@acme.com", DEPLOYMENTS)
    assert known(found, 0) == {"deployedBy": "ann@acme.com"}


@pytest.mark.parametrize(
    "goal",
    ["account 7 is not needed any more", "account 7 has to be there forever", "account 7 was opened twice"],
)
def test_a_thing_that_is_told_of_is_no_verb(goal: str) -> None:
    """Though verbs are written like its noun."""
    accounts = [
        call("POST /payouts", "makePayout", "Pay out", body={"amount": {"type": "integer"}}),
        call("DELETE /accounts/{account_id}", "removeAccount", "Drop an account"),
    ]
    assert names(plan(goal, accounts)) == []


def test_a_thing_that_is_to_go_goes() -> None:
    accounts = [call("DELETE /accounts/{account_id}", "removeAccount", "Drop an account")]
    assert names(plan("account 7 has to be dropped", accounts)) == ["removeAccount"]


MESSAGES = [
    call(
        "GET /people",
        "listPeople",
        "List people",
        query=("search",),
        answer=page("people", record("Person", "id", "name", "email")),
    ),
    call(
        "POST /people/{person_id}/messages",
        "sendMessage",
        "Send a message to a person",
        body={"text": TEXT, "channel": {"type": "string", "enum": ["email", "sms"]}},
    ),
]


def test_who_is_texted_is_no_text() -> None:
    found = plan('text Kenji Mori: "your shuttle leaves from gate B"', MESSAGES)
    assert names(found) == ["listPeople", "sendMessage"]
    assert known(found, 0) == {"search": "Kenji Mori"}
    assert known(found, 1) == {"text": "your shuttle leaves from gate B", "channel": "sms"}


LEARNERS = [
    call(
        "GET /jobs", "listJobs", "List jobs", query=("q",), answer=page("jobs", record("Job", "id", "title"))
    ),
    call(
        "POST /contacts",
        "makeContact",
        "Add a contact",
        body={"full_name": TEXT, "email": {"type": "string", "format": "email"}},
        optional={"job_id": TEXT},
    ),
]


def test_somebody_who_is_made_known_has_the_name() -> None:
    assert known(plan("create a contact for Ann Lee", LEARNERS), -1) == {"full_name": "Ann Lee"}


def test_what_somebody_is_for_is_no_name_of_his() -> None:
    found = plan("add ann@acme.com as a contact for our Backend Engineer job", LEARNERS)
    assert known(found, -1) == {"email": "ann@acme.com"}


INVOICES = [call("POST /invoices/{id}/send", "sendInvoice", "Send an invoice")]


@pytest.mark.parametrize(
    ("goal", "asks"),
    [
        ("INV-7 is paid", False),
        ("INV-7 is it paid", True),
        ("INV-7 who paid it", True),
        ("INV-7 is paid?", True),
        ("is INV-7 paid", True),
    ],
)
def test_what_begins_with_its_value_may_tell_of_it_or_ask(goal: str, asks: bool) -> None:
    draft = draft_plan(PlanIndex(INVOICES), goal, requirements=requirements_within(()), known={})
    assert [words.is_question for words in draft.context.words] == [asks]


def test_what_is_only_named_is_not_changed() -> None:
    invoices = [
        call("POST /invoices/{id}/send", "sendInvoice", "Send it", details={"id": {"examples": ["INV-8"]}})
    ]
    assert names(plan("INV-7, don't send it", invoices)) == []
    assert names(plan("INV-7", invoices)) == []


@pytest.mark.parametrize("goal", ["find out why INV-7 was sent", "check whether INV-7 was sent"])
def test_what_is_looked_up_by_a_clause_is_a_question(goal: str) -> None:
    assert names(plan(goal, INVOICES)) == []


@pytest.mark.parametrize("order", ["move its start to", "change its start to", "just push the start to"])
def test_one_end_of_a_period_becomes_what_is_said(order: str) -> None:
    times: dict[str, Schema] = {"start_at": {"type": "string", "format": "date-time"}}
    tools = [
        call(
            "PATCH /events/{id}",
            "updateEvent",
            "Update an event",
            optional={**times, "end_at": times["start_at"]},
        )
    ]
    found = plan(f"don't delete event 42, {order} 2018-03-01T15:00:00Z", tools)

    assert known(found, 0) == {"id": "42", "start_at": "2018-03-01T15:00:00Z"}


@pytest.mark.parametrize(
    "order", ["move 500 EUR from account 1000 to 1010", "transfer 500 EUR to 1010 from 1000"]
)
def test_what_something_comes_from_is_not_where_it_goes_however_deep_the_inputs_lie(order: str) -> None:
    code: Schema = {"type": "string", "examples": ["1090"]}
    account: Schema = {"type": "object", "properties": {"Code": code}, "required": ["Code"]}
    ends = {"FromBankAccount": account, "ToBankAccount": account}
    tools = [call("POST /transfers", "createTransfer", "Transfer money between accounts", body={"Amount": {"type": "number"}, **ends})]  # fmt: skip
    found = plan(order, tools)

    assert known(found, 0)["FromBankAccount"] == {"Code": "1000"}
    assert known(found, 0)["ToBankAccount"] == {"Code": "1010"}
