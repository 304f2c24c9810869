"""Which paths of a plan lead to harm: each value is followed from the answer that has it to the input that takes it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from app.domain.flows.inferred import is_carried, is_made_by_service, names_party
from app.domain.flows.labels import counting
from app.domain.flows.values import LabelEvidence, ToolLabel
from app.domain.nodes.models import Label
from app.domain.workflows.plans import Binding, Plan, PlanStep, StepBinding, binding_parts

_MAX_HOPS = 8
_FOLLOWED = (Label.UNTRUSTED_CONTENT, Label.PRIVATE_DATA)


class FlowFinding(StrEnum):
    """What is wrong with a flow."""

    LEAK = "leak"
    """Private data go where an untrusted answer says, or may have a say."""
    STEERED = "steered"
    """An untrusted answer says where a sink sends to, or what a destructive call is about."""
    UNGUARDED = "unguarded"
    """A destructive call comes after an untrusted answer, and nobody is asked in between."""
    TRIFECTA = "trifecta"
    """Untrusted and private answers come before a sink, without a path from them to it."""


Severity = Literal["high", "medium", "note"]
SEVERITIES: tuple[Severity, ...] = ("high", "medium", "note")
"""The worst first."""
StepLabels = Mapping[Label, ToolLabel]


@dataclass(frozen=True, slots=True)
class Hop:
    """A place that a value passes."""

    step: int
    place: str
    """A JSON pointer into the answer of the first step of a path; the name of an input of all others."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A path of a plan that leads to harm, or the steps that make one possible."""

    finding: FlowFinding
    severity: Severity
    hops: tuple[Hop, ...]
    """Where the data come from, what they pass, and where they arrive; steps alone where no value is followed."""
    decides: str = ""
    """The input that a person had better choose."""


@dataclass(frozen=True, slots=True)
class _Trace:
    """That a value comes from an answer with a label."""

    label: Label
    hops: tuple[Hop, ...]


def toxic_flows(plan: Plan, labels: Mapping[int, StepLabels]) -> tuple[Flow, ...]:
    """The flows of a plan that somebody who wrote a part of an answer could turn against its user, worst first.

    A value is followed through bindings, and through tools that pass on the text that they are given. What a person
    gave or chooses (`known`, `input`, a selection by `ask`) nobody else steers, nor what the service itself makes up,
    such as an id.

    Args:
        plan: of which the order counts.
        labels: by position of the step; steps that run workflows have none.
    """
    return tuple(sorted(_Walk(plan, labels).flows(), key=_order))


def _order(flow: Flow) -> tuple[int, tuple[int, ...]]:
    return SEVERITIES.index(flow.severity), tuple(hop.step for hop in flow.hops)


