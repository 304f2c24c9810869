"""Plans for the goals of public sets; no gold is given to the planner, one setting for all."""

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from app.domain.nodes.models import Tool
from bench.measure.plan_metrics import (
    exact_set,
    ordered_pairs,
    path_recall,
    plan_precision,
    plan_recall,
    set_recall,
)
from bench.measure.planner import PlanCatalogue, catalogue_of
from bench.sets import jentic
from bench.sets.datasets import lines, require, tool_of
from bench.sets.openapi_tools import read_tools

COLUMNS = ("R@g", "R@10", "exact", "R", "P", "path", "order", "steps")
"""Recall of the ranking at |gold| and at 10; exact set, recall, precision and path recall of the plan; share of
consecutive gold pairs in the right order; mean length."""
LANGUAGES = ("English", "Korean")
"""Of the texts of the stripped cases; their documents are bilingual."""
RESTBENCH = {"tmdb": "tmdb-3.0.json", "spotify": "spotify-restbench-3.0.json"}
STRIPPED = (("commerce", "cases"), ("admin", "admin_cases"), ("workflow", "workflow_cases"))
"""Document and cases."""
_PARAMETER = re.compile(r"\{[^}]*\}")


@dataclass(frozen=True, slots=True)
class PlanResult:
    """One row."""

    set: str
    goals: int
    values: tuple[float, ...]
    """In the order of `COLUMNS`."""
    mutating_added: int
    """Steps that change something and that closure added: none is allowed."""
    mutating_targets: int
    """Targets that change something and are not in the gold."""
    p50_ms: float


def measure_plans(data: Path) -> list[PlanResult]:
    """RestBench; Jentic inside each goal's own vendor by half, and over all operations; NESTFUL."""
    results = [_restbench(data, name) for name in RESTBENCH]
    tools = jentic.vendors(data)
    goals = jentic.goals(data, tools)
    own = {vendor: catalogue_of(found) for vendor, found in tools.items()}
    for part, wanted in (("half 0", (0,)), ("half 1", (1,)), ("all", (0, 1))):
        chosen = [goal for goal in goals if jentic.half(goal.vendor) in wanted]
        results.append(
            _score(f"jentic {part}", [(own[goal.vendor], goal.text, goal.gold) for goal in chosen])
        )
    whole = catalogue_of([tool for found in tools.values() for tool in found])
    results.append(_score("jentic whole", [(whole, goal.text, goal.gold) for goal in goals]))
    results.append(_nestful(data))
    return results


def _nestful(data: Path) -> PlanResult:
    """Functions nested in each other, without paths: reported, nothing is claimed."""
    folder = ("bench", "nestful")
    catalogue = catalogue_of([tool_of(row) for row in lines(require(data, *folder, "tools.jsonl"))])
    rows = lines(require(data, *folder, "queries.jsonl"))
    return _score("nestful", [(catalogue, row["query"], tuple(row["gold"])) for row in rows])


def _restbench(data: Path, name: str) -> PlanResult:
    tools, goals = restbench(data, name)
    catalogue = catalogue_of(tools)
    return _score(name, [(catalogue, text, gold) for text, gold in goals])


def restbench(data: Path, name: str) -> tuple[list[Tool], list[tuple[str, tuple[str, ...]]]]:
    """The operations of a RestBench document, and its goals with the calls that reach them."""
    tools = read_tools(require(data, "openapi", "specs", RESTBENCH[name]), server=name)
    by_call = {(tool.method, _PARAMETER.sub("{}", tool.path)): tool.id for tool in tools}
    ids = {tool.id for tool in tools}
    goals = []
    for row in lines(require(data, "bench", f"restbench_{name}", "queries.jsonl")):
        calls = [call.strip().split(" ", 1) for call in row["meta"]["raw"]]
        named = [by_call.get((method, _PARAMETER.sub("{}", path)), "") for method, path in calls]
        goals.append((row["query"], tuple(row["gold"] if ids.issuperset(row["gold"]) else named)))
    return tools, goals


