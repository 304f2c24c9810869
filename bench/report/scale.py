"""The chapter of a report on times and memory as the catalogue grows."""

from collections.abc import Sequence

from bench.commands.table_data import TableData
from bench.report import plots
from bench.report.section import Section
from bench.served.scale import GrowthRow, ScaleRow
from bench.served.starts import Starts

_TEXT = (
    "Tools of public MCP servers (17,570), then copies of them in other words, with the vocabulary that a text of that "
    "length has; 200 requests made of the tools' own words. In process: index in memory. Over HTTP: ingest into the embedded engine, the service as a process of "
    "its own, one client, then eight at once. The rival: its own process, in memory; once an engine did not finish, "
    "larger catalogues are left out."
)


def scale_section(
    rows: Sequence[ScaleRow], vocabulary: Sequence[GrowthRow], starts: Sequence[Starts] = ()
) -> Section:
    """A row per ranking and size; times of a query as lines; how the vocabulary grows."""
    texts = tuple(
        (
            f"{row.tools:,}",
            row.method,
            *(_text(value) for value in (row.build_s, row.p50_ms, row.p95_ms, row.p99_ms)),
            "-" if row.memory_mb is None else f"{row.memory_mb:,.0f}",
            "-" if row.per_second is None else f"{row.per_second:,.0f}",
            row.note,
        )
        for row in sorted(rows, key=lambda row: (row.tools, rows.index(row)))
    )
    columns = (
        "tools",
        "ranking",
        "build or ingest, s",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "MB",
        "answers/s",
        "note",
    )
    notes = (
        "MB: resident memory of the service (the embedded engine's own is not in it); the largest of the rival's process. "
        "answers/s: eight clients at once.",
    )
    series = {
        method: [(float(row.tools), row.p50_ms) for row in rows if row.method == method and row.p50_ms]
        for method in dict.fromkeys(row.method for row in rows)
    }
    series = {method: values for method, values in series.items() if values}
    chart = plots.lines("p50 of a query, ms", series, x_title="tools (both axes logarithmic)", log=True)
    table = TableData("Times and memory by number of tools", columns, texts, notes)
    return Section(
        "Latency and scale",
        (_TEXT,),
        tables=(table, _starts_table(starts), _vocabulary_table(vocabulary)),
        plots=(chart,),
    )


def _starts_table(rows: Sequence[Starts]) -> TableData:
    columns = {
        "tools": "tools",
        "start from nothing, s": "from_nothing_s",
        "with a kept snapshot, s": "from_kept_s",
        "own memory, MB": "kept_uss_mb",
        "mapped, MB": "mapped_mb",
        "snapshot, MB": "snapshot_mb",
        "query p50 ms": "query_p50_ms",
        "p99": "query_p99_ms",
        "plan p50 ms": "plan_p50_ms",
        "change in queries, s": "change_query_s",
        "change in plans, s": "change_plan_s",
        "query p99 of a client that goes on asking, ms": "calm_p99_ms",
        "the same while tools change, ms": "change_p99_ms",
        "own memory then, MB": "changed_uss_mb",
        "that sync as a command, s": "sync_s",
        "with the engine's start, s": "cold_sync_s",
        "bytes of memory a tool": "memory_bytes_per_tool",
        "bytes on disk a tool": "disk_bytes_per_tool",
        "ms a tool": "build_ms_per_tool",
    }
    notes = (
        "Starts: exec to ready, with the engine up. Own memory: without pages of the mapped snapshot, which services "
        "share. A change: from the end of the ingest of one changed tool until answers are of its generation, median "
        "of 5, while another client asks all the time. That sync: the whole command over all manifests, of which one "
        "changed, median of 3; with the engine's start once. Meanwhile: a client that asks while three such syncs run.",
    )
    texts = tuple(tuple(f"{getattr(row, field):,}" for field in columns.values()) for row in rows)
    return TableData("Starts, memory and changes by number of tools", tuple(columns), texts, notes)


def _vocabulary_table(rows: Sequence[GrowthRow]) -> TableData:
    texts = tuple(
        (
            f"{row.tools:,}",
            "real, in random order" if row.real else "grown",
            *(f"{value:,}" for value in (row.words, row.vocabulary, row.law)),
        )
        for row in rows
    )
    notes = ("Heaps' law: vocabulary = k * words ^ beta, fitted to the real tools.",)
    return TableData(
        "Vocabulary by number of tools", ("tools", "which", "words", "vocabulary", "Heaps' law"), texts, notes
    )


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:,.2f}"
