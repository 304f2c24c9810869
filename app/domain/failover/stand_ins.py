"""A plan whose steps call equivalents of what cannot be called, where each value is known to be the same. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from app.domain.failover.equivalents import equivalents_of
from app.domain.failover.mapping import Gave, Mapped, Taken, asked_by, is_everywhere, mapped, taken_by
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.models import Method, Tool, ToolId
from app.domain.planning.finish import warnings_of_call
from app.domain.planning.index import PlanIndex
from app.domain.planning.traits import Traits
from app.domain.schemas.tool_schemas import inputs_of
from app.domain.workflows.plans import (
    NOT_CALLABLE,
    SOURCE_DOWN,
    Binding,
    ComposedBinding,
    Plan,
    PlanStep,
    PlanWarning,
    StandIn,
    StepBinding,
)

Obstacle = Literal["source_down", "not_callable"]
"""Why a tool cannot be called."""
SAID: Final[Mapping[Obstacle, str]] = {
    SOURCE_DOWN: "cannot be reached now",
    NOT_CALLABLE: "may not be called by you",
}
_OF_CALLS = frozenset(("destructive", "deprecated"))
"""Codes of `warnings_of_call`."""


@dataclass(frozen=True, slots=True)
class NamedEquivalent:
    """An equivalent that does not stand in, and why not."""

    tool: ToolId
    because: str
    """What says that it is one."""
    lack: str


@dataclass(frozen=True, slots=True)
class StoodIn:
    """A plan with stand-ins, and what is left of it that cannot be called."""

    plan: Plan
    left: Mapping[int, tuple[NamedEquivalent, ...]]
    """Positions of such steps, with the equivalents that can be called and do not stand in."""


@dataclass(frozen=True)
class StandIns:
    """Looks for equivalents.

    Args:
        index: The catalogue that is planned with: what is hidden is no equivalent.
        methods: Of the same catalogue.
        obstacle: Why a tool cannot be called; None for those that can.
    """

    index: PlanIndex
    methods: Sequence[Method]
    obstacle: Callable[[str], Obstacle | None]
    _equivalents: dict[str, dict[ToolId, str]] = field(default_factory=dict)

    def applied(self, plan: Plan) -> StoodIn:
        """The plan in which equivalents stand in where that is certain.

        A change is made by an equivalent only with `ask`: a person has to agree first. What a step takes of an earlier
        answer names things of the server that gave it, so steps of one server move to another one together.
        """
        left: dict[int, tuple[NamedEquivalent, ...]] = {}
        for at in range(len(plan.steps)):
            step = plan.steps[at]
            reason = self.obstacle(step.tool_id)
            if reason is None:
                continue
            found = self._stand_in(plan, step, reason)
            if isinstance(found, Plan):
                plan = found
            else:
                left[step.position] = found
        return StoodIn(plan, left)

    def _stand_in(self, plan: Plan, step: PlanStep, reason: Obstacle) -> "Plan | tuple[NamedEquivalent, ...]":
        tool, named = self._tool(step.tool_id), []
        others = self._callable_equivalents(step.tool_id)
        # Of the same server first: it keeps the same things.
        for other, because in sorted(
            others.items(), key=lambda one: (self._server(one[0]) != tool.server, one[0])
        ):
            found = self._mapped(plan, step, tool, self._tool(other))
            if isinstance(found, Mapped):
                return self._with(
                    plan,
                    step,
                    other,
                    found,
                    StandIn(
                        tool_id=step.tool_id,
                        reason=reason,
                        because=because,
                        inputs=found.inputs,
                        outputs=found.outputs,
                    ),
                )
            named.append(NamedEquivalent(other, because, found))
        return tuple(named)

    def _callable_equivalents(self, tool: ToolId) -> dict[ToolId, str]:
        if tool not in self._equivalents:
            self._equivalents[tool] = {
                other: because
                for other, because in equivalents_of(tool, self.methods).items()
                if other in self.index.position and self.obstacle(other) is None
            }
        return self._equivalents[tool]

    def _mapped(self, plan: Plan, step: PlanStep, tool: Tool, other: Tool) -> Mapped | str:
        own, its = (self.index.traits[self.index.position[one.id]] for one in (tool, other))
        if own.safe != its.safe:
            return "it changes something" if own.safe else "it changes nothing"
        if not own.safe and not _is_one_change(own, its):
            return "it makes another change"
        taken = self._taken(plan, step, tool, other)
        if isinstance(taken, str):
            return taken
        return mapped(step.bindings, taken, tool, other, lambda number: self._gave(plan.steps[number - 1]))

    def _taken(self, plan: Plan, step: PlanStep, tool: Tool, other: Tool) -> list[Taken] | str:
        """What later steps take of a step's answer."""
        found: list[Taken] = []
        for later in plan.steps[step.position :]:
            for name, binding in later.bindings.items():
                stays = self._stays(later, name, tool, other)
                for one in taken_by(binding, step.position, stays):
                    if one is None:
                        return "a later step takes a header of the answer"
                    found.append(one)
            found += [one for when in later.when for one in asked_by(when, step.position)]
        return found

    def _stays(self, later: PlanStep, name: str, tool: Tool, other: Tool) -> str:
        """The server that keeps what an input of a later step names; empty where any server may be asked.

        A step that cannot be called itself is looked at when its turn comes.
        """
        if tool.server == other.server or self.obstacle(later.tool_id) is not None:
            return ""
        consumer = self._tool(later.tool_id)
        item = next((one for one in inputs_of(consumer) if one.parameter == name), None)
        return "" if item is not None and is_everywhere(item, consumer) else consumer.server

    def _with(self, plan: Plan, step: PlanStep, other: ToolId, found: Mapped, stand_in: StandIn) -> Plan:
        traits = self.index.traits[self.index.position[other]]
        moved = step.model_copy(
            update={
                "tool_id": other,
                "bindings": found.bindings,
                "alternatives": tuple(one for one in step.alternatives if one != other),
                "mutating": traits.mutating,
                "instead_of": stand_in,
                "ask": not traits.safe,
            }
        )
        steps = tuple(moved if one is step else _following(one, step.position, found) for one in plan.steps)
        kept = [one for one in plan.warnings if one.step != step.position or one.code not in _OF_CALLS]
        said = PlanWarning(
            code=stand_in.reason,
            message=f"{stand_in.tool_id} {SAID[stand_in.reason]}: {other} stands in, as {stand_in.because}",
            step=step.position,
        )
        return plan.model_copy(
            update={"steps": steps, "warnings": (*kept, *warnings_of_call(traits, step.position), said)}
        )

    def _tool(self, tool: str) -> Tool:
        return self.index.tools[self.index.position[tool]]

    def _server(self, tool: str) -> str:
        return self._tool(tool).server

    def _gave(self, step: PlanStep) -> Gave:
        now = self._server(step.tool_id)
        return Gave(now, self._server(step.instead_of.tool_id) if step.instead_of else now)


