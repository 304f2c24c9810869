"""How far a run is."""

from typing import Protocol


class Progress(Protocol):
    """Called at each step of a run, and for the units of it that are done."""

    def begin(self, step: str, total: int) -> None:
        """A step of this many units begins."""

    def advance(self, units: int) -> None:
        """This many more units are done."""


class NoProgress:
    """Fits `Progress`; shows nothing."""

    def begin(self, step: str, total: int) -> None:
        """Nothing."""

    def advance(self, units: int) -> None:
        """Nothing."""
