"""A plan as the editor draws it: a card for each step, a row for each input, where everything may go."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from app.answers.plan_edits import PlanState
from app.domain.nodes.models import Tool
from app.domain.schemas.tool_schemas import ITEM, Input, answer_of, inputs_of
from app.domain.schemas.walk import json_pointer
from app.domain.workflows.choices import taken_type
from app.domain.workflows.commands import PlanEdit
from app.domain.workflows.places import StepPlaces
from app.domain.workflows.plans import (
    Binding,
    ComposedBinding,
    InputBinding,
    KnownBinding,
    Plan,
    PlanInput,
    PlanStep,
    PlanWarning,
    StepBinding,
    binding_parts,
    red_edges,
)
from app.domain.workflows.stored import WorkflowProblem
from app.domain.workflows.wording import reach_words, select_words, value_words, when_words


@dataclass(frozen=True, slots=True)
class BoundPart:
    """Where a value comes from, in words."""

    kind: str
    """`step`, `known`, `input`, `compose`, `nothing`."""
    text: str
    """Path, value, or name of the input."""
    step: int = 0
    select: str = ""
    """Which item of a list."""
    each: bool = False
    parts: tuple["BoundPart", ...] = ()
    """Of a value that is put together."""
    name: str = ""
    """Of such a part."""


@dataclass(frozen=True, slots=True)
class InputRow:
    """An input of a step."""

    parameter: str
    bound: BoundPart
    required: bool
    type: str
    """Of the values that it takes; empty when not known."""
    sources: tuple[int, ...]
    """Steps that it takes values from."""
    toxic: bool = False
    """Whether a warning about flows follows it."""


@dataclass(frozen=True, slots=True)
class StepCard:
    """A step."""

    step: PlanStep
    tool: Tool | None
    places: StepPlaces
    rows: tuple[InputRow, ...]
    """What is bound, and what has to be."""
    optional: int
    """How many optional inputs it has that nothing is bound to."""
    conditions: tuple[tuple[int, str], ...]
    """The step that each is about, and what has to hold."""
    problems: tuple[WorkflowProblem, ...]
    warnings: tuple[PlanWarning, ...]
    replacements: tuple[str, ...] = ()
    """Tools that could take the place of one that is gone."""

    @property
    def reached(self) -> str:
        """What keeps it from being called, and what it calls instead of what."""
        return "; ".join(reach_words(self.step))


@dataclass(frozen=True, slots=True)
class ThreeWayRow:
    """A step as it was read, as it is stored, and as it is here; empty where there is no such step."""

    read: tuple[str, ...]
    theirs: tuple[str, ...]
    mine: tuple[str, ...]


def step_cards(
    state: PlanState, tools: Mapping[str, Tool], replacements: Mapping[int, Sequence[str]]
) -> list[StepCard]:
    """The cards of a plan, in order.

    Args:
        state: the plan with its problems and places.
        tools: by id; what is missing is gone from the catalogue.
        replacements: by position of a step whose tool is gone.
    """
    # Steps often call one tool.
    inputs = {tool_id: inputs_of(tool) for tool_id, tool in tools.items()}
    return [
        _card(
            step,
            places,
            state,
            tools.get(step.tool_id),
            inputs.get(step.tool_id, ()),
            replacements.get(step.position, ()),
        )
        for step, places in zip(state.plan.steps, state.places, strict=True)
    ]


def as_json(edit: PlanEdit) -> str:
    """An edit as the form sends it."""
    return edit.model_dump_json(by_alias=True)


def plan_as_json(plan: Plan) -> str:
    """A plan as the form carries it; halves of surrogate pairs, which no form can send, are replaced."""
    return json.dumps(plan.model_dump(mode="json", by_alias=True), ensure_ascii=True, separators=(",", ":"))


def bound_part(binding: Binding | None) -> BoundPart:
    """Where a binding takes its value from."""
    match binding:
        case None:
            return BoundPart("nothing", "")
        case KnownBinding():
            return BoundPart("known", value_words(binding.known))
        case InputBinding():
            return BoundPart("input", f"{binding.input}{binding.path}")
        case StepBinding():
            place = f"header {binding.header}" if binding.header else binding.path or "the whole answer"
            chosen = binding.select
            each = chosen is not None and chosen.by == "each"
            return BoundPart("step", place, binding.step, select_words(chosen).strip(), each)
        case ComposedBinding():
            parts = tuple(
                BoundPart(inner.kind, inner.text, inner.step, inner.select, inner.each, name=name)
                for name, inner in ((name, bound_part(part)) for name, part in binding.parts.items())
            )
            return BoundPart("compose", value_words(binding.compose), parts=parts)


def input_users(plan: Plan) -> list[tuple[PlanInput, tuple[int, ...]]]:
    """The inputs of a plan, each with the steps that take it."""
    users: dict[str, dict[int, None]] = {item.name: {} for item in plan.inputs}
    for step in plan.steps:
        for binding in step.bindings.values():
            for part in binding_parts(binding):
                if isinstance(part, InputBinding) and part.input in users:
                    users[part.input][step.position] = None
    return [(item, tuple(users[item.name])) for item in plan.inputs]


def item_fields(tool: Tool | None, path: str) -> list[str]:
    """Fields of the item that a selection looks at, as pointers without their first slash."""
    if tool is None or ITEM not in path.split("/"):
        return []
    list_path = path[: path.rindex(f"/{ITEM}") + len(ITEM) + 1]
    pointers = (json_pointer(field.pointer) for field in answer_of(tool).fields)
    return [pointer[len(list_path) + 1 :] for pointer in pointers if pointer.startswith(f"{list_path}/")]


def three_way(read: Plan, theirs: Plan, mine: Plan) -> list[ThreeWayRow]:
    """Three versions step by step."""
    return [
        ThreeWayRow(*(tuple(_lines(step)) if step else () for step in steps))
        for steps in zip_longest(read.steps, theirs.steps, mine.steps)
    ]


def free_inputs(step: PlanStep, inputs: Iterable[Input]) -> list[Input]:
    """The inputs of a step, of the top level, that nothing is bound to."""
    tops = {name.split("/")[1] if name.startswith("/") else name for name in step.bindings}
    return [item for item in inputs if item.pointer[0] not in tops and len(item.pointer) == 1]


def _card(
    step: PlanStep,
    places: StepPlaces,
    state: PlanState,
    tool: Tool | None,
    inputs: Sequence[Input],
    replacements: Sequence[str],
) -> StepCard:
    at = step.position
    named = {item.parameter: item for item in inputs}
    bound = [_row(name, binding, named.get(name)) for name, binding in step.bindings.items()]
    red = {name for _, taker, name in red_edges(state.plan) if taker == at}
    bound = [replace(row, toxic=row.parameter in red) for row in bound]
    free = free_inputs(step, inputs)
    needed = [_row(item.parameter, None, item) for item in free if _is_needed(item)]
    return StepCard(
        step=step,
        tool=tool,
        places=places,
        rows=(*bound, *needed),
        optional=len(free) - len(needed),
        conditions=tuple((when.step, when_words(when)) for when in step.when),
        problems=tuple(one for one in state.problems if one.step == at),
        warnings=tuple(one for one in state.plan.warnings if one.step == at),
        replacements=tuple(replacements),
    )


def _row(parameter: str, binding: Binding | None, item: Input | None) -> InputRow:
    parts = binding_parts(binding) if binding is not None else ()
    return InputRow(
        parameter=parameter,
        bound=bound_part(binding),
        required=item is not None and _is_needed(item),
        type=taken_type(item) if item else "",
        sources=tuple(sorted({part.step for part in parts if isinstance(part, StepBinding)})),
    )


def _is_needed(item: Input) -> bool:
    return item.required and not item.has_default


def _lines(step: PlanStep) -> Iterator[str]:
    yield f"{step.position}. {step.workflow_id or step.tool_id}"
    for when in step.when:
        yield f"only where {when_words(when)}"
    for name, binding in step.bindings.items():
        yield f"{name} <- {_words(bound_part(binding))}"


def _words(bound: BoundPart) -> str:
    match bound.kind:
        case "step":
            return f"step {bound.step} {bound.text} {bound.select}".rstrip()
        case "input":
            return f"input {bound.text}"
        case "compose":
            parts = ", ".join(f"{part.name}: {_words(part)}" for part in bound.parts)
            return f"{bound.text} with {parts}"
        case _:
            return bound.text
