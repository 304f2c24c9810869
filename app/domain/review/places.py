"""Places in an answer: tools that nobody has looked at get only some of the first ones."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Final

FIRST: Final = 5
"""Places that are looked at: what a model is usually given."""
MOST: Final = 3
"""Of them, for one source, and for all such sources together beside others. What it costs: `outfitter bench poison`."""


def spread(order: Sequence[int], source_of: Callable[[int], Hashable]) -> list[int]:
    """The order in which what is limited has at most `MOST` of the first `FIRST` places.

    That holds for all limited ones together as long as there are others, and for those of each source as long as there
    are other sources. Sources cost an attacker nothing, so a bound for each alone bounds nothing.

    Args:
        order: what was found, best first.
        source_of: the source of one of them; empty, or 0, where it is not limited.

    Returns:
        Those that get the first places; behind them the others, as they stood.
    """
    first: dict[int, None] = {}
    taken: Counter[Hashable] = Counter()
    for is_shared in (True, False):
        for one in order:
            if len(first) == FIRST:
                break
            source = source_of(one)
            is_full = bool(source) and (taken[source] == MOST or (is_shared and taken.total() == MOST))
            if one in first or is_full:
                continue
            first[one] = None
            if source:
                taken[source] += 1
    return [*first, *(one for one in order if one not in first)]
