"""Whoever understands goals better than rules do."""

from collections.abc import Sequence
from typing import Protocol

from app.domain.reading.model_prompt import CandidateOperation
from app.domain.reading.models import AskedTask


class GoalReader(Protocol):
    """Cuts goals into tasks."""

    timeout_s: float
    """Seconds after which it has answered or given up, but for a name server that hangs."""

    def read(self, goal: str, candidates: Sequence[CandidateOperation]) -> tuple[AskedTask, ...]:
        """The tasks of a goal, at least one; whatever they state is in the goal.

        Args:
            goal: without hidden characters.
            candidates: operations that may serve it.

        Raises:
            ReaderUnavailableError: there is no answer that can be used, or not in time.
        """
