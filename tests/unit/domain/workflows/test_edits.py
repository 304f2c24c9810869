"""A plan is changed step by step; references follow, and what loses its source becomes open."""

import json

import pytest

from app.domain.nodes.models import Tool, ToolId
from app.domain.workflows.edits import add_step, bind_input, move_step, remove_step, renumbered
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
    Sort,
    StepBinding,
    When,
    Where,
    plan_document,
)
from app.domain.workflows.stored import find_problems
from app.errors import InvalidInputError


def made_tool(tool_id: str, *required: str, optional: tuple[str, ...] = ()) -> Tool:
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in (*required, *optional)},
        "required": list(required),
    }
    return Tool(
        id=ToolId(tool_id),
        server="s",
        name=tool_id,
        title="",
        description="",
        input_schema=json.dumps(schema),
        output_schema=json.dumps({"type": "object", "properties": {"id": {"type": "string"}}}),
        method="",
        path="",
        read_only=None,
        destructive=None,
        idempotent=None,
        open_world=None,
        deprecated=False,
        declared=False,
        categories=(),
        content_hash="",
    )


TOOLS = {
    tool.id: tool
    for tool in (
        made_tool("find"),
        made_tool("get", "id", optional=("note",)),
        made_tool("send", "id", "text"),
    )
}


_ORDERS = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "total": {"type": "integer"},
        "users": {"type": "array", "items": {"type": "string"}},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "status": {"type": "string"}},
            },
        },
    },
}
LISTED = {
    **TOOLS,
    ToolId("list"): made_tool("list").model_copy(update={"output_schema": json.dumps(_ORDERS)}),
}


def step(position: int, tool: str, **bindings: Binding) -> PlanStep:
    return PlanStep(position=position, tool_id=ToolId(tool), bindings=bindings)


def from_step(number: int) -> StepBinding:
    return StepBinding(step=number, path="/id")


def plan() -> Plan:
    """find -> get -> send, and find -> send."""
    return Plan(
        goal="g",
        steps=(
            step(1, "find"),
            step(2, "get", id=from_step(1), note=from_step(1)),
            step(
                3,
                "send",
                id=from_step(2),
                text=ComposedBinding(
                    compose="{a} and {b}", parts={"a": from_step(1), "b": InputBinding(input="word")}
                ),
            ),
        ),
        inputs=(PlanInput(name="word"),),
        outputs={"sent": from_step(3)},
        warnings=(PlanWarning(code="destructive", message="m", step=3),),
    )


def asking(position: int, *asked: int, **bindings: Binding) -> PlanStep:
    """A step that runs only where earlier ones say so."""
    when = tuple(When(step=number, path="/id", value="x") for number in asked)
    return step(position, "get", **bindings).model_copy(update={"when": when})


def with_condition(*asked: int) -> Plan:
    """The plan, whose last step runs under conditions."""
    last = asking(4, *asked, id=from_step(1))
    return plan().model_copy(update={"steps": (*plan().steps, last)})


def problems(found: Plan) -> list[str]:
    return [one.code for one in find_problems(found, tools=TOOLS, workflows={})]


def names(found: Plan) -> list[str]:
    return [one.tool_id for one in found.steps]


def test_the_plan_of_these_tests_is_whole() -> None:
    assert problems(plan()) == []
    assert renumbered(plan()) == plan()


def test_steps_are_numbered_as_they_stand_and_references_follow() -> None:
    """Positions only name steps; the order is that of the list."""
    old = plan()
    gaps = old.model_copy(
        update={
            "steps": (
                old.steps[0].model_copy(update={"position": 7}),
                step(3, "get", id=from_step(7), note=from_step(7)),
            ),
            "outputs": {"all": from_step(3)},
            "warnings": (
                PlanWarning(code="c", message="m", step=3),
                PlanWarning(code="c", message="m", step=9),
            ),
        }
    )

    found = renumbered(gaps)

    assert [one.position for one in found.steps] == [1, 2]
    assert found.steps[1].bindings == {"id": from_step(1), "note": from_step(1)}
    assert found.outputs == {"all": from_step(2)}
    assert [one.step for one in found.warnings] == [2]


def test_a_position_comes_once_and_references_have_an_end() -> None:
    twice = plan().model_copy(update={"steps": (step(1, "find"), step(1, "find"))})
    with pytest.raises(InvalidInputError, match="position 1"):
        renumbered(twice)
    with pytest.raises(InvalidInputError, match="step 5"):
        renumbered(Plan(goal="", steps=(step(1, "get", id=from_step(5)),)))


