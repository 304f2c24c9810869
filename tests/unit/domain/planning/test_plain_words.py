"""Short goals in plain words: texts without marks, values of which only a description tells, one verb for two things."""

from collections.abc import Mapping

import pytest

from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

INTEGER: Schema = {"type": "integer"}
CHANNEL: Schema = {"type": "string", "description": "ID of the channel.", "examples": ["C024BE91L"]}
ISSUES = [
    call("POST /projects/{id}/issues", "createIssue", "Create an issue", body={"title": TEXT}, optional={"description": TEXT, "assignee_id": INTEGER}),
    call("PATCH /projects/{id}/issues/{issue}", "updateIssue", "Update an issue", optional={"title": TEXT, "state": {"type": "string", "enum": ["open", "closed"]}}),
    call("POST /projects/{id}/issues/{issue}/comments", "createComment", "Comment on an issue", body={"comment": TEXT}),
    call("PUT /projects/{id}", "updateProject", "Update a project", optional={"name": TEXT}),
]  # fmt: skip
FLAGS = [
    call("POST /configs/{configId}/flags", "createFlag", "Create a feature flag", body={"key": {"type": "string", "description": "The key of the flag."}, "name": {"type": "string", "description": "The name of the flag."}}),
    call("PUT /flags/{flagId}/value", "setFlag", "Set the value of a feature flag", body={"value": TEXT}),
]  # fmt: skip
CHAT = [
    call("POST /presence.set", "setPresence", "Manually set the presence of a user", body={"presence": {"type": "string", "description": "Either `auto` or `away`"}}),
    call("POST /snooze.set", "setSnooze", "Turn on do not disturb", body={"minutes": INTEGER}),
    call("POST /channels.unarchive", "unarchiveChannel", "Unarchive a channel", body={"channel_id": CHANNEL}),
    call("POST /channels.setPurpose", "setPurpose", "Set the purpose of a channel", body={"channel": CHANNEL, "purpose": TEXT}),
]  # fmt: skip
CLUSTER = [
    call(f"PATCH /namespaces/{{namespace}}/{things}/{{name}}/scale", f"scale{things.capitalize()}", f"Scale a {thing}", optional={"replicas": INTEGER})
    for things, thing in (("deployments", "deployment"), ("statefulsets", "stateful set"))
]  # fmt: skip
PLAYER = [
    call(
        "PUT /player/shuffle", "setShuffle", "Toggle shuffle on or off", body={"state": {"type": "boolean"}}
    ),
    call("POST /player/next", "skip", "Skip to the next song"),
]
MAIL = [
    call("POST /mail/sendInvoice", "sendInvoice", "Send an invoice by mail", body={"invoiceId": INTEGER}, optional={"toAddress": TEXT, "bccAddresses": {"type": "array", "items": TEXT}}),
    call("GET /numbers/local", "findNumbers", "Find phone numbers", query=(), answer=page("items", record("Number", "number"))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "inputs"),
    [
        (
            "create an issue in project 15 with the title Add login form",
            {"id": "15", "title": "Add login form"},
        ),
        (
            "create an issue with the title Add login form in project 15",
            {"id": "15", "title": "Add login form"},
        ),
        (
            "create an issue in project 15 titled Fix login on mobile and assign it to user 7",
            {"id": "15", "title": "Fix login on mobile", "assignee_id": 7},
        ),
        (
            "create an issue in project 15 with the title Crash and the description Nobody can sign in",
            {"id": "15", "title": "Crash", "description": "Nobody can sign in"},
        ),
    ],
)
def test_a_text_without_marks_ends_where_something_else_is_said(
    goal: str, inputs: Mapping[str, object]
) -> None:
    found = plan(goal, ISSUES)

    assert names(found) == ["createIssue"]
    assert known(found, 0) == inputs


def test_a_new_name_keeps_its_brackets() -> None:
    found = plan("rename project 15 to Website (old)", ISSUES)

    assert known(found, 0) == {"id": "15", "name": "Website (old)"}


