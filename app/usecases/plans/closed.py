"""Plans that are closed over what whoever asks may call and what is up."""

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from app.domain.choosing.targets import PlanTarget
from app.domain.failover.mapping import is_everywhere
from app.domain.failover.stand_ins import SAID, NamedEquivalent, Obstacle, StandIns
from app.domain.nodes.models import Method, ToolId
from app.domain.planning.draft import PlanDraft
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.schemas.tool_schemas import inputs_of
from app.domain.workflows.plans import (
    SOURCE_DOWN,
    ComposedBinding,
    KnownBinding,
    Plan,
    PlanStep,
    PlanWarning,
    UnmetTask,
)
from app.usecases.plans.reach import CallReachNow


class PlanDrafter(Protocol):
    """`draft_plan` of one request."""

    def __call__(
        self, *, closed: AbstractSet[int] = frozenset(), left_out: AbstractSet[int] = frozenset()
    ) -> PlanDraft:
        """The draft without these tools, and without calls for these tasks."""


@dataclass(frozen=True, slots=True)
class DraftedPlan:
    """A plan, and the draft that it comes from."""

    plan: Plan
    draft: PlanDraft


def closed_plan(
    index: PlanIndex, methods: Sequence[Method], draft: PlanDrafter, reach: CallReachNow
) -> DraftedPlan:
    """The plan of which every step can be called.

    It is the plan of the whole catalogue where that can be called. Else equivalents stand in where each value is known
    to be the same. For what is left of it the goal is planned again with what can be called: other reads may be chosen,
    which a warning says, but neither an equivalent that does not stand in, nor one of another server that would be asked
    for what the first one keeps. Another change is never made. Tasks that get no call so are unmet.
    """
    stand_ins = StandIns(index, methods, reach.obstacle)
    first = draft()
    wanted = finish_plan(index, first)
    stood_in = stand_ins.applied(wanted)
    if not stood_in.left:
        return DraftedPlan(_of_callable(stood_in.plan, reach), first)
    lost = _Lost(index, first, stood_in.left, reach.obstacle)
    steps = {index.position[step.tool_id] for step in wanted.steps}
    blocked = {at for tool, at in index.position.items() if reach.obstacle(tool) is not None}
    # What would change something else than the plan that was wanted, and what is only named.
    others = {*np.flatnonzero(index.columns.mutating).tolist()} - steps | lost.named
    replaced = frozenset(steps & blocked) - lost.positions
    left_out = lost.changes
    again, found = first, stood_in
    for kept in (replaced, frozenset[int]()):
        # Each round leaves out more tasks, of which there are few.
        while True:
            again = lost.told(draft(closed=frozenset((blocked | others) - kept), left_out=left_out))
            found = stand_ins.applied(finish_plan(index, again))
            strays = lost.strays(again, found.plan)
            if strays <= left_out:
                break
            left_out |= strays
        if not found.left:
            break
    plan = found.plan
    warnings = (*plan.warnings, *lost.warnings(again))
    return DraftedPlan(_of_callable(plan.model_copy(update={"warnings": warnings}), reach), again)


def marked(plan: Plan, reach: CallReachNow) -> Plan:
    """The plan whose steps say whether they can be called, and a warning for those whose source is down."""
    steps = tuple(_marked(step, reach) for step in plan.steps)
    warnings = [
        PlanWarning(code=SOURCE_DOWN, message=f"{step.tool_id} {SAID[SOURCE_DOWN]}", step=step.position)
        for step in steps
        if step.is_up is False
    ]
    return plan.model_copy(update={"steps": steps, "warnings": (*plan.warnings, *warnings)})


def _marked(step: PlanStep, reach: CallReachNow) -> PlanStep:
    return step.model_copy(
        update={"may_call": reach.may_call(step.tool_id), "is_up": step.tool_id not in reach.down}
    )


def _of_callable(plan: Plan, reach: CallReachNow) -> Plan:
    """Whose steps name no alternatives that cannot be called."""
    steps = tuple(
        step.model_copy(
            update={"alternatives": tuple(one for one in step.alternatives if reach.obstacle(one) is None)}
        )
        for step in plan.steps
    )
    return marked(plan.model_copy(update={"steps": steps}), reach)


