"""The literature's tables, from the set to the figures in one call."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import numpy as np

from bench.commands.table_data import TableData
from bench.literature import hgmf, scalemcp, track_a, track_b
from bench.measure.metrics import scores_of
from bench.methods.base import Run
from bench.methods.registry import method_named
from bench.methods.words import Tokens
from bench.sets.datasets import Dataset
from bench.sets.sets import toolbench


class Track(StrEnum):
    """What is printed of ToolBench."""

    SERVICE = "service"
    """The service's three rankings by tier."""
    A = "a"
    """The publication's tables 2 to 6: its methods on the 582 cases."""
    B = "b"
    """Tables 7 to 9: with 400 synthetic tools and 550 more cases."""


def measure_track_a(data: Path, tokens: Sequence[Tokens], *, limit: int | None = None) -> list[TableData]:
    """Tables 2 to 6 with each kind of tokens."""
    dataset = toolbench(data).first(limit)
    found = []
    for kind in tokens:
        runs = {name: method_named(name).run(dataset) for name in track_a.methods(kind)}
        scores = {name: scores_of(dataset, run) for name, run in runs.items()}
        times = {name: _median_ms(run) for name, run in runs.items()}
        found += track_a.tables(dataset, scores, tokens=kind, ms=times)
    return found


def measure_track_b(data: Path, tokens: Sequence[Tokens]) -> list[TableData]:
    """Tables 7 to 9 with each kind of tokens, over the seeds."""
    sets = [track_b.track_b(data, seed=seed) for seed in track_b.SEEDS]
    controls = [
        track_b.with_shuffled_shells(dataset, seed=seed)
        for dataset, seed in zip(sets, track_b.SEEDS, strict=True)
    ]
    notes = track_b.facts(sets, data=data)
    found = []
    for kind in tokens:
        scores = [
            {
                **_scores(dataset, track_b.methods(kind)),
                track_b.SHUFFLED: _scores(control, [track_b.control_method(kind)])[
                    track_b.control_method(kind)
                ],
            }
            for dataset, control in zip(sets, controls, strict=True)
        ]
        found += track_b.tables(sets, scores, tokens=kind, notes=notes)
    return found


def measure_scalemcp(*, seed: int = scalemcp.SEED) -> list[TableData]:
    """The set of 5,000 financial tools, by stratum and k."""
    sets = scalemcp.datasets(seed=seed)
    scores = [_scores(dataset, scalemcp.METHODS) for dataset in sets]
    return scalemcp.tables(sets, scores, notes=scalemcp.facts(sets))


def measure_hgmf(data: Path) -> list[TableData]:
    """LiveMCPBench and Toucan, by number of tools."""
    sets = [hgmf.live_set(data), *hgmf.toucan_sets(data)]
    return hgmf.tables(sets, [_scores(dataset, hgmf.METHODS) for dataset in sets])


def _scores(dataset: Dataset, names: Sequence[str]) -> dict[str, dict[str, list[float]]]:
    return {name: scores_of(dataset, method_named(name).run(dataset)) for name in names}


def _median_ms(run: Run) -> float:
    return float(np.median(run.ms))
