"""What puts the first tools of a ranking into another order."""

from collections.abc import Sequence
from typing import Protocol

from app.domain.nodes.models import Tool


class Reranker(Protocol):
    """Compares a request with a few tools, more closely than a ranking of all can; safe to share between threads."""

    @property
    def name(self) -> str:
        """What it is, as reasons name it."""

    def order(self, request: str, tools: Sequence[Tool], *, timeout_s: float) -> Sequence[int]:
        """The places of the tools, best first, each once.

        Args:
            request: In the words of whoever asks.
            tools: In the order of the ranking.
            timeout_s: How long whoever asks waits.

        Raises:
            RerankerError: there is no other order, or not in time.
        """
