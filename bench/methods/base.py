"""What a ranking is to the bench: a data set in, one list of tools per question out."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from app.usecases.search_values import MAX_TOP_K
from bench.sets.datasets import Dataset

DEPTH = MAX_TOP_K
"""How many tools of a ranking are scored."""

Ranker: TypeAlias = Callable[[str, str], Sequence[str]]
"""(id, text) of a question -> tool ids, best first; more than `DEPTH` are cut off. Ids are for chance only."""


@dataclass(frozen=True)
class Run:
    """One ranking on one set."""

    rankings: tuple[tuple[str, ...], ...]
    """One per question, best first, at most `DEPTH`."""
    ms: tuple[float, ...]
    """One per question."""
    build_s: float
    """Seconds from the set to the first answer."""
    finished: bool = True
    """False when its time ran out; what it had not done is an empty ranking."""
    note: str = ""
    """What a reader of its figures must know."""


class RankingMethod(Protocol):
    """A ranking."""

    @property
    def name(self) -> str:
        """Unique; `bm25:paper` is `bm25` with the tokens of the paper."""

    @property
    def version(self) -> str:
        """Another one whenever its answers may be others."""

    def run(self, dataset: Dataset) -> Run:
        """Rank every question of the set."""


@dataclass(frozen=True)
class InProcess:
    """Fits `RankingMethod`: a ranking that is built from a set and asked here, one question after the other."""

    name: str
    version: str
    build: Callable[[Dataset], Ranker]
    note: str = ""

    def run(self, dataset: Dataset) -> Run:
        """Rank every question of the set."""
        start = time.perf_counter()
        rank = self.build(dataset)
        build_s = time.perf_counter() - start
        rankings, times = [], []
        for question in dataset.questions:
            start = time.perf_counter()
            found = rank(question.id, question.text)
            times.append((time.perf_counter() - start) * 1000)
            rankings.append(tuple(found[:DEPTH]))
        return Run(tuple(rankings), tuple(times), build_s, note=self.note)
