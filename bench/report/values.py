"""What a report holds: figures that are the same in every run, and times that are not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.measure.cells import Cell
from bench.measure.statistics import holm, paired_t, stars
from bench.sets.datasets import Dataset

REFERENCE = "auto"
COLUMNS = ("R@1", "R@5", "R@10", "NDCG@5", "MRR")
"""Metrics that the JSON file has for every question."""
TESTED = ("R@5", "MRR")
"""Metrics whose differences are tested, each in families of its own."""
ALPHA = 0.05
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Difference:
    """The reference minus another method on one set."""

    set: str
    method: str
    metric: str
    questions: int
    difference: float
    t: float
    p: float
    p_holm: float
    """Corrected over the sets on which both finished."""

    @property
    def mark(self) -> str:
        """*, ** or ***, with a minus before it where the reference is behind."""
        found = stars(self.p_holm)
        return f"-{found}" if found and self.difference < 0 else found


def set_figures(dataset: Dataset, cells: Mapping[str, Cell]) -> dict[str, Any]:
    """Means of a set by method, and the scores of each question."""
    return {
        "tools": len(dataset.catalogue.tools),
        "questions": len(dataset.questions),
        "fingerprint": dataset.fingerprint,
        "methods": {
            name: {
                "version": cell.version,
                "finished": cell.finished,
                "means": {metric: _mean(values) for metric, values in cell.scores.items()},
            }
            for name, cell in cells.items()
        },
        "cases": {
            name: {metric: list(cell.scores[metric]) for metric in COLUMNS}
            for name, cell in cells.items()
            if cell.finished
        },
    }


def set_times(cells: Mapping[str, Cell]) -> dict[str, Any]:
    """Seconds to build and milliseconds of a query, by method."""
    found: dict[str, Any] = {}
    for name, cell in cells.items():
        row: dict[str, Any] = {"build_s": cell.times.build_s, "note": cell.note}
        if cell.times.ms:
            p50, p95, p99 = np.percentile(cell.times.ms, [50, 95, 99])
            row |= {"p50_ms": _short(p50), "p95_ms": _short(p95), "p99_ms": _short(p99)}
        found[name] = row
    return found


def differences(sets: Mapping[str, Mapping[str, Any]], methods: Sequence[str]) -> list[Difference]:
    """The reference against each method on each set on which both finished; Holm over the sets.

    Args:
        sets: `set_figures` by name.
        methods: In the order of the answer.
    """
    found: list[Difference] = []
    for metric in TESTED:
        for method in methods:
            found += _family(sets, method, metric)
    return found


def _family(sets: Mapping[str, Mapping[str, Any]], method: str, metric: str) -> list[Difference]:
    rows = []
    for name, figures in sets.items():
        cases = figures["cases"]
        if method == REFERENCE or method not in cases or REFERENCE not in cases:
            continue
        one, two = cases[REFERENCE][metric], cases[method][metric]
        if len(one) < 2:
            continue
        t, p = paired_t(one, two)
        rows.append((name, len(one), float(np.mean(one)) - float(np.mean(two)), t, p))
    corrected = holm([row[4] for row in rows])
    return [
        Difference(name, method, metric, count, round(gap, _DIGITS), t, p, p_holm)
        for (name, count, gap, t, p), p_holm in zip(rows, corrected, strict=True)
    ]


def common_means(
    sets: Mapping[str, Mapping[str, Any]], methods: Sequence[str], metric: str
) -> dict[str, tuple[int, float, float]]:
    """Sets on which a method and the reference both finished: how many, the method's mean, the reference's."""
    found = {}
    for method in methods:
        both = [
            figures["methods"]
            for figures in sets.values()
            if _finished(figures, method) and _finished(figures, REFERENCE)
        ]
        if both:
            theirs = float(np.mean([of[method]["means"][metric] for of in both]))
            ours = float(np.mean([of[REFERENCE]["means"][metric] for of in both]))
            found[method] = (len(both), theirs, ours)
    return found


def _finished(figures: Mapping[str, Any], method: str) -> bool:
    return bool(figures["methods"].get(method, {}).get("finished"))


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), _DIGITS)


def _short(value: float) -> float:
    return round(float(value), 4)
