"""Two rankings of one request, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RankedPair:
    """Where one tool stands in both."""

    id: str
    a: int | None
    """Its place in the first, from 1; None: not among those shown."""
    b: int | None

    @property
    def up(self) -> int | None:
        """How many places higher it stands in the second than in the first; None where it is in one alone."""
        return None if self.a is None or self.b is None else self.a - self.b


def ranked_pairs(a: Sequence[str], b: Sequence[str]) -> list[RankedPair]:
    """Every tool of two rankings: in the order of the second, then those of the first alone."""
    place_a, place_b = _places(a), _places(b)
    return [RankedPair(one, place_a.get(one), place_b.get(one)) for one in dict.fromkeys((*b, *a))]


def share_in_common(a: Sequence[str], b: Sequence[str]) -> float:
    """Tools in both, of those in any (Jaccard's coefficient), 0 to 1; 1 for two empty ones."""
    every = {*a, *b}
    return len(set(a) & set(b)) / len(every) if every else 1.0


def _places(ids: Sequence[str]) -> Mapping[str, int]:
    return {one: place for place, one in enumerate(ids, 1)}
