"""Indexes that outlive the process that made them."""

from collections.abc import Mapping
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