def test_a_name_may_begin_with_a_word_of_grammar() -> None:
    found = plan("create a feature flag called New checkout with the key newCheckout in config 77", FLAGS)

    assert names(found) == ["createFlag"]
    assert known(found, 0) == {"configId": "77", "name": "New checkout", "key": "newCheckout"}


def test_an_order_behind_a_name_is_no_second_name() -> None:
    found = plan("unarchive channel C024BE91M and set its purpose to Beta", CHAT)

    assert names(found) == ["unarchiveChannel", "setPurpose"]
    assert known(found, 1) == {"channel": "C024BE91M", "purpose": "Beta"}


def test_a_description_lists_the_states_of_an_input() -> None:
    found = plan("set me to away", CHAT)

    assert names(found) == ["setPresence"]
    assert known(found, 0) == {"presence": "away"}


def test_one_verb_is_for_both_things() -> None:
    found = plan("scale deployment web in namespace shop to 3 and stateful set redis to 2", CLUSTER)

    assert names(found) == ["scaleDeployments", "scaleStatefulsets"]
    assert [known(found, at) for at in (0, 1)] == [
        {"namespace": "shop", "name": "web", "replicas": 3},
        {"namespace": "shop", "name": "redis", "replicas": 2},
    ]


def test_a_second_thing_of_the_same_kind_is_not_the_first() -> None:
    found = plan("scale deployment web in namespace shop to 3 and deployment api to 2", CLUSTER)

    assert [known(found, at)["name"] for at in range(len(names(found)))] == ["web", "api"]


def test_an_issue_gets_two_new_values() -> None:
    found = plan('set the title of issue 5 in project 15 to "Fix" and its state to closed', ISSUES)

    assert names(found) == ["updateIssue"]
    assert known(found, 0) == {"id": "15", "issue": "5", "title": "Fix", "state": "closed"}


@pytest.mark.parametrize(
    ("goal", "title"),
    [
        ("create an issue in project 15 with the title Login fails and assign it to user 7", "Login fails"),
        ("create an issue with the title Login fails for user 7 in project 15", "Login fails"),
        ("create an issue in project 15 with the title Login fails assigned to user 7", "Login fails"),
        ("create an issue in project 15 with the title Cats and Dogs", "Cats and Dogs"),
        ("create an issue in project 15 with the title What Is New in 2026", "What Is New in 2026"),
    ],
)
def test_what_is_said_beside_a_text_is_no_part_of_it(goal: str, title: str) -> None:
    found = plan(goal, ISSUES)

    assert names(found)[:1] == ["createIssue"]
    assert known(found, 0)["title"] == title


@pytest.mark.parametrize("joint", [" and then ", " then ", ", then "])
def test_an_order_behind_a_text_is_an_order(joint: str) -> None:
    found = plan(f"comment on issue 5 in project 15 with the comment Fixed{joint}close issue 5", ISSUES)

    assert names(found) == ["createComment", "updateIssue"]
    assert known(found, 0)["comment"] == "Fixed"
    assert known(found, 1)["state"] == "closed"


@pytest.mark.parametrize(("goal", "state"), [("turn off shuffle", False), ("turn on shuffle", True)])
def test_what_a_call_only_toggles_is_turned_on_or_off(goal: str, state: bool) -> None:
    found = plan(goal, PLAYER)

    assert names(found) == ["setShuffle"]
    assert known(found, 0) == {"state": state}


def test_a_verb_of_its_own_is_no_part_of_a_name() -> None:
    found = plan("scale deployment web in namespace shop to 3 and switch traffic to green", CLUSTER)

    assert names(found) == ["scaleDeployments"]
    assert "switch traffic to green" in [one.task for one in found.unmet]


def test_mail_goes_to_the_address() -> None:
    found = plan("email invoice 75813 to accounts@greenfield.ie", MAIL)

    assert names(found) == ["sendInvoice"]
    assert known(found, 0) == {"invoiceId": 75813, "toAddress": "accounts@greenfield.ie"}
