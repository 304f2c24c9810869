"""What is known of each tool beside its words, as numbers by position."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from app.domain.ranking.formulas import Positions
from app.domain.ranking.intent import Acts, act_matrix
from app.domain.ranking.recipe import RankingRecipe

Profile = tuple[tuple[str, float], ...]
A = TypeVar("A", bound=npt.NDArray[Any])


@dataclass(frozen=True)
class ToolActs:
    """What each tool does, as the number of a profile: few differ."""

    of: npt.NDArray[np.int32]
    """The number of each tool's profile."""
    profiles: Mapping[Profile, int]
    matrix: npt.NDArray[np.float32]
    """`intent.act_matrix` of the profiles."""

    @classmethod
    def of_all(cls, acts: Sequence[Acts], recipe: RankingRecipe) -> "ToolActs":
        """Those of a catalogue's tools."""
        return cls(np.empty(0, np.int32), {}, act_matrix([], recipe=recipe)).taken(
            np.full(len(acts), -1), acts, recipe
        )

    def taken(self, origin: Positions, new: Sequence[Acts], recipe: RankingRecipe) -> "ToolActs":
        """Those of a later generation; arguments as for `taken`."""
        profiles = dict(self.profiles)
        numbers = [profiles.setdefault(tuple(acts.items()), len(profiles)) for acts in new]
        matrix = self.matrix
        if len(profiles) > len(self.profiles):
            matrix = act_matrix([dict(profile) for profile in profiles], recipe=recipe)
        return ToolActs(taken(self.of, origin, numbers), profiles, matrix)


@dataclass(frozen=True)
class ToolObjects:
    """What each tool works on (`intent_objects.tool_object`), as a number."""

    of: npt.NDArray[np.int32]
    """-1 where a name does not say it."""
    numbers: Mapping[str, int]

    @classmethod
    def of_all(cls, objects: Sequence[str]) -> "ToolObjects":
        """Those of a catalogue's tools."""
        return cls(np.empty(0, np.int32), {}).taken(np.full(len(objects), -1), objects)

    def taken(self, origin: Positions, new: Sequence[str]) -> "ToolObjects":
        """Those of a later generation; arguments as for `taken`."""
        numbers = dict(self.numbers)
        of = [numbers.setdefault(term, len(numbers)) if term else -1 for term in new]
        return ToolObjects(taken(self.of, origin, of), numbers)


def taken(values: A, origin: Positions, new: Sequence[Any]) -> A:
    """The values at other places, with new ones among them.

    Args:
        values: By the places before.
        origin: Where each stood before, -1 for a new one.
        new: The new ones, in order.
    """
    found = np.empty(origin.size, values.dtype)
    kept = origin >= 0
    found[kept] = values[origin[kept]]
    found[~kept] = new
    return cast("A", found)