def _score(name: str, rows: Sequence[tuple[PlanCatalogue, str, Sequence[str]]]) -> PlanResult:
    totals = [0.0] * (len(COLUMNS) - 2)
    right = pairs = steps = added = targets = 0
    times = []
    for catalogue, text, gold in rows:
        start = time.perf_counter()
        draft = catalogue.draft(text)
        times.append(time.perf_counter() - start)
        plan, ranking = catalogue.ids(draft.order), catalogue.ids(draft.ranking)
        values = (
            set_recall(ranking, gold),
            set_recall(ranking, gold, 10),
            exact_set(plan, gold),
            plan_recall(plan, gold),
            plan_precision(plan, gold),
            path_recall(plan, gold),
        )
        totals = [total + value for total, value in zip(totals, values, strict=True)]
        in_order, both = ordered_pairs(plan, gold)
        right, pairs, steps = right + in_order, pairs + both, steps + len(plan)
        added += sum(catalogue.index.traits[at].mutating for at in draft.closure.added)
        targets += sum(
            catalogue.index.traits[target.at].mutating and catalogue.index.tools[target.at].id not in gold
            for target in draft.targets
        )
    means = [total / len(rows) for total in totals]
    row = (*means, right / max(1, pairs), steps / len(rows))
    return PlanResult(name, len(rows), row, added, targets, 1000 * median(times))


@dataclass(frozen=True, slots=True)
class StrippedResult:
    """The 15 cases whose documents were stripped of their answers."""

    language: str
    cases: int
    partial_orders: int
    """The right set, and every binding's producer before its consumer."""
    exact_sequences: int
    exact_sets: int
    targets: int
    bindings: int
    all_bindings: int
    failed: tuple[str, ...]


ENGLISH: Mapping[str, str] = {
    "product_search_direct_ko": "product search",
    "product_detail_ko": "search by product name and show me the product detail",
    "inventory_chain_ko": "check the stock quantity of the product sku",
    "add_cart_chain_ko": "put one product in the cart",
    "coupon_checkout_ko": "apply a coupon and proceed with the cart payment",
    "shipment_tracking_ko": "tell me the delivery tracking status of the product I ordered",
    "review_user_slots_ko": "I want to write a review of the product I bought",
    "role_list_direct_ko": "look up the role list",
    "assign_role_ko": "find the user by email and grant the administrator role permission",
    "audit_logs_ko": "look up the audit logs of user account changes",
    "revoke_session_ko": "find the user session and force a logout",
    "workflow_search_direct_ko": "workflow search",
    "approve_task_ko": "find the order approval request and process the workflow approval",
    "notify_assignee_ko": "send the workflow assignee a notification requesting processing",
    "escalate_overdue_ko": "find the delayed workflow task and escalate it",
}
"""The cases' texts in English, by id; the documents are bilingual."""


def measure_stripped(data: Path, *, language: str = "English") -> StrippedResult:
    """Plans for the 15 cases; the planner sees the text and the document alone."""
    folder = require(data, "bench", "graph_tool_call", "xgen_tool_graph")
    counts = dict.fromkeys(("sequence", "set", "order", "target", "binding", "bindings"), 0)
    failed = []
    for document, cases in STRIPPED:
        catalogue = catalogue_of(read_tools(folder / f"{document}_openapi.json", server=document))
        for case in json.loads((folder / f"{cases}.json").read_text())["cases"]:
            draft = catalogue.draft(ENGLISH[case["id"]] if language == "English" else case["query"])
            name = [catalogue.tools[at].name for at in range(len(catalogue.tools))]
            plan = [name[at] for at in draft.order]
            wanted = case["expected_bindings"]
            bound = {
                f"{name[consumer]}.{parameter}": name[producer]
                for (consumer, parameter), (producer, _) in draft.closure.filled.items()
            }
            same = set(plan) == set(case["expected_plan"])
            ordered = same and all(
                plan.index(producer) < plan.index(slot.split(".")[0]) for slot, producer in wanted.items()
            )
            counts["sequence"] += plan == case["expected_plan"]
            counts["set"] += same
            counts["order"] += ordered
            counts["target"] += plan[-1:] == [case["expected_target"]]
            counts["binding"] += sum(bound.get(slot) == producer for slot, producer in wanted.items())
            counts["bindings"] += len(wanted)
            if not ordered:
                failed.append(case["id"])
    return StrippedResult(
        language,
        len(ENGLISH),
        counts["order"],
        counts["sequence"],
        counts["set"],
        counts["target"],
        counts["binding"],
        counts["bindings"],
        tuple(failed),
    )
