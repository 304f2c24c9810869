"""The chapter of a report on plans: RestBench, Jentic, NESTFUL, the stripped cases, ToolLinkOS; the rival's beside."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from app.errors import InvalidInputError
from bench.commands.table_data import TableData
from bench.measure import linked_tools, plans
from bench.measure.cells import CellKey, CellStore
from bench.peer import plans as peer_plans
from bench.peer.methods import GraphToolCall
from bench.report.section import Section

PlanRows: TypeAlias = list[dict[str, Any]]
_TIME = "p50_ms"


def measure_all_plans(
    data: Path, peer: GraphToolCall | None, store: CellStore, *, code: str, say: Callable[[str], None]
) -> tuple[dict[str, PlanRows], list[str]]:
    """The rows of each table, and a line for each that the folder has no set for; kept ones are taken as they are."""
    work: dict[str, tuple[str, Callable[[], Sequence[Any]]]] = {
        "sets": (code, partial(plans.measure_plans, data)),
        "stripped": (code, partial(_stripped, data)),
        "linked": (code, partial(linked_tools.measure_linked, data)),
    }
    if peer:
        of = f"{peer.version} {peer.seconds:g}"
        run = partial(peer_plans.measure_peer, data, python=peer.python, seconds=peer.seconds)
        work["peer"] = (of, run)
    found, missing = {}, []
    for name, (of, run_now) in work.items():
        key = CellKey("plans", name, of)
        values = store.read_values(key)
        if values is None:
            try:
                values = {"rows": [asdict(row) for row in run_now()]}
            except InvalidInputError as error:
                missing.append(f"plans, {name}: {error}")
                continue
            store.write_values(key, values)
            say(f"plans, {name}: {len(values['rows'])} rows")
        found[name] = values["rows"]
    return found, missing


def plans_without_times(found: Mapping[str, PlanRows]) -> dict[str, PlanRows]:
    """The figures that are the same in every run."""
    return {
        name: [{field: value for field, value in row.items() if field != _TIME} for row in rows]
        for name, rows in found.items()
    }


def plan_times(found: Mapping[str, PlanRows]) -> dict[str, list[float]]:
    """Milliseconds of the rows, in their order."""
    return {name: [row[_TIME] for row in rows if _TIME in row] for name, rows in found.items()}


def plans_section(found: Mapping[str, PlanRows]) -> Section:
    """A table for each kind."""
    tables = []
    if "sets" in found:
        counts = ("+mut", "tmut", "ms")
        rows = tuple(
            (
                row["set"],
                str(row["goals"]),
                *map(_short, row["values"]),
                str(row["mutating_added"]),
                str(row["mutating_targets"]),
                f"{row[_TIME]:.1f}",
            )
            for row in found["sets"]
        )
        tables.append(TableData("Plans", ("set", "n", *plans.COLUMNS, *counts), rows, _PLAN_NOTES))
    if "peer" in found:
        tables.append(_peer_table(found["peer"]))
    if "stripped" in found:
        tables.append(_stripped_table(found["stripped"]))
    if "linked" in found:
        rows = tuple(
            (row["order"], str(row["queries"]), *map(_short, row["values"]), f"{row[_TIME]:.1f}")
            for row in found["linked"]
        )
        tables.append(
            TableData(
                "ToolLinkOS: what the tools need, by the dependencies that came with them",
                ("answer", "n", *linked_tools.COLUMNS, "ms"),
                rows,
                (
                    "Published: Graph RAG-Tool Fusion mAP@10 .852, hit@10 .866, all@10 .797; BM25 mAP@10 .185.",
                ),
            )
        )
    text = (
        "A goal in, the calls that reach it out, in order; no planner is given any right answer, entity or target, "
        "and one setting serves all sets."
    )
    return Section("Plans", (text,), tables=tuple(tables))


_PLAN_NOTES = (
    "R@g, R@10: recall of the ranking at as many places as there are right calls, and at 10. exact: the plan has the "
    "right calls and no others. R, P: recall and precision of the plan. path: share of the right paths found. order: "
    "share of neighbouring right calls that stand in the right order. steps: mean length.",
    "+mut: calls that change something and that were added for another call's inputs; none is allowed. tmut: targets "
    "that change something and are not right.",
)


def _stripped(data: Path) -> list[plans.StrippedResult]:
    return [plans.measure_stripped(data, language=language) for language in plans.LANGUAGES]


def _peer_table(rows: PlanRows) -> TableData:
    texts = []
    for row in rows:
        values = map(_short, row["values"]) if row["finished"] else ["DNF"] * len(row["values"])
        pairs = "-" if row["pairs_found"] is None else _short(row["pairs_found"])
        ms = f"{row[_TIME]:.1f}" if row["finished"] else "-"
        texts.append((row["set"], str(row["goals"]), *values, pairs, str(row["failed"]), ms))
    notes = (
        "pairs: share of the labelled pairs of calls that it joins, in either direction. bad: documents that it could "
        "not read.",
    )
    columns = ("set", "n", *peer_plans.COLUMNS, "pairs", "bad", "ms")
    return TableData("Plans of graph-tool-call", columns, tuple(texts), notes)


def _stripped_table(rows: PlanRows) -> TableData:
    texts = tuple(
        (
            row["language"],
            str(row["cases"]),
            *(str(row[field]) for field in ("partial_orders", "exact_sequences", "exact_sets", "targets")),
            f"{row['bindings']} of {row['all_bindings']}",
        )
        for row in rows
    )
    columns = ("texts", "n", "order", "sequence", "set", "target", "bound")
    return TableData("The rival's cases, their documents stripped of the answers", columns, texts)


def _short(value: float) -> str:
    return f"{value:.3f}"
