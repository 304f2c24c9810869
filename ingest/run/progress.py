"""How far a run is."""

from typing import Protocol


class Progress(Protocol):
    """Told of each step of a run and of the units that are done of it."""

    def begin(self, step: str, total: int) -> None:
        """A step of so many units begins."""

    def advance(self, units: int) -> None:
        """So many more units are done."""


class NoProgress:
    """Fits `Progress`; tells nobody."""

    def begin(self, step: str, total: int) -> None:
        """Nothing."""

    def advance(self, units: int) -> None:
        """Nothing."""
