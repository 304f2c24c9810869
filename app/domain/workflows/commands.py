"""What is done to a plan by hand, as values: one command is one gesture, whoever makes it and however."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from app.domain.nodes.models import Tool, ToolId, Value
from app.domain.planning.operations import read_operation
from app.domain.workflows.edits import add_step, bind_input, move_step, remove_step, renumbered, replace_tool
from app.domain.workflows.places import step_at
from app.domain.workflows.plans import (
    Binding,
    InputBinding,
    Plan,
    PlanInput,
    PlanStep,
    Select,
    StepBinding,
)
from app.domain.workflows.stored import Workflow
from app.errors import NotFoundError

Position = Annotated[int, Field(ge=1, description="Position of a step, from 1.")]
Place = Annotated[int, Field(ge=1, description="The place that the step gets, from 1.")]
ParameterName = Annotated[
    str, Field(max_length=1000, description="Name of an input, or a JSON pointer when it is nested.")
]


class Feed(Value):
    """An input that takes a value from the step that is added before it."""

    step: Position
    parameter: ParameterName
    path: Annotated[str, Field(max_length=1000, description="JSON pointer into the added step's answer.")] = (
        ""
    )
    select: Select | None = None


class MoveStep(Value):
    """Another place for a step."""

    edit: Literal["move"] = "move"
    step: Position
    to: Place


class AddStep(Value):
    """One more step; what it needs and nothing gives becomes an input of the plan."""

    edit: Literal["add"] = "add"
    calls: Annotated[str, Field(max_length=1000, description="Id of a tool, or of a stored workflow.")]
    at: Annotated[int | None, Field(ge=1, description="The place that it gets; the last unless given.")] = (
        None
    )
    purpose: Annotated[str, Field(max_length=1000)] = ""
    feeds: Annotated[
        Feed | None, Field(description="An input, of a step as it is numbered now, that takes its answer.")
    ] = None


class RemoveStep(Value):
    """One step less; what took a value from it becomes an input of the plan."""

    edit: Literal["remove"] = "remove"
    step: Position


class BindInput(Value):
    """Another source for an input, with the item of a list that is meant; null for nothing."""

    edit: Literal["bind"] = "bind"
    step: Position
    parameter: ParameterName
    binding: Binding | None


class ReplaceTool(Value):
    """Another tool for a step; bindings of inputs that it takes as well stay."""

    edit: Literal["replace"] = "replace"
    step: Position
    tool_id: Annotated[ToolId, Field(max_length=1000)]


PlanEdit: TypeAlias = Annotated[
    MoveStep | AddStep | RemoveStep | BindInput | ReplaceTool, Field(discriminator="edit")
]


def edited(
    plan: Plan, edit: PlanEdit, *, tools: Mapping[str, Tool], workflows: Mapping[str, Workflow]
) -> Plan:
    """The plan after one edit, its steps numbered 1, 2, 3.

    Args:
        plan: what is changed.
        edit: the change.
        tools: by id, those that the plan and the edit name; what is missing counts as gone from the catalogue.
        workflows: by id, as for `tools`.

    Raises:
        InvalidInputError: there is no such step or place, or a step would come before one that it needs.
        NotFoundError: what a step should call is not in the catalogue.
    """
    plan = renumbered(plan)
    match edit:
        case MoveStep():
            return move_step(plan, edit.step, to=edit.to)
        case AddStep():
            return _added(plan, edit, tools, workflows)
        case RemoveStep():
            return remove_step(plan, edit.step, tools=tools)
        case BindInput():
            step = step_at(plan, edit.step)
            return bind_input(plan, edit.step, edit.parameter, edit.binding, tool=tools.get(step.tool_id))
        case ReplaceTool():
            if edit.tool_id not in tools:
                raise NotFoundError(f"no tool {edit.tool_id!r}")
            return replace_tool(plan, edit.step, tools[edit.tool_id], mutating=_changes(tools[edit.tool_id]))


def named_in(plan: Plan, edit: PlanEdit | None) -> set[str]:
    """Ids of all that the steps of a plan and an edit call, tools and workflows."""
    ids = {step.workflow_id or str(step.tool_id) for step in plan.steps}
    match edit:
        case AddStep():
            ids.add(edit.calls)
        case ReplaceTool():
            ids.add(str(edit.tool_id))
        case _:
            pass
    return ids


def _added(plan: Plan, edit: AddStep, tools: Mapping[str, Tool], workflows: Mapping[str, Workflow]) -> Plan:
    if edit.calls in tools:
        tool = tools[edit.calls]
        step = PlanStep(position=1, tool_id=tool.id, purpose=edit.purpose, mutating=_changes(tool))
        longer = add_step(plan, step, at=edit.at, tool=tool)
    elif edit.calls in workflows:
        longer = _with_workflow(plan, workflows[edit.calls], edit)
    else:
        raise NotFoundError(f"no tool and no workflow {edit.calls!r}")
    if edit.feeds is None:
        return longer
    place = edit.at or len(longer.steps)
    fed = edit.feeds
    step_at(plan, fed.step)
    binding = StepBinding(step=place, path=fed.path, select=fed.select)
    moved = fed.step + (fed.step >= place)
    tool_of_fed = tools.get(step_at(longer, moved).tool_id)
    return bind_input(longer, moved, fed.parameter, binding, tool=tool_of_fed)


def _with_workflow(plan: Plan, workflow: Workflow, edit: AddStep) -> Plan:
    inputs = {item.name: item for item in workflow.plan.inputs if item.required}
    step = PlanStep(
        position=1,
        workflow_id=workflow.id,
        purpose=edit.purpose,
        bindings={name: InputBinding(input=name) for name in inputs},
        mutating=any(one.mutating for one in workflow.plan.steps),
    )
    there = {item.name for item in plan.inputs}
    more: list[PlanInput] = [item for name, item in inputs.items() if name not in there]
    return add_step(plan.model_copy(update={"inputs": (*plan.inputs, *more)}), step, at=edit.at)


def _changes(tool: Tool) -> bool:
    return read_operation(tool).mutating
