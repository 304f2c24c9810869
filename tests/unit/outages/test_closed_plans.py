"""Closed plans of random catalogues under random policies and outages."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import Tool
from app.domain.workflows.plans import Plan
from bench.hidden.catalogues import NOUNS, VERBS
from tests.hidden import random_graph
from tests.unit.outages.reading import Outage

CATALOGUES = [random_graph(seed).catalogue() for seed in range(12)]


def outage_and_goal(seed: int, *, most_lost: float = 1.0) -> tuple[Outage, str]:
    """Any tools down, denied and hidden."""
    chance = random.Random(seed)
    catalogue = chance.choice(CATALOGUES)
    tools = [one.id for one in catalogue.tools]
    servers = sorted({one.server for one in catalogue.tools})
    gone = {one for one in servers if chance.random() < chance.random() * most_lost}
    some = [
        frozenset(chance.sample(tools, int(len(tools) * chance.random() * share))) for share in (0.6, 0.4)
    ]
    down = frozenset(one.id for one in catalogue.tools if one.server in gone)
    parts = [
        f"{chance.choice(VERBS)} the {chance.choice(NOUNS)} of my {chance.choice(NOUNS)}" for _ in (1, 2)
    ]
    return Outage(catalogue, down, *some), " and ".join(parts[: chance.randint(1, 2)])


def uncallable(outage: Outage, plan: Plan) -> list[str]:
    """Steps that cannot be called."""
    lost = outage.down | outage.denied | outage.hidden
    return [step.tool_id for step in plan.steps if step.tool_id in lost]


@settings(max_examples=120)
@given(st.integers(0, 2**32))
def test_no_step_of_a_closed_plan_cannot_be_called(seed: int) -> None:
    """Nor is another change made than by an equivalent, which asks first."""
    outage, goal = outage_and_goal(seed)
    plan = outage.plan(goal, only_callable=True)
    wanted = outage.plan(goal, only_callable=False)

    assert uncallable(outage, plan) == []
    assert all(step.may_call and step.is_up for step in plan.steps)
    changes = {step.tool_id for step in wanted.steps if step.mutating}
    for step in plan.steps:
        assert not step.mutating or step.tool_id in changes or (step.ask and step.instead_of)
        named = {*step.alternatives, *([step.instead_of.tool_id] if step.instead_of else [])}
        assert named.isdisjoint(outage.hidden)
    if not uncallable(outage, wanted):
        called = [(step.tool_id, step.bindings) for step in wanted.steps]
        assert [(step.tool_id, step.bindings) for step in plan.steps] == called
    assert {one.fits for one in plan.unmet}.isdisjoint(outage.hidden)


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_a_hidden_tool_changes_no_closed_plan(seed: int) -> None:
    """Byte for byte, whatever becomes of it: other texts, other schemas, another outage."""
    outage, goal = outage_and_goal(seed)
    changed = Outage(
        _with_hidden_changed(outage.catalogue, outage.hidden),
        outage.down ^ outage.hidden,
        outage.denied,
        outage.hidden,
    )

    assert changed.plan(goal).model_dump_json() == outage.plan(goal).model_dump_json()


def _with_hidden_changed(catalogue: Catalogue, hidden: frozenset[str]) -> Catalogue:
    def changed(tool: Tool) -> Tool:
        if tool.id not in hidden:
            return tool
        return tool.model_copy(
            update={"description": "order payment refund", "output_schema": "", "destructive": True}
        )

    values = {name: getattr(catalogue, name) for name in catalogue.__dataclass_fields__}
    return Catalogue(**{**values, "tools": tuple(map(changed, catalogue.tools))})
