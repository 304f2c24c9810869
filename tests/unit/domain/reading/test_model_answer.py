"""Answers of a model: taken as a whole, or refused with reasons."""

import json
from typing import Any

import pytest

from app.domain.reading.model_answer import CheckedAnswer, checked_answer
from app.domain.reading.models import AskedTask

GOAL = "If order ord_17 is open, cancel it and refund 15.00 EUR to the customer"
TOOLS = {"shop/cancelOrder", "shop/refundPayment"}


def task(**fields: Any) -> dict[str, Any]:
    return {"do": "cancel order", "values": [], "if": None, "after": [], "tool": None, **fields}


def checked(*tasks: dict[str, Any]) -> CheckedAnswer:
    return checked_answer(json.dumps({"tasks": tasks}), goal=GOAL, tools=TOOLS)


def test_an_answer_that_keeps_to_the_goal_becomes_tasks() -> None:
    """Values as names and values, in order, without hidden characters."""
    found = checked(
        task(
            do="cancel\u200b order",
            values=[{"name": "order", "value": " ord_17 "}],
            **{"if": "order is open"},
        ),
        task(
            do="refund customer",
            values=[{"name": "amount", "value": 15}],
            after=[1, 1],
            tool="shop/refundPayment",
        ),
    )

    assert found.problems == ()
    assert found.tasks == (
        AskedTask(do="cancel order", values={"order": "ord_17"}, if_="order is open"),
        AskedTask(do="refund customer", values={"amount": 15}, after=(1,)),
    )


def test_values_may_be_an_object() -> None:
    """As models write them where the endpoint ignores the schema."""
    assert checked(task(values={"order": "ord_17"})).tasks[0].values == {"order": "ord_17"}


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (task(do=" \u200b "), "'do' is empty"),
        (task(do="delete account"), "accepted: what the goal asks for"),
        (task(**{"if": "the moon is full"}), "'if'"),
        (task(values=[{"name": "order", "value": "ord_18"}]), "'order' is not in the goal"),
        (task(values=[{"name": "order", "value": "ord_1"}]), "not in the goal"),
        (task(values=[{"name": "amount", "value": 1500}]), "not in the goal"),
        (task(values=[{"name": "open", "value": True}]), "value"),
        (task(values=[{"name": " ", "value": 15}]), "no name"),
        (task(after=[1]), "names task 1"),
        (task(after=[0]), "names task 0"),
        (task(after=[7]), "names task 7"),
        (task(tool="shop/dropAll"), "not among the operations"),
        (task(colour="red"), "no such field"),
        ({"values": []}, "do = (missing)"),
    ],
)
def test_a_task_that_does_not_is_refused_with_the_whole_answer(bad: dict[str, Any], why: str) -> None:
    """A half of a goal is another goal."""
    for found in (checked(bad), checked(task(), bad | {"after": [9]})):
        assert found.tasks == ()
        assert found.problems
    assert any(why in problem for problem in checked(bad).problems), checked(bad).problems


@pytest.mark.parametrize(
    "text",
    [
        *("", "no JSON", "null", "[]", "{}", '{"tasks": []}', '{"tasks": {"do": "cancel order"}}'),
        '{"tasks": [{"do": "cancel order", "values": [{"name": "x", "value": NaN}]}]}',
        '{"tasks": [{"do": "cancel order", "values": [{"name": "x", "value": 1e999}]}]}',
        '{"tasks": [{"do": "cancel order", "values": [{"name": "x", "value": ' + "9" * 5_000 + "}]}]}",
        "[" * 100_000,
        json.dumps({"tasks": [task()] * 51}),
        json.dumps({"tasks": [task(do="cancel order " * 400)]}),
    ],
)
def test_what_has_another_form_is_refused(text: str) -> None:
    """Whatever it is, there is a reason that the model can read, and no exception."""
    found = checked_answer(text, goal=GOAL, tools=TOOLS)

    assert found.tasks == ()
    assert found.problems
    assert all(len(problem) <= 200 for problem in found.problems)
