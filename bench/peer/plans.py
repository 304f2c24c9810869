"""Plans and edges of `graph-tool-call` on the sets that it can run on, measured as ours are.

It runs in an interpreter of its own (extra `bench`), with a time limit for each set; what it had not done by then
counts as an empty plan. Its planner gets the goal alone, as ours does: no entities, no target.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from app.domain.nodes.models import Tool
from bench.measure.plan_metrics import exact_set, ordered_pairs, path_recall, plan_precision, plan_recall
from bench.measure.plans import ENGLISH, RESTBENCH, STRIPPED, restbench
from bench.peer.process import ask_peer
from bench.sets import jentic
from bench.sets.datasets import require
from bench.sets.openapi_tools import read_tools

COLUMNS = ("exact", "R", "P", "path", "order", "steps")
"""As those of `plans`, of its plans; it gives no ranking beside them."""


@dataclass(frozen=True, slots=True)
class PeerResult:
    """One row."""

    set: str
    goals: int
    values: tuple[float, ...]
    """In the order of `COLUMNS`."""
    edges: int
    pairs_found: float | None
    """Share of the labelled pairs that it joins, in either direction; None without labelled pairs."""
    failed: int
    """Documents that it could not read."""
    finished: bool
    """False when its time ran out."""
    p50_ms: float


@dataclass(frozen=True, slots=True)
class _Document:
    path: Path
    tools: Sequence[Tool]
    goals: Sequence[tuple[str, Sequence[str]]]


def measure_peer(data: Path, *, python: Path, seconds: float) -> list[PeerResult]:
    """RestBench, Jentic inside each goal's own vendor, and the 15 stripped cases in both languages."""
    sets: list[tuple[str, list[_Document]]] = []
    for name, file in RESTBENCH.items():
        tools, goals = restbench(data, name)
        sets.append((name, [_Document(require(data, "openapi", "specs", file), tools, goals)]))
    vendors, paths = jentic.vendors(data), jentic.documents(data)
    wanted = jentic.goals(data, vendors)
    of_jentic = [
        _Document(
            path,
            vendors[vendor],
            [(goal.text, goal.gold) for goal in wanted if goal.vendor == vendor],
        )
        for vendor, path in paths.items()
    ]
    sets.append(("jentic all", of_jentic))
    sets += [(f"cases, {language}", _cases(data, language)) for language in ("English", "Korean")]
    pairs = {"jentic all": jentic.pairs(data, vendors)}
    return [_measure(name, documents, pairs.get(name, ()), python, seconds) for name, documents in sets]


def _cases(data: Path, language: str) -> list[_Document]:
    folder = require(data, "bench", "graph_tool_call", "xgen_tool_graph")
    found = []
    for document, cases in STRIPPED:
        path = folder / f"{document}_openapi.json"
        tools = read_tools(path, server=document)
        ids = {tool.name: str(tool.id) for tool in tools}
        goals = [
            (
                ENGLISH[case["id"]] if language == "English" else case["query"],
                [ids[name] for name in case["expected_plan"]],
            )
            for case in json.loads((folder / f"{cases}.json").read_text())["cases"]
        ]
        found.append(_Document(path, tools, goals))
    return found


def _measure(
    name: str,
    documents: Sequence[_Document],
    pairs: Sequence[tuple[str, str]],
    python: Path,
    seconds: float,
) -> PeerResult:
    answers, finished = _ask(documents, python, seconds)
    totals = [0.0] * 4
    right = both = steps = goals = edges = failed = 0
    times: list[float] = []
    joined: set[tuple[str, str]] = set()
    for document in documents:
        answer = answers.get(str(document.path), {})
        ids = {f"{tool.method} {tool.path}": str(tool.id) for tool in document.tools}
        failed += bool(answer.get("failed"))
        edges += len(answer.get("edges", ()))
        joined.update((ids.get(one, one), ids.get(other, other)) for one, other in answer.get("edges", ()))
        plans = answer.get("plans") or [([], 0.0)] * len(document.goals)
        for (_, gold), (calls, took) in zip(document.goals, plans, strict=True):
            plan = [ids.get(call, call) for call in calls]
            scores = (exact_set(plan, gold), plan_recall(plan, gold), plan_precision(plan, gold))
            totals = [a + b for a, b in zip(totals, (*scores, path_recall(plan, gold)), strict=True)]
            in_order, together = ordered_pairs(plan, gold)
            right, both, steps, goals = right + in_order, both + together, steps + len(plan), goals + 1
            times.append(took)
    values = (*(total / goals for total in totals), right / max(1, both), steps / goals)
    found = sum((one, other) in joined or (other, one) in joined for one, other in pairs)
    share = found / len(pairs) if pairs else None
    return PeerResult(name, goals, values, edges, share, failed, finished, 1000 * median(times))


def _ask(
    documents: Iterable[_Document], python: Path, seconds: float
) -> tuple[dict[str, dict[str, Any]], bool]:
    """What it said of each document by path, and whether it finished in time."""
    job = {
        "documents": [
            {"path": str(document.path), "goals": [text for text, _ in document.goals]}
            for document in documents
        ]
    }
    answer = ask_peer(python, Path(__file__).with_name("plan_script.py"), job, seconds=seconds)
    return {row["path"]: row for row in answer.rows}, answer.finished
