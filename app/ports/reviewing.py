"""Who carries out what is decided of definitions."""

from collections.abc import Sequence
from typing import Protocol

from app.domain.review.records import Decision


class ReviewDesk(Protocol):
    """Takes decisions in, and has the graph serve what was agreed to."""

    def decide(self, decisions: Sequence[Decision]) -> int:
        """Carry these out, all or none; the new generation.

        Raises:
            NotFoundError: one is on a tool of which no definition is reviewed.
            ChangedMeanwhileError: one is on another definition than the one that there is now.
            StoreUnavailableError: the graph is away.
            LeaseHeldError: another writer is at work.
        """
