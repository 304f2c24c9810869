"""Development sets of `auto`: what was tuned on (TUNE) and what only checks it (CHECK).

The numbers show whether a change of the ranking generalises. CHECK was looked at often while the ranking was
found, so it is no virgin test set either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from app.errors import InvalidInputError
from app.usecases.questions import SearchMethod
from bench.measure.metrics import scores_of
from bench.methods.base import InProcess
from bench.methods.registry import code_version
from bench.methods.service import service_ranker
from bench.peer.sets import PEER_SETS
from bench.sets.catalogue_requests import NAME, catalogue_requests
from bench.sets.datasets import Dataset
from bench.sets.sets import CHECK, LONG, LONG_SAMPLES, SAMPLES, TUNE

COLUMNS = ("R@1", "R@5", "R@10", "all@10", "MRR")
DEFAULT = (*TUNE, *CHECK)
SETS = (*DEFAULT, *LONG, NAME)


@dataclass(frozen=True)
class SetResult:
    """Means over one set."""

    name: str
    tools: int
    questions: int
    values: tuple[float, ...]
    """In the order of `COLUMNS`."""
    build_s: float
    p50_ms: float
    p95_ms: float


def evaluate(data: Path, names: Sequence[str], *, method: SearchMethod) -> list[SetResult]:
    """Each named set; `peer` is the mean of nine."""
    unknown = sorted(set(names) - set(SETS))
    if unknown:
        raise InvalidInputError(f"--sets: no set {unknown[0]!r}; sets are {', '.join(SETS)}")
    results = []
    for name in names:
        parts = [evaluate_set(dataset, method=method) for dataset in load(data, name)]
        results.append(parts[0] if len(parts) == 1 else _mean(name, parts))
    return results


def load(data: Path, name: str) -> list[Dataset]:
    """The sample of a set; nine sets for `peer`."""
    if name == NAME:
        return [catalogue_requests(data)]
    if name in LONG:
        return [LONG_SAMPLES[name](data)]
    names = [f"gtc:{part}" for part in PEER_SETS] if name == "peer" else [name]
    return [SAMPLES[part](data) for part in names]


def evaluate_set(dataset: Dataset, *, method: SearchMethod) -> SetResult:
    """One set, in memory: no set has a graph that was not made from its answers."""
    build = partial(service_ranker, method=method)
    run = InProcess(method.value, code_version(), build).run(dataset)
    scores = scores_of(dataset, run, COLUMNS)
    values = tuple(float(np.mean(scores[column])) for column in COLUMNS)
    p50, p95 = np.percentile(run.ms, [50, 95])
    tools, questions = len(dataset.catalogue.tools), len(dataset.questions)
    return SetResult(dataset.name, tools, questions, values, run.build_s, float(p50), float(p95))


def means(results: Sequence[SetResult]) -> dict[str, tuple[float, ...]]:
    """TUNE, CHECK and LONG, where all of their sets are there."""
    by_name = {result.name: result.values for result in results}
    return {
        title: tuple(float(value) for value in np.mean([by_name[name] for name in names], axis=0))
        for title, names in (("TUNE", TUNE), ("CHECK", CHECK), ("LONG", LONG))
        if set(names) <= by_name.keys()
    }


def _mean(name: str, parts: Sequence[SetResult]) -> SetResult:
    return SetResult(
        name,
        sum(part.tools for part in parts),
        sum(part.questions for part in parts),
        tuple(float(value) for value in np.mean([part.values for part in parts], axis=0)),
        sum(part.build_s for part in parts),
        float(np.median([part.p50_ms for part in parts])),
        max(part.p95_ms for part in parts),
    )
