"""Outages as catalogues."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from app.domain.catalogue import Catalogue
from app.domain.nodes.dependencies import Evidence, Requirement
from app.domain.nodes.models import MethodId, Tool, ToolId
from app.domain.workflows.plans import Plan
from app.usecases.index.narrowed import narrowed_index
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.plans.reach import CallReach
from app.usecases.questions import PlanRequest
from app.usecases.rankings.consistent import ConsistentGraph
from tests.unit.catalogues import catalogue, method, tool

OUTAGES: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "outages.toml").read_text("utf-8")
)
_INPUT = re.compile(
    r"(?P<name>\w+):(?P<type>\w+)(?P<star>\*?)(\((?P<format>[\w-]+)\))?(\[(?P<enum>[\w|]+)\])?(?P<star2>\*?)"
    r"(\s+# (?P<said>.*))?"
)


@dataclass(frozen=True)
class Outage:
    """What cannot be called of a catalogue."""

    catalogue: Catalogue
    down: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    def plan(self, goal: str, **options: Any) -> Plan:
        """The plan of whoever sees what is not hidden."""
        index = SearchIndex.build(self.catalogue)
        visible = np.array([one.id not in self.hidden for one in self.catalogue.tools], np.bool_)
        seen = narrowed_index(index, visible, lambda *_: True)
        reach = CallReach(
            callable_ids=frozenset(one.id for one in self.catalogue.tools) - self.denied - self.hidden,
            down=lambda: self.down,
            is_ruled=True,
            is_closed=True,
        )
        return make_plan(PlanRequest(goal=goal, **options), ConsistentGraph(seen), reach).plan


def outage_of(case: Mapping[str, Any]) -> Outage:
    """An outage of the file."""
    joined = case.get("joined", ())
    methods = [
        method(one, tools).model_copy(
            update={"alternatives": tuple(MethodId(other) for first, other in joined if first == one)}
        )
        for one, tools in case.get("methods", {}).items()
    ]
    found = catalogue([_tool(one, said) for one, said in case["tools"].items()], methods=methods)
    edges = tuple(_edge(one) for one in case.get("edges", ()))
    return Outage(
        replace(found, requirements=tuple(sorted(edges, key=lambda edge: edge.consumer))),
        *(frozenset(case.get(name, ())) for name in ("down", "denied", "hidden")),
    )


def _tool(tool_id: str, said: str) -> Tool:
    marks, _, rest = said.rpartition("! ") if said.startswith("!") else ("", "", said)
    inputs, _, outputs = rest.partition("->")
    properties, required = {}, []
    for one in _parts(inputs):
        found = _INPUT.fullmatch(one)
        assert found, one
        schema: dict[str, Any] = {"type": found["type"]}
        if found["format"]:
            schema["format"] = found["format"]
        if found["enum"]:
            schema["enum"] = found["enum"].split("|")
        if found["said"]:
            schema["description"] = found["said"]
        properties[found["name"]] = schema
        if found["star"] or found["star2"]:
            required.append(found["name"])
    answer: dict[str, Any] = {"type": "object", "properties": {}}
    for one in _parts(outputs):
        place, _, kind = one.partition(":")
        _put(answer, place.split("/")[1:], kind)
    changes = said.startswith("!")
    return tool(
        tool_id,
        tool_id.partition("/")[2].replace("_", " "),
        input_schema=json.dumps({"type": "object", "properties": properties, "required": required}),
        output_schema=json.dumps(answer),
        read_only=not changes,
        destructive=(marks == "!") if changes else None,
    )


def _parts(text: str) -> Iterable[str]:
    return (one.strip() for one in text.split(",") if one.strip())


def _put(schema: dict[str, Any], place: list[str], kind: str) -> None:
    first, *rest = place
    if first == "*":
        schema.update({"type": "array", "items": schema.get("items", {"type": "object", "properties": {}})})
        schema.pop("properties", None)
        _put(schema["items"], rest, kind)
        return
    below = schema["properties"].setdefault(
        first, {"type": "object", "properties": {}} if rest else {"type": kind}
    )
    if rest:
        _put(below, rest, kind)


def _edge(said: str) -> Requirement:
    taker, _, giver = said.partition(" <- ")
    consumer, parameter = taker.split()
    producer, field = giver.split()
    return Requirement(
        consumer=ToolId(consumer),
        producer=ToolId(producer),
        parameter=parameter,
        required=True,
        field=field,
        confidence=0.9,
        evidence=Evidence.SCHEMA,
        rank=1,
    )
