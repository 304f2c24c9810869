"""Whether short goals that are made from schemas get the calls and inputs that they were made from.

    python -m tools.schema_goals DATA

DATA is the folder with the public sets (docs/benchmarks.md). The documents are those of the Jentic set, of at most 150 calls, of which
no set of goals in `bench/goals` is. For each kind of goal: how many, and how many are planned as they were made: with the call,
its inputs and no other change; what has to be looked up by its name is known by it.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.domain.workflows.plans import ComposedBinding, KnownBinding, Plan, PlanStep
from app.usecases.questions import PlanRequest
from bench.generated.schema_goals import SchemaGoal, made_goals
from bench.measure.planner import catalogue_of
from bench.sets.jentic import documents
from bench.sets.openapi_tools import read_tools

_GOALS = Path("bench/goals")
_FEWEST, _MOST = 4, 150
_MOST_BYTES = 700_000
_GOALS_EACH = 20
_HIDDEN = ("box", "discord", "docker", "twilio")
"""Documents of goals that nothing is tried on."""
_USAGE = 2


def main(arguments: Sequence[str]) -> int:
    """Plan the goals, and print a table."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return _USAGE
    made, right = Counter[str](), Counter[str]()
    for server, path in _documents(Path(arguments[0])):
        tools = read_tools(path, server=server)
        goals = made_goals(tools, seed=server, most=_GOALS_EACH) if _FEWEST <= len(tools) <= _MOST else []
        if not goals:
            continue
        catalogue = catalogue_of(tools)
        calls = {tool.id: f"{tool.method} {tool.path}" for tool in tools}
        for goal in goals:
            plan = catalogue.plan(PlanRequest(goal=goal.text))
            is_right = _is_as_made(plan, goal, [calls[step.tool_id] for step in plan.steps])
            made[goal.kind] += 1
            right[goal.kind] += is_right
            if not is_right:
                steps = "; ".join(calls[step.tool_id] for step in plan.steps)
                print(f"{server}: {goal.text} ({goal.call}) -> {steps or 'no call'}", file=sys.stderr)
    for kind, count in sorted(made.items()):
        print(f"{kind:10} {count:5} goals {right[kind]:5} planned as made")
    print(f"{'in all':10} {made.total():5} goals {right.total():5} planned as made")
    return 0


def _documents(data: Path) -> Iterator[tuple[str, Path]]:
    lines = (line for path in _GOALS.glob("*.jsonl") for line in path.read_text("utf-8").splitlines())
    tried = {json.loads(line)["server"] for line in lines if '"server"' in line}
    for server, path in sorted(documents(data).items()):
        hidden = any(name in server for name in _HIDDEN)
        is_tried = not tried.isdisjoint((server.replace("~", "-"), server.partition("~")[0]))
        if not (is_tried or hidden) and path.stat().st_size <= _MOST_BYTES:
            yield server, path


def _is_as_made(plan: Plan, goal: SchemaGoal, calls: Sequence[str]) -> bool:
    if any(step.mutating for step, call in zip(plan.steps, calls, strict=True) if call != goal.call):
        return False
    step = next((one for one, call in zip(plan.steps, calls, strict=True) if call == goal.call), None)
    if step is None:
        return False
    if goal.looked_up:
        return len(plan.steps) > 1 and goal.looked_up in str([one.bindings for one in plan.steps])
    given = dict(_given(step))
    return all(str(given.get(name)).lower() == str(value).lower() for name, value in goal.inputs.items())


def _given(step: PlanStep) -> Iterator[tuple[str, object]]:
    """The scalars that a step is given, each by the name of its input."""
    for name, binding in step.bindings.items():
        if isinstance(binding, KnownBinding):
            yield from _scalars(name, binding.known)
        elif isinstance(binding, ComposedBinding):
            yield from _scalars(name, binding.compose)


def _scalars(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for inner, one in value.items():
            yield from _scalars(inner, one)
    elif isinstance(value, list):
        for one in value:
            yield from _scalars(name, one)
    else:
        yield name, value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
