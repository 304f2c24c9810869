"""What is shown of goals and questions: rows for tables, sentences below them, times."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from bench.judged.goals import GoalResults, GoalRow, QuestionRow

GOAL_COLUMNS = (
    *("found", "prec", "exact", "order", "bound", "dup", "forb", "more"),
    *("none", "lost", "blind", "sign"),
)
"""Shares, then counts of plans; what each is, `GOAL_NOTES` say."""
GOAL_NOTES = (
    "found: share of the required calls that are in the plan. prec: share of its calls that are right. exact, order: "
    "share of plans with the required calls and no others, and with the calls in the right order. bound: bindings that "
    "are right, of those that any sensible plan has.",
    "Counts of plans: dup: one thing is asked for more than once. forb: something forbidden. more: a further call "
    "that changes something. none: no call. lost: a stated value is neither bound nor named as unused. blind: a "
    "change without the condition that the goal sets. sign: a person would let it run; all required calls, no other "
    "change, every binding right, nothing forbidden or asked for twice, in order.",
)
QUESTION_COLUMNS = ("R@1", "R@5", "MRR", "none")


@dataclass(frozen=True, slots=True)
class FigureRow:
    """Texts of a table's row."""

    name: str
    n: int
    texts: tuple[str, ...]


def goal_rows(results: GoalResults) -> list[FigureRow]:
    """All goals, by number of required calls, by document."""
    return [
        FigureRow(name, len(rows), _goal_texts(rows))
        for name, rows in _groups(
            results.goals, (lambda row: _calls(row.steps), lambda row: row.server), "all goals"
        )
    ]


def question_rows(results: GoalResults) -> list[FigureRow]:
    """All questions that can be answered, by kind, by document."""
    answerable = [row for row in results.questions if row.answerable]
    return [
        FigureRow(name, len(rows), _question_texts(rows))
        for name, rows in _groups(answerable, (lambda row: row.kind, lambda row: row.server), "all questions")
    ]


def goal_facts(results: GoalResults) -> list[str]:
    """Sentences below the tables that are the same in every run."""
    rows = [row.verdict for row in results.goals]
    said = []
    if rows:
        said.append(
            f"Bindings right: {sum(row.bound for row in rows)} of {sum(row.asked for row in rows)}. "
            f"Signable: {sum(row.signable for row in rows)} of {len(rows)}."
        )
    nothing = results.unanswerable
    if nothing:
        abstained = sum(row.abstained for row in nothing)
        said.append(f"Questions that nothing can answer: nothing found for {abstained} of {len(nothing)}.")
    if results.pairs:
        abstained = sum(row.abstained for row in results.pairs)
        said.append(
            f"Questions asked of other documents, which cannot answer them: nothing found for {abstained} of "
            f"{len(results.pairs)} pairs ({abstained / len(results.pairs):.3f})."
        )
        places = [row.rank_of_all for row in results.questions if row.answerable]
        among_five = fmean(1 <= place <= 5 for place in places)
        reciprocal = fmean(1 / place if place else 0.0 for place in places)
        said.append(f"Questions asked of all documents together: R@5 {among_five:.3f}, MRR {reciprocal:.3f}.")
    if nothing and not results.with_tasks:
        silent = sum(not row.planned for row in nothing)
        said.append(f"The same as goals: no call for {silent} of {len(nothing)}.")
    return said


def goal_times(results: GoalResults) -> dict[str, dict[str, float]]:
    """p50 and p95 in milliseconds, in process."""
    return {
        name: dict(
            zip(("p50_ms", "p95_ms"), (round(float(v), 3) for v in np.percentile(ms, [50, 95])), strict=True)
        )
        for name, ms in (
            ("goals", [row.ms for row in results.goals]),
            ("questions", [row.ms for row in results.questions]),
        )
        if ms
    }


def _groups(
    rows: Sequence[Any], keys: Iterable[Callable[[Any], str]], every: str
) -> Iterator[tuple[str, list[Any]]]:
    if rows:
        yield every, list(rows)
    for key in keys:
        found: defaultdict[str, list[Any]] = defaultdict(list)
        for row in rows:
            found[key(row)].append(row)
        yield from sorted(found.items())


def _goal_texts(rows: Sequence[GoalRow]) -> tuple[str, ...]:
    found = [row.verdict for row in rows]
    counted = (
        [bool(one.twice) for one in found],
        [bool(one.forbidden) for one in found],
        [bool(one.other_changes) for one in found],
        [not one.calls for one in found],
        [bool(one.lost) for one in found],
        [bool(one.unchecked) for one in found],
        [one.signable for one in found],
    )
    return (
        _mean([one.recall for one in found]),
        _mean([one.precision for one in found]),
        _mean([one.exact for one in found]),
        _mean([one.order for one in found if one.order is not None]),
        f"{sum(one.bound for one in found)}/{sum(one.asked for one in found)}",
        *(str(sum(flags)) for flags in counted),
    )


def _question_texts(rows: Sequence[QuestionRow]) -> tuple[str, ...]:
    return (
        _mean([row.rank == 1 for row in rows]),
        _mean([1 <= row.rank <= 5 for row in rows]),
        _mean([row.reciprocal for row in rows]),
        str(sum(row.abstained for row in rows)),
    )


def _calls(count: int) -> str:
    return f"{count} call" if count == 1 else f"{count} calls"


def _mean(values: Sequence[float]) -> str:
    return f"{fmean(values):.3f}" if values else "-"
