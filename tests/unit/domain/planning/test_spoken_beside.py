"""What stands beside a task tells more of it, and never does more than the task asks for."""

import pytest

from app.domain.workflows.plans import KnownBinding, StepBinding
from tests.calls import call, page, record
from tests.unit.domain.planning.test_unseen_goals import plan

TEXT = {"type": "string"}
USERS = [
    call("GET /users", "listUsers", "List users", answer=page("users", record("User", "id", "name"))),
    call("POST /users", "createUser", "Create a user", body={"name": TEXT}, optional={"role": TEXT}),
    call("DELETE /users/{id}", "deleteUser", "Delete a user"),
    call(
        "PATCH /users/{id}",
        "updateUser",
        "Update a user",
        optional={"role": TEXT, "name": TEXT, "archived": {"type": "boolean"}},
    ),
    call("POST /users/{id}/reminders", "addReminder", "Add a reminder"),
]


def changes(goal: str) -> dict[str, dict[str, object]]:
    """Name of each call that changes something -> the values that it is given."""
    return {
        step.tool_id.rpartition("/")[2]: {
            name: bound.known if isinstance(bound, KnownBinding) else bound
            for name, bound in step.bindings.items()
        }
        for step in plan(goal, USERS).steps
        if step.mutating
    }


@pytest.mark.parametrize(
    "goal",
    [
        "we do not need to delete user 7",
        "user 7 must not be deleted",
        "bob should not delete user 7",
        "list all users that should get a reminder",
    ],
)
def test_what_nobody_asks_for_is_not_done(goal: str) -> None:
    assert changes(goal) == {}


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("we don't need to delete user 7, delete user 8", {"deleteUser": {"id": "8"}}),
        (
            "I don't need user 7 deleted. Update user 8 with role admin",
            {"updateUser": {"id": "8", "role": "admin"}},
        ),
        ('create a user called Ann without the role "admin"', {"createUser": {"name": "Ann"}}),
        (
            'update user 7 with name "Bob" but do not set role "admin"',
            {"updateUser": {"id": "7", "name": "Bob"}},
        ),
    ],
)
def test_what_is_excluded_fills_nothing(goal: str, expected: dict[str, dict[str, object]]) -> None:
    assert changes(goal) == expected


def test_what_is_left_out_of_all_that_there_are_stays() -> None:
    bound = changes("delete all users we have except user 7")["deleteUser"]["id"]
    assert isinstance(bound, StepBinding)
    assert bound.select is not None
    assert (bound.select.by, bound.select.except_) == ("each", (7,))


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("user 9 complained about user 7. Delete user 7", {"deleteUser": {"id": "7"}}),
        (
            'is the role of user 7 "admin"? If so, update user 8 with name "Bob"',
            {"updateUser": {"id": "8", "name": "Bob"}},
        ),
        (
            'archive the newsletter of spring and update user 7 with name "Bob"',
            {"updateUser": {"id": "7", "name": "Bob"}},
        ),
    ],
)
def test_what_a_task_says_itself_comes_before_what_others_say(
    goal: str, expected: dict[str, dict[str, object]]
) -> None:
    assert changes(goal) == expected


def test_a_thing_is_looked_up_by_what_its_own_task_calls_it() -> None:
    bound = changes('the role admin is dangerous. delete the user "Ann"')["deleteUser"]["id"]
    assert isinstance(bound, StepBinding)
    assert bound.select is not None
    assert bound.select.value == "Ann"


SUBSCRIPTIONS = [
    call(
        "GET /customers",
        "listCustomers",
        "List customers",
        answer=page("customers", record("Customer", "id")),
    ),
    call("POST /customers", "createCustomer", "Create a customer", optional={"email": TEXT}),
    call(
        "POST /subscriptions/{id}/cancel",
        "cancelSubscription",
        "Cancel a subscription",
        optional={"reason": TEXT, "refund": {"type": "boolean"}},
    ),
    call("POST /subscriptions/{id}/refunds", "createRefund", "Refund a subscription"),
    call("DELETE /subscriptions/{id}/members/{memberId}", "removeMember", "Remove a member"),
]


def mutating(goal: str) -> list[str]:
    return [step.tool_id.rpartition("/")[2] for step in plan(goal, SUBSCRIPTIONS).steps if step.mutating]


@pytest.mark.parametrize("joint", [" - ", " \u2013 ", " -- ", ", ", ". "])
@pytest.mark.parametrize(
    "remark",
    [
        "customer doesn't need it any more",
        "the customer doesn't want it",
        "customer is with somebody else by now",
        "customers are leaving us in numbers",
    ],
)
def test_how_things_are_changes_nothing(joint: str, remark: str) -> None:
    assert mutating(f"cancel subscription 7{joint}{remark}") == ["cancelSubscription"]


@pytest.mark.parametrize(
    "said", [", no refund", ". no refunds please", " - and no refund", ", but no refund yet"]
)
def test_what_a_task_goes_without_is_not_done(said: str) -> None:
    """It is said of the call before, whose switch for it is off."""
    (step,) = [one for one in plan(f"cancel subscription 7{said}", SUBSCRIPTIONS).steps if one.mutating]
    assert step.tool_id.rpartition("/")[2] == "cancelSubscription"
    assert step.bindings["refund"] == KnownBinding(known=False)


@pytest.mark.parametrize(
    ("goal", "calls"),
    [
        ("cancel subscription 7, and refund subscription 8", ["cancelSubscription", "createRefund"]),
        ("no more refunds. cancel subscription 7", ["cancelSubscription"]),
        ("create a customer - then cancel subscription 7", ["createCustomer", "cancelSubscription"]),
    ],
)
def test_orders_behind_a_dash_or_a_comma_are_orders(goal: str, calls: list[str]) -> None:
    assert mutating(goal) == calls


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("user 7 isn't active, remind user 8", {"addReminder": {"id": "8"}}),
        ("user 7 hasn't answered, remind the user", {"addReminder": {"id": "7"}}),
        ("delete user 7, no one needs it", {"deleteUser": {"id": "7"}}),
    ],
)
def test_what_a_named_thing_is_not_is_no_order(goal: str, expected: object) -> None:
    assert changes(goal) == expected


def test_nothing_is_given_to_what_a_task_goes_without() -> None:
    desk = [
        call("POST /tickets/{id}/notes", "addNote", "Add a note to a ticket", body={"text": TEXT}),
        call(
            "POST /macros",
            "createMacro",
            "Create a macro",
            optional={"addTags": {"type": "array", "items": TEXT}},
        ),
    ]
    (step,) = plan('add the note "late" to ticket 7, no tags', desk).steps
    assert step.tool_id.rpartition("/")[2] == "addNote"


def test_an_apostrophe_may_be_typeset() -> None:
    assert mutating("customer doesn\u2019t need it any more, cancel subscription 7") == ["cancelSubscription"]
