"""A comparison of reports, and answers to the user's own cases, as tables for people."""

from rich.box import SIMPLE
from rich.table import Table

from app.commands.terminal import plain_text
from bench.report.compare import ReportComparison
from bench.sets.query_cases import METRICS, CasesReport

_SHOWN_CHARS = 70


def changes_table(found: ReportComparison, *, method: str) -> Table:
    """One row per set and metric; `p` is corrected over all rows."""
    table = Table(title=f"{method}: second report minus first", box=SIMPLE, padding=(0, 1, 0, 0))
    for column in ("set", "metric", "n", "first", "second", "difference", "t", "p (Holm)", ""):
        table.add_column(column, justify="left" if column in {"set", "metric", ""} else "right", no_wrap=True)
    for row in found.changes:
        values = (f"{row.before:.3f}", f"{row.after:.3f}", f"{row.difference:+.3f}", f"{row.t:.2f}")
        verdict = f"{row.mark} {'worse' if row.worse else 'better'}" if row.mark else ""
        table.add_row(row.set, row.metric, str(row.questions), *values, f"{row.p_holm:.3f}", verdict)
    return table


def means_table(found: CasesReport) -> Table:
    """One row."""
    title = f"{found.cases} requests on {found.tools} tools, {found.method}"
    table = Table(title=title, box=SIMPLE, padding=(0, 1, 0, 0))
    for column in (*METRICS, "p50 ms"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_row(*(f"{found.means[metric]:.3f}" for metric in METRICS), f"{found.p50_ms:.2f}")
    return table


def worst_table(found: CasesReport) -> Table:
    """The worst requests: what was right, and what came first instead."""
    table = Table(title="worst", box=SIMPLE, padding=(0, 1, 0, 0))
    for column in ("request", "R@5", "MRR", "right", "found"):
        table.add_column(column, justify="right" if column in {"R@5", "MRR"} else "left", overflow="fold")
    for case in found.worst:
        text = case.query if len(case.query) <= _SHOWN_CHARS else case.query[: _SHOWN_CHARS - 1] + "…"
        scores = (f"{case.scores['R@5']:.2f}", f"{case.scores['MRR']:.2f}")
        found_tools = "\n".join(case.found) or "nothing"
        texts = (f"{case.id}: {text}", "\n".join(case.gold), found_tools)
        request, right, found_first = map(plain_text, texts)  # data, not markup
        table.add_row(request, *scores, right, found_first)
    return table
