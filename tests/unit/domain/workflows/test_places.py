"""Where a step may stand, and that every gesture is a command on a value: refused without a trace, undone to the start."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.nodes.models import ToolId
from app.domain.workflows.commands import (
    AddStep,
    BindInput,
    Feed,
    MoveStep,
    PlanEdit,
    RemoveStep,
    ReplaceTool,
    edited,
)
from app.domain.workflows.edits import move_step, renumbered
from app.domain.workflows.places import allowed_places
from app.domain.workflows.plans import InputBinding, KnownBinding, Plan, PlanStep, StepBinding, When
from app.domain.workflows.stored import ProblemCode, find_problems
from app.errors import InvalidInputError, NotFoundError, OutfitterError
from tests.unit.domain.workflows.test_edits import TOOLS, plan

KNOWN = {str(tool): found for tool, found in TOOLS.items()}


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Steps that each take values from earlier ones, or have conditions about them."""
    steps = []
    for position in range(1, draw(st.integers(1, 7)) + 1):
        earlier = range(1, position)
        sources = draw(st.lists(st.sampled_from(earlier), max_size=2)) if earlier else []
        asked = draw(st.lists(st.sampled_from(earlier), max_size=1)) if earlier else []
        bindings = {
            name: StepBinding(step=source, path="/id")
            for name, source in zip(("id", "note"), sources, strict=False)
        }
        steps.append(
            PlanStep(
                position=position,
                tool_id=ToolId("get"),
                bindings={"id": KnownBinding(known="x"), **bindings},
                when=tuple(When(step=number, path="/id", value="x") for number in asked),
            )
        )
    return Plan(goal="g", steps=tuple(steps))


def edits(steps: int) -> st.SearchStrategy[PlanEdit]:
    """Gestures, those that cannot work among them."""
    position, place = st.integers(1, steps + 1), st.integers(1, steps + 2)
    binding = st.one_of(
        st.none(),
        st.builds(KnownBinding, known=st.sampled_from(["a", 1])),
        st.builds(InputBinding, input=st.sampled_from(["given", "other"])),
        st.builds(StepBinding, step=position, path=st.sampled_from(["/id", ""])),
    )
    called = st.sampled_from(["find", "get", "send", "gone"])
    feeds = st.one_of(st.none(), st.builds(Feed, step=position, parameter=st.just("id"), path=st.just("/id")))
    return st.one_of(
        st.builds(MoveStep, step=position, to=place),
        st.builds(AddStep, calls=called, at=st.one_of(st.none(), place), feeds=feeds),
        st.builds(RemoveStep, step=position),
        st.builds(
            BindInput, step=position, parameter=st.sampled_from(["id", "note", "text"]), binding=binding
        ),
        st.builds(ReplaceTool, step=position, tool_id=called),
    )


def order_problems(found: Plan) -> list[str]:
    problems = find_problems(found, tools=KNOWN, workflows={})
    return [one.message for one in problems if one.code is ProblemCode.ORDER]


def reordered(found: Plan, position: int, to: int) -> Plan:
    """The steps in another order, whatever becomes of them."""
    step = found.steps[position - 1]
    rest = [one for one in found.steps if one is not step]
    return renumbered(found.model_copy(update={"steps": (*rest[: to - 1], step, *rest[to - 1 :])}))


@given(plans())
def test_the_allowed_places_are_exactly_those_that_validate(found: Plan) -> None:
    """Each place of each step, put there by hand and looked at; the reason says which step is in the way."""
    for places in allowed_places(found):
        for to in range(1, len(found.steps) + 1):
            refusal = places.refusal(to)
            assert (refusal == "") is (order_problems(reordered(found, places.step, to)) == [])
            assert bool(refusal) is not (places.first <= to <= places.last)
            if refusal:
                with pytest.raises(InvalidInputError) as caught:
                    move_step(found, places.step, to=to)
                assert str(caught.value) == refusal
            else:
                assert move_step(found, places.step, to=to) == reordered(found, places.step, to)


