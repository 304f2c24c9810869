"""What is known of each tool beside its words, as numbers by position."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from app.domain.ranking.formulas import Array, Mask, Positions
from app.domain.ranking.intent import Acts, act_matrix
from app.domain.ranking.recipe import RankingRecipe

Profile = tuple[tuple[str, float], ...]
_NAMING = 4
"""Terms of a resource that are kept; in 10,000 public operations one in 200 has more."""
A = TypeVar("A", bound=npt.NDArray[Any])


@dataclass(frozen=True)
class ToolActs:
    """What each tool does, as the number of a profile: few differ."""

    of: npt.NDArray[np.int32]
    """The number of each tool's profile."""
    profiles: Mapping[Profile, int]
    matrix: npt.NDArray[np.float32]
    """`intent.act_matrix` of the profiles."""
    places: Positions | None = None
    """Where each tool of a view stands in `of`; None: at its own position."""

    @classmethod
    def of_all(cls, acts: Sequence[Acts], recipe: RankingRecipe) -> "ToolActs":
        """Those of a catalogue's tools."""
        return cls(np.empty(0, np.int32), {}, act_matrix([], recipe=recipe)).taken(
            np.full(len(acts), -1), acts, recipe
        )

    def profile(self, position: int) -> Acts:
        """What one tool does."""
        place = position if self.places is None else self.places[position]
        return dict(next(islice(self.profiles, int(self.of[place]), None)))

    def numbers_at(self, positions: Positions) -> npt.NDArray[np.int32]:
        """The numbers of the profiles of some tools."""
        return _rows(self.of, positions, self.places)

    def seen(self, at: Positions) -> "ToolActs":
        """Those of the tools at some places; nothing is copied."""
        return replace(self, places=at)

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
    places: Positions | None = None
    """As for `ToolActs`."""

    @classmethod
    def of_all(cls, objects: Sequence[str]) -> "ToolObjects":
        """Those of a catalogue's tools."""
        return cls(np.empty(0, np.int32), {}).taken(np.full(len(objects), -1), objects)

    def numbers_at(self, positions: Positions) -> npt.NDArray[np.int32]:
        """Those of some tools."""
        return _rows(self.of, positions, self.places)

    def seen(self, at: Positions) -> "ToolObjects":
        """As for `ToolActs`."""
        return replace(self, places=at)

    def taken(self, origin: Positions, new: Sequence[str]) -> "ToolObjects":
        """Those of a later generation; arguments as for `taken`."""
        numbers = dict(self.numbers)
        of = [numbers.setdefault(term, len(numbers)) if term else -1 for term in new]
        return ToolObjects(taken(self.of, origin, of), numbers)


@dataclass(frozen=True)
class ToolResources:
    """What each tool's path names (`intent_objects.path_terms`), as numbers of terms."""

    of: npt.NDArray[np.int32]
    """(N, `_NAMING`), -1 behind the last."""
    places: Positions | None = None
    """As for `ToolActs`."""

    @classmethod
    def of_all(cls, resources: Sequence[Sequence[int]]) -> "ToolResources":
        """Those of a catalogue's tools."""
        return cls(np.empty((0, _NAMING), np.int32)).taken(np.full(len(resources), -1), resources)

    def taken(self, origin: Positions, new: Sequence[Sequence[int]]) -> "ToolResources":
        """Those of a later generation; arguments as for `taken`."""
        rows = np.full((len(new), _NAMING), -1, np.int32)
        for row, numbers in zip(rows, new, strict=True):
            row[: len(numbers)] = numbers[:_NAMING]
        return ToolResources(taken(self.of, origin, rows))

    def seen(self, at: Positions) -> "ToolResources":
        """As for `ToolActs`."""
        return replace(self, places=at)

    def shares(self, asked: Collection[int], at: Positions) -> Array:
        """Of each of these tools, the share of its terms that are among some, 0 to 1."""
        found: Array = np.zeros(at.size)
        # Most tools have no path: MCP has none.
        naming = np.flatnonzero(_rows(self._name_any, at, self.places)) if self._name_any.any() else at[:0]
        if not naming.size:
            return found
        rows = _rows(self.of, at[naming], self.places)
        said = np.count_nonzero(np.isin(rows, np.fromiter(asked, np.int32, len(asked))), axis=1)
        found[naming] = said / np.count_nonzero(rows >= 0, axis=1)
        return found

    @cached_property
    def _name_any(self) -> Mask:
        """Which tools have terms."""
        found: Mask = self.of[:, 0] >= 0
        return found


def _rows(values: A, positions: Positions, places: Positions | None) -> A:
    return cast("A", values[positions if places is None else places[positions]])


def taken(values: A, origin: Positions, new: Sequence[Any] | npt.NDArray[Any]) -> A:
    """The values at other places, with new ones among them.

    Args:
        values: By the places before.
        origin: Where each stood before, -1 for a new one.
        new: The new ones, in order.
    """
    found = np.empty((origin.size, *values.shape[1:]), values.dtype)
    kept = origin >= 0
    found[kept] = values[origin[kept]]
    found[~kept] = new
    return cast("A", found)
