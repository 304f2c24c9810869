"""Whether plans take their inputs from the calls that labelled plans take them from.

**Jentic.** Each workflow fills parameters and parts of bodies by expressions. Counted are those whose input the document
has, of steps that are in both plans: equal calls are paired in their order. `$steps.x...` is right when our binding
takes from a call of the operation of x (which field, the labels often do not say); `$inputs.y`, of a required input,
when ours is an open input or a known value.

**NESTFUL.** Its labels name, for each call, from which call a value comes and from which field, but neither the
parameter nor literal values. A pair (from, to) is right as often as our `to` has a binding from `from`, up to how often
the labels have it.

Precision: right among our bindings from steps, in steps that are in both plans; what the labels leave to the caller, or
to nobody, counts as wrong. Recall: right among the labels from steps whose both calls the plan has; over all
(`Rall`) also where it lacks one of them.
"""

import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from app.domain.nodes.models import Tool
from app.domain.workflows.plans import InputBinding, KnownBinding, Plan, PlanStep, StepBinding, binding_parts
from app.usecases.questions import PlanRequest
from bench.judged.bound_values import bound_at, slots_of
from bench.measure.planner import PlanCatalogue, catalogue_of
from bench.sets import jentic
from bench.sets.datasets import lines, require, tool_of
from bench.sets.jentic_bindings import GoldInput, gold_inputs

BINDING_COLUMNS = ("P", "R", "Rall", "ours", "both", "labels", "asked")
"""Precision, recall, recall over all labels; our bindings from steps, labels whose calls are there, all labels;
share of the required inputs left to the caller that are open or known, `-` without any."""
BINDING_NOTES = (
    "P: right among the plan's bindings from earlier calls. R: right among the labelled bindings from calls that the "
    "plan has; Rall: among all that are labelled. ours, both, labels: how many these are. asked: share of the required "
    "inputs that the labels leave to the caller and that are open or known.",
)
_NESTFUL = ("bench", "nestful")
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class BindingCounts:
    """Of one plan."""

    right: int = 0
    ours: int = 0
    """Our bindings from steps."""
    both: int = 0
    """Labels from steps whose calls the plan has."""
    labels: int = 0
    """Labels from steps."""
    left_right: int = 0
    left: int = 0
    """Required inputs that the labels leave to the caller."""

    @property
    def precision(self) -> float | None:
        """None without a binding of ours."""
        return _share(self.right, self.ours)

    @property
    def recall(self) -> float | None:
        """Over all labels; None without one."""
        return _share(self.right, self.labels)


@dataclass(frozen=True, slots=True)
class BindingResult:
    """One row; `counts` are in the order of the goals."""

    set: str
    counts: tuple[BindingCounts, ...]
    fingerprint: str
    """Of goals and labels: figures of equal fingerprints are figures of the same set."""
    p50_ms: float
    """Of a whole plan, in process."""

    @property
    def goals(self) -> int:
        """How many."""
        return len(self.counts)

    @property
    def total(self) -> BindingCounts:
        """All together."""
        sums = Counter[str]()
        for one in self.counts:
            sums.update(asdict(one))
        return BindingCounts(**sums)

    def texts(self) -> list[str]:
        """In the order of `BINDING_COLUMNS`."""
        total = self.total
        shares = (total.precision, _share(total.right, total.both), total.recall)
        numbers = (total.ours, total.both, total.labels)
        asked = _share(total.left_right, total.left)
        return [*map(_text, shares), *map(str, numbers), _text(asked)]

    def cases(self) -> dict[str, list[float | None]]:
        """Scores by goal; None where a plan or its labels have no binding."""
        return {
            "precision": [one.precision for one in self.counts],
            "recall": [one.recall for one in self.counts],
        }


def measure_bindings(data: Path, *, vendors: int | None = None) -> list[BindingResult]:
    """Jentic inside each goal's own vendor, by half and all; NESTFUL.

    Args:
        data: Folder with the public sets.
        vendors: This number of Jentic's vendors, taken evenly; all when None.
    """
    return [*_jentic(data, vendors), _nestful(data)]


def binding_result(row: Mapping[str, Any]) -> BindingResult:
    """What `asdict` made of a result, read back."""
    counts = tuple(BindingCounts(**one) for one in row["counts"])
    return BindingResult(row["set"], counts, row["fingerprint"], row["p50_ms"])


@dataclass(frozen=True, slots=True)
class _Counted:
    counts: BindingCounts
    label: str
    seconds: float
    half: int = 0