def test_a_step_moves_as_far_as_its_values_allow() -> None:
    """What it needs stays before it, what needs it behind it."""
    longer = add_step(plan(), step(1, "find"), at=1)

    assert names(move_step(longer, 1, to=4)) == ["find", "get", "send", "find"]
    assert problems(move_step(longer, 1, to=4)) == []
    with pytest.raises(InvalidInputError, match=r"step 3 \(get\) takes a value from step 2"):
        move_step(longer, 2, to=3)
    with pytest.raises(InvalidInputError, match="takes a value from step 2"):
        move_step(plan(), 3, to=2)
    with pytest.raises(InvalidInputError, match="no place 9; accepted: 1 to 3"):
        move_step(plan(), 1, to=9)
    with pytest.raises(InvalidInputError, match="no step 8; the plan's steps are 1, 2, 3"):
        move_step(plan(), 8, to=1)


def test_an_added_step_asks_for_what_it_needs() -> None:
    """Its required inputs become inputs of the plan, under free names."""
    found = add_step(plan(), step(1, "send", id=from_step(1)), at=2, tool=TOOLS[ToolId("send")])

    assert names(found) == ["find", "send", "get", "send"]
    assert found.steps[1].bindings == {"id": from_step(1), "text": InputBinding(input="text")}
    assert [one.name for one in found.inputs] == ["word", "text"]
    assert problems(found) == []
    again = add_step(found, step(1, "get"), tool=TOOLS[ToolId("get")])
    assert again.steps[4].bindings == {"id": InputBinding(input="id")}
    taken = add_step(again, step(1, "get"), tool=TOOLS[ToolId("get")])
    assert len({one.name for one in taken.inputs}) == len(taken.inputs) == 4
    with pytest.raises(InvalidInputError, match="takes a value from step 2, which is not before it"):
        add_step(plan(), step(1, "get", id=from_step(2)), at=2)
    with pytest.raises(InvalidInputError, match="no place 5; accepted: 1 to 4"):
        add_step(plan(), step(1, "find"), at=5)


def test_what_took_a_value_from_a_removed_step_becomes_open() -> None:
    """Required inputs become inputs of the plan, optional ones go unbound, parts of a text are replaced."""
    found = remove_step(plan(), 1, tools=TOOLS)

    assert names(found) == ["get", "send"]
    assert found.steps[0].bindings == {"id": InputBinding(input="id")}
    text = found.steps[1].bindings["text"]
    assert isinstance(text, ComposedBinding)
    assert text.parts == {"a": InputBinding(input="a"), "b": InputBinding(input="word")}
    assert [one.name for one in found.inputs] == ["word", "id", "a"]
    assert problems(found) == []
    assert [one.step for one in found.warnings] == [2]


def test_a_removed_step_takes_its_inputs_and_outputs_along() -> None:
    """Inputs that nothing names, outputs of the step and its warnings go."""
    found = remove_step(plan(), 3, tools=TOOLS)

    assert (found.inputs, found.outputs, found.warnings) == ((), {}, ())
    assert problems(found) == []


def test_conditions_follow_the_steps_that_they_are_about() -> None:
    """When steps are added, moved and taken away before them."""
    found = with_condition(2, 3)

    assert [one.step for one in add_step(found, step(1, "find"), at=1).steps[4].when] == [3, 4]
    moved = add_step(found, step(1, "find"), at=1)
    assert [one.step for one in move_step(moved, 1, to=2).steps[4].when] == [3, 4]
    assert [one.step for one in remove_step(found, 1, tools=TOOLS).steps[2].when] == [1, 2]
    added = add_step(plan(), asking(1, 1, id=from_step(1)), at=2)
    assert [one.step for one in added.steps[1].when] == [1]


def test_a_condition_keeps_its_step_behind_the_one_that_it_asks() -> None:
    with pytest.raises(
        InvalidInputError, match=r"step 4 \(get\) has a condition about step 3, which would come"
    ):
        move_step(with_condition(3), 4, to=3)
    with pytest.raises(InvalidInputError, match="has a condition about step 2, which is not before it"):
        add_step(plan(), asking(1, 2), at=2)
    with pytest.raises(InvalidInputError, match="a condition is about step 7, which the plan does not have"):
        renumbered(Plan(goal="", steps=(asking(1, 7),)))


def test_a_condition_about_a_removed_step_is_a_warning() -> None:
    """The step would run without it unnoticed."""
    found = remove_step(with_condition(1, 2), 2, tools=TOOLS)

    assert [one.step for one in found.steps[2].when] == [1]
    assert [(one.code, one.step) for one in found.warnings] == [
        ("destructive", 2),
        ("condition_not_checked", 3),
    ]
    assert 'only where /id of step 2 is "x"' in found.warnings[1].message


