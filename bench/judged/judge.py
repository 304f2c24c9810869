"""Whether a plan is one that a person would let run, judged by the labels of its goal.

Signable: all required calls; no further call that changes something; every binding right; nothing forbidden; one input
where one thing is meant; in order; and no change without the condition that the goal sets.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from app.domain.nodes.models import Tool
from app.domain.workflows.plans import InputBinding, KnownBinding, Plan, PlanStep, bindings_text
from bench.judged.bound_values import Bound, ToolSlots, bound_at, is_right, said, slots_of
from bench.sets.goals import GoalItem, GoldBinding, GoldStep

_READS = re.compile(
    r"/(search|bulkfetch|calculate|list|query|jql|parse|match|preview|check|approximate-count)$"
)
"""Ends of paths whose POST changes nothing."""
_MOST_EQUAL = 5
"""Equal calls of a goal that are paired in every way."""
_NO_SLOTS = ToolSlots({}, {}, "", frozenset())


@dataclass(frozen=True, slots=True)
class GoalVerdict:
    """How good a plan is; every list says what is wrong, in words."""

    calls: tuple[str, ...]
    """Of the plan, `METHOD /path`."""
    recall: float
    """Share of the required calls that are there."""
    precision: float
    """Share of the plan's calls that are right; 0 for an empty plan."""
    exact: bool
    """All required calls and nothing else."""
    bound: int
    asked: int
    """Bindings that are right, and that were asked for."""
    order: bool | None
    """None where the goal sets none."""
    missing: tuple[str, ...]
    other_changes: tuple[str, ...]
    """Further calls that change something."""
    forbidden: tuple[str, ...]
    twice: tuple[str, ...]
    """Parameters that are one thing and come from several."""
    misplaced: tuple[str, ...]
    unchecked: tuple[str, ...]
    """Calls that the goal wants under a condition, and that the plan makes without it."""
    lost: tuple[str, ...]
    """Values of the goal that are neither bound nor named as unused."""
    wrong: tuple[str, ...]
    """Bindings."""

    @property
    def share_bound(self) -> float:
        """Share of the bindings asked for that are right."""
        return self.bound / self.asked if self.asked else 1.0

    @property
    def signable(self) -> bool:
        """Whether a person would let it run."""
        return not (
            self.missing
            or self.other_changes
            or self.wrong
            or self.twice
            or self.forbidden
            or self.misplaced
            or self.unchecked
        )


@dataclass(frozen=True, slots=True)
class _Call:
    operation: str
    step: PlanStep
    slots: ToolSlots

    def bound(self, parameter: str) -> list[Bound]:
        return bound_at(self.step, self.slots, parameter)

    @property
    def changes(self) -> bool:
        """Whether it changes something, whatever the planner thinks of a method that may not."""
        method, _, path = self.operation.partition(" ")
        if method in ("GET", "HEAD", "OPTIONS"):
            return self.step.mutating
        return not (method == "POST" and _READS.search(path))


def judge(item: GoalItem, plan: Plan, tool_named: Callable[[str], Tool]) -> GoalVerdict:
    """The best verdict over the ways to pair equal calls of the goal with equal calls of the plan."""
    calls = [_call(step, tool_named) for step in plan.steps]
    pairs = match_calls(item.steps, [call.operation for call in calls])
    found = [_Judged(item, plan, calls, way).verdict() for way in _ways(item, pairs)]
    return max(found, key=lambda one: (one.signable, one.bound))


def match_calls(gold: Sequence[GoldStep], calls: Sequence[str]) -> dict[int, int]:
    """Index of a gold step -> index of the plan's call, as many as possible: required first, the call itself first."""
    taken: dict[int, int] = {}

    def place(at: int, seen: set[int]) -> bool:
        for wanted in gold[at].accepted:
            for index, call in enumerate(calls):
                if call != wanted or index in seen:
                    continue
                seen.add(index)
                if index not in taken or place(taken[index], seen):
                    taken[index] = at
                    return True
        return False

    for at in sorted(range(len(gold)), key=lambda at: gold[at].optional):
        place(at, set())
    return {at: index for index, at in taken.items()}


def _call(step: PlanStep, tool_named: Callable[[str], Tool]) -> _Call:
    if not step.tool_id:
        return _Call(f"WORKFLOW {step.workflow_id}", step, _NO_SLOTS)
    tool = tool_named(step.tool_id)
    return _Call(f"{tool.method} {tool.path}", step, slots_of(tool))


def _ways(item: GoalItem, pairs: Mapping[int, int]) -> list[dict[int, int]]:
    equal: defaultdict[str, list[int]] = defaultdict(list)
    for at in pairs:
        equal[item.steps[at].op].append(at)
    ways = [dict(pairs)]
    for group in equal.values():
        if 1 < len(group) <= _MOST_EQUAL:
            ways = [
                way | dict(zip(group, (way[at] for at in other), strict=True))
                for way in ways
                for other in permutations(group)
            ]
    return ways


