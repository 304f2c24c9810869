"""The sets and rankings of a report."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from bench.generated.grown import SIZES
from bench.methods.base import RankingMethod
from bench.methods.peers import RANK_BM25, rank_bm25
from bench.methods.registry import method_named
from bench.peer.methods import GraphToolCall
from bench.peer.sets import PEER_SETS, PREFIX
from bench.report.cells import Task
from bench.report.tracks import Tracks, read_tracks
from bench.sets.datasets import Dataset
from bench.sets.sets import SAMPLES, read_sets

QUICK_QUESTIONS = 100
"""Of each set."""
PEER_SECONDS = 600.0
"""For one set."""
QUICK_PEERS_END = 160.0
"""Seconds after which a quick report, which is to be there within three minutes, waits for no peer."""
TOOLBENCH = "toolbench"
_PEERS_OWN = tuple(f"{PREFIX}{name}" for name in PEER_SETS)
QUICK_SETS = (TOOLBENCH, *_PEERS_OWN, "tmdb", "spotify")
FULL_SETS = (TOOLBENCH, *SAMPLES)
LARGE_SETS = ("ultratool_full", "toollens_full", "toollinkos_full", "jentic_full")
"""All questions of the sets that the samples are drawn from: rankings that run here only."""
HERE = ("auto", "kg_hybrid", "kg_toolrank", "kg_text_only", "bm25", "tfidf", "keyword", "random")
"""Rankings on every set, in the order of the tables; tokens of the service's reference rankings."""


class Part(StrEnum):
    """Chapters of a report."""

    SETS = "sets"
    """Every ranking on every set; without it on ToolBench alone."""
    LARGE = "large"
    """The whole sets that samples are drawn from."""
    TRACKS = "tracks"
    """The literature's tables: ToolBench's tracks, the ScaleMCP set, HGMF."""
    PLANS = "plans"
    GOALS = "goals"
    """What plans bind: goals judged by their labels, bindings against labelled workflows."""
    SIZES = "sizes"
    """Times and memory by number of tools."""


QUICK_PARTS = (Part.SETS, Part.TRACKS, Part.GOALS)


@dataclass(frozen=True)
class ReportScope:
    """What a report measures."""

    sets: tuple[Dataset, ...]
    """Those of every ranking."""
    large: tuple[Dataset, ...]
    """Those of the rankings that run here."""
    tracks: Tracks
    peers: tuple[GraphToolCall, ...]
    missing: tuple[str, ...]
    """A line for each set that the folder lacks."""
    parts: frozenset[Part]
    quick: bool
    sizes: tuple[int, ...] = SIZES
    """Numbers of tools."""

    @property
    def methods(self) -> list[str]:
        """Rankings on every set, in the order of the tables."""
        return [*HERE, RANK_BM25, *(peer.name for peer in self.peers)]

    def tasks(self) -> Iterator[Task]:
        """The cells of all sets, each once."""
        found = {(task.dataset.name, task.method.name): task for task in self._all_tasks()}
        yield from found.values()

    @property
    def peers_end_s(self) -> float | None:
        """Seconds after which no peer is waited for."""
        return QUICK_PEERS_END if self.quick else None

    @property
    def every_set(self) -> tuple[Dataset, ...]:
        """All that have cells."""
        return (*self.sets, *self.large, *self.tracks.datasets)

    def _all_tasks(self) -> Iterator[Task]:
        for dataset in self.sets:
            yield from (Task(dataset, method) for method in _methods())
            yield from (Task(dataset, peer) for peer in self.peers)
        for dataset in self.large:
            yield from (Task(dataset, method_named(name)) for name in HERE)
        yield from self.tracks.tasks()


def read_scope(
    data: Path,
    peers: Sequence[GraphToolCall],
    *,
    quick: bool,
    parts: Sequence[Part] = (),
    sizes: Sequence[int] = SIZES,
) -> ReportScope:
    """Read the sets: those of TUNE and CHECK and the full ones, or for a quick look a few, 100 questions each.

    Args:
        data: Folder with the public sets.
        peers: To be measured beside.
        quick: Whether it is to be there within three minutes.
        parts: None stands for all, or for those that a quick look has.
        sizes: Numbers of tools of the part on sizes.
    """
    chosen = frozenset(parts or (QUICK_PARTS if quick else Part))
    names = QUICK_SETS if quick else FULL_SETS
    sets, missing = read_sets(data, names if Part.SETS in chosen else (TOOLBENCH,))
    if quick:
        sets = [spread(of, QUICK_QUESTIONS) for of in sets]
    large, more = read_sets(data, LARGE_SETS if Part.LARGE in chosen else ())
    toolbench = next((of for of in sets if of.name == TOOLBENCH), None)
    tracks = read_tracks(data, toolbench, quick=quick) if Part.TRACKS in chosen else Tracks(None)
    return ReportScope(
        tuple(sets),
        tuple(large),
        tracks,
        tuple(peers),
        (*missing, *more, *tracks.missing),
        chosen,
        quick,
        tuple(sizes),
    )


def spread(dataset: Dataset, count: int) -> Dataset:
    """The same tools with this many questions, taken evenly from first to last, so that every tier is among them."""
    every = dataset.questions
    if len(every) <= count:
        return dataset
    return replace(dataset, questions=tuple(every[place * len(every) // count] for place in range(count)))


def _methods() -> Iterator[RankingMethod]:
    yield from (method_named(name) for name in HERE)
    yield rank_bm25()
