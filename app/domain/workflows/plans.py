"""A plan as a value: steps in order, and for each input where its value comes from."""

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, TypeAdapter

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


def said_value(text: str) -> JsonValue:
    """A value as people write it: JSON, or the text itself where it is not JSON: `12e4567` may be the beginning of a hash."""

    def refuse(constant: str) -> Any:
        raise ValueError(constant)

    def finite(number: str) -> float:
        return float(number) if math.isfinite(float(number)) else refuse(number)

    try:
        value: JsonValue = json.loads(text, parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return text
    return value


Comparison: TypeAlias = Literal["eq", "ne", "lt", "gt", "contains"]


class Where(Value):
    """What an item has to be like."""

    field: str
    """JSON pointer into the item without its first slash; a plain name is a property."""
    op: Comparison = "eq"
    value: FiniteJson


class Sort(Value):
    """In which order items are looked at."""

    field: str
    descending: bool = False


class Select(Value):
    """Which item of a list is meant, where a path crosses one.

    Items are narrowed by `where` and `except`, sorted by `sort`, then picked. Two `each` on the same list of the
    same step mean the same item.
    """

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    by: Literal["first", "last", "match", "each", "ask"]
    """`first`, `last`: that item; `match`: the one whose `field` equals `value`, or the one that `where` leaves;
    `each`: the step runs once for every item; `ask`: the caller chooses."""
    field: str = ""
    value: FiniteJson = None
    where: tuple[Where, ...] = ()
    except_: Annotated[tuple[FiniteJson, ...], Field(alias="except")] = ()
    """Values of the item's own binding that are never taken."""
    sort: Sort | None = None


class When(Value):
    """What an earlier answer has to say before a step runs."""

    step: int = Field(ge=1)
    path: str
    """JSON pointer into the answer's body, empty for all of it; `*` stands for any item of a list."""
    op: Comparison = "eq"
    """`ne` is the opposite of `eq`: with `*` in `path` it holds where no item has the value."""
    value: FiniteJson


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


def _is_none(value: object) -> bool:
    return value is None


def _is_nothing(value: object) -> bool:
    return not value


class MappedPart(Value):
    """An input, or a part of an answer, of the tool that a step calls now, and what it is of the one before."""

    name: str
    """Of the input; of an answer the JSON pointer."""
    was: str
    type: str
    """JSON schema type, the same of both."""
    format: str = Field(default="", exclude_if=_is_nothing)
    """The same of both; empty where neither has one."""


class StandIn(Value):
    """That a step calls an equivalent of the tool that fits best."""

    tool_id: ToolId
    """The tool that would be called."""
    reason: Literal["source_down", "not_callable"]
    """Why it is not."""
    because: str
    """What says that both do the same."""
    inputs: tuple[MappedPart, ...]
    """Every input that the step fills."""
    outputs: tuple[MappedPart, ...] = ()
    """Every part of its answer that a later step looks at."""


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
    when: tuple[When, ...] = ()
    """The step runs only where all of these hold."""
    alternatives: tuple[ToolId, ...] = ()
    """Tools that could take the step's place, best first."""
    mutating: bool = False
    may_call: bool | None = Field(default=None, exclude_if=_is_none)
    """Whether policies let whoever asked call the tool; None where nobody asked."""
    is_up: bool | None = Field(default=None, exclude_if=_is_none)
    """False while nobody can reach a source that describes the tool; None where nobody asked."""
    instead_of: StandIn | None = Field(default=None, exclude_if=_is_none)
    """Of a step that calls an equivalent of the tool that fits best."""
    ask: bool = Field(default=False, exclude_if=_is_nothing)
    """A person has to agree before the call is made."""


class PlanInput(Value):
    """A value that the caller has to give before the plan can run."""

    name: str
    type: str = ""
    """JSON schema type; empty when not known."""
    description: str = ""
    required: bool = True
    suggested: bool = False
    """The document does not require it; the call is thought to need it."""


class UnusedValue(Value):
    """A value of the goal that no input of the plan takes."""

    value: FiniteJson
    reason: str = ""


ASKS_NOTHING = "the goal only says what is not to be done"


class UnmetTask(Value):
    """A part of the goal for which there is no call."""

    task: str
    reason: str
    fits: ToolId | None = Field(default=None, exclude_if=_is_none)
    """A tool that fits, and cannot be called."""
    possible: tuple[ToolId, ...] = Field(default=(), exclude_if=_is_nothing)
    """Equivalents of it that can be called; not every input of theirs is known to be the same."""


class PlanWarning(Value):
    """What a caller should know before the plan runs."""

    code: str
    """One word for programs, e.g. `destructive`, `cycle`, `missing_tool`, `open_input`."""
    message: str
    step: int | None = None
    """Position of the step that it is about."""
    finding: str | None = Field(default=None, exclude_if=_is_none)
    """Of a `toxic_flow`: `leak`, `steered`, `unguarded` or `trifecta`."""
    severity: Literal["high", "medium", "note"] | None = Field(default=None, exclude_if=_is_none)
    """Of a `toxic_flow`."""
    steps: tuple[int, ...] | None = Field(default=None, exclude_if=_is_none)
    """Of a `toxic_flow`: the steps that the data passes, in their order."""
    path: tuple[str, ...] | None = Field(default=None, exclude_if=_is_none)
    """Of a `toxic_flow`, beside `steps`: the tool with the place in its answer, then each tool with its input."""
    instead: str | None = Field(default=None, exclude_if=_is_none)
    """Of a `toxic_flow`: what would make it safe; of a tool that cannot be called: what does the same, and why it does
    not stand in."""


class Plan(Value):
    """Steps in the order in which they work; `steps[i].position` is i + 1."""

    goal: str
    steps: tuple[PlanStep, ...]
    inputs: tuple[PlanInput, ...] = ()
    outputs: Mapping[str, Binding] = {}
    """What the plan as a whole gives, by name."""
    warnings: tuple[PlanWarning, ...] = ()
    unused: tuple[UnusedValue, ...] = ()
    unmet: tuple[UnmetTask, ...] = ()


UNUSED_VALUE = "unused_value"
"""The code of the warnings that `with_unused_first` gives."""


TOXIC_FLOW = "toxic_flow"
"""The code of warnings about where data flows."""


SOURCE_DOWN: Final = "source_down"
"""The code of warnings about tools whose source cannot be reached."""
NOT_CALLABLE: Final = "not_callable"
"""The code of warnings about tools that whoever asked may not call."""


def as_kept(plan: Plan) -> Plan:
    """The plan without what was so of one caller at one time: what could be called, and what stood in for what."""
    steps = tuple(
        step.model_copy(update={"may_call": None, "is_up": None, "instead_of": None}) for step in plan.steps
    )
    warnings = tuple(one for one in plan.warnings if one.code not in (SOURCE_DOWN, NOT_CALLABLE))
    unmet = tuple(
        UnmetTask(task=one.task, reason="no tool that could be called fits") if one.fits else one
        for one in plan.unmet
    )
    if (steps, warnings, unmet) == (plan.steps, plan.warnings, plan.unmet):
        return plan
    return plan.model_copy(update={"steps": steps, "warnings": warnings, "unmet": unmet})


def with_unused_first(plan: Plan) -> Plan:
    """The plan whose warnings begin with the values of the goal that it does not use; the same plan a second time."""
    said = tuple(
        PlanWarning(
            code=UNUSED_VALUE,
            message=f"{json.dumps(item.value, ensure_ascii=False):.200} of the goal goes into no call"
            + (f": {item.reason}" if item.reason else ""),
        )
        for item in plan.unused
    )
    others = tuple(one for one in plan.warnings if one.code != UNUSED_VALUE)
    return plan.model_copy(update={"warnings": (*said, *others)})


def red_edges(plan: Plan) -> frozenset[tuple[int, int, str]]:
    """Bindings that a warning is about: the step that gives the value, the one that takes it, and the input."""
    found = set()
    for warning in plan.warnings:
        if warning.code == TOXIC_FLOW and warning.steps and warning.path:
            pairs = zip(warning.steps, warning.steps[1:], warning.path[1:], strict=False)
            found |= {(one, other, place.partition(" ")[2]) for one, other, place in pairs}
    return frozenset(found)


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
        "unused": [item.model_dump(mode="json") for item in plan.unused],
        "unmet": [item.model_dump(mode="json") for item in plan.unmet],
    }
    if plan.outputs:
        document["outputs"] = json.loads(bindings_text(plan.outputs))
    return document


def _step_document(step: PlanStep) -> dict[str, Any]:
    called = {"workflow_id": step.workflow_id} if step.workflow_id else {"tool_id": step.tool_id}
    when = [item.model_dump(mode="json") for item in step.when]
    return {
        "position": step.position,
        **called,
        "purpose": step.purpose,
        "bindings": json.loads(bindings_text(step.bindings)),
        **({"when": when} if when else {}),
        "alternatives": list(step.alternatives),
        "mutating": step.mutating,
        **step.model_dump(mode="json", include={"may_call", "is_up", "instead_of", "ask"}),
    }
