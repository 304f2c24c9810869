"""Change a plan, step by step; references between steps follow. Each function gives a new plan."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from app.domain.nodes.models import Tool
from app.domain.schemas.tool_schemas import Input, inputs_of
from app.domain.workflows.places import not_before, places_of, sources_of, step_at
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
    When,
    binding_parts,
)
from app.domain.workflows.wording import when_words
from app.errors import InvalidInputError

CONDITION_NOT_CHECKED = "condition_not_checked"
"""The code of the warning for a condition that no step answers."""

Part = StepBinding | InputBinding


def renumbered(plan: Plan) -> Plan:
    """The plan with positions 1, 2, 3 in the order in which the steps stand; references, conditions, warnings follow.

    Raises:
        InvalidInputError: two steps have one position, or a binding or a condition names a position that no step has.
    """
    positions = [step.position for step in plan.steps]
    twice = next((position for position in positions if positions.count(position) > 1), None)
    if twice is not None:
        raise InvalidInputError(f"two steps have position {twice}; accepted: each position once")
    new = {position: number for number, position in enumerate(positions, start=1)}

    def moved(part: Part) -> Part:
        if not isinstance(part, StepBinding):
            return part
        if part.step not in new:
            raise InvalidInputError(
                f"a binding takes a value from step {part.step}, which the plan does not have"
            )
        return part.model_copy(update={"step": new[part.step]})

    def asked(when: When) -> When:
        if when.step not in new:
            raise InvalidInputError(f"a condition is about step {when.step}, which the plan does not have")
        return when.model_copy(update={"step": new[when.step]})

    return plan.model_copy(
        update={
            "steps": tuple(
                step.model_copy(
                    update={
                        "position": new[step.position],
                        "bindings": _mapped(step.bindings, moved),
                        "when": tuple(map(asked, step.when)),
                    }
                )
                for step in plan.steps
            ),
            "outputs": _mapped(plan.outputs, moved),
            "warnings": tuple(
                warning if warning.step is None else warning.model_copy(update={"step": new[warning.step]})
                for warning in plan.warnings
                if warning.step is None or warning.step in new
            ),
        }
    )


def move_step(plan: Plan, position: int, *, to: int) -> Plan:
    """The plan with a step at another place.

    Raises:
        InvalidInputError: there is no such step or place, or the step would come before one that it takes a
            value from or that its condition is about, or after one of which that is so.
    """
    step = step_at(plan, position)
    if not 1 <= to <= len(plan.steps):
        raise InvalidInputError(f"no place {to}; accepted: 1 to {len(plan.steps)}")
    if refusal := places_of(plan, position).refusal(to):
        raise InvalidInputError(refusal)
    steps = [other for other in plan.steps if other is not step]
    steps.insert(to - 1, step)
    return renumbered(plan.model_copy(update={"steps": tuple(steps)}))


def add_step(plan: Plan, step: PlanStep, *, at: int | None = None, tool: Tool | None = None) -> Plan:
    """The plan with another step, by default the last; its required inputs that are not bound become open.

    Args:
        plan: the plan.
        step: its `position` does not matter; its bindings name steps as `plan` numbers them.
        at: the place that it gets.
        tool: what the step calls; says which inputs it needs.

    Raises:
        InvalidInputError: there is no such place, or the step takes a value from one that comes after it, or has a
            condition about one.
    """
    place = len(plan.steps) + 1 if at is None else at
    if not 1 <= place <= len(plan.steps) + 1:
        raise InvalidInputError(f"no place {place}; accepted: 1 to {len(plan.steps) + 1}")
    number = max((other.position for other in plan.steps), default=0) + 1
    added = step.model_copy(update={"position": number})
    before = {other.position for other in plan.steps[: place - 1]}
    for source in sources_of(*added.bindings.values()):
        if source not in before:
            raise InvalidInputError(
                f"the new step at place {place} takes a value from step {source}, which is not before it"
            )
    for when in added.when:
        if when.step not in before:
            raise InvalidInputError(
                f"the new step at place {place} has a condition about step {when.step}, which is not before it"
            )
    steps = [*plan.steps]
    steps.insert(place - 1, added)
    longer = plan.model_copy(update={"steps": tuple(steps)})
    if tool is not None:
        longer = open_unbound(longer, number, tool)
    return renumbered(longer)


def remove_step(plan: Plan, position: int, *, tools: Mapping[str, Tool]) -> Plan:
    """The plan without a step; inputs that took a value from it become open, optional ones go unbound.

    A step whose condition was about it loses the condition, and a warning says so.

    Raises:
        InvalidInputError: there is no such step.
    """
    gone = step_at(plan, position)
    shorter = plan.model_copy(
        update={
            "steps": tuple(_without_condition(step, position) for step in plan.steps if step is not gone),
            "warnings": (*plan.warnings, *_lost_conditions(plan, position)),
            "outputs": {
                name: binding for name, binding in plan.outputs.items() if position not in sources_of(binding)
            },
        }
    )
    for step in shorter.steps:
        for parameter, binding in step.bindings.items():
            if position in sources_of(binding):
                shorter = _reopened(shorter, step.position, parameter, binding, position, tools)
    return without_unused_inputs(renumbered(shorter))


def bind_input(
    plan: Plan, position: int, parameter: str, binding: Binding | None, *, tool: Tool | None = None
) -> Plan:
    """The plan with an input bound to something else; None unbinds it.

    An input of the plan that the binding names and that is not there yet is added, with what `tool`, which the step
    calls, says of it; one that nothing takes any more goes.

    Raises:
        InvalidInputError: there is no such step, or the binding names a step that is not before it.
    """
    step = step_at(plan, position)
    place = plan.steps.index(step)
    before = {other.position for other in plan.steps[:place]}
    bindings = {name: value for name, value in step.bindings.items() if name != parameter}
    inputs = list(plan.inputs)
    if binding is not None:
        for part in binding_parts(binding):
            if isinstance(part, StepBinding) and part.step not in before:
                raise InvalidInputError(not_before(part.step, position))
            if isinstance(part, InputBinding) and all(item.name != part.input for item in inputs):
                said = _input_of(tool, parameter) if part is binding and not part.path else None
                inputs.append(_plan_input(part.input, said))
        bindings[parameter] = binding
    return without_unused_inputs(_rebound(plan, step, bindings, inputs))


def replace_tool(plan: Plan, position: int, tool: Tool, *, mutating: bool) -> Plan:
    """The plan in which a step calls another tool.

    What the step bound for inputs that the new tool takes as well stays; its other required inputs become open. What
    others take from its answer stays as it is.

    Args:
        plan: the plan.
        position: of the step.
        tool: what it calls then.
        mutating: whether that changes anything.

    Raises:
        InvalidInputError: there is no such step.
    """
    step = step_at(plan, position)
    taken = {name for item in inputs_of(tool) for name in (item.pointer[0], item.parameter)}
    kept = {
        name: binding for name, binding in step.bindings.items() if name in taken or not tool.input_schema
    }
    other = step.model_copy(
        update={
            "tool_id": tool.id,
            "workflow_id": "",
            "bindings": kept,
            "alternatives": tuple(one for one in step.alternatives if one != tool.id),
            "mutating": mutating,
            "may_call": None,
            "is_up": None,
            "instead_of": None,
            "ask": False,
        }
    )
    steps = tuple(other if one is step else one for one in plan.steps)
    changed = plan.model_copy(update={"steps": steps})
    return without_unused_inputs(open_unbound(changed, position, tool))


def open_unbound(plan: Plan, position: int, tool: Tool) -> Plan:
    """The plan in which every required input of a step that nothing is bound to is an input of the plan."""
    step = step_at(plan, position)
    bindings, inputs = dict(step.bindings), list(plan.inputs)
    for item in inputs_of(tool):
        top = item.pointer[0]
        if item.required and not item.has_default and top not in bindings and len(item.pointer) == 1:
            name = _free_name(item.name, step, inputs)
            inputs.append(_plan_input(name, item))
            bindings[top] = InputBinding(input=name)
    return _rebound(plan, step, bindings, inputs)


def without_unused_inputs(plan: Plan) -> Plan:
    """The plan without inputs that no binding names."""
    used = {
        part.input
        for bindings in (*(step.bindings for step in plan.steps), plan.outputs)
        for binding in bindings.values()
        for part in binding_parts(binding)
        if isinstance(part, InputBinding)
    }
    return plan.model_copy(update={"inputs": tuple(item for item in plan.inputs if item.name in used)})


def _without_condition(step: PlanStep, asked: int) -> PlanStep:
    return step.model_copy(update={"when": tuple(when for when in step.when if when.step != asked)})


def _lost_conditions(plan: Plan, gone: int) -> Iterator[PlanWarning]:
    for step in plan.steps:
        for when in step.when:
            if when.step == gone and step.position != gone:
                yield PlanWarning(
                    code=CONDITION_NOT_CHECKED,
                    message=f"the step was to run only where {when_words(when)}, which is removed; check it yourself",
                    step=step.position,
                )


def _reopened(
    plan: Plan, position: int, parameter: str, binding: Binding, gone: int, tools: Mapping[str, Tool]
) -> Plan:
    """The plan in which what `parameter` took from step `gone` is open."""
    step = step_at(plan, position)
    item = _input_of(tools.get(step.tool_id), parameter)
    bindings, inputs = dict(step.bindings), list(plan.inputs)
    if item is not None and not item.required and not isinstance(binding, ComposedBinding):
        del bindings[parameter]
    elif isinstance(binding, ComposedBinding):
        parts: dict[str, Part] = {}
        for name, part in binding.parts.items():
            if isinstance(part, StepBinding) and part.step == gone:
                free = _free_name(name, step, inputs)
                inputs.append(PlanInput(name=free))
                parts[name] = InputBinding(input=free)
            else:
                parts[name] = part
        bindings[parameter] = binding.model_copy(update={"parts": parts})
    else:
        name = _free_name(_last(parameter), step, inputs)
        inputs.append(_plan_input(name, item))
        bindings[parameter] = InputBinding(input=name)
    return _rebound(plan, step, bindings, inputs)


def _rebound(
    plan: Plan, step: PlanStep, bindings: Mapping[str, Binding], inputs: Sequence[PlanInput]
) -> Plan:
    """The plan with other bindings of one step, and these inputs."""
    changed = step.model_copy(update={"bindings": bindings})
    steps = tuple(changed if other is step else other for other in plan.steps)
    return plan.model_copy(update={"steps": steps, "inputs": tuple(inputs)})


def _input_of(tool: Tool | None, parameter: str) -> Input | None:
    return next((one for one in inputs_of(tool) if one.parameter == parameter), None) if tool else None


def _plan_input(name: str, item: Input | None) -> PlanInput:
    if item is None:
        return PlanInput(name=name)
    return PlanInput(name=name, type=item.type, description=item.description[:300])


def _free_name(name: str, step: PlanStep, inputs: Sequence[PlanInput]) -> str:
    taken = {item.name for item in inputs}
    free, number = name, step.position
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def _last(parameter: str) -> str:
    return parameter.rsplit("/", 1)[-1]


def _mapped(bindings: Mapping[str, Binding], change: Callable[[Part], Part]) -> dict[str, Binding]:
    found: dict[str, Binding] = {}
    for name, binding in bindings.items():
        if isinstance(binding, KnownBinding):
            found[name] = binding
        elif isinstance(binding, ComposedBinding):
            parts = {part: change(value) for part, value in binding.parts.items()}
            found[name] = binding.model_copy(update={"parts": parts})
        else:
            found[name] = change(binding)
    return found
