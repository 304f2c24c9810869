"""What methods of the common taxonomy suggest, as positions of tools."""

from collections.abc import Mapping, Sequence

import numpy as np

from app.domain.nodes.models import Link, Method, ScoredId
from app.domain.ranking.formulas import Positions
from app.domain.ranking.runs import Reached, highest_of


class SuggestedTools:
    """The tools that each method suggests; looked up when a request first leads to the method, then kept.

    Args:
        methods: By id.
        positions: Tool id -> position; tools that it does not have are left out.
        found: What is known of some methods.
    """

    def __init__(
        self,
        methods: Mapping[str, Method],
        positions: Mapping[str, int],
        found: Mapping[str, Reached] | None = None,
    ) -> None:
        self._methods = methods
        self._positions = positions
        self._found = dict(found or {})

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

    def later(
        self, methods: Mapping[str, Method], positions: Mapping[str, int], now: Positions
    ) -> "SuggestedTools":
        """The same of a later generation, without looking up again what was found.

        Args:
            methods: As they are then.
            positions: As they are then; the order of tools that stay is the same.
            now: Where each tool of before stands then, -1 for one that is gone.
        """
        later = SuggestedTools(methods, positions)
        for method, found in list(self._found.items()):
            if method in methods and method in self._methods:
                before, links = self._methods[method].suggests, methods[method].suggests
                places = now[found.positions]
                if links is not before and links != before:
                    later._found[method] = later._among(links, _placed(before, places))
                elif bool((places >= 0).all()):
                    later._found[method] = Reached(places, found.scores)
        return later

    def _looked_up(self, method: str) -> Reached:
        return self._among(self._methods[method].suggests if method in self._methods else (), {})

    def _among(self, links: Sequence[Link], known: Mapping[str, int]) -> Reached:
        """The targets of links, of some of which it is known where they stand."""
        placed: list[tuple[int, float]] = []
        for link in links:
            place = known[link.target] if link.target in known else self._positions.get(link.target)
            if place is not None:
                placed.append((place, link.weight))
        placed.sort()
        return Reached(
            np.array([place for place, _ in placed], np.intp),
            np.array([weight for _, weight in placed], float),
        )


def _placed(links: Sequence[Link], places: Positions) -> Mapping[str, int]:
    """Target -> where it stands, of links whose targets stand at these places in order; none where some are at no place."""
    targets = sorted(link.target for link in links)
    if len(targets) != places.size:
        return {}
    return {target: place for target, place in zip(targets, places.tolist(), strict=True) if place >= 0}
