"""Whether a goal has the same plan however it is put: politely, in passing, with the apostrophes of telephones, beside another.

    python -m tools.reword_goals DATA [GOALS ...]

DATA is the folder with the public sets (docs/benchmarks.md), GOALS are files of `bench/goals`; the visible goals where none is
named. For each way of putting a goal: to how many goals it was applied, and how many of these have other calls or inputs then.
Two orders of one server are put side by side, too: what each asks for is to be done as it is done alone.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from app.domain.language.goal_words import all_verbs
from app.domain.language.text import stem
from app.domain.workflows.plans import Binding, KnownBinding, Plan
from app.usecases.questions import Filters, PlanRequest
from bench.judged.goals import catalogue_of_goals
from bench.sets.goals import GoalItem, read_goals

_USAGE = 2
_FIRST_WORD = re.compile(r"[A-Za-z]++(?=\s)(?!\s++(?:is|are|was|were)\b)(?!\s++[\w#./-]++:)")
"""A word that may be the verb of an order, unless it tells how something is, or heads what follows a colon."""
_CONTRACTION = re.compile(
    r"\b(?=[a-z]{2,6}n't\b|(?:it|that|he|she|they|we|i)'[a-z])[a-z]++'[a-z]++", re.IGNORECASE
)
_SHOWING = re.compile(r"(?:show me|list)\b(?=\s++(?:the|all)\b)", re.IGNORECASE)


def _is_order(goal: str) -> bool:
    first = _FIRST_WORD.match(goal)
    return first is not None and stem(first[0].lower()) in all_verbs() and not goal[:2].isupper()


def _led(opening: str, ending: str = "") -> Callable[[str], str]:
    def put(goal: str) -> str:
        whole = not ending or "." not in goal.rstrip(".")
        return f"{opening}{goal[0].lower()}{goal[1:]}{ending}" if _is_order(goal) and whole else goal

    return put


def _ended(ending: str) -> Callable[[str], str]:
    return lambda goal: f"{goal}{ending}" if _is_order(goal) and goal[-1].isalnum() else goal


WAYS: Mapping[str, Callable[[str], str]] = {
    "please ...": _led("please "),
    "can you ...?": _led("can you ", "?"),
    "i need you to ...": _led("i need you to "),
    "i want to ...": _led("i want to "),
    "let's ...": _led("let's "),
    "just ...": _led("just "),
    "ok, ...": _led("ok, "),
    "hey, ...": _led("hey, "),
    "..., please": _ended(", please"),
    "... asap": _ended(" asap"),
    "... for me": lambda goal: goal if re.search(r"\b(?:to|for)\b", goal) else _ended(" for me")(goal),
    "... right away": _ended(" right away"),
    "with a full stop": lambda goal: f"{goal}." if goal[-1].isalnum() else goal,
    "with a capital": lambda goal: goal[0].upper() + goal[1:],
    "don\u2019t": lambda goal: _CONTRACTION.sub(lambda found: found[0].replace("'", "\u2019"), goal),
    "\u201cquoted\u201d": lambda goal: re.sub(r'"([^"]++)"', "\u201c\\1\u201d", goal),
    "give me the ...": lambda goal: _SHOWING.sub("give me", goal, count=1) if _SHOWING.match(goal) else goal,
}
"""How goals are put, and what puts one so; it stays as it is where the way does not suit it."""


JOINTS = ("{}. {}.", "{} and {}", "{}, then {}", "{}; {}")
"""How two orders are put side by side; the first of them also begins the second with a capital."""
_NOT_ALONE = re.compile(r"[:?]|\.\s|\b(?:don't|not|without|except|but|if|unless|no)\b")
"""What says more than an order, or restricts it: that may be said of the other one, too."""


@dataclass(slots=True)
class _Counts:
    put: Counter[str] = field(default_factory=Counter)
    other: Counter[str] = field(default_factory=Counter)


def _plans(found: Plan) -> object:
    return [(step.tool_id, step.bindings, step.when) for step in found.steps]


def _pairs(goals: Sequence[GoalItem]) -> Iterator[tuple[GoalItem, GoalItem, str]]:
    """Each order with the next one of its server, and how they are joined."""
    by_server: defaultdict[str, list[GoalItem]] = defaultdict(list)
    for item in goals:
        if (
            _is_order(item.goal)
            and item.goal[-1].isalnum()
            and not (item.known or _NOT_ALONE.search(item.goal))
        ):
            by_server[item.server].append(item)
    for alone in by_server.values():
        for at, (first, second) in enumerate(pairwise(alone)):
            yield first, second, JOINTS[at % len(JOINTS)]


def _joined(joint: str, first: str, second: str) -> str:
    capital = joint == JOINTS[0]
    return joint.format(first, second[0].upper() + second[1:] if capital else second)


def _calls(found: Plan) -> Counter[str]:
    """The calls of a plan with what is known of each, and which of their inputs come from other steps."""
    return Counter(
        repr((step.tool_id, sorted((name, _known(binding)) for name, binding in step.bindings.items())))
        for step in found.steps
    )


def _known(binding: Binding) -> str:
    return repr(binding.known) if isinstance(binding, KnownBinding) else binding.__class__.__name__


def _is_whole(found: Plan) -> bool:
    """Whether a plan needs nothing more and leaves nothing out."""
    return bool(found.steps) and not (found.inputs or found.unused or found.unmet)


def main(arguments: Sequence[str]) -> int:
    """Plan each goal as it is and in each way, and print a table."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return _USAGE
    counts = _Counts()
    files: list[Path | None] = [Path(one) for one in arguments[1:]]
    for path in files or [None]:
        found = read_goals(Path(arguments[0]), goals=path)
        catalogue = catalogue_of_goals(found)

        def planned(item: GoalItem, goal: str) -> Plan:
            filters = Filters(servers=(item.server,))
            return catalogue.plan(PlanRequest(goal=goal, known=item.known, filters=filters))  # noqa: B023

        for item in found.goals:
            before = _plans(planned(item, item.goal))
            for name, put in WAYS.items():
                if (goal := put(item.goal)) != item.goal:
                    counts.put[name] += 1
                    counts.other[name] += _plans(planned(item, goal)) != before
        for first, second, joint in _pairs(found.goals):
            alone = planned(first, first.goal), planned(second, second.goal)
            tools = [{step.tool_id for step in plan.steps} for plan in alone]
            if all(map(_is_whole, alone)) and tools[0].isdisjoint(tools[1]):
                both = planned(first, _joined(joint, first.goal, second.goal))
                counts.put[joint] += 1
                counts.other[joint] += _calls(both) != _calls(alone[0]) + _calls(alone[1])
        print(f"{path or 'visible'}: {len(found.goals)} goals", file=sys.stderr)
    for name in (*WAYS, *JOINTS):
        print(f"{name:20} {counts.put[name]:5} goals {counts.other[name]:5} other plans")
    print(f"{'in all':20} {counts.put.total():5} goals {counts.other.total():5} other plans")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
