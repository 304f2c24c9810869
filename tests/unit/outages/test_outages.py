"""Closed plans: nothing that cannot be called, no wrong mapping, no change that nobody agreed to."""

from typing import Any

import pytest

from app.domain.workflows.plans import Plan
from tests.unit.outages.reading import OUTAGES, outage_of


def stood_in(plan: Plan) -> dict[str, list[str]]:
    """Each stand-in with what it stands in for, and what of it is what."""
    return {
        step.tool_id: [
            found.tool_id,
            *(f"{part.name}={part.was}" for part in (*found.inputs, *found.outputs)),
        ]
        for step in plan.steps
        if (found := step.instead_of)
    }


def test_there_are_thirty_and_more() -> None:
    assert len(OUTAGES) >= 30


@pytest.mark.parametrize("name", OUTAGES)
def test_a_plan_outlives_an_outage_as_far_as_that_is_certain(name: str) -> None:
    """Every mapping is one that was written down, and every change of another tool asks first."""
    case: dict[str, Any] = dict(OUTAGES[name])
    outage = outage_of(case)
    plan = outage.plan(case["goal"])
    called = [step.tool_id for step in plan.steps]

    assert {one: [found[0], *sorted(found[1:])] for one, found in stood_in(plan).items()} == {
        one: [found[0], *sorted(found[1:])] for one, found in case.get("stand_ins", {}).items()
    }
    assert [step.tool_id for step in plan.steps if step.ask] == case.get("ask", [])
    assert {*called}.isdisjoint(outage.down | outage.denied | outage.hidden)
    if "steps" in case:
        assert called == case["steps"]
    assert {*called}.isdisjoint(case.get("named", ()))
    if "unmet" in case:
        assert [one.fits for one in plan.unmet] == case["unmet"]
    said = plan.model_dump_json()
    assert all(f"{one} may do the same" in said for one in case.get("named", ()))
    assert all(one not in said for one in outage.hidden)
    assert all(step.may_call and step.is_up for step in plan.steps)


@pytest.mark.parametrize("name", OUTAGES)
def test_each_goal_is_planned_with_what_is_down_while_it_is_up(name: str) -> None:
    """Else an outage would show nothing."""
    case = dict(OUTAGES[name])
    plan = outage_of({**case, "down": (), "denied": ()}).plan(case["goal"])
    called = {step.tool_id for step in plan.steps}

    assert called & {*case.get("down", ()), *case.get("denied", ())}
    assert not any(step.instead_of or step.ask for step in plan.steps)