def _jentic(data: Path, vendors: int | None) -> Iterable[BindingResult]:
    tools = jentic.vendors(data, count=vendors)
    goals = jentic.goals(data, tools)
    labels = gold_inputs(data, goals)
    own: dict[str, PlanCatalogue] = {}
    found = []
    for goal in goals:
        if goal.vendor not in own:
            own[goal.vendor] = catalogue_of(tools[goal.vendor])
            _ = own[goal.vendor].graph
        plan, took = _timed(own[goal.vendor], goal.text)
        by_id: dict[str, Tool] = {tool.id: tool for tool in tools[goal.vendor]}
        counts = count_inputs(plan, goal.gold, labels[goal.id], by_id.get)
        label = repr((goal.id, goal.text, goal.gold, labels[goal.id]))
        found.append(_Counted(counts, label, took, jentic.half(goal.vendor)))
    for part, wanted in (("half 0", (0,)), ("half 1", (1,)), ("all", (0, 1))):
        chosen = [one for one in found if one.half in wanted]
        if chosen:
            yield _result(f"jentic {part}", chosen)


def _nestful(data: Path) -> BindingResult:
    catalogue = catalogue_of([tool_of(row) for row in lines(require(data, *_NESTFUL, "tools.jsonl"))])
    _ = catalogue.graph
    found = []
    for row in lines(require(data, *_NESTFUL, "queries.jsonl")):
        plan, took = _timed(catalogue, row["query"])
        pairs = [(one["from"], one["to"]) for one in row["meta"].get("data_deps", ())]
        label = repr((row["id"], row["query"], row["gold"], pairs))
        found.append(_Counted(count_pairs(plan, row["gold"], pairs), label, took))
    return _result("nestful", found)


def _result(name: str, found: Sequence[_Counted]) -> BindingResult:
    digest = hashlib.sha256("\n".join(one.label for one in found).encode())
    ms = 1000 * median(one.seconds for one in found)
    return BindingResult(name, tuple(one.counts for one in found), digest.hexdigest(), ms)


def _timed(catalogue: PlanCatalogue, goal: str) -> tuple[Plan, float]:
    begin = time.perf_counter()
    plan = catalogue.plan(PlanRequest(goal=goal))
    return plan, time.perf_counter() - begin


def count_inputs(
    plan: Plan,
    gold: Sequence[str],
    labels: Iterable[GoldInput],
    tool_named: Callable[[str], Tool | None],
) -> BindingCounts:
    """A plan against labels that name the inputs; `gold` is the tool of each labelled step."""
    pairs = _paired(plan, gold)
    there = {step.tool_id for step in plan.steps}
    right = both = from_steps = left_right = left = 0
    for label in labels:
        tool = tool_named(gold[label.step])
        slots = slots_of(tool) if tool else None
        if slots is None or not slots.takes(label.parameter):
            continue
        step = pairs.get(label.step)
        found = bound_at(step, slots, label.parameter) if step else []
        if label.producer is None:
            if step and slots.requires(label.parameter):
                left += 1
                left_right += any(isinstance(bound, InputBinding | KnownBinding) for bound in found)
            continue
        from_steps += 1
        both += step is not None and gold[label.producer] in there
        right += any(
            isinstance(bound, StepBinding) and _tool_at(plan, bound) == gold[label.producer]
            for bound in found
        )
    ours = sum(1 for step in pairs.values() for _ in _from_steps(step))
    return BindingCounts(min(right, ours), ours, both, from_steps, left_right, left)


def count_pairs(plan: Plan, gold: Sequence[str], labels: Iterable[tuple[str, str]]) -> BindingCounts:
    """A plan against labels that name only the two calls."""
    wanted = Counter(labels)
    steps = list(_paired(plan, gold).values())
    ours = Counter(
        (_tool_at(plan, bound), str(step.tool_id)) for step in steps for bound in _from_steps(step)
    )
    there = Counter(str(step.tool_id) for step in plan.steps)
    both = sum(count for (first, then), count in wanted.items() if not Counter((first, then)) - there)
    return BindingCounts((wanted & ours).total(), ours.total(), both, wanted.total())


def _paired(plan: Plan, gold: Sequence[str]) -> dict[int, PlanStep]:
    """Index of a labelled step -> the plan's step of the same tool, equal ones in their order."""
    waiting: defaultdict[str, list[PlanStep]] = defaultdict(list)
    for step in reversed(plan.steps):
        waiting[step.tool_id].append(step)
    return {at: waiting[tool].pop() for at, tool in enumerate(gold) if waiting.get(tool)}


def _from_steps(step: PlanStep) -> Iterable[StepBinding]:
    for binding in step.bindings.values():
        yield from (part for part in binding_parts(binding) if isinstance(part, StepBinding))


def _tool_at(plan: Plan, bound: StepBinding) -> str:
    return str(plan.steps[bound.step - 1].tool_id) if 1 <= bound.step <= len(plan.steps) else ""


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, _DIGITS) if whole else None


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
