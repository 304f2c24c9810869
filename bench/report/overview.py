"""The chapters of a report that look at all sets: at a glance, set by set, every figure."""

from collections.abc import Mapping, Sequence
from typing import Any

from bench.commands.table_data import TableData
from bench.report import plots
from bench.report.section import Section
from bench.report.values import ALPHA, COLUMNS, REFERENCE, TESTED, Difference, common_means

RIVALS = ("bm25", "kg_hybrid", "gtc-default", "gtc-graphify")
"""What the reference is shown beside, set by set."""
DNF = "DNF"
_CHANCE = "random"
"""Left out where it would take the room of the others."""
_NOTE_MARKS = (
    "Marks: the difference to auto by a paired t, corrected over the sets of the column (Holm): * below .05, "
    "** below .01, *** below .001; a minus before the mark where auto is behind."
)
_NOTE_DNF = "DNF: did not finish in its time; the chapter on times says how far it came."
_Sets = Mapping[str, Mapping[str, Any]]


def overview(
    sets: _Sets, times: Mapping[str, Any], differences: Sequence[Difference], methods: Sequence[str]
) -> Section:
    """Means over the sets that a ranking and the reference both finished, beside their time."""
    return Section(
        "At a glance",
        (
            "Every ranking on every set. A ranking that did not finish on a set has no figure there, so each row "
            "compares means over those sets alone on which it and auto both finished.",
        ),
        tables=(_means_table(sets, times, methods), _verdicts_table(sets, differences, methods)),
        plots=tuple(_recall_and_time(sets, times, methods)),
    )


def set_by_set(
    sets: _Sets,
    large: _Sets,
    missing: Sequence[str],
    differences: Sequence[Difference],
    methods: Sequence[str],
) -> Section:
    """The reference and its rivals on each set, with marks; every metric of every ranking below.

    Args:
        sets: Those of every ranking.
        large: The whole sets that some of these are samples of, without the peer.
        missing: A line for each set that the folder lacks.
        differences: Of the reference to the others on `sets`.
        methods: In the order of the tables.
    """
    shown = [REFERENCE, *(name for name in RIVALS if name in methods)]
    marks = {(row.set, row.method, row.metric): row.mark for row in differences}
    tables = [_rivals_table(sets, shown, metric, marks) for metric in TESTED]
    names = list(sets)
    series = {
        name: [sets[of]["methods"].get(name, {}).get("means", {}).get("R@5") for of in names]
        for name in shown
    }
    charts = [
        plots.bars(
            f"R@5, {', '.join(shown)}" if start == 0 else "R@5, continued",
            names[start : start + _BARS_IN_ROW],
            {name: values[start : start + _BARS_IN_ROW] for name, values in series.items()},
        )
        for start in range(0, len(names), _BARS_IN_ROW)
    ]
    return Section(
        "Set by set",
        tuple(f"Not in the folder: {line}" for line in missing),
        tables=tuple(tables),
        folded=(
            _differences_table(differences),
            *(_set_table(name, of, methods) for name, of in (*sets.items(), *large.items())),
        ),
        plots=tuple(charts),
    )


_BARS_IN_ROW = 6


def _means_table(sets: _Sets, times: Mapping[str, Any], methods: Sequence[str]) -> TableData:
    by_metric = {metric: common_means(sets, methods, metric) for metric in TESTED}
    rows = []
    for method in methods:
        if method not in by_metric[TESTED[0]]:
            continue
        values = [f"{value:.3f}" for metric in TESTED for value in by_metric[metric][method][1:]]
        speed = median_ms(times, method)
        rows.append((method, str(by_metric[TESTED[0]][method][0]), *values, f"{speed:,.2f}"))
    columns = [column for metric in TESTED for column in (metric, f"{metric} of auto")]
    return TableData(
        f"Means over the sets that both finished, of {len(sets)}",
        ("method", "sets", *columns, "p50 ms"),
        tuple(rows),
        ("p50 ms: median over the sets of the median time of a query, in process.",),
    )