@dataclass(frozen=True, slots=True)
class _Judged:
    """One way to pair the steps."""

    item: GoalItem
    plan: Plan
    calls: Sequence[_Call]
    pairs: Mapping[int, int]

    @property
    def operations(self) -> tuple[str, ...]:
        return tuple(call.operation for call in self.calls)

    def verdict(self) -> GoalVerdict:
        item, operations = self.item, self.operations
        matched = set(self.pairs.values())
        further = [call for at, call in enumerate(self.calls) if at not in matched]
        missing = tuple(item.steps[at].op for at in item.required if at not in self.pairs)
        asked = [binding for binding in item.bind if self._asks(binding)]
        wrong = tuple(filter(None, map(self._wrong, asked)))
        misplaced = tuple(filter(None, (self._misplaced(*pair) for pair in item.order)))
        return GoalVerdict(
            calls=operations,
            recall=(len(item.required) - len(missing)) / len(item.required) if item.required else 1.0,
            precision=len(matched) / len(operations) if operations else 0.0,
            exact=not missing and not further,
            bound=len(asked) - len(wrong),
            asked=len(asked),
            order=not misplaced if item.order else None,
            missing=missing,
            other_changes=tuple(call.operation for call in further if call.changes),
            forbidden=self._forbidden(),
            twice=tuple(filter(None, map(self._twice, item.one_input))),
            misplaced=misplaced,
            unchecked=self._unchecked(),
            lost=self._lost(),
            wrong=wrong,
        )

    def _asks(self, binding: GoldBinding) -> bool:
        """Whether the plan has to have the binding: not of a call that may be left out, or that has no such input."""
        gold = self.item.steps[binding.step]
        if gold.optional and binding.step not in self.pairs:
            return False
        if binding.unless_op and any(self.item.steps[at].op == binding.unless_op for at in self.pairs):
            return False
        if binding.step not in self.pairs:
            return True
        call = self.calls[self.pairs[binding.step]]
        return call.operation == gold.op or any(map(call.slots.takes, binding.names))

    def _wrong(self, binding: GoldBinding) -> str:
        """What is wrong with it; empty when it is right."""
        if binding.step not in self.pairs:
            return f"{binding.op} {binding.param}: no such call"
        call = self.calls[self.pairs[binding.step]]
        for at, way in enumerate(binding.ways):
            names = (way.param,) if at and way.param else binding.names
            found = [bound for name in names for bound in call.bound(name)]
            if any(is_right(bound, way, self.operations) for bound in found):
                return ""
        own = [way.param for way in binding.ways[1:] if way.param]
        got = [bound for name in (*binding.names, *own) for bound in call.bound(name) if bound]
        return f"{binding.op} {binding.param}: {_wanted(binding)}; bound: {_shown(got)}"

    def _twice(self, parameter: str) -> str:
        sources = set()
        for call in self.calls:
            for bound in call.bound(parameter):
                if isinstance(bound, InputBinding):
                    sources.add(f"input {bound.input}")
                elif isinstance(bound, KnownBinding):
                    sources.add(f"value {said(bound.known)}")
        return f"{parameter}: {', '.join(sorted(sources))}" if len(sources) > 1 else ""

    def _forbidden(self) -> tuple[str, ...]:
        found = []
        for text in self.item.forbid:
            pattern = re.compile(".*".join(map(re.escape, text.split("*"))))
            found += [operation for operation in self.operations if pattern.fullmatch(operation)]
        for bad in self.item.must_not:
            if bad.step in self.pairs:
                call = self.calls[self.pairs[bad.step]]
                found += [
                    f"{bad.op} with {bad.param} {_shown([bound])}"
                    for bound in call.bound(bad.param)
                    if is_right(bound, bad, self.operations)
                ]
        return tuple(found)

    def _misplaced(self, first: str, then: str) -> str:
        accepted: defaultdict[str, set[str]] = defaultdict(set)
        for step in self.item.steps:
            accepted[step.op].update(step.accepted)
        before = [at for at, call in enumerate(self.operations) if call in accepted[first]]
        after = [at for at, call in enumerate(self.operations) if call in accepted[then]]
        if before and after:
            return "" if before[0] < after[-1] else f"{first} before {then}"
        there = set(self.operations)
        absent = [s for s in self.item.steps if s.op in (first, then) and not accepted[s.op] & there]
        return "" if all(step.optional for step in absent) else f"{first} before {then}: not both there"

    def _unchecked(self) -> tuple[str, ...]:
        warned = {warning.step for warning in self.plan.warnings if warning.code == "condition_not_checked"}
        return tuple(
            self.item.steps[at].op
            for at in self.item.conditional
            if at in self.pairs
            and not self.calls[self.pairs[at]].step.when
            and self.pairs[at] + 1 not in warned
        )

    def _lost(self) -> tuple[str, ...]:
        stated: set[str] = set()
        for binding in self.item.bind:
            if binding.says("value"):
                values = binding.value if isinstance(binding.value, list) else [binding.value]
                stated.update(map(said, values))
        goal = said(self.item.goal)
        bound = said([*(json.loads(bindings_text(step.bindings)) for step in self.plan.steps), 0])
        unused = " ".join(said(one.value) for one in self.plan.unused)
        return tuple(
            sorted(
                value
                for value in stated
                if len(value) > 1 and value in goal and value not in bound and value not in unused
            )
        )


def _wanted(binding: GoldBinding) -> str:
    texts = []
    for way in binding.ways:
        if way.ask:
            texts.append("ask")
        elif way.says("value"):
            texts.append(f"= {json.dumps(way.value, ensure_ascii=False)}")
        elif way.contains:
            texts.append(f"with {way.contains!r} in it")
        else:
            texts.append(f"from {way.from_op} {way.path_suffix}")
    return " or ".join(texts)


def _shown(found: Sequence[Bound]) -> str:
    if not any(found):
        return "nothing"
    return ", ".join(one.model_dump_json(exclude_defaults=True) for one in found if one)
