"""A plan as a value: steps in order, and for each input where its value comes from."""

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field, JsonValue, TypeAdapter

from app.domain.nodes.models import ToolId, Value


def _not_finite(value: object) -> str:
    """The first number within a JSON value that is not finite, with its place; empty where all are."""
    waiting = [("", value)]
    while waiting:
        place, found = waiting.pop()
        if isinstance(found, float) and not math.isfinite(found):
            name = "NaN" if math.isnan(found) else "Infinity" if found > 0 else "-Infinity"
            return f"{place} is {name}" if place else name
        if isinstance(found, dict):
            waiting += [(f"{place}/{key}", item) for key, item in reversed(found.items())]
        elif isinstance(found, list):
            waiting += [(f"{place}/{at}", item) for at, item in reversed(list(enumerate(found)))]
    return ""


def _checked(value: JsonValue) -> JsonValue:
    if found := _not_finite(value):
        raise ValueError(f"{found:.200}, which is not finite; accepted: numbers up to 1.8e308")
    return value


FiniteJson: TypeAlias = Annotated[JsonValue, AfterValidator(_checked)]
"""A JSON value whose numbers JSON can say; pydantic's own `allow_inf_nan` is not asked when it reads JSON text."""


class Select(Value):
    """Which item of a list is meant, where a path crosses one."""

    by: Literal["first", "match", "ask"]
    """`first`: the first item; `match`: the one whose `field` equals `value`; `ask`: the caller chooses."""
    field: str = ""
    value: FiniteJson = None


class StepBinding(Value):
    """The value is in the answer of an earlier step."""

    step: int
    """Position of that step in the plan, from 1."""
    path: str
    """JSON pointer (RFC 6901) into the answer's body, empty for all of it. A segment `*` stands for the
    item of a list that `select` chooses. Of a step that runs a workflow: a pointer into its outputs."""
    header: str = ""
    """Name of a response header that holds the value, instead of the body."""
    select: Select | None = None


class KnownBinding(Value):
    """The value is known already: from the goal's text, from the caller, or a constant."""

    known: FiniteJson


class InputBinding(Value):
    """The caller has to give the value; `input` names one of the plan's inputs."""

    input: str
    path: str = ""
    """JSON pointer into the input's value, empty for all of it."""


class ComposedBinding(Value):
    """A value that is put together, such as `Bearer {token}`, or an object with some parts filled in.

    Wherever a string in `compose` holds `{name}` and `parts` has `name`, the part's value stands there;
    a string that is nothing but `{name}` takes the part's value with its type.
    """

    compose: FiniteJson
    parts: Mapping[str, "StepBinding | InputBinding"]


Binding: TypeAlias = StepBinding | KnownBinding | InputBinding | ComposedBinding


class PlanStep(Value):
    """One call."""

    position: int = Field(ge=1)
    tool_id: ToolId = ToolId("")
    """The tool to call; empty only when the step runs a workflow."""
    workflow_id: str = ""
    """The stored workflow that the step runs; empty when it calls a tool."""
    purpose: str = ""
    bindings: Mapping[str, Binding] = {}
    """By name of the property in the tool's input schema."""
    alternatives: tuple[ToolId, ...] = ()
    """Tools that could take the step's place, best first."""
    mutating: bool = False


class PlanInput(Value):
    """A value that the caller has to give before the plan can run."""

    name: str
    type: str = ""
    """JSON schema type; empty when not known."""
    description: str = ""
    required: bool = True


class PlanWarning(Value):
    """What a caller should know before the plan runs."""

    code: str
    """One word for programs, e.g. `destructive`, `cycle`, `missing_tool`, `open_input`."""
    message: str
    step: int | None = None
    """Position of the step that it is about."""


class Plan(Value):
    """Steps in the order in which they work; `steps[i].position` is i + 1."""

    goal: str
    steps: tuple[PlanStep, ...]
    inputs: tuple[PlanInput, ...] = ()
    outputs: Mapping[str, Binding] = {}
    """What the plan as a whole gives, by name."""
    warnings: tuple[PlanWarning, ...] = ()


def binding_parts(binding: Binding) -> Iterator[StepBinding | InputBinding]:
    """The references in a binding: itself, its parts, or none when the value is known."""
    match binding:
        case ComposedBinding():
            yield from binding.parts.values()
        case StepBinding() | InputBinding():
            yield binding
        case KnownBinding():
            pass


def bindings_text(bindings: Mapping[str, Binding]) -> str:
    """Bindings as canonical JSON, as the graph keeps them; `bindings_of` reads them."""
    values = {
        name: {"known": binding.known}
        if isinstance(binding, KnownBinding)
        else binding.model_dump(mode="json", exclude_defaults=True)
        for name, binding in bindings.items()
    }
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def bindings_of(text: str) -> dict[str, Binding]:
    """What `bindings_text` wrote.

    Raises:
        pydantic.ValidationError: the text holds something else.
    """
    return _bindings_adapter().validate_json(text)


@cache
def _bindings_adapter() -> TypeAdapter[dict[str, Binding]]:
    return TypeAdapter(dict[str, Binding])


def plan_document(plan: Plan) -> dict[str, Any]:
    """The plan as a JSON object; `Plan.model_validate` reads it back to the same plan."""
    document: dict[str, Any] = {
        "goal": plan.goal,
        "steps": [_step_document(step) for step in plan.steps],
        "inputs": [item.model_dump(mode="json") for item in plan.inputs],
        "warnings": [warning.model_dump(mode="json", exclude_none=True) for warning in plan.warnings],
    }
    if plan.outputs:
        document["outputs"] = json.loads(bindings_text(plan.outputs))
    return document


def _step_document(step: PlanStep) -> dict[str, Any]:
    called = {"workflow_id": step.workflow_id} if step.workflow_id else {"tool_id": step.tool_id}
    return {
        "position": step.position,
        **called,
        "purpose": step.purpose,
        "bindings": json.loads(bindings_text(step.bindings)),
        "alternatives": list(step.alternatives),
        "mutating": step.mutating,
    }
