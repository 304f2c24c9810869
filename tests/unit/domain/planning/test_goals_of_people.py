"""Goals that name people by their addresses, or by a pronoun."""

import pytest

from app.domain.workflows.plans import KnownBinding, StepBinding
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.choosing.test_refusals import is_refused
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

FINDING: Schema = {"type": "string", "description": "Matched against the display name and the email address"}
USERS: Schema = {"type": "array", "items": record("User", "id", "name")}

TOOLS = [
    call(
        "POST /channels.kick",
        "kickFromChannel",
        "Remove a user from a channel",
        optional={"channel": TEXT, "user": TEXT, "as_user": TEXT, "username": TEXT},
    ),
    call(
        "POST /reminders.complete",
        "completeReminder",
        "Mark a reminder as complete",
        body={"reminder": {**TEXT, "description": "The ID of the reminder to be marked as complete"}},
    ),
    call(
        "GET /users/assignable/search",
        "findAssignableUsers",
        "Find users that issues can be assigned to",
        query=["query"],
        details={"query": FINDING},
        answer=USERS,
    ),
    call(
        "GET /users/search",
        "findUsers",
        "Find users by their name or email address",
        query=["query"],
        details={"query": FINDING},
        answer=USERS,
    ),
    call("GET /users", "listUsers", "List users", answer=page("users", record("User", "id", "name"))),
]


def test_who_is_named_by_an_address_is_found_where_a_call_takes_an_id() -> None:
    found = plan("kick ann@acme.com from channel C42", TOOLS)
    assert names(found) == ["findUsers", "kickFromChannel"]
    assert known(found, 0) == {"query": "ann@acme.com"}
    bound = found.steps[1].bindings["user"]
    assert isinstance(bound, StepBinding)
    assert (bound.step, bound.path) == (1, "/*/id")
    assert found.steps[1].bindings["channel"] == KnownBinding(known="C42")
    others = (found.steps[1].bindings.get(name) for name in ("as_user", "username"))
    assert not any(isinstance(one, StepBinding) for one in others)


def test_nobody_is_looked_for_where_no_call_finds_somebody_by_an_address() -> None:
    found = plan("kick ann@acme.com from channel C42", [TOOLS[0], TOOLS[-1]])
    assert "listUsers" not in names(found)
    assert "ann@acme.com" in [one.value for one in found.unused]


def test_an_address_is_no_id_of_what_is_called_after_a_verb() -> None:
    found = plan("remind ann@acme.com of it", TOOLS)
    assert all("reminder" not in step.bindings for step in found.steps)


STARS = [
    call("POST /stars.add", "addStar", "Add a star to an item", optional={"channel": TEXT}),
    call(
        "POST /members.add", "addMember", "Add a member to a channel", body={"channel": TEXT, "member": TEXT}
    ),
    call(
        "GET /members", "listMembers", "List members", answer=page("members", record("Member", "id", "name"))
    ),
]


@pytest.mark.parametrize(
    ("goal", "refused"), [("add her to #sales", True), ("add her star to #sales", False)]
)
def test_a_change_without_people_does_nothing_with_somebody(goal: str, *, refused: bool) -> None:
    assert is_refused(goal, "addStar", STARS) is refused
    assert not is_refused("add her to #sales", "addMember", STARS)


def test_what_is_written_is_neither_a_channel_nor_who_writes() -> None:
    post = call(
        "POST /messages",
        "postMessage",
        "Post a message to a channel",
        body={"channel": TEXT},
        optional={"text": TEXT, "username": TEXT},
    )
    assert known(plan('post the message "hi"', [post]), 0) == {"text": "hi"}
