"""Results as tables for people and as JSON for programs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.box import SIMPLE
from rich.table import Table

from bench.commands.table_data import TableData
from bench.literature import toolbench
from bench.literature.toolbench import MethodResult
from bench.sets import retrieval
from bench.sets.retrieval import SetResult


def toolbench_table(results: Sequence[MethodResult], *, title: str) -> Table:
    """One row per method and tier."""
    table = Table(title=title, box=SIMPLE, padding=(0, 1, 0, 0))
    for column in ("method", "tier", "cases", *toolbench.COLUMNS, "p50 ms", "p95 ms"):
        table.add_column(column, justify="left" if column in {"method", "tier"} else "right", no_wrap=True)
    for result in results:
        for tier in result.tiers:
            whole = tier.tier == toolbench.ALL_TIERS
            times = (f"{result.p50_ms:.2f}", f"{result.p95_ms:.2f}") if whole else ("", "")
            values = (f"{value:.3f}" for value in tier.values)
            table.add_row(result.method.value, tier.tier, str(tier.cases), *values, *times, end_section=whole)
    return table


def toolbench_json(results: Sequence[MethodResult], *, engine: str, tools: int) -> str:
    """The same as JSON text."""
    methods = [
        {
            "method": result.method.value,
            "p50_ms": round(result.p50_ms, 3),
            "p95_ms": round(result.p95_ms, 3),
            "from_graph": result.from_graph,
            "tiers": {
                tier.tier: {"cases": tier.cases, **_named(toolbench.COLUMNS, tier.values)}
                for tier in result.tiers
            },
        }
        for result in results
    ]
    return json.dumps({"engine": engine, "tools": tools, "methods": methods}, indent=2)


def retrieval_table(results: Sequence[SetResult], means: Mapping[str, Sequence[float]]) -> Table:
    """One row per set, then the means; within 80 columns."""
    columns = ("tools", "queries", *retrieval.COLUMNS, "build s", "p50 ms", "p95 ms")
    table = figures_table("development sets", ("set",), columns)
    for result in results:
        times = (f"{result.build_s:.2f}", f"{result.p50_ms:.2f}", f"{result.p95_ms:.2f}")
        values = map(short_figure, result.values)
        table.add_row(result.name, str(result.tools), str(result.questions), *values, *times)
    table.add_section()
    for name, mean in means.items():
        table.add_row(name, "", "", *map(short_figure, mean), "", "", "")
    return table


def retrieval_json(results: Sequence[SetResult], means: Mapping[str, Sequence[float]]) -> str:
    """The same as JSON text."""
    sets = [{**asdict(result), "values": _named(retrieval.COLUMNS, result.values)} for result in results]
    named = {name: _named(retrieval.COLUMNS, mean) for name, mean in means.items()}
    return json.dumps({"sets": sets, "means": named}, indent=2)


def _named(columns: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    return {column: round(value, 5) for column, value in zip(columns, values, strict=True)}


def figures_table(title: str, names: Sequence[str], values: Sequence[str]) -> Table:
    """A table without lines, narrow: texts left, figures right, whole but for a column `failed`."""
    table = Table(title=title, box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for name in names:
        table.add_column(name, no_wrap=True)
    for value in values:
        table.add_column(value, justify="right", no_wrap=value != "failed")
    return table


def short_figure(value: float) -> str:
    """Three places, without the zero before the point."""
    return f"{value:.3f}".removeprefix("0")


def data_table(data: TableData) -> Table:
    """A table that is shown elsewhere too; its notes below it."""
    caption = "\n".join(data.notes) or None
    table = Table(title=data.title, caption=caption, caption_justify="left", box=SIMPLE, padding=(0, 1, 0, 0))
    for number, column in enumerate(data.columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    for row in data.rows:
        table.add_row(*row)
    return table


def data_json(tables: Sequence[TableData]) -> str:
    """The same as JSON text."""
    return json.dumps([asdict(table) for table in tables], indent=2, ensure_ascii=False)


def facts_table(facts: Mapping[str, object]) -> Table:
    """One row per fact."""
    table = Table(box=SIMPLE, show_header=False)
    for name, value in facts.items():
        table.add_row(name.replace("_", " "), f"{value:.2f}" if isinstance(value, float) else str(value))
    return table
