"""The last chapters of a report: times, and how everything was measured."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bench.commands.table_data import TableData
from bench.report.section import Section
from bench.report.sets import ReportScope

TIME_COLUMN = "p50 ms"
_STATISTICS = (
    "Unit: the figures of two rankings on the same questions; all tests are two-sided. Paired t (scipy), corrected by "
    "Holm over the sets of one metric and one rival (statsmodels). R@k is the share of the right tools among the "
    "first k, on ToolBench of the list of right tools, in which a tool that is needed twice stands twice. NDCG has "
    "gain 1 and discount log2(rank + 1); MRR is over the first 100 places. Figures are those of trec_eval (ir-measures)."
)
_LEAKS = (
    "No ranking sees an answer: of what a set says about a request only the request is read; edges and workflow files "
    "that were derived from answers are not read, nor are hints such as acceptable tools. The dependencies of "
    "ToolLinkOS came with its tools and are used."
)
_TREATMENT = (
    "Without a taxonomy the rankings with a graph (kg_hybrid, kg_toolrank) are BM25, and are shown as that.",
    "graph-tool-call runs in a process of its own with PYTHONHASHSEED=0, and reads what it reads best: the OpenAPI "
    "document where its set is one, else the tools as MCP gives them; texts of a taxonomy's methods are added to the "
    "description of the tool.",
    "Figures of two runs on the same sets and the same code are the same; times are not, and whether a ranking "
    "finishes in its time depends on the machine.",
)


def times_section(times: Mapping[str, Mapping[str, Any]], methods: Sequence[str]) -> Section:
    """Milliseconds of a query and seconds to build, by set; why a ranking did not finish."""
    tables = [
        TableData(
            f"{title}, by set",
            ("set", *methods),
            tuple(
                (name, *(_time(of.get(method, {}), field) for method in methods))
                for name, of in times.items()
            ),
        )
        for title, field in (
            ("p50 of a query, ms", "p50_ms"),
            ("p95 of a query, ms", "p95_ms"),
            ("Seconds to build", "build_s"),
        )
    ]
    notes = tuple(
        (name, method, facts["note"])
        for name, of in times.items()
        for method, facts in of.items()
        if facts["note"] and method.startswith("gtc-")
    )
    if notes:
        tables.append(TableData("What did not finish", ("set", "method", "why"), notes))
    return Section(
        "Times in process",
        ("Two cells are measured at a time, rankings of this process one at a time.",),
        tables=(tables[0], *tables[3:]),
        folded=tuple(tables[1:3]),
    )


def how_measured(scope: ReportScope, about: Mapping[str, Any]) -> Section:
    """Machine, versions, command, statistics, treatment of the sets."""
    facts = {
        **about["machine"],
        **about["versions"],
        "started": about["started"],
        "command": about["command"],
    }
    sets = tuple(
        (of.name, f"{len(of.catalogue.tools):,}", f"{len(of.questions):,}", of.fingerprint[:16])
        for of in scope.every_set
    )
    return Section(
        "How it was measured",
        (_STATISTICS, _LEAKS, *_TREATMENT),
        tables=(
            TableData("Machine, versions, command", ("what", "value"), tuple(facts.items())),
            TableData("Sets", ("set", "tools", "n", "fingerprint"), sets),
        ),
    )


def without_times(table: TableData) -> TableData:
    """The table without its column of times, if it has one."""
    if TIME_COLUMN not in table.columns:
        return table
    at = table.columns.index(TIME_COLUMN)
    rows = tuple((*row[:at], *row[at + 1 :]) for row in table.rows)
    return replace(table, columns=(*table.columns[:at], *table.columns[at + 1 :]), rows=rows)


def _time(facts: Mapping[str, Any], field: str) -> str:
    return f"{facts[field]:,.2f}" if field in facts else "-"
