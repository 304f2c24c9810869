"""InjecAgent's cases as plans: the user's call, then what its answer tells an agent to call."""

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.domain.flows.check import toxic_flows
from app.domain.flows.labels import labels_of
from app.domain.nodes.models import Tool
from app.domain.schemas.walk import json_pointer
from app.domain.workflows.plans import Binding, Plan, PlanStep, StepBinding
from app.errors import InvalidInputError
from bench.flows.runs import described_tool

_PLACE = "<Attacker Instruction>"


@dataclass(frozen=True, slots=True)
class InjecAgentShares:
    """How many of the cases are found."""

    kind: str
    """`harm`: a call that does harm; `theft`: private data are read and sent."""
    cases: int
    high: float
    any: float


def measure_injecagent(folder: Path) -> list[InjecAgentShares]:
    """Every user's case with every attacker's.

    Args:
        folder: With `tools.json`, `user_cases.jsonl`, `attacker_cases_dh.jsonl` and `attacker_cases_ds.jsonl`.

    Raises:
        InvalidInputError: a file is not there.
    """
    for name in ("tools.json", "user_cases.jsonl", "attacker_cases_dh.jsonl", "attacker_cases_ds.jsonl"):
        if not (folder / name).is_file():
            raise InvalidInputError(f"{folder}: no {name}; accepted: the folder `data` of InjecAgent")
    tools = dict(_tools(json.loads((folder / "tools.json").read_text(encoding="utf-8"))))
    users = _lines(folder / "user_cases.jsonl")
    return [
        _shares(kind, users, _lines(folder / f"attacker_cases_{name}.jsonl"), tools)
        for kind, name in (("harm", "dh"), ("theft", "ds"))
    ]


def _shares(
    kind: str, users: list[dict[str, Any]], attackers: list[dict[str, Any]], tools: Mapping[str, Tool]
) -> InjecAgentShares:
    labels = {name: labels_of(tool) for name, tool in tools.items()}
    severities = []
    for user in users:
        for attacker in attackers:
            names = [user["User Tool"], *attacker["Attacker Tools"]]
            if not set(names) <= tools.keys():
                continue
            plan = _plan(user, [tools[name] for name in names])
            found = toxic_flows(plan, {at: labels[name] for at, name in enumerate(names, start=1)})
            severities.append({flow.severity for flow in found})
    count = max(1, len(severities))
    high = sum("high" in one for one in severities) / count
    return InjecAgentShares(kind, len(severities), high, sum(map(bool, severities)) / count)


def _plan(user: Mapping[str, Any], called: list[Tool]) -> Plan:
    """What the attacker's calls take comes from the text; what a call sends comes from the one before, if there is one."""
    place = json_pointer(_place_of(_read(user["Tool Response Template"])))
    steps = [PlanStep(position=1, tool_id=called[0].id)]
    for position, tool in enumerate(called[1:], start=2):
        schema = json.loads(tool.input_schema)
        bindings: dict[str, Binding] = {
            name: StepBinding(step=2, path="")
            if position > 2 and name in ("body", "message", "content")
            else StepBinding(step=1, path=place)
            for name in schema.get("required") or schema["properties"]
        }
        steps.append(PlanStep(position=position, tool_id=tool.id, bindings=bindings))
    return Plan(goal=user["User Instruction"], steps=tuple(steps))


def _read(template: str) -> object:
    try:
        return ast.literal_eval(template)
    except (ValueError, SyntaxError):
        return template


def _place_of(value: object, place: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Where the attacker's text stands; empty where the whole answer is a text."""
    children: list[tuple[str, object]] = []
    if isinstance(value, Mapping):
        children = [(str(key), child) for key, child in value.items()]
    elif isinstance(value, list):
        children = [(str(at), child) for at, child in enumerate(value)]
    for key, child in children:
        if _PLACE in json.dumps(child, default=str):
            return _place_of(child, (*place, key))
    return place


def _tools(kits: list[dict[str, Any]]) -> Iterator[tuple[str, Tool]]:
    for kit in kits:
        for one in kit["tools"]:
            name = f"{kit['name_for_model']}{one['name']}"
            properties = {item["name"]: {"type": item.get("type", "string")} for item in one["parameters"]}
            required = [item["name"] for item in one["parameters"] if item.get("required")]
            schema = {"type": "object", "properties": properties, "required": required}
            said = {"name": one["name"], "description": one["summary"], "inputSchema": schema}
            yield name, described_tool(kit["name_for_model"], said)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
