"""A ranking: one score per candidate, and the best of them."""

from dataclasses import dataclass

import numpy as np

from app.domain.ranking.formulas import Array, Positions, best, rounded
from app.domain.ranking.runs import place_of
from app.usecases.index.filtered import AllowedTools


@dataclass(frozen=True)
class Ranking:
    """A score for each candidate; every other tool has 0."""

    positions: Positions
    """The candidates' in the catalogue, rising; the order of all arrays."""
    scores: Array

    def best(self, k: int, allowed: AllowedTools | None) -> list[int]:
        """Positions of the k best that pass, as `formulas.best`."""
        passed = allowed.at(self.positions) if allowed is not None else None
        found: list[int] = self.positions[best(self.scores, k, allowed=passed)].tolist()
        return found

    def place(self, position: int) -> int | None:
        """Where a tool stands in the arrays; None when it is no candidate."""
        return place_of(position, self.positions)

    def rank_of(self, position: int, allowed: AllowedTools | None) -> int | None:
        """Where a tool comes in `best` of all, from 1; None when it does not pass, or has no score above 0."""
        at = self.place(position)
        grains = rounded(self.scores)
        if at is None or grains[at] <= 0 or not (allowed is None or allowed.has(position)):
            return None
        before = grains > grains[at]
        before[:at] |= grains[:at] == grains[at]
        if allowed is not None:
            before &= allowed.at(self.positions)
        return 1 + int(np.count_nonzero(before))

    def score(self, position: int) -> float:
        """That of one tool."""
        at = self.place(position)
        return 0.0 if at is None else float(self.scores[at])
