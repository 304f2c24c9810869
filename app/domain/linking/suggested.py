"""What methods of the common taxonomy suggest, as positions of tools."""

from collections.abc import Mapping, Sequence

import numpy as np

from app.domain.nodes.models import Method, ScoredId
from app.domain.ranking.runs import Reached, highest_of


class SuggestedTools:
    """The tools that each method suggests; looked up when a request first leads to the method, then kept.

    Args:
        methods: By id.
        positions: Tool id -> position; tools that it does not have are left out.
    """

    def __init__(self, methods: Mapping[str, Method], positions: Mapping[str, int]) -> None:
        self._methods = methods
        self._positions = positions
        self._found: dict[str, Reached] = {}

    def of(self, method: str) -> Reached:
        """The tools of one method, each with the confidence of the link; none for an unknown method."""
        found = self._found.get(method)
        if found is None:
            found = self._found[method] = self._looked_up(method)
        return found

    def scores(self, seeds: Sequence[ScoredId]) -> Reached:
        """Of each tool the highest score times confidence over these methods, as `auto_contributions` has it."""
        found = [(seed.score, self.of(seed.id)) for seed in seeds]
        return highest_of([Reached(one.positions, score * one.scores) for score, one in found])

    def _looked_up(self, method: str) -> Reached:
        links = self._methods[method].suggests if method in self._methods else ()
        places = ((self._positions.get(link.target), link.weight) for link in links)
        found = sorted((place, weight) for place, weight in places if place is not None)
        return Reached(
            np.array([place for place, _ in found], np.intp), np.array([weight for _, weight in found], float)
        )
