"""The chapters of a report on ToolBench."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bench import plots
from bench.datasets import Dataset
from bench.report_section import Section
from bench.table_data import TableData


def toolbench_section(dataset: Dataset, of: Mapping[str, Any], methods: Sequence[str]) -> Section:
    """R@5 by tier."""
    tiers = sorted({question.group for question in dataset.questions})
    shown = [name for name in methods if name in of["cases"]]
    by_tier = {name: _by_tier(dataset, of["cases"][name]["R@5"], tiers) for name in shown}
    rows = tuple((name, *(f"{value:.3f}" for value in values)) for name, values in by_tier.items())
    counts = [sum(question.group == tier for question in dataset.questions) for tier in tiers]
    columns = tuple(f"{tier} ({count})" for tier, count in zip(tiers, counts, strict=True))
    return Section(
        "ToolBench by tier",
        (
            "T1 names one tool outright, T2 implies one, T3 needs two in sequence, T4 three or more, T5 a generator, "
            "T6 is vague and crosses domains.",
        ),
        tables=(TableData("R@5 by tier (cases)", ("method", *columns), rows),),
        plots=(plots.bars("R@5 by tier", tiers, by_tier),),
    )


def _by_tier(dataset: Dataset, scores: Sequence[float], tiers: Sequence[str]) -> list[float | None]:
    groups = [question.group for question in dataset.questions]
    return [
        float(np.mean([score for score, group in zip(scores, groups, strict=True) if group == tier]))
        for tier in tiers
    ]