class _Walk:
    def __init__(self, plan: Plan, labels: Mapping[int, StepLabels]) -> None:
        self._steps: Sequence[PlanStep] = plan.steps
        self._labels = labels
        self._counting = {position: counting(found) for position, found in labels.items()}
        self._passed: dict[int, tuple[_Trace, ...]] = {}
        """What a step was given to pass on, one trace for each label; filled in the order of the steps."""
        for step in self._steps:
            found: dict[Label, _Trace] = {}
            for name, binding in step.bindings.items():
                for trace in self._traces(binding, name, step) if is_carried(name) else ():
                    if len(trace.hops) < _MAX_HOPS:
                        found.setdefault(trace.label, trace)
            self._passed[step.position] = tuple(found.values())

    def flows(self) -> Iterator[Flow]:
        for step in self._steps:
            here = self._has(step.position)
            found: list[Flow] = []
            if Label.EXTERNAL_SINK in here:
                found += self._into_sink(step, self._labels[step.position][Label.EXTERNAL_SINK])
            if Label.DESTRUCTIVE in here:
                found += self._steered(step, self._labels[step.position][Label.DESTRUCTIVE].to)
                found += [] if found else self._unguarded(step)
            elif step.mutating and not found:
                found += self._steered(
                    step, [name for name in step.bindings if not is_carried(name)], "medium"
                )
            yield from _once(found)

    def _has(self, position: int) -> frozenset[Label]:
        return self._counting.get(position, frozenset())

    def _into_sink(self, step: PlanStep, sink: ToolLabel) -> list[Flow]:
        found = self._steered(step, sink.to)
        severity: Severity = "high" if any(flow.severity == "high" for flow in found) else "medium"
        untrusted = self._before(step, Label.UNTRUSTED_CONTENT)
        for name, binding in step.bindings.items():
            if _top(name) in sink.to or (sink.carries and _top(name) not in sink.carries):
                continue
            found += [
                Flow(FlowFinding.LEAK, severity, trace.hops, next(iter(sink.to), ""))
                for trace in self._traces(binding, name, step)
                if trace.label is Label.PRIVATE_DATA and untrusted
            ]
        if not found and untrusted and (private := self._before(step, Label.PRIVATE_DATA)):
            hops = sorted({untrusted[-1], private[-1], step.position})
            found.append(Flow(FlowFinding.TRIFECTA, "note", tuple(Hop(one, "") for one in hops)))
        return found

    def _steered(self, step: PlanStep, names: Sequence[str], most: Severity = "high") -> list[Flow]:
        """Flows from untrusted answers into some inputs; who somebody is, the service itself says."""
        return [
            Flow(
                FlowFinding.STEERED, "medium" if names_party(trace.hops[0].place) else most, trace.hops, name
            )
            for name, binding in step.bindings.items()
            if name in names or _top(name) in names
            for trace in self._traces(binding, name, step)
            if trace.label is Label.UNTRUSTED_CONTENT
        ]

    def _unguarded(self, step: PlanStep) -> list[Flow]:
        untrusted = self._before(step, Label.UNTRUSTED_CONTENT)
        if not untrusted:
            return []
        asked = any(
            isinstance(part, StepBinding) and part.select is not None and part.select.by == "ask"
            for one in self._steps
            if untrusted[-1] < one.position <= step.position
            for binding in one.bindings.values()
            for part in binding_parts(binding)
        )
        hops = (Hop(untrusted[-1], ""), Hop(step.position, ""))
        return [] if asked else [Flow(FlowFinding.UNGUARDED, "medium", hops, next(iter(step.bindings), ""))]

    def _before(self, step: PlanStep, label: Label) -> list[int]:
        return [
            one.position
            for one in self._steps
            if one.position < step.position and label in self._has(one.position)
        ]

    def _traces(self, binding: Binding, name: str, step: PlanStep) -> Iterator[_Trace]:
        """Where an input's value comes from, as far as that matters."""
        for part in binding_parts(binding):
            if not isinstance(part, StepBinding) or part.step >= step.position:
                continue
            if part.select is not None and part.select.by == "ask":
                continue
            for trace in self._answers(part.step, part.path):
                yield _Trace(trace.label, (*trace.hops, Hop(step.position, name)))

    def _answers(self, position: int, pointer: str) -> Iterator[_Trace]:
        """What a place of an answer holds: the step's own, and what the tool was given to pass on."""
        if is_made_by_service(pointer):
            return
        own = [label for label in _FOLLOWED if label in self._has(position)]
        yield from (_Trace(label, (Hop(position, pointer),)) for label in own)
        yield from (trace for trace in self._passed.get(position, ()) if trace.label not in own)


def _once(flows: Sequence[Flow]) -> Iterator[Flow]:
    """Of flows with the same finding and input, the first."""
    seen: set[tuple[FlowFinding, Hop]] = set()
    for flow in flows:
        key = (flow.finding, flow.hops[-1])
        if key not in seen:
            seen.add(key)
            yield flow


def _top(name: str) -> str:
    """The property of the top level that the name of an input begins with."""
    return name[1:].partition("/")[0] if name.startswith("/") else name


def is_stated(flow: Flow, labels: Mapping[int, StepLabels]) -> bool:
    """Whether every label that counts at the steps of a flow was stated."""
    return all(
        one.evidence is LabelEvidence.STATED
        for hop in flow.hops
        for one in labels.get(hop.step, {}).values()
        if one.counts
    )
