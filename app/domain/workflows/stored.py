"""Stored plans, and what makes one of them wrong."""

import hashlib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeAlias

from pydantic import Field

from app.domain.nodes.models import EdgeForm, EdgeRow, NodeKind, NodeRow, SourceId, Tool, Value
from app.domain.schemas.tool_schemas import ITEM, answer_has, inputs_of
from app.domain.schemas.walk import json_pointer
from app.domain.workflows.plans import Binding, Plan, PlanStep, StepBinding, binding_parts, bindings_text


def _is_nothing(value: object) -> bool:
    return not value


class Workflow(Value):
    """A plan that the graph keeps."""

    id: str
    name: str
    plan: Plan
    broken: bool = False
    """True when a step or a binding of it vanished from the catalogue."""
    reason: str = ""
    """Why it is broken."""
    updated_at: str = ""
    """UTC, ISO 8601, whole seconds."""
    source: SourceId = SourceId("")
    """The Arazzo document that it comes from; empty when a user saved it."""
    owner: str = Field(default="", exclude_if=_is_nothing)
    """Id of the caller who saved it; empty where nobody was identified."""

    @property
    def goal(self) -> str:
        """What it is for."""
        return self.plan.goal

    @property
    def steps(self) -> tuple[PlanStep, ...]:
        """What it does, in order."""
        return self.plan.steps

    @property
    def etag(self) -> str:
        """Names what was saved (name and plan), whatever became of the tools since; 32 hexadecimal digits."""
        saved = f"{self.name}\0{self.plan.model_dump_json()}"
        return hashlib.sha256(saved.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_saved(workflow_id: str) -> bool:
    """Whether a user saved the workflow; ids of those that a document brings have a slash."""
    return "/" not in workflow_id


class ProblemCode(StrEnum):
    """What is wrong with a step."""

    MISSING_TOOL = "missing_tool"
    MISSING_WORKFLOW = "missing_workflow"
    UNKNOWN_PARAMETER = "unknown_parameter"
    UNKNOWN_INPUT = "unknown_input"
    UNBOUND = "unbound"
    ORDER = "order"
    UNKNOWN_OUTPUT = "unknown_output"
    SELECTION = "selection"
    RECURSION = "recursion"


BREAKING = frozenset(
    (
        ProblemCode.MISSING_TOOL,
        ProblemCode.MISSING_WORKFLOW,
        ProblemCode.UNKNOWN_PARAMETER,
        ProblemCode.UNBOUND,
        ProblemCode.UNKNOWN_OUTPUT,
    )
)
"""What a change of the catalogue can cause."""


class WorkflowProblem(Value):
    """One thing that is wrong."""

    code: ProblemCode
    message: str
    step: int | None = None


_Stated: TypeAlias = tuple[ProblemCode, str]
"""What is wrong with a step, and the message."""


def find_problems(
    plan: Plan, *, tools: Mapping[str, Tool], workflows: Mapping[str, Workflow], own_id: str = ""
) -> list[WorkflowProblem]:
    """What keeps a plan from running, by step.

    Each step's tool or workflow exists; its required inputs are bound, by an earlier step, a known value or an
    input of the plan; what it is bound to, what a selection looks at and what a condition asks exists. A tool without
    a schema accepts every input, and an answer without one may hold anything.

    Args:
        plan: what to look at.
        tools: by id, at least those of the steps.
        workflows: by id, at least those of the steps.
        own_id: id under which the plan is stored; it may not run itself, through others neither.
    """
    found: list[WorkflowProblem] = []
    by_position = {step.position: step for step in plan.steps}
    inputs = {item.name for item in plan.inputs}
    for step in plan.steps:
        if step.workflow_id:
            stated = [*_workflow_problems(step, workflows, own_id)]
        else:
            stated = [*_tool_problems(step, tools)]
        for parameter, binding in step.bindings.items():
            stated += _binding_problems(step, parameter, binding, by_position, inputs, tools)
        stated += [*_each_problems(step), *_condition_problems(step, by_position, tools)]
        found += [WorkflowProblem(code=code, message=message, step=step.position) for code, message in stated]
    return found


def _workflow_problems(step: PlanStep, workflows: Mapping[str, Workflow], own_id: str) -> Iterable[_Stated]:
    other = workflows.get(step.workflow_id)
    if other is None:
        yield ProblemCode.MISSING_WORKFLOW, f"there is no workflow {step.workflow_id!r}"
        return
    if own_id and own_id in _reached(step.workflow_id, workflows):
        yield ProblemCode.RECURSION, f"workflow {step.workflow_id!r} runs {own_id!r} again"
    for item in other.plan.inputs:
        if item.required and item.name not in step.bindings:
            yield _unbound(step, item.name)


def _reached(start: str, workflows: Mapping[str, Workflow]) -> set[str]:
    waiting, seen = [start], {start}
    while waiting:
        at = workflows.get(waiting.pop())
        for step in at.plan.steps if at else ():
            if step.workflow_id and step.workflow_id not in seen:
                seen.add(step.workflow_id)
                waiting.append(step.workflow_id)
    return seen


def _tool_problems(step: PlanStep, tools: Mapping[str, Tool]) -> Iterable[_Stated]:
    tool = tools.get(step.tool_id)
    if tool is None or tool.declared:
        why = "there is no tool" if tool is None else "no source describes the tool"
        yield ProblemCode.MISSING_TOOL, f"{why} {step.tool_id!r}"
        return
    if not tool.input_schema:
        return
    inputs = inputs_of(tool)
    names = {item.pointer[0] for item in inputs} | {item.parameter for item in inputs}
    for parameter in step.bindings:
        if names and parameter not in names and _top(parameter) not in names:
            yield (
                ProblemCode.UNKNOWN_PARAMETER,
                f"{step.tool_id} takes no {parameter!r}; it takes {', '.join(sorted(names)[:8])}",
            )
    bound = set(step.bindings)
    for item in inputs:
        if item.required and not item.has_default and not bound.intersection(_ways(item.pointer)):
            yield _unbound(step, item.parameter)


def _ways(pointer: tuple[str, ...]) -> set[str]:
    """Names by which an input, or an object that holds it, is bound."""
    return {pointer[0], *(json_pointer(pointer[: size + 1]) for size in range(len(pointer)))}


def _top(parameter: str) -> str:
    """The property of the top level that a pointer begins with."""
    return parameter[1:].partition("/")[0] if parameter.startswith("/") else parameter


def _unbound(step: PlanStep, name: str) -> _Stated:
    what = step.workflow_id or step.tool_id
    accepted = "accepted: an earlier step, a known value or an input"
    return ProblemCode.UNBOUND, f"{what} needs {name!r}, which nothing is bound to; {accepted}"


def _binding_problems(
    step: PlanStep,
    parameter: str,
    binding: Binding,
    by_position: Mapping[int, PlanStep],
    inputs: set[str],
    tools: Mapping[str, Tool],
) -> Iterable[_Stated]:
    for part in binding_parts(binding):
        if not isinstance(part, StepBinding):
            if part.input not in inputs:
                yield (
                    ProblemCode.UNKNOWN_INPUT,
                    f"{parameter!r} takes the input {part.input!r}, which the plan does not have",
                )
            continue
        producer = by_position.get(part.step)
        if producer is None or part.step >= step.position:
            yield (
                ProblemCode.ORDER,
                f"{parameter!r} takes a value from step {part.step}, which is not before step {step.position}",
            )
        elif not part.header and not _may_have(producer, part.path, tools):
            yield (
                ProblemCode.UNKNOWN_OUTPUT,
                f"{parameter!r} takes {part.path!r} from {producer.tool_id}, whose answer does not have it",
            )
        else:
            yield from _selection_problems(parameter, part, producer, tools)


def _selection_problems(
    parameter: str, part: StepBinding, producer: PlanStep, tools: Mapping[str, Tool]
) -> Iterable[_Stated]:
    select = part.select
    if select is None:
        return
    if part.header or ITEM not in part.path.split("/"):
        yield (
            ProblemCode.SELECTION,
            f"{parameter!r} chooses an item, and {part.header or part.path!r} crosses no list (*)",
        )
        return
    if select.by == "match" and not select.where and not select.field and select.value is None:
        yield (
            ProblemCode.SELECTION,
            f"{parameter!r} takes the item that matches, and nothing says what; accepted: field and value, or where",
        )
    item = _item_of(part.path)
    for field in (*(one.field for one in select.where), *([select.sort.field] if select.sort else [])):
        place = f"{item}/{field}" if field else item
        if not _may_have(producer, place, tools):
            yield (
                ProblemCode.UNKNOWN_OUTPUT,
                f"{parameter!r} looks at {place!r} of {producer.tool_id}, whose answer does not have it",
            )


def _each_problems(step: PlanStep) -> Iterable[_Stated]:
    """A step runs over one list, and the lists within its items."""
    lists = {
        (part.step, _item_of(part.path)): parameter
        for parameter, binding in step.bindings.items()
        for part in binding_parts(binding)
        if isinstance(part, StepBinding) and part.select and part.select.by == "each"
    }
    (first, item), *others = sorted(lists) or [(0, "")]
    for other, another in others:
        if other != first or not another.startswith(f"{item}/"):
            yield (
                ProblemCode.SELECTION,
                f"{lists[other, another]!r} and {lists[first, item]!r} each run over a list of their own; accepted:"
                " one list for a step",
            )


def _condition_problems(
    step: PlanStep, by_position: Mapping[int, PlanStep], tools: Mapping[str, Tool]
) -> Iterable[_Stated]:
    for when in step.when:
        asked = by_position.get(when.step)
        if asked is None or when.step >= step.position:
            yield (
                ProblemCode.ORDER,
                f"its condition is about step {when.step}, which is not before step {step.position}",
            )
        elif when.path and not when.path.startswith("/"):
            yield (
                ProblemCode.UNKNOWN_OUTPUT,
                f"its condition is about {when.path!r}; accepted: a JSON pointer such as {'/' + when.path!r}",
            )
        elif not _may_have(asked, when.path, tools):
            yield (
                ProblemCode.UNKNOWN_OUTPUT,
                f"its condition is about {when.path!r} of {asked.tool_id}, whose answer does not have it",
            )


def _may_have(step: PlanStep, path: str, tools: Mapping[str, Tool]) -> bool:
    return step.tool_id not in tools or answer_has(tools[step.tool_id], path)


def _item_of(path: str) -> str:
    """The pointer to the item that a selection chooses: up to the last list that the path crosses."""
    segments = path.split("/")
    last = len(segments) - segments[::-1].index(ITEM) if ITEM in segments else len(segments)
    return "/".join(segments[:last])


def with_health(workflow: Workflow, problems: Iterable[WorkflowProblem]) -> Workflow:
    """The workflow, marked by what a change of the catalogue broke."""
    reasons = [f"step {problem.step}: {problem.message}" for problem in problems if problem.code in BREAKING]
    return workflow.model_copy(update={"broken": bool(reasons), "reason": "; ".join(reasons)})


def with_renamed_tools(workflow: Workflow, new_ids: Mapping[str, str]) -> Workflow:
    """The workflow with steps and alternatives under the new ids of their tools."""
    steps = tuple(
        step.model_copy(
            update={
                "tool_id": new_ids.get(step.tool_id, step.tool_id),
                "alternatives": tuple(new_ids.get(one, one) for one in step.alternatives),
            }
        )
        for step in workflow.plan.steps
    )
    if steps == workflow.plan.steps:
        return workflow
    return workflow.model_copy(update={"plan": workflow.plan.model_copy(update={"steps": steps})})


def workflow_row(workflow: Workflow) -> NodeRow:
    """The node that keeps a workflow; the document keeps steps whose tool is gone."""
    return NodeRow(
        id=workflow.id,
        properties={
            "name": workflow.name,
            "goal": workflow.goal,
            "document": workflow.plan.model_dump_json(),
            "broken": workflow.broken,
            "reason": workflow.reason or None,
            "updated_at": workflow.updated_at or None,
            "owner": workflow.owner or None,
        },
    )


def step_rows(workflow: Workflow, form: EdgeForm) -> list[EdgeRow]:
    """The edges of one form from a workflow to what its steps call."""
    return [
        EdgeRow(
            source=workflow.id,
            target=step.workflow_id if form.target is NodeKind.WORKFLOW else step.tool_id,
            properties={"position": step.position, "bindings": bindings_text(step.bindings)},
        )
        for step in workflow.plan.steps
        if bool(step.workflow_id) is (form.target is NodeKind.WORKFLOW)
    ]
