"""What a plan says of its flows."""

from collections.abc import Callable, Mapping

from app.domain.flows.check import Flow, FlowFinding, Hop, StepLabels, is_stated, toxic_flows
from app.domain.flows.inferred import gives_untrusted
from app.domain.flows.labels import labels_of
from app.domain.nodes.models import Tool
from app.domain.planning.operations import Operation, read_operation
from app.domain.workflows.plans import TOXIC_FLOW, Plan, PlanWarning, StepBinding, binding_parts

_SHOWN = 20
"""Warnings about flows that a plan has at most; the worst are named."""


def with_flow_warnings(
    plan: Plan, tools: Mapping[str, Tool], *, read: Callable[[Tool], Operation] = read_operation
) -> Plan:
    """The plan with warnings about its flows behind the others; the same plan a second time."""
    return with_toxic(plan, flow_warnings(plan, tools, read=read))


def with_toxic(plan: Plan, found: tuple[PlanWarning, ...]) -> Plan:
    """The plan with these warnings about its flows, and no others."""
    others = tuple(one for one in plan.warnings if one.code != TOXIC_FLOW)
    warnings = (*others, *found)
    return plan if warnings == plan.warnings else plan.model_copy(update={"warnings": warnings})


def without_flow_warnings(plan: Plan) -> Plan:
    """The plan without what was said of its flows, as that depends on what its tools are now."""
    return with_toxic(plan, ())


def flow_warnings(
    plan: Plan, tools: Mapping[str, Tool], *, read: Callable[[Tool], Operation] = read_operation
) -> tuple[PlanWarning, ...]:
    """The flows that are reported, worst first.

    What is not `high` is reported only where all labels were stated: what is inferred must not make plans noisy.

    Args:
        plan: whose bindings are followed.
        tools: by id; steps of others have no labels.
        read: reads a tool as an operation, or has done so.
    """
    called = {str(one): tools[one] for one in {step.tool_id for step in plan.steps} if one in tools}
    if not any(tool.labels for tool in called.values()) and not any(
        gives_untrusted(read(called[one])) for one in _giving(plan) if one in called
    ):
        # Every finding needs an answer that others wrote; where no label is stated, also that it flows on.
        return ()
    known = {tool: labels_of(found, read(found)) for tool, found in called.items()}
    labels: dict[int, StepLabels] = {
        step.position: known[step.tool_id] for step in plan.steps if step.tool_id in known
    }
    if not any(one.counts for found in labels.values() for one in found.values()):
        return ()
    names = {step.position: str(step.tool_id) for step in plan.steps}
    return tuple(
        _warning(flow, names)
        for flow in toxic_flows(plan, labels)
        if flow.severity == "high" or is_stated(flow, labels)
    )[:_SHOWN]


def _giving(plan: Plan) -> set[str]:
    """Tools of steps from whose answers other steps take values."""
    called = {step.position: str(step.tool_id) for step in plan.steps}
    return {
        called.get(part.step, "")
        for step in plan.steps
        for binding in step.bindings.values()
        for part in binding_parts(binding)
        if isinstance(part, StepBinding)
    }


def _warning(flow: Flow, called: Mapping[int, str]) -> PlanWarning:
    first, last = flow.hops[0], flow.hops[-1]
    begin, end = called[first.step], called[last.step]
    match flow.finding:
        case FlowFinding.STEERED:
            message = f"{last.place} of {end} is what somebody else wrote in the answer of {begin}"
        case FlowFinding.LEAK:
            message = f"private data of {begin} leave through {last.place} of {end}, where others have a say"
        case FlowFinding.UNGUARDED:
            message = (
                f"{end} cannot be undone and comes after {begin}, whose answer others wrote; nobody is asked"
            )
        case FlowFinding.TRIFECTA:
            message = f"{end} sends out, after answers that are private and answers that others wrote"
    return PlanWarning(
        code=TOXIC_FLOW,
        message=message,
        step=last.step,
        finding=flow.finding.value,
        severity=flow.severity,
        steps=tuple(hop.step for hop in flow.hops),
        path=tuple(_place(hop, called) for hop in flow.hops),
        instead=_instead(flow, last),
    )


def _place(hop: Hop, called: Mapping[int, str]) -> str:
    return f"{called[hop.step]} {hop.place}".rstrip()


def _instead(flow: Flow, last: Hop) -> str:
    if flow.finding is FlowFinding.TRIFECTA:
        return f"let a person look at what step {last.step} sends"
    what = f"`{flow.decides}`" if flow.decides else "what is sent"
    return f"let a person choose {what} before step {last.step}"
