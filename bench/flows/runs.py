"""Runs of AgentDojo as plans: each argument is bound to where its value stood first."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.domain.flows.labels import labels_of
from app.domain.nodes.models import Label, Tool, ToolId
from app.domain.planning.operations import read_operation
from app.domain.schemas.walk import json_pointer
from app.domain.workflows.plans import Binding, ComposedBinding, KnownBinding, Plan, PlanStep, StepBinding

_SHORT = 4
"""A value of fewer characters stands within other words by chance."""


@dataclass(frozen=True, slots=True)
class AttackRun:
    """One run, in which every call works."""

    suite: str
    user: str
    injection: str
    """Empty in a harmless run."""
    plan: Plan
    attacked_from: int
    """Position of the first call that the attacker wants; 0 in a harmless run."""

    @property
    def name(self) -> str:
        """For lists: `banking user_task_0 injection_task_3`."""
        return " ".join(filter(None, (self.suite, self.user, self.injection)))


@dataclass(slots=True)
class Suites:
    """What the environments said."""

    tools: dict[str, Tool] = field(default_factory=dict)
    runs: list[AttackRun] = field(default_factory=list)
    failed: int = 0
    """Runs whose truth its own environment does not carry out."""


def read_suites(rows: Sequence[Mapping[str, Any]]) -> Suites:
    """What `truths_script` wrote, row by row."""
    found = Suites()
    for row in rows:
        if "tools" in row:
            for one in row["tools"]:
                tool = described_tool(row["suite"], one)
                found.tools[tool.id] = tool
        elif row["failed"]:
            found.failed += 1
        else:
            found.runs.append(_run(row, found.tools))
    return found


def described_tool(server: str, said: Mapping[str, Any]) -> Tool:
    """A tool of a `tools/list` answer."""
    schemas = {name: said.get(name) for name in ("inputSchema", "outputSchema")}
    return Tool(
        id=ToolId(f"{server}/{said['name']}"),
        server=server,
        name=said["name"],
        title=said.get("title") or "",
        description=said.get("description") or "",
        input_schema=json.dumps(schemas["inputSchema"]) if schemas["inputSchema"] else "",
        output_schema=json.dumps(schemas["outputSchema"]) if schemas["outputSchema"] else "",
        method="",
        path="",
        read_only=None,
        destructive=None,
        idempotent=None,
        open_world=None,
        deprecated=False,
        declared=False,
        categories=(),
        content_hash="",
    )


def _run(row: Mapping[str, Any], tools: Mapping[str, Tool]) -> AttackRun:
    steps: list[PlanStep] = []
    answers: list[list[tuple[tuple[str, ...], str]]] = []
    untrusted: list[int] = []
    for position, call in enumerate(row["calls"], start=1):
        tool = tools[f"{row['suite']}/{call['tool']}"]
        bindings = {
            name: _binding(value, row["prompt"], answers, untrusted)
            for name, value in call["arguments"].items()
        }
        steps.append(
            PlanStep(
                position=position,
                tool_id=tool.id,
                bindings=bindings,
                mutating=read_operation(tool).mutating,
            )
        )
        answers.append([(place, text.casefold()) for place, text in _leaves(call["answer"])])
        label = labels_of(tool).get(Label.UNTRUSTED_CONTENT)
        if label is not None and label.counts:
            untrusted.append(position)
    attacked = next((at for at, call in enumerate(row["calls"], start=1) if call["attack"]), 0)
    plan = Plan(goal=row["prompt"], steps=tuple(steps))
    return AttackRun(row["suite"], row["user"], row["injection"], plan, attacked)


def _binding(
    value: object,
    prompt: str,
    answers: Sequence[Sequence[tuple[tuple[str, ...], str]]],
    untrusted: Sequence[int],
) -> Binding:
    """From the goal where the value stands in it, else from the last earlier answer that has it.

    Else it is untrusted, as what a model makes of what it read.
    """
    parts: dict[str, StepBinding] = {}
    for number, (_, text) in enumerate(_leaves(value)):
        asked = text.casefold()
        if _stands(asked, prompt.casefold()):
            continue
        place = _place(asked, answers)
        if place is None and untrusted:
            place = (untrusted[-1], ())
        if place is not None:
            parts[str(number)] = StepBinding(step=place[0], path=json_pointer(place[1]) if place[1] else "")
    if not parts:
        return KnownBinding(known="")
    return ComposedBinding(compose="".join(f"{{{name}}}" for name in parts), parts=parts)


def _place(
    asked: str, answers: Sequence[Sequence[tuple[tuple[str, ...], str]]]
) -> tuple[int, tuple[str, ...]] | None:
    """The last answer whose whole value it is, else the last one whose text has it."""
    for exact in (True, False):
        for position in range(len(answers), 0, -1):
            for place, text in answers[position - 1]:
                if (asked == text) if exact else _stands(asked, text):
                    return position, place
    return None


def _stands(asked: str, text: str) -> bool:
    """Whether a text has a value: a short one as a word of its own."""
    if len(asked) < _SHORT:
        return asked in text.replace("'", " ").replace('"', " ").replace(",", " ").split()
    return asked in text


def _leaves(value: object, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, Mapping):
        for key, child in value.items():
            yield from _leaves(child, (*place, str(key)))
    elif isinstance(value, list):
        for at, child in enumerate(value):
            yield from _leaves(child, (*place, str(at)))
    elif value is not None and not isinstance(value, bool):
        yield place, str(value)
