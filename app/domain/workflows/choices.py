"""What an input of a step could take its value from, best first, each with what speaks for it."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from app.domain.language.identifiers import words
from app.domain.nodes.dependencies import INFERRED, PRODUCERS_KEPT, Requirement
from app.domain.nodes.models import Tool, ToolId, Value
from app.domain.schemas.tool_schemas import ITEM, Input, Output, answer_has, answer_of, inputs_of
from app.domain.schemas.walk import json_pointer
from app.domain.workflows.places import step_at
from app.domain.workflows.plans import (
    Binding,
    InputBinding,
    KnownBinding,
    Plan,
    PlanStep,
    Select,
    StepBinding,
    binding_parts,
)
from app.domain.workflows.stored import Workflow

FIELDS_OFFERED = 20
"""Fields of earlier answers for one input that no edge speaks for: a screen of them."""
VALUES_OFFERED = 10


class ChoiceKind(StrEnum):
    """What a choice does."""

    FIELD = "field"
    """Takes a field of an earlier answer."""
    ADD = "add"
    """Adds a step whose answer has it."""
    INPUT = "input"
    """Asks the caller: an input of the plan."""
    VALUE = "value"
    """A value that the schema names."""


class BindingChoice(Value):
    """One source for an input."""

    kind: ChoiceKind
    binding: Binding | None = None
    """What to bind; None for a step that is not there yet."""
    tool_id: ToolId = ToolId("")
    """The tool, or the workflow, whose answer has the value."""
    step: int | None = None
    """Its position in the plan; None for a step that is not there yet."""
    path: str = ""
    """JSON pointer into that answer; empty for all of it, and where the place is not known."""
    type: str = ""
    """JSON schema type; empty when not known."""
    evidence: str = ""
    """What speaks for it: the evidence of an edge, else `type` (a field of equal type), `output` (of a workflow),
    `untyped` (a field or an answer of which the schema says nothing); empty for inputs and values."""
    confidence: float | None = None
    rank: int | None = None
    """Place among the producers of the input, from 1."""
    needs: tuple[str, ...] = ()
    """Required inputs of a step that is not there yet."""
    chosen: bool = False
    """Whether the input takes it now."""


def binding_choices(
    plan: Plan,
    position: int,
    parameter: str,
    *,
    tools: Mapping[str, Tool],
    workflows: Mapping[str, Workflow],
    requirements: Sequence[Requirement],
) -> tuple[BindingChoice, ...]:
    """What an input of a step could take its value from.

    Earlier answers that a source states, then those that are inferred, by confidence and rank; fields of equal type,
    those of the same name and of the nearest step first; steps to be added, as the edges rank them; inputs of the
    plan, and values that the schema names.

    Args:
        plan: numbered 1, 2, 3.
        position: of the step.
        parameter: name of the input, or a JSON pointer when it is nested.
        tools: by id, those of the steps and producers; what is missing is not offered.
        workflows: by id, those of the steps.
        requirements: edges of the step's tool.

    Raises:
        InvalidInputError: there is no such step.
    """
    step = step_at(plan, position)
    tool = tools.get(step.tool_id)
    item = next((one for one in inputs_of(tool) if one.parameter == parameter), None) if tool else None
    current = step.bindings.get(parameter)
    earlier = plan.steps[: plan.steps.index(step)]
    edges = sorted((one for one in requirements if one.parameter == parameter), key=_sureness)
    found = [*_by_edges(step, earlier, edges, tools)]
    known = {(one.step, one.path) for one in found}
    offered = _by_type(step, item, earlier, tools, workflows, most=FIELDS_OFFERED + len(known))
    fields = [one for one in offered if (one.step, one.path) not in known]
    found += fields[:FIELDS_OFFERED]
    found += _to_be_added(earlier, edges, tools)
    found += _inputs(plan, parameter, item)
    found += _values(item)
    return tuple(_marked(one, current) for one in found)


def _by_edges(
    step: PlanStep, earlier: Sequence[PlanStep], edges: Sequence[Requirement], tools: Mapping[str, Tool]
) -> Iterator[BindingChoice]:
    for edge in edges:
        for producer in reversed(earlier):
            tool = tools.get(edge.producer)
            if producer.tool_id != edge.producer or tool is None or not answer_has(tool, edge.field):
                continue
            yield BindingChoice(
                kind=ChoiceKind.FIELD,
                binding=taken_from(step, producer.position, edge.field),
                tool_id=edge.producer,
                step=producer.position,
                path=edge.field,
                type=_type_at(tool, edge.field),
                evidence=edge.evidence,
                confidence=edge.confidence,
                rank=edge.rank,
            )


def _by_type(
    step: PlanStep,
    item: Input | None,
    earlier: Sequence[PlanStep],
    tools: Mapping[str, Tool],
    workflows: Mapping[str, Workflow],
    *,
    most: int,
) -> list[BindingChoice]:
    """Fields whose type the input takes, or that have none; of the same name first, then of the nearest step."""
    ranked: list[tuple[tuple[bool, int, bool, int, str], PlanStep, str, str]] = []
    asked = set(words(item.name)) if item else set()
    # Steps often call one tool, whose schema may be large.
    fields: dict[str, list[tuple[str, str, str]]] = {}
    for producer in earlier:
        called = producer.workflow_id or producer.tool_id
        if called not in fields:
            fields[called] = [*answer_fields(producer, tools, workflows)]
        for name, pointer, found in fields[called]:
            if item and not fits(item, found):
                continue
            is_other = not asked or asked != set(words(name))
            order = (is_other, -producer.position, not found, pointer.count("/"), pointer)
            ranked.append((order, producer, pointer, found))
    best = heapq.nsmallest(most, ranked, key=lambda one: one[0])
    return [
        BindingChoice(
            kind=ChoiceKind.FIELD,
            binding=taken_from(step, producer.position, pointer),
            tool_id=ToolId(producer.workflow_id or producer.tool_id),
            step=producer.position,
            path=pointer,
            type=found,
            evidence="output" if producer.workflow_id else "type" if found else "untyped",
        )
        for _, producer, pointer, found in best
    ]


def answer_fields(
    producer: PlanStep, tools: Mapping[str, Tool], workflows: Mapping[str, Workflow]
) -> Iterator[tuple[str, str, str]]:
    """Name, pointer and type of the fields of a step's answer; all of an answer that no schema describes."""
    if producer.workflow_id:
        outputs = workflows[producer.workflow_id].plan.outputs if producer.workflow_id in workflows else {}
        yield from ((name, json_pointer((name,)), "") for name in outputs)
        return
    tool = tools.get(producer.tool_id)
    fields: tuple[Output, ...] = answer_of(tool).fields if tool else ()
    yield from ((field.name, json_pointer(field.pointer), field.type) for field in fields)
    if tool and not fields:
        yield "", "", ""


