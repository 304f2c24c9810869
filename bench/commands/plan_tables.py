"""Results on edges and plans as tables for people."""

from collections.abc import Sequence

from rich.table import Table

from bench.measure import edge_sample, edges, linked_tools, plans
from bench.peer import plans as peer_plans


def edges_table(report: edges.EdgeReport) -> Table:
    """One row per kind of inputs and half of the vendors."""
    title = f"inferred dependencies, {report.operations:,} operations, {report.seconds:.1f} s"
    table = _table(title, ("inputs", "vendors"), ("pairs", *edges.COLUMNS))
    for row in report.rows:
        table.add_row(row.inputs, row.vendors, str(row.pairs), *(_short(value) for value in row.values))
    return table


def plans_table(results: Sequence[plans.PlanResult]) -> Table:
    """One row per set. `+mut`: mutating steps that closure added; `tmut`: mutating targets outside the gold."""
    counts = ("+mut", "tmut", "ms")
    table = _table("plans", ("set",), ("n", *plans.COLUMNS, *counts))
    for row in results:
        values = (_short(value) for value in row.values)
        last = (str(row.mutating_added), str(row.mutating_targets), f"{row.p50_ms:.1f}")
        table.add_row(row.set, str(row.goals), *values, *last)
    return table


def stripped_table(results: Sequence[plans.StrippedResult]) -> Table:
    """One row per language of the 15 cases."""
    columns = ("n", "order", "sequence", "set", "target", "bound", "failed")
    table = _table("cases without their answers", ("texts",), columns)
    for row in results:
        counts = (row.cases, row.partial_orders, row.exact_sequences, row.exact_sets, row.targets)
        bindings = f"{row.bindings} of {row.all_bindings}"
        table.add_row(row.language, *map(str, counts), bindings, ", ".join(row.failed))
    return table


def peer_table(results: Sequence[peer_plans.PeerResult]) -> Table:
    """One row per set. `pairs`: labelled pairs that it joins, in either direction; `bad`: documents not read."""
    table = _table("graph-tool-call", ("set",), ("n", *peer_plans.COLUMNS, "edges", "pairs", "bad", "ms"))
    for row in results:
        if not row.finished:
            table.add_row(row.set, "did not finish")
            continue
        pairs = "" if row.pairs_found is None else _short(row.pairs_found)
        last = (str(row.edges), pairs, str(row.failed), f"{row.p50_ms:.1f}")
        table.add_row(row.set, str(row.goals), *(_short(value) for value in row.values), *last)
    return table


def linked_table(results: Sequence[linked_tools.LinkedResult]) -> Table:
    """One row per order of an answer's tools."""
    table = _table("ToolLinkOS, given edges", ("answer",), ("n", *linked_tools.COLUMNS, "ms"))
    for row in results:
        values = (_short(value) for value in row.values)
        table.add_row(row.order, str(row.queries), *values, f"{row.p50_ms:.1f}")
    return table


def sample_table(rows: Sequence[edge_sample.SampledEdge]) -> Table:
    """Two lines per edge: what needs the value, and what gives it."""
    table = _table("first producers, tiers high and medium", ("no", "tier", "call", "value"), ())
    for number, row in enumerate(rows, start=1):
        needs = row.parameter if row.required else f"{row.parameter} (optional)"
        table.add_row(str(number), row.tier, f"{row.consumer}: {row.consumer_call}", needs)
        table.add_row(
            "", row.evidence, f"<- {row.producer}: {row.producer_call}", row.field or "(whole answer)"
        )
    return table


def _table(title: str, names: Sequence[str], values: Sequence[str]) -> Table:
    table = Table(title=title, box=None, padding=(0, 1, 0, 0))
    for name in names:
        table.add_column(name, no_wrap=True)
    for value in values:
        table.add_column(value, justify="right", no_wrap=value != "failed")
    return table


def _short(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")