def _is_one_change(own: Traits, its: Traits) -> bool:
    """Whether two changes are of one kind; a verb that is no word for making, changing or deleting says nothing of that."""
    if bool(own.tool.destructive) != bool(its.tool.destructive):
        return False
    deletes = OperationKind.DELETE in (own.kind, its.kind)
    unsaid = OperationKind.ACTION in (own.kind, its.kind)
    return own.kind is its.kind or (unsaid and not deletes)


def _following(step: PlanStep, source: int, found: Mapped) -> PlanStep:
    """A later step, with the places that values have in the answer now."""
    if all(part.name == part.was for part in found.outputs):
        return step

    def moved(part: StepBinding) -> StepBinding:
        return part.model_copy(update={"path": found.path(part.path)}) if part.step == source else part

    def binding(one: Binding) -> Binding:
        if isinstance(one, StepBinding):
            return moved(one)
        if isinstance(one, ComposedBinding):
            parts = {
                name: moved(part) if isinstance(part, StepBinding) else part
                for name, part in one.parts.items()
            }
            return one.model_copy(update={"parts": parts})
        return one

    return step.model_copy(
        update={
            "bindings": {name: binding(one) for name, one in step.bindings.items()},
            "when": tuple(
                when.model_copy(update={"path": found.path(when.path)}) if when.step == source else when
                for when in step.when
            ),
        }
    )
