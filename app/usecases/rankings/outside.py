"""What an answer may ask of others, and how long it waits for them."""

import math
from dataclasses import dataclass

from app.ports.reranking import Reranker


@dataclass(frozen=True)
class Outside:
    """Whom an answer asks: nobody unless set."""

    reranker: Reranker | None = None
    first: int = 20
    """The tools that it orders, the best of the ranking."""
    timeout_s: float = 3.0
    """That an answer waits for it."""
    patience_s: float = math.inf
    """That an answer waits for encoder and re-ranker together, all its queries included; then it does without."""


ALONE = Outside()
