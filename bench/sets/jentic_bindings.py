"""Where the inputs of the Jentic workflows come from, by their own expressions: labels, which only score."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.sets.datasets import require
from bench.sets.jentic import Goal

_FOLDER = ("bench", "jentic_arazzo_dev", "raw", "workflows")
_STEPS, _INPUTS = "$steps.", "$inputs."


@dataclass(frozen=True, slots=True)
class GoldInput:
    """An input of a step that a workflow fills by an expression."""

    step: int
    """Index in the goal's calls."""
    parameter: str
    """A parameter's name, or a JSON pointer into the body, `/` for all of it."""
    producer: int | None
    """Index of the step whose answer fills it; None where the workflow's own inputs do."""


def gold_inputs(data: Path, goals: Sequence[Goal]) -> dict[str, tuple[GoldInput, ...]]:
    """By id of the goal; the steps of a workflow are the calls of its goal, in order.

    Raises:
        InvalidInputError: the folder lacks a vendor's workflows.
    """
    by_vendor: dict[str, dict[str, Any]] = {}
    found = {}
    for goal in goals:
        if goal.vendor not in by_vendor:
            path = require(data, *_FOLDER, goal.vendor, "workflows.arazzo.json")
            workflows = json.loads(path.read_text(encoding="utf-8"))["workflows"]
            by_vendor[goal.vendor] = {row["workflowId"]: row for row in workflows}
        workflow = by_vendor[goal.vendor][goal.id.partition("#")[2]]
        found[goal.id] = tuple(_inputs(workflow["steps"]))
    return found


def _inputs(steps: Sequence[Mapping[str, Any]]) -> Iterator[GoldInput]:
    places = {step["stepId"]: at for at, step in enumerate(steps)}
    for at, step in enumerate(steps):
        values = [(row["name"], row.get("value")) for row in step.get("parameters", ()) if "name" in row]
        payload = (step.get("requestBody") or {}).get("payload")
        for name, value in (*values, *_leaves(payload, "")):
            if not isinstance(value, str):
                continue
            if value.startswith(_INPUTS):
                yield GoldInput(at, name, None)
            elif value.startswith(_STEPS):
                producer = places.get(value.removeprefix(_STEPS).split(".", 1)[0])
                if producer is not None and producer != at:
                    yield GoldInput(at, name, producer)


def _leaves(value: object, pointer: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _leaves(inner, f"{pointer}/{at}")
    else:
        yield pointer or "/", value
