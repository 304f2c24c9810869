"""Short goals that name a thing by its id and say what is to be done with it, and those that say what is not."""

import pytest

from app.domain.workflows.plans import ASKS_NOTHING
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

NUMBER: Schema = {"type": "integer"}
SWITCH: Schema = {"type": "boolean"}
OF_MESSAGE: Schema = {"type": "string", "description": "Timestamp of the message to pin."}
CHANNEL: Schema = {"type": "string", "description": "ID of the channel.", "examples": ["C024BE91L"]}
CHAT = [
    call(
        "POST /channels.rename",
        "renameChannel",
        "Rename a channel",
        optional={"channel": CHANNEL, "name": TEXT},
    ),
    call("POST /channels.archive", "archiveChannel", "Archive a channel", optional={"channel": CHANNEL}),
    call("POST /pins.add", "addPin", "Pin a message", optional={"channel": CHANNEL, "timestamp": OF_MESSAGE}),
    call(
        "POST /pins.remove",
        "removePin",
        "Unpin a message",
        optional={"channel": CHANNEL, "timestamp": OF_MESSAGE},
    ),
    call(
        "GET /search.messages",
        "searchMessages",
        "Search messages",
        query=("query",),
        answer=page("messages", record("Message", "ts")),
    ),
]
REPOSITORIES = [
    call("GET /repos/{owner}/{repo}/issues", "listIssues", "List issues", answer=page("issues", record("Issue", "number", "title"))),
    call("POST /repos/{owner}/{repo}/issues", "createIssue", "Create an issue", body={"title": TEXT}),
    call("PATCH /repos/{owner}/{repo}/issues/{issue_number}", "updateIssue", "Update an issue", optional={"state": {"type": "string", "enum": ["open", "closed"]}}),
    call("POST /repos/{owner}/{repo}/issues/{issue_number}/labels", "addLabels", "Add labels to an issue", body={"labels": {"type": "array", "items": TEXT}}),
    call("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", "createComment", "Create an issue comment", body={"body": TEXT}),
    call("POST /repos/{owner}/{repo}/commits/{sha}/comments", "createCommitComment", "Create a commit comment", body={"body": TEXT}),
    call("GET /repos/{owner}/{repo}/commits", "listCommits", "List commits", answer=page("commits", record("Commit", "sha"))),
]  # fmt: skip
PAYMENTS = [
    call("POST /charges/{charge}/refunds", "refundCharge", "Refund a charge"),
    call("GET /charges/{charge}", "getCharge", "Get a charge"),
    call("POST /invoices/{invoice}/void", "voidInvoice", "Void an invoice"),
    call("POST /subscriptions/{id}/cancel", "cancelSubscription", "Cancel a subscription"),
]
PROJECTS = [
    call("PUT /projects/{id}", "updateProject", "Update a project", optional={"wiki_enabled": SWITCH, "enabled": SWITCH, "name": TEXT}),
    call("PUT /projects/{id}/services/external-wiki", "setExternalWiki", "Set the external wiki of a project", body={"external_wiki_url": TEXT}),
    call("GET /projects/{id}/members", "listMembers", "List members of a project", answer=page("members", record("Member", "id", "name"))),
    call("GET /projects/{id}/members/count", "countMembers", "Count members of a project"),
    call("PUT /projects/{id}/merge_requests/{merge_request_id}", "updateMergeRequest", "Update a merge request", optional={"state_event": {"type": "string", "enum": ["close", "reopen", "merge"]}}),
    call("PUT /projects/{id}/merge_requests/{merge_request_id}/merge", "acceptMergeRequest", "Merge a merge request"),
]  # fmt: skip


@pytest.mark.parametrize("goal", ["rename C024BE91M to old-stuff", "rename channel C024BE91M to old-stuff"])
def test_what_is_renamed_in_the_body_is_no_owner_of_its_name(goal: str) -> None:
    found = plan(goal, CHAT)

    assert names(found) == ["renameChannel"]
    assert known(found, 0) == {"channel": "C024BE91M", "name": "old-stuff"}