@pytest.mark.parametrize(
    ("changed", "code", "said"),
    [
        (asking(2, 2, id=from_step(1)), "order", "its condition is about step 2, which is not before step 2"),
        (asking(2, 9, id=from_step(1)), "order", "its condition is about step 9"),
        (
            step(2, "get", id=from_step(1)).model_copy(update={"when": (When(step=1, path="/no", value=1),)}),
            "unknown_output",
            "its condition is about '/no' of list, whose answer does not have it",
        ),
        (
            step(2, "get", id=from_step(1)).model_copy(update={"when": (When(step=1, path="id", value=1),)}),
            "unknown_output",
            "accepted: a JSON pointer such as '/id'",
        ),
        (
            step(2, "get", id=StepBinding(step=1, path="/items/*/id", select=Select(by="match"))),
            "selection",
            "accepted: field and value, or where",
        ),
        (
            step(2, "get", id=StepBinding(step=1, path="/total", select=Select(by="each"))),
            "selection",
            "'id' chooses an item, and '/total' crosses no list",
        ),
        (
            step(
                2,
                "get",
                id=StepBinding(
                    step=1,
                    path="/items/*/id",
                    select=Select(by="last", where=(Where(field="colour", value=1),)),
                ),
            ),
            "unknown_output",
            "'id' looks at '/items/*/colour' of list",
        ),
        (
            step(
                2,
                "get",
                id=StepBinding(step=1, path="/items/*/id", select=Select(by="first", sort=Sort(field="age"))),
            ),
            "unknown_output",
            "'/items/*/age'",
        ),
        (
            step(
                2,
                "get",
                id=StepBinding(step=1, path="/items/*/id", select=Select(by="each")),
                note=StepBinding(step=1, path="/users/*", select=Select(by="each")),
            ),
            "selection",
            "each run over a list of their own",
        ),
    ],
)
def test_a_selection_and_a_condition_ask_for_what_there_is(changed: PlanStep, code: str, said: str) -> None:
    """As paths do: of an earlier step, in its answer."""
    (only,) = find_problems(Plan(goal="", steps=(step(1, "list"), changed)), tools=LISTED, workflows={})

    assert (only.code, only.step) == (code, 2)
    assert said in only.message


def test_the_new_forms_are_no_problem_and_come_back_from_json() -> None:
    """Fields of the item, the item itself, two inputs of the same one."""
    select = Select(
        by="each",
        where=(Where(field="status", op="ne", value="open"),),
        except_=("o-1",),
        sort=Sort(field="id"),
    )
    itself = Select(by="last", sort=Sort(field="", descending=True))
    found = Plan(
        goal="",
        steps=(
            step(1, "list"),
            step(
                2,
                "get",
                id=StepBinding(step=1, path="/items/*/id", select=select),
                note=StepBinding(step=1, path="/items/*/status", select=select),
            ),
            step(3, "get", id=StepBinding(step=1, path="/users/*", select=itself)).model_copy(
                update={"when": (When(step=1, path="/total", op="gt", value=3),)}
            ),
        ),
    )

    assert find_problems(found, tools=LISTED, workflows={}) == []
    assert Plan.model_validate_json(found.model_dump_json()) == found
    assert Plan.model_validate(plan_document(found)) == found


def test_an_input_is_bound_to_something_else() -> None:
    """A new input of the plan is added, one that nothing takes any more goes."""
    given = bind_input(plan(), 3, "id", InputBinding(input="target"))
    known = bind_input(given, 3, "text", KnownBinding(known="hi"))
    nothing = bind_input(known, 3, "text", None)

    assert [one.name for one in given.inputs] == ["word", "target"]
    assert [one.name for one in known.inputs] == ["target"]
    assert problems(known) == []
    assert problems(nothing) == ["unbound"]
    with pytest.raises(InvalidInputError, match="step 3 is not before step 2"):
        bind_input(plan(), 2, "id", from_step(3))


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        (step(2, "gone", id=from_step(1)), "missing_tool"),
        (step(2, "get"), "unbound"),
        (step(2, "get", id=from_step(1), colour=KnownBinding(known=1)), "unknown_parameter"),
        (step(2, "get", id=InputBinding(input="nope")), "unknown_input"),
        (step(2, "get", id=from_step(3)), "order"),
        (step(2, "get", id=StepBinding(step=1, path="/uid")), "unknown_output"),
        (PlanStep(position=2, workflow_id="nope"), "missing_workflow"),
    ],
)
def test_each_problem_is_found_and_says_where(changed: PlanStep, code: str) -> None:
    """One thing wrong, one problem, at its step."""
    first, _, last = plan().steps
    found = find_problems(
        plan().model_copy(update={"steps": (first, changed, last)}), tools=TOOLS, workflows={}
    )

    assert [(one.code.value, one.step) for one in found] == [(code, 2)]
