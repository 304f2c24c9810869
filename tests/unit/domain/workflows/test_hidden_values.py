"""What a caller keeps secret is nowhere in a plan, and the plan can still be run."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import JsonValue

from app.domain.nodes.models import ToolId
from app.domain.reading.models import GoalCondition, GoalTask, Reading, StatedValue, ValueKind
from app.domain.workflows.hidden_values import HIDDEN_VALUE, reading_without_secrets, without_secrets
from app.domain.workflows.plans import (
    Binding,
    ComposedBinding,
    InputBinding,
    KnownBinding,
    Plan,
    PlanInput,
    PlanStep,
    PlanWarning,
    Select,
    StepBinding,
    UnmetTask,
    UnusedValue,
    When,
    Where,
    plan_document,
)

SECRETS: dict[str, JsonValue] = {"token": "sk-live-9", "pin": 417}
TOKEN, PIN = InputBinding(input="token"), InputBinding(input="pin")


def bound(binding: Binding, **more: Any) -> Plan:
    step = PlanStep(position=1, tool_id=ToolId("shop/pay"), bindings={"a": binding}, **more)
    return Plan(goal="pay", steps=(step,))


def hidden(binding: Binding, secrets: dict[str, JsonValue] | None = None) -> Binding:
    return without_secrets(bound(binding), secrets or SECRETS).steps[0].bindings["a"]


@pytest.mark.parametrize(
    ("binding", "expected"),
    [
        (KnownBinding(known="sk-live-9"), TOKEN),
        (KnownBinding(known=417), PIN),
        (KnownBinding(known="417"), PIN),
        (KnownBinding(known=True), KnownBinding(known=True)),
        (KnownBinding(known="sk-live"), KnownBinding(known="sk-live")),
        (KnownBinding(known="4170"), KnownBinding(known="4170")),
        (
            KnownBinding(known="Bearer sk-live-9"),
            ComposedBinding(compose="Bearer {token}", parts={"token": TOKEN}),
        ),
        (
            KnownBinding(known={"auth": ["SK-LIVE-9", {"x": 417}], "b": "{token} pin=417"}),
            ComposedBinding(
                compose={"auth": ["{token_2}", {"x": "{pin}"}], "b": "{token} pin={pin}"},
                parts={"token_2": TOKEN, "pin": PIN},
            ),
        ),
        (
            ComposedBinding(
                compose="{token} sk-live-9 {id}",
                parts={"token": InputBinding(input="x"), "id": StepBinding(step=1, path="")},
            ),
            ComposedBinding(
                compose="{token} {token_2} {id}",
                parts={
                    "token": InputBinding(input="x"),
                    "id": StepBinding(step=1, path=""),
                    "token_2": TOKEN,
                },
            ),
        ),
    ],
)
def test_a_secret_is_an_input_of_the_plan_wherever_it_stood(binding: Binding, expected: Binding) -> None:
    """On its own, in a longer text, deep in an object, beside parts of the same name."""
    assert hidden(binding) == expected


def test_parts_of_an_object_are_secret_as_well() -> None:
    """The whole is one input, a part of it a pointer into that."""
    secrets: dict[str, JsonValue] = {"login": {"user": "ann-77", "a/b": ["hunter22"]}}

    assert hidden(KnownBinding(known=secrets["login"]), secrets) == InputBinding(input="login")
    assert hidden(KnownBinding(known="hunter22"), secrets) == InputBinding(input="login", path="/a~1b/0")
    found = without_secrets(bound(KnownBinding(known="ann-77")), secrets)
    assert found.inputs == (PlanInput(name="login", type="object"),)


def test_the_longer_secret_goes_first() -> None:
    """Nothing of it is left beside the name of the shorter one."""
    found = hidden(KnownBinding(known="x abcd-efgh y"), {"short": "abcd", "long": "abcd-efgh"})

    assert found == ComposedBinding(compose="x {long} y", parts={"long": InputBinding(input="long")})


def test_the_plan_asks_for_what_it_takes() -> None:
    """Once, required, with its type; an input of that name that is there stays and is required."""
    plan = bound(KnownBinding(known="sk-live-9 417"))
    there = plan.model_copy(update={"inputs": (PlanInput(name="token", required=False, suggested=True),)})

    assert without_secrets(plan, SECRETS).inputs == (
        PlanInput(name="token", type="string"),
        PlanInput(name="pin", type="integer"),
    )
    assert without_secrets(there, SECRETS).inputs[0] == PlanInput(name="token", required=True)
    assert without_secrets(bound(KnownBinding(known=1)), SECRETS).inputs == ()
    assert without_secrets(plan, {}) == plan


def test_texts_name_the_secret_and_selections_say_that_something_is_missing() -> None:
    """Goal, purposes, warnings, what is not used or has no call; a warning for what cannot be an input."""
    select = Select(by="match", where=(Where(field="key", value="sk-live-9"),))
    plan = bound(
        StepBinding(step=1, path="/*", select=select),
        purpose="pay with sk-live-9",
        when=(When(step=1, path="", value=["sk-live-9"]),),
    ).model_copy(
        update={
            "goal": "pay with sk-live-9, pin 417, not 4171",
            "warnings": (PlanWarning(code="x", message="'sk-live-9'"),),
            "unused": (UnusedValue(value="sk-live-9", reason="417"),),
            "unmet": (UnmetTask(task="sk-live-9", reason="no 417"),),
            "outputs": {"o": KnownBinding(known="sk-live-9")},
        }
    )

    found = without_secrets(plan, SECRETS)

    assert "sk-live-9" not in json.dumps(plan_document(found))
    assert found.goal == "pay with {token}, pin {pin}, not 4171"
    assert found.unused == (UnusedValue(value="{token}", reason="{pin}"),)
    assert [(one.code, one.step) for one in found.warnings] == [
        ("x", None),
        (HIDDEN_VALUE, 1),
        (HIDDEN_VALUE, 1),
    ]


texts = st.text(st.characters(codec="utf-8"), min_size=4, max_size=8).filter(
    lambda text: text.strip() == text
)


@given(texts, st.text(max_size=6), st.text(max_size=6))
@example('a"b\\c', "", "{a}")
def test_a_secret_of_four_characters_is_nowhere(secret: str, before: str, after: str) -> None:
    """Whatever stands around it, and quoted as JSON."""
    known: list[JsonValue] = [f"{before}{secret}{after}", {"deep": secret, f"x{secret}": 1}]
    quoted = json.dumps(secret, ensure_ascii=False)
    plan = bound(KnownBinding(known=known), purpose=f"{before}{secret}").model_copy(update={"goal": quoted})

    found = without_secrets(plan, {"N": secret})

    left = found.steps[0].bindings["a"]
    assert isinstance(left, ComposedBinding)
    assert isinstance(left.compose, list)
    first, second = left.compose
    assert isinstance(second, dict)
    for text in (str(first), *second, str(second["deep"]), found.goal, found.steps[0].purpose):
        assert secret not in text.replace("{N}", "\0"), text


def test_a_reading_names_the_secret_and_its_places_follow_the_goal() -> None:
    """Places lie in the goal that has the names; words that say how it is read stay."""
    goal = "pay sk-live-9 to ann, unless 417"
    token = StatedValue(text="sk-live-9", kind=ValueKind.ID, value="sk-live-9", start=4, end=13)
    ann = StatedValue(text="ann", kind=ValueKind.NAME, value="ann", start=17, end=20, preposition="to")
    reading = Reading(
        tasks=(
            GoalTask(
                do="pay sk-live-9",
                values=(token, ann),
                condition=GoalCondition(text="417", when=When(step=1, path="", value=417)),
            ),
        ),
        unsure=("is sk-live-9 a name?",),
    )

    found = reading_without_secrets(reading, goal, {**SECRETS, "kind": "name"})
    hidden_goal = without_secrets(Plan(goal=goal, steps=()), SECRETS).goal

    assert "sk-live-9" not in found.model_dump_json()
    assert "417" not in found.model_dump_json()
    first, second = found.tasks[0].values
    assert (first.value, hidden_goal[first.start : first.end]) == ("{token}", "{token}")
    assert (second.kind, hidden_goal[second.start : second.end]) == (ValueKind.NAME, "ann")
    assert reading_without_secrets(reading, goal, {}) is reading