@dataclass(frozen=True)
class _Lost:
    """Calls of a draft that cannot be made, and that nothing stands in for."""

    index: PlanIndex
    first: PlanDraft
    left: Mapping[int, tuple[NamedEquivalent, ...]]
    """By their number."""
    obstacle: Callable[[str], Obstacle | None]
    _named: dict[int, tuple[NamedEquivalent, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, named in self.left.items():
            self._named[self.first.order[number - 1]] = named

    @property
    def positions(self) -> AbstractSet[int]:
        """Of their tools."""
        return self._named.keys()

    @property
    def named(self) -> AbstractSet[int]:
        """Equivalents that do not stand in."""
        return {self.index.position[one.tool] for some in self._named.values() for one in some}

    @property
    def _targets(self) -> list[PlanTarget]:
        return [target for target in self.first.targets if target.at in self._named]

    @property
    def changes(self) -> frozenset[int]:
        """Numbers of the tasks that would have changed something."""
        return frozenset(
            number
            for target in self._targets
            # What all of the goal led to is not found again, and reads of the same task stay.
            if not (self.index.traits[target.at].safe or target.by_goal)
            for number in target.numbers
        )

    def strays(self, draft: PlanDraft, plan: Plan) -> frozenset[int]:
        """Tasks for which a tool of another server is asked for what the lost one's server keeps: another issue 12."""
        lost = {number: self._server(one.at) for one in self._targets for number in one.numbers}
        found: set[int] = set()
        for target in draft.targets:
            numbers = [number for number in target.numbers if number in lost]
            if any(lost[number] != self._server(target.at) for number in numbers) and self._is_told_ids(
                target.at, plan.steps[draft.position[target.at] - 1]
            ):
                found.update(numbers)
        return frozenset(found)

    def _is_told_ids(self, at: int, step: PlanStep) -> bool:
        """Whether a step is given a value of the goal that means something to one server alone."""
        tool = self.index.tools[at]
        items = {item.name: item for item in inputs_of(tool)}
        return any(
            isinstance(binding, KnownBinding | ComposedBinding)
            and (name not in items or not is_everywhere(items[name], tool))
            for name, binding in step.bindings.items()
        )

    def told(self, draft: PlanDraft) -> PlanDraft:
        """Another draft, whose unmet tasks say what fits and why it cannot be called."""
        tasks = draft.context.tasks
        reasons = {
            tasks[number].do: self._unmet(tasks[number].do, target)
            for target in self._targets
            for number in target.numbers
            if number not in _met(draft)
        }
        others = [one for one in draft.unmet if one.task not in reasons]
        order = {task.do: number for number, task in enumerate(tasks)}
        unmet = sorted((*others, *reasons.values()), key=lambda one: order.get(one.task, len(order)))
        return replace(draft, unmet=tuple(unmet))

    def warnings(self, draft: PlanDraft) -> list[PlanWarning]:
        """A warning for each of them."""
        found = []
        # What all of the goal led to anyway takes no other call's place.
        by_goal = {target.at for one in (self.first, draft) for target in one.targets if target.by_goal}
        met = {
            number: target
            for target in draft.targets
            if target.at not in by_goal
            for number in target.numbers
        }
        targets = {target.at: target for target in self._targets}
        for at, named in self._named.items():
            tool, target = self._tool(at), targets.get(at)
            taker = met.get(target.number) if target is not None else None
            message = f"{tool} {self._said(at)}"
            if taker is not None and taker.at != at:
                message += f"; {self._tool(taker.at)} fits less well, and nothing says that both do the same"
            elif target is None:
                message += ", and would fill an input"
            found.append(
                PlanWarning(
                    code=self.obstacle(tool) or SOURCE_DOWN,
                    message=message,
                    step=draft.position.get(taker.at) if taker is not None else None,
                    instead=_instead(named) or None,
                )
            )
        return found

    def _unmet(self, task: str, target: PlanTarget) -> UnmetTask:
        named = self._named[target.at]
        reason = f"{self._tool(target.at)} fits and {self._said(target.at)}"
        if named:
            reason += f"; {_instead(named)}"
        return UnmetTask(
            task=task,
            reason=reason,
            fits=self._tool(target.at),
            possible=tuple(one.tool for one in named),
        )

    def _said(self, at: int) -> str:
        return SAID[self.obstacle(self._tool(at)) or SOURCE_DOWN]

    def _server(self, at: int) -> str:
        return self.index.tools[at].server

    def _tool(self, at: int) -> ToolId:
        return self.index.tools[at].id


def _met(draft: PlanDraft) -> Collection[int]:
    targets = (*draft.targets, *draft.met, *draft.cut)
    return {number for target in targets for number in target.numbers}


def _instead(named: Sequence[NamedEquivalent]) -> str:
    return "; ".join(f"{one.tool} may do the same ({one.because}), but {one.lack}" for one in named)
