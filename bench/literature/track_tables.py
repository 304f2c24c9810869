"""Tables that both tracks of ToolBench have: figures, tiers, differences."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bench.commands.table_data import TableData
from bench.literature.published import PublishedRows
from bench.measure.statistics import Interval, compare, holm, mcnemar, paired_t, stars
from bench.sets.datasets import Dataset

Scores: TypeAlias = Mapping[str, Mapping[str, Sequence[float]]]
"""Method -> metric -> one figure per question."""

COLUMNS = ("R@1", "R@3", "R@5", "NDCG@5", "MRR")
TESTED = "R@5"
HIT = "all@5"
"""McNemar: a case is solved when every distinct gold tool is among the first 5."""


def figure(value: float) -> str:
    """Three digits, without the 0 before the point."""
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"


def signed(value: float) -> str:
    """A difference."""
    return ("+" if value >= 0 else "-") + figure(abs(value))


def p_value(value: float) -> str:
    """Three digits; what is less than .001 is said to be."""
    return "<.001" if value < 0.001 else figure(value)


def interval(of: Interval) -> str:
    """A mean with the interval behind it."""
    return f"{figure(of.mean)} ({figure(of.low)}-{figure(of.high)})"


def mark(difference: float, p: float) -> str:
    """Stars of a corrected p, with a minus before them where the reference is behind."""
    found = stars(p)
    return f"-{found}" if found and difference < 0 else found


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return float(np.mean(values)) if len(values) else 0.0


def with_published(
    rows: Sequence[tuple[str, tuple[str, ...]]], published: PublishedRows | None
) -> list[tuple[str, ...]]:
    """Each row, and below it that of the publication where it has one."""
    found: list[tuple[str, ...]] = []
    for name, values in rows:
        found.append((name, *values))
        base = name.partition(":")[0]
        if published and base in published:
            there = tuple(figure(value) for value in published[base])
            found.append(("  published", *there, *("" for _ in range(len(values) - len(there)))))
    return found


def figures_table(
    title: str,
    scores: Scores,
    methods: Sequence[str],
    *,
    published: PublishedRows | None = None,
    ms: Mapping[str, float] | None = None,
    notes: tuple[str, ...] = (),
) -> TableData:
    """Means over all cases; with `ms`, the median time of a query last."""
    rows = [
        (
            name,
            (
                *(figure(mean(scores[name][column])) for column in COLUMNS),
                *((f"{ms[name]:.2f}",) if ms else ()),
            ),
        )
        for name in methods
    ]
    columns = ("ranking", *COLUMNS, *(("p50 ms",) if ms else ()))
    return TableData(title, columns, tuple(with_published(rows, published)), notes)


def groups_table(
    title: str,
    dataset: Dataset,
    scores: Scores,
    methods: Sequence[str],
    *,
    groups: Sequence[str],
    published: PublishedRows | None = None,
) -> TableData:
    """Mean R@5 by tier."""
    masks = _masks(dataset, groups)
    rows = [
        (name, tuple(_mean_of(np.asarray(scores[name][TESTED])[where]) for where in masks.values()))
        for name in methods
    ]
    columns = ("ranking", *(f"{group} ({int(mask.sum())})" for group, mask in masks.items()))
    return TableData(title, columns, tuple(with_published(rows, published)))


def differences_table(
    title: str,
    scores: Scores,
    reference: str,
    others: Sequence[str],
    *,
    published: PublishedRows | None = None,
    notes: tuple[str, ...] = (),
) -> TableData:
    """The reference minus each other, with every test; one family."""
    found = compare(scores[reference][TESTED], [scores[other][TESTED] for other in others])
    hits = [mcnemar(scores[reference][HIT], scores[other][HIT]) for other in others]
    corrected = holm([one.t_p for one in found])
    wilcoxons = holm([one.wilcoxon_p for one in found])
    mcnemars = holm([one.p for one in hits])
    rows: list[tuple[str, ...]] = []
    for other, one, hit, p, w, m in zip(others, found, hits, corrected, wilcoxons, mcnemars, strict=True):
        gap = one.difference
        rows.append(
            (
                other,
                interval(one.other),
                signed(gap.mean) + mark(gap.mean, p),
                f"{signed(gap.low)} {signed(gap.high)}",
                f"{one.t:.2f}",
                p_value(one.t_p),
                p_value(p),
                p_value(one.wilcoxon_p),
                p_value(w),
                f"{one.cohen_d:.2f} {one.effect}",
                f"{hit.reference_only}:{hit.other_only}",
                p_value(hit.p),
                p_value(m),
            )
        )
        base = other.partition(":")[0]
        if published and base in published:
            there, t, p_there, d = published[base]
            said = "<.001" if p_there <= 0.001 else figure(p_there)
            rows.append(
                ("  published", "", signed(there), "", f"{t:.2f}", said, "", "", "", f"{d:.2f}", "", "", "")
            )
    tests = ("difference", "95 %", "t", "p", "p Holm", "Wilcoxon p", "Wilcoxon Holm", "d")
    solved = ("only one solves", "McNemar p", "McNemar Holm")
    columns = (f"{reference} minus", f"its {TESTED} (95 %)", *tests, *solved)
    own = f"{reference}: {TESTED} {interval(found[0].reference)}."
    return TableData(title, columns, tuple(rows), (own, *notes))


def group_differences_table(
    title: str,
    dataset: Dataset,
    scores: Scores,
    reference: str,
    others: Sequence[str],
    *,
    groups: Sequence[str],
) -> TableData:
    """The reference minus each other, by tier; each tier is a family of its own."""
    columns: list[list[str]] = []
    # One case alone cannot be tested.
    masks = {group: found for group, found in _masks(dataset, groups).items() if found.sum() > 1}
    for where in masks.values():
        ours = np.asarray(scores[reference][TESTED])[where]
        theirs = [np.asarray(scores[other][TESTED])[where] for other in others]
        ps = holm([paired_t(ours, one)[1] for one in theirs])
        gaps = [float(ours.mean() - one.mean()) for one in theirs]
        columns.append([signed(gap) + mark(gap, p) for gap, p in zip(gaps, ps, strict=True)])
    rows = tuple((other, *values) for other, *values in zip(others, *columns, strict=True))
    return TableData(title, (f"{reference} minus", *masks), rows)


def _masks(dataset: Dataset, groups: Sequence[str]) -> dict[str, npt.NDArray[np.bool_]]:
    """Which cases are of each group."""
    found = np.array([question.group for question in dataset.questions])
    return {group: found == group for group in groups}


def _mean_of(values: npt.NDArray[np.float64]) -> str:
    return figure(float(values.mean())) if values.size else ""
