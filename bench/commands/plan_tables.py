"""Results on edges and plans as tables for people."""

from collections.abc import Sequence

from rich.table import Table

from bench.commands.tables import figures_table, short_figure
from bench.judged.bindings import BINDING_COLUMNS, BindingResult
from bench.measure import edge_sample, edges, linked_tools, plans
from bench.peer import plans as peer_plans


def edges_table(report: edges.EdgeReport) -> Table:
    """One row per kind of inputs and half of the vendors."""
    title = f"inferred dependencies, {report.operations:,} operations, {report.seconds:.1f} s"
    table = figures_table(title, ("inputs", "vendors"), ("pairs", *edges.COLUMNS))
    for row in report.rows:
        table.add_row(row.inputs, row.vendors, str(row.pairs), *(short_figure(value) for value in row.values))
    return table


def plans_table(results: Sequence[plans.PlanResult]) -> Table:
    """One row per set. `+mut`: mutating steps that closure added; `tmut`: mutating targets outside the gold."""
    counts = ("+mut", "tmut", "ms")
    table = figures_table("plans", ("set",), ("n", *plans.COLUMNS, *counts))
    for row in results:
        values = (short_figure(value) for value in row.values)
        last = (str(row.mutating_added), str(row.mutating_targets), f"{row.p50_ms:.1f}")
        table.add_row(row.set, str(row.goals), *values, *last)
    return table


def bindings_table(results: Sequence[BindingResult]) -> Table:
    """One row per set; what the columns are, `BINDING_NOTES` say."""
    table = figures_table("bindings from earlier calls", ("set",), ("n", *BINDING_COLUMNS, "ms"))
    for row in results:
        texts = (text.removeprefix("0") if "." in text else text for text in row.texts())
        table.add_row(row.set, str(row.goals), *texts, f"{row.p50_ms:.1f}")
    return table


def stripped_table(results: Sequence[plans.StrippedResult]) -> Table:
    """One row per language of the 15 cases."""
    columns = ("n", "order", "sequence", "set", "target", "bound", "failed")
    table = figures_table("cases without their answers", ("texts",), columns)
    for row in results:
        counts = (row.cases, row.partial_orders, row.exact_sequences, row.exact_sets, row.targets)
        bindings = f"{row.bindings} of {row.all_bindings}"
        table.add_row(row.language, *map(str, counts), bindings, ", ".join(row.failed))
    return table


def peer_table(results: Sequence[peer_plans.PeerResult]) -> Table:
    """One row per set. `pairs`: labelled pairs that it joins, in either direction; `bad`: documents not read."""
    table = figures_table(
        "graph-tool-call", ("set",), ("n", *peer_plans.COLUMNS, "edges", "pairs", "bad", "ms")
    )
    for row in results:
        if not row.finished:
            table.add_row(row.set, "did not finish")
            continue
        pairs = "" if row.pairs_found is None else short_figure(row.pairs_found)
        last = (str(row.edges), pairs, str(row.failed), f"{row.p50_ms:.1f}")
        table.add_row(row.set, str(row.goals), *(short_figure(value) for value in row.values), *last)
    return table


def linked_table(results: Sequence[linked_tools.LinkedResult]) -> Table:
    """One row per order of an answer's tools."""
    table = figures_table("ToolLinkOS, given edges", ("answer",), ("n", *linked_tools.COLUMNS, "ms"))
    for row in results:
        values = (short_figure(value) for value in row.values)
        table.add_row(row.order, str(row.queries), *values, f"{row.p50_ms:.1f}")
    return table


def sample_table(rows: Sequence[edge_sample.SampledEdge]) -> Table:
    """Two lines per edge: what needs the value, and what gives it."""
    table = figures_table("first producers, tiers high and medium", ("no", "tier", "call", "value"), ())
    for number, row in enumerate(rows, start=1):
        needs = row.parameter if row.required else f"{row.parameter} (optional)"
        table.add_row(str(number), row.tier, f"{row.consumer}: {row.consumer_call}", needs)
        table.add_row(
            "", row.evidence, f"<- {row.producer}: {row.producer_call}", row.field or "(whole answer)"
        )
    return table