def test_a_plan_in_a_wrong_order_can_be_mended_by_moving() -> None:
    """The places of a step are about that step alone, whatever else is wrong."""
    wrong = Plan(
        goal="g",
        steps=(
            PlanStep(position=1, tool_id=ToolId("get"), bindings={"id": StepBinding(step=2, path="/id")}),
            PlanStep(position=2, tool_id=ToolId("find")),
            PlanStep(position=3, tool_id=ToolId("get"), bindings={"id": StepBinding(step=3, path="/id")}),
        ),
    )

    first, second, circle = allowed_places(wrong)

    assert (first.first, first.last) == (2, 3)
    assert (second.first, second.last) == (1, 1)
    assert circle.first > circle.last
    assert all(circle.refusal(place) for place in (1, 2, 3))
    assert [step.tool_id for step in move_step(wrong, 1, to=2).steps] == ["find", "get", "get"]


@settings(max_examples=60)
@given(plans(), st.data())
def test_gestures_change_nothing_but_what_they_give(start: Plan, data: st.DataObject) -> None:
    """A refused one leaves the plan as it was; after any others every earlier plan is still what it was: undo."""
    history: list[tuple[Plan, str]] = [(start, start.model_dump_json())]
    for _ in range(data.draw(st.integers(1, 8))):
        now = history[-1][0]
        try:
            after = edited(now, data.draw(edits(len(now.steps))), tools=KNOWN, workflows={})
        except OutfitterError:
            after = now
        assert [step.position for step in after.steps] == list(range(1, len(after.steps) + 1))
        assert order_problems(after) == []
        history.append((after, after.model_dump_json()))

    assert [plan.model_dump_json() for plan, _ in history] == [text for _, text in history]
    assert history[0][0] == start


def applied(found: Plan, *commands: PlanEdit) -> Plan:
    for command in commands:
        found = edited(found, command, tools=KNOWN, workflows={})
    return found


def test_a_step_is_added_before_the_one_that_it_feeds() -> None:
    """One gesture: the new step, and the input that takes its answer, by the number that it had."""
    found = applied(plan(), AddStep(calls="find", at=2, feeds=Feed(step=2, parameter="note", path="/id")))

    assert [step.tool_id for step in found.steps] == ["find", "find", "get", "send"]
    assert found.steps[2].bindings["note"] == StepBinding(step=2, path="/id")
    assert found.steps[2].bindings["id"] == StepBinding(step=1, path="/id")
    assert order_problems(found) == []


def test_a_step_that_would_stand_behind_what_it_feeds_is_refused() -> None:
    """The last place is behind every step."""
    with pytest.raises(InvalidInputError, match="step 4 is not before step 2"):
        applied(plan(), AddStep(calls="find", feeds=Feed(step=2, parameter="note", path="/id")))


def test_a_tool_takes_the_place_of_another() -> None:
    """What both take stays bound; what only the old one took goes, what the new one needs becomes open."""
    found = applied(plan(), ReplaceTool(step=2, tool_id=ToolId("send")))

    assert found.steps[1].tool_id == "send"
    assert found.steps[1].bindings == {
        "id": StepBinding(step=1, path="/id"),
        "text": InputBinding(input="text"),
    }
    assert {item.name for item in found.inputs} == {"word", "text"}


@pytest.mark.parametrize(
    ("command", "error", "words"),
    [
        (AddStep(calls="gone"), NotFoundError, "no tool and no workflow 'gone'"),
        (ReplaceTool(step=1, tool_id=ToolId("gone")), NotFoundError, "no tool 'gone'"),
        (RemoveStep(step=9), InvalidInputError, "no step 9"),
        (
            BindInput(step=1, parameter="id", binding=StepBinding(step=3, path="")),
            InvalidInputError,
            "earlier",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(
    command: PlanEdit, error: type[OutfitterError], words: str
) -> None:
    with pytest.raises(error, match=words):
        applied(plan(), command)


def test_a_new_input_of_the_plan_says_what_the_tool_says_of_it() -> None:
    """So that whoever has to give it knows its type."""
    found = applied(plan(), BindInput(step=2, parameter="note", binding=InputBinding(input="remark")))

    assert [(item.name, item.type) for item in found.inputs] == [("word", ""), ("remark", "string")]