def _to_be_added(
    earlier: Sequence[PlanStep], edges: Sequence[Requirement], tools: Mapping[str, Tool]
) -> list[BindingChoice]:
    there = {step.tool_id for step in earlier}
    missing = [edge for edge in edges if edge.producer not in there and edge.producer in tools]
    return [
        BindingChoice(
            kind=ChoiceKind.ADD,
            tool_id=edge.producer,
            path=edge.field,
            type=_type_at(tools[edge.producer], edge.field),
            evidence=edge.evidence,
            confidence=edge.confidence,
            rank=edge.rank,
            needs=tuple(
                one.parameter
                for one in inputs_of(tools[edge.producer])
                if one.required and not one.has_default and len(one.pointer) == 1
            ),
        )
        for edge in missing[:PRODUCERS_KEPT]
    ]


def _inputs(plan: Plan, parameter: str, item: Input | None) -> Iterator[BindingChoice]:
    """The inputs of the plan that it could be, the one of its own name first; that one also where it is not there."""
    own = item.name if item else parameter.rsplit("/", 1)[-1]
    wanted = item.type if item is not None else ""
    fitting = [one for one in plan.inputs if not wanted or one.type in ("", wanted)]
    if all(one.name != own for one in plan.inputs):
        yield BindingChoice(kind=ChoiceKind.INPUT, binding=InputBinding(input=own), type=wanted)
    for one in sorted(fitting, key=lambda one: one.name != own):
        yield BindingChoice(kind=ChoiceKind.INPUT, binding=InputBinding(input=one.name), type=one.type)


def _values(item: Input | None) -> Iterator[BindingChoice]:
    if item is not None and not item.is_list:
        for value in item.enum[:VALUES_OFFERED]:
            yield BindingChoice(kind=ChoiceKind.VALUE, binding=KnownBinding(known=value), type=item.type)


def _marked(choice: BindingChoice, current: Binding | None) -> BindingChoice:
    """The choice as it is bound now, where it is: what a selection says of the item stays."""
    if current is None or choice.binding is None:
        return choice
    if isinstance(current, StepBinding) and isinstance(choice.binding, StepBinding):
        is_same = (current.step, current.path) == (choice.step, choice.path) and not current.header
    else:
        is_same = current == choice.binding
    return choice.model_copy(update={"binding": current, "chosen": True}) if is_same else choice


def taken_from(step: PlanStep, source: int, path: str) -> StepBinding:
    """A field of an answer; of a list's items the one that the others of the step take, else as is safe.

    What changes something asks which item is meant; what only reads may take the first.
    """
    if ITEM not in path.split("/"):
        return StepBinding(step=source, path=path)
    list_path = path[: path.rindex(f"/{ITEM}")]
    selects = (
        part.select
        for binding in step.bindings.values()
        for part in binding_parts(binding)
        if isinstance(part, StepBinding) and part.step == source and part.path.startswith(f"{list_path}/")
    )
    select = next((one for one in selects if one is not None), None)
    return StepBinding(
        step=source, path=path, select=select or Select(by="ask" if step.mutating else "first")
    )


def taken_type(item: Input) -> str:
    """The type of the values that an input takes: of a list, of its items; empty when not known."""
    return item.item_type if item.is_list and item.item_type else item.type


def fits(item: Input, found: str) -> bool:
    """Whether an input may take a field of this type; one of an unknown type may fit any."""
    return not found or not item.type or taken_type(item) in fitting_types(found)


def fitting_types(found: str) -> tuple[str, ...]:
    """The types of inputs that a field of a known type fits."""
    return (found, "number") if found == "integer" else (found,)


def _type_at(tool: Tool, path: str) -> str:
    fields = answer_of(tool).fields
    return next((field.type for field in fields if json_pointer(field.pointer) == path), "")


def _sureness(edge: Requirement) -> tuple[bool, float, int, str]:
    return edge.evidence in INFERRED, -edge.confidence, edge.rank, edge.producer