@pytest.mark.parametrize(("verb", "call_of"), [("pin", "addPin"), ("unpin", "removePin")])
def test_a_message_is_known_by_when_it_was_sent(verb: str, call_of: str) -> None:
    found = plan(f"{verb} message 1405894322.002768 in channel C024BE91M", CHAT)

    assert names(found) == [call_of]
    assert known(found, 0) == {"channel": "C024BE91M", "timestamp": "1405894322.002768"}


def test_a_search_is_for_what_stands_behind_about() -> None:
    found = plan("find messages about quarterly report", CHAT)

    assert known(found, 0) == {"query": "quarterly report"}


def test_what_must_not_be_archived_is_not_what_is() -> None:
    found = plan("don't archive C024BE91M, archive C024BE91N", CHAT)

    assert names(found) == ["archiveChannel"]
    assert known(found, 0) == {"channel": "C024BE91N"}


@pytest.mark.parametrize(
    "goal",
    [
        "add the label bug to issue 12 in octocat/hello",
        "issue 12 in octocat/hello: add the label bug",
        "don't close issue 12 in octocat/hello yet, just add the label bug",
    ],
)
def test_a_label_is_added_to_the_issue_of_the_goal(goal: str) -> None:
    found = plan(goal, REPOSITORIES)

    assert names(found) == ["addLabels"]
    assert known(found, 0) == {"owner": "octocat", "repo": "hello", "issue_number": "12", "labels": ["bug"]}


def test_a_comment_on_an_issue_is_none_on_a_commit() -> None:
    found = plan('issue 12 in octocat/hello: comment "Fixed" and close it', REPOSITORIES)

    assert names(found) == ["createComment", "updateIssue"]
    assert known(found, 1)["state"] == "closed"


@pytest.mark.parametrize(
    "goal",
    [
        "we won't refund charge ch_3Kd9sK2e",
        "no need to void invoice in_1Lq9sK2e",
        "nobody should cancel subscription sub_1Lq9sK2e",
        "we decided against refunding charge ch_3Kd9sK2e",
        "charge ch_3Kd9sK2e will not be refunded",
        "we are not cancelling subscription sub_1Lq9sK2e after all",
        "invoice in_1Lq9sK2e is not to be voided",
    ],
)
def test_nothing_is_done_that_somebody_says_will_not_be(goal: str) -> None:
    found = plan(goal, PAYMENTS)

    assert names(found) == []
    assert [(one.task, one.reason) for one in found.unmet] == [(goal, ASKS_NOTHING)]
    assert [one.code for one in found.warnings if one.code == "missing_tool"] == []


def test_what_is_denied_fills_no_other_call() -> None:
    found = plan("nobody cancels subscription sub_1Lq9sK2e, but void invoice in_1Lq9sK2e", PAYMENTS)

    assert names(found) == ["voidInvoice"]
    assert known(found, 0) == {"invoice": "in_1Lq9sK2e"}


def test_a_switch_is_called_as_what_is_turned_off() -> None:
    found = plan("turn off the wiki for project 15", PROJECTS)

    assert names(found) == ["updateProject"]
    assert known(found, 0) == {"id": "15", "wiki_enabled": False}


def test_how_many_there_are_is_counted() -> None:
    assert names(plan("how many members are there in project 15?", PROJECTS)) == ["countMembers"]


def test_the_call_of_an_act_comes_before_a_state_that_says_so() -> None:
    assert names(plan("please merge merge request 42 in project 15", PROJECTS)) == ["acceptMergeRequest"]


def test_who_does_not_merge_may_close() -> None:
    found = plan("we won't merge merge request 57 in project 15, just close it", PROJECTS)

    assert names(found) == ["updateMergeRequest"]
    assert known(found, 0) == {"id": "15", "merge_request_id": "57", "state_event": "close"}