def _verdicts_table(sets: _Sets, differences: Sequence[Difference], methods: Sequence[str]) -> TableData:
    rows = []
    for method in methods:
        cells = [method]
        for metric in TESTED:
            of = [row for row in differences if (row.method, row.metric) == (method, metric)]
            cells += [
                _counted([row for row in of if row.difference > 0]),
                _counted([row for row in of if row.difference < 0]),
            ]
        if method != REFERENCE:
            rows.append(tuple(cells))
    columns = [f"{metric}: {what}" for metric in TESTED for what in ("ahead", "behind")]
    return TableData(
        f"On how many of {len(sets)} sets auto is ahead of a ranking, and behind it",
        ("method", *columns),
        tuple(rows),
        (
            f"In brackets: of these statistically significant, by a paired t corrected over the sets (Holm), p < {ALPHA}.",
        ),
    )


def _counted(rows: Sequence[Difference]) -> str:
    return f"{len(rows)} ({sum(row.p_holm < ALPHA for row in rows)})"


def _recall_and_time(sets: _Sets, times: Mapping[str, Any], methods: Sequence[str]) -> list[str]:
    means = common_means(sets, methods, "R@5")
    found = [
        plots.PlotPoint(name, median_ms(times, name), means[name][1])
        for name in methods
        if name in means and name != _CHANCE and median_ms(times, name) > 0
    ]
    if not found:
        return []
    return [plots.points("R@5 and time of a query", found, x_title="p50 ms, in process (logarithmic)")]


def median_ms(times: Mapping[str, Any], method: str) -> float:
    """The median over sets of a ranking's median time; 0 where it answered nothing."""
    every = sorted(of[method]["p50_ms"] for of in times.values() if "p50_ms" in of.get(method, {}))
    return float(every[len(every) // 2]) if every else 0.0


def _rivals_table(
    sets: _Sets, shown: Sequence[str], metric: str, marks: Mapping[tuple[str, str, str], str]
) -> TableData:
    rows = [
        (
            name,
            f"{of['tools']:,}",
            f"{of['questions']:,}",
            *(_value(of, method, metric) + marks.get((name, method, metric), "") for method in shown),
        )
        for name, of in sets.items()
    ]
    notes = (_NOTE_MARKS, _NOTE_DNF) if any(DNF in row for row in rows) else (_NOTE_MARKS,)
    return TableData(f"{metric}, set by set", ("set", "tools", "n", *shown), tuple(rows), notes)


def _value(of: Mapping[str, Any], method: str, metric: str) -> str:
    facts = of["methods"].get(method)
    if facts is None:
        return "-"
    return f"{facts['means'][metric]:.3f}" if facts["finished"] else DNF


def _differences_table(differences: Sequence[Difference]) -> TableData:
    rows = tuple(
        (
            row.set,
            row.method,
            row.metric,
            str(row.questions),
            f"{row.difference:+.3f}",
            f"{row.t:.2f}",
            f"{row.p:.4f}",
            f"{row.p_holm:.4f}",
            row.mark,
        )
        for row in differences
        if row.method in RIVALS and row.p_holm < 1
    )
    return TableData(
        "auto minus its rivals, where anything differs",
        ("set", "method", "metric", "n", "difference", "t", "p", "p (Holm)", "mark"),
        rows,
    )


def _set_table(name: str, of: Mapping[str, Any], methods: Sequence[str]) -> TableData:
    known = [method for method in of["methods"] if method not in methods]
    metrics = next((list(facts["means"]) for facts in of["methods"].values() if facts["finished"]), COLUMNS)
    rows = [
        (method, *(_value(of, method, metric) for metric in metrics))
        for method in (*methods, *known)
        if method in of["methods"]
    ]
    title = f"{name}: {of['tools']:,} tools, {of['questions']:,} questions"
    return TableData(title, ("method", *metrics), tuple(rows))
