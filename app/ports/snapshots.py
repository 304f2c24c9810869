"""Indexes that outlive the process that made them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class KeptState:
    """The state of the graph that something is of; a restored graph may have the same generation again."""

    generation: int
    stamp: str


class SnapshotStore(Protocol):
    """Keeps the arrays of indexes; whatever goes wrong with it is logged, and an index is built instead."""

    def states(self) -> list[KeptState]:
        """Of which states there is one, the latest generation first."""

    def load(self, state: KeptState) -> Mapping[str, npt.NDArray[Any]] | None:
        """The arrays as they were kept, not to be written to; None where they cannot be had whole."""

    def keep(self, state: KeptState, arrays: Mapping[str, npt.NDArray[Any]]) -> bool:
        """Keep some; whether they are."""

    def can_keep(self) -> bool:
        """Whether something could be kept now: the folder can be written, and nobody else writes it."""


class SnapshotMaker(Protocol):
    """Builds and keeps the index of a graph elsewhere, so that what building takes is not the service's memory."""

    def make(self, *, goes_on: Callable[[], bool], in_background: bool = False) -> bool:
        """Keep the index of the graph as it is now; whether it is kept.

        Whatever goes wrong is logged, and the index is built here instead.

        Args:
            goes_on: Asked now and then; work is broken off where it says no.
            in_background: Others on the machine go first: answers are given meanwhile.
        """
