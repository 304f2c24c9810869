"""Two reports side by side: on which sets one ranking became better or worse, and which of that is chance."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from app.errors import InvalidInputError
from bench.measure.statistics import holm, paired_t, stars
from bench.report.values import ALPHA, COLUMNS, TESTED

FORMAT = 1
"""Of the JSON file of a report; another one whenever a reader must know."""

_FINISHED, _UNFINISHED, _ABSENT = "finished", "did not finish", "was not measured"


@dataclass(frozen=True, slots=True)
class SetDifference:
    """The second report minus the first, on one set."""

    set: str
    metric: str
    questions: int
    before: float
    after: float
    t: float
    p: float
    p_holm: float
    """Corrected over all sets and metrics of the comparison."""

    @property
    def difference(self) -> float:
        """Positive where the second is better."""
        return self.after - self.before

    @property
    def mark(self) -> str:
        """*, ** or ***."""
        return stars(self.p_holm)

    @property
    def worse(self) -> bool:
        """Whether the second is worse, and not by chance."""
        return self.difference < 0 and self.p_holm < ALPHA


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """What was compared, and what could not be."""

    changes: tuple[SetDifference, ...]
    left_out: tuple[str, ...]
    """A line for each set on which the ranking was measured, and which cannot be compared."""
    lost: tuple[str, ...] = ()
    """Sets on which the ranking finished in the first report, and did not in the second."""

    @property
    def worse(self) -> bool:
        """Whether anything became worse, and not by chance."""
        return bool(self.lost) or any(row.worse for row in self.changes)


def read_report(path: Path) -> dict[str, Any]:
    """The figures of a report's JSON file.

    Raises:
        InvalidInputError: it is no report of this format.
    """
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"{path}: no report: {error}") from error
    if not isinstance(report, dict) or report.get("format") != FORMAT:
        raise InvalidInputError(
            f"{path}: no report of format {FORMAT}; accepted: report.json as `outfitter bench report` writes it"
        )
    figures: dict[str, Any] = report["figures"]
    return figures


def compare_reports(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    method: str,
    metrics: Sequence[str] = TESTED,
) -> ReportComparison:
    """A ranking in both reports, question by question, and the plans of both, goal by goal.

    Args:
        before: Figures of the first report.
        after: Figures of the second.
        method: The ranking.
        metrics: Of the ranking; plans are compared in all of theirs.

    Raises:
        InvalidInputError: no set can be compared, or neither report has the ranking or the metric.
    """
    unknown = sorted(set(metrics) - set(COLUMNS))
    if unknown:
        raise InvalidInputError(f"--metric: no metric {unknown[0]!r}; accepted: {', '.join(COLUMNS)}")
    known = sorted(
        {name for report in (before, after) for of in report["sets"].values() for name in of["methods"]}
    )
    if method not in known:
        plain = [name for name in known if not {"/", ":"} & {*name}]
        raise InvalidInputError(
            f"--method: no ranking {method!r}; accepted: {', '.join(plain)}, and their variants as reports name them"
        )
    rows: list[_Row] = []
    left_out: list[str] = []
    lost: list[str] = []
    for name in sorted({*before["sets"], *after["sets"]}):
        one, two = before["sets"].get(name), after["sets"].get(name)
        states = _state(one, method), _state(two, method)
        if states == (_ABSENT, _ABSENT):
            continue
        reason = _unlike(one, two)
        if not reason and states != (_FINISHED, _FINISHED):
            reason = f"{method} {states[0]} in the first report, {states[1]} in the second"
            lost += [name] if states == (_FINISHED, _UNFINISHED) else []
        if not reason and before["sets"][name]["questions"] < 2:
            reason = "one question only"
        if reason:
            left_out.append(f"{name}: {reason}")
            continue
        for metric in metrics:
            first = before["sets"][name]["cases"][method][metric]
            second = after["sets"][name]["cases"][method][metric]
            means = float(np.mean(first)), float(np.mean(second))
            rows.append((name, metric, len(first), *means, *paired_t(second, first)))
    judged, not_judged = _judged(before.get("judged") or {}, after.get("judged") or {})
    if not rows and not lost and not judged:
        raise InvalidInputError(f"--method {method}: no set that both reports have; {'; '.join(left_out)}")
    rows += judged
    left_out += not_judged
    corrected = holm([row[-1] for row in rows])
    changes = tuple(SetDifference(*row, p_holm) for row, p_holm in zip(rows, corrected, strict=True))
    return ReportComparison(changes, tuple(left_out), tuple(lost))


_Row: TypeAlias = tuple[str, str, int, float, float, float, float]
"""Set, metric, questions, both means, t, p."""


def _judged(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[list[_Row], list[str]]:
    """Rows for the plans of both reports, over goals that have a score in both; a line for each set that is not."""
    rows: list[_Row] = []
    left_out = []
    for name in sorted({*before, *after}):
        one, two = before.get(name), after.get(name)
        reason = _unlike(one, two)
        if reason or one is None or two is None:
            left_out.append(f"{name}: {reason}")
            continue
        for metric in (key for key in one["cases"] if key in two["cases"]):
            pairs = [
                (first, second)
                for first, second in zip(one["cases"][metric], two["cases"][metric], strict=True)
                if first is not None and second is not None
            ]
            if len(pairs) < 2:
                left_out.append(f"{name}, {metric}: fewer than two goals that both reports have a score for")
                continue
            first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            means = float(np.mean(first)), float(np.mean(second))
            t, p = paired_t(second, first)
            rows.append((name, metric, len(pairs), *means, t, p))
    return rows, left_out


def _unlike(one: Mapping[str, Any] | None, two: Mapping[str, Any] | None) -> str:
    """Why it is not the same set in both; empty when it is."""
    if one is None or two is None:
        return "only in the " + ("second report" if one is None else "first report")
    if one["fingerprint"] != two["fingerprint"]:
        return "another set in each: tools, requests or their number differ"
    return ""


def _state(of: Mapping[str, Any] | None, method: str) -> str:
    if of is None or method not in of["methods"]:
        return _ABSENT
    return _FINISHED if method in of["cases"] else _UNFINISHED
