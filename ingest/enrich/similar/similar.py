"""Nodes with nearly the same fingerprint, without comparing all pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from ingest.enrich.similar.fingerprints import Vectors

MIN_COSINE = 0.95
MAX_NEIGHBOURS = 10
_BAND = MAX_NEIGHBOURS // 2
_RADIUS = float(np.sqrt(2 - 2 * MIN_COSINE))
_DIGITS = 9
"""Fingerprints that differ by less than rounding count as one."""


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two nodes of one label; `source` is before `target`."""

    source: str
    target: str
    cosine: float


def similar_pairs(ids: Sequence[str], vectors: Vectors) -> list[SimilarPair]:
    """Pairs of cosine >= .95, each once, sorted; at most 10 with any one node.

    Nodes of one direction are chained: in the order of their ids, each with the next 5. Then directions are
    joined, the nearest first: of each direction its 10 nearest others within reach are tried, between the
    members that have the fewest neighbours so far; first only what joins parts that are not yet joined.

    So: every pair is that near, no node has more than 10, the order of the input does not matter, and among up to 11
    directions two nodes are connected by a path whenever they are by pairs of cosine >= .95, unless every
    member of a direction on the way is full. Among more, the 10 nearest stand for all.

    Args:
        ids: N ids, each once.
        vectors: shape (N, D), no row zero.
    """
    if len(ids) < 2:
        return []
    order = np.argsort(np.asarray(ids))
    unit = vectors[order] / np.linalg.norm(vectors[order], axis=1, keepdims=True)
    directions, group_of = np.unique(np.round(unit, _DIGITS), axis=0, return_inverse=True)
    joins = _Joins([str(ids[place]) for place in order], unit, group_of.reshape(-1), len(directions))
    joins.chain()
    near = _near(directions)
    for one, other in near:
        joins.join(one, other, only_apart=True)
    for one, other in near:
        joins.join(one, other, only_apart=False)
    return joins.pairs()


def _near(directions: Vectors) -> list[tuple[int, int]]:
    """Places of directions within reach of each other, the nearest first."""
    if len(directions) < 2:
        return []
    count = min(MAX_NEIGHBOURS + 1, len(directions))
    _, found = cKDTree(directions).query(directions, k=count, distance_upper_bound=_RADIUS * 1.001)
    rows = np.repeat(np.arange(len(directions)), count)
    others = found.reshape(-1)
    valid = (others < len(directions)) & (others != rows)
    ends = np.sort(np.stack([rows[valid], others[valid]], axis=1), axis=1)
    if not len(ends):
        return []
    ends = np.unique(ends, axis=0)
    cosines = np.einsum("ij,ij->i", directions[ends[:, 0]], directions[ends[:, 1]])
    best = np.lexsort((ends[:, 1], ends[:, 0], -np.round(cosines, _DIGITS)))
    return [(int(ends[at, 0]), int(ends[at, 1])) for at in best]


class _Joins:
    """Pairs so far, how many each node has, and which nodes hang together."""

    def __init__(
        self, ids: Sequence[str], unit: Vectors, group_of: npt.NDArray[np.intp], groups: int
    ) -> None:
        self._ids = ids
        self._unit = unit
        self._members: list[list[int]] = [[] for _ in range(groups)]
        for place, group in enumerate(group_of):
            self._members[int(group)].append(place)
        self._degree = [0] * len(ids)
        self._part = list(range(groups))
        self._found: dict[tuple[int, int], float] = {}

    def chain(self) -> None:
        """Join each node with the next 5 of its direction."""
        for members in self._members:
            for at, one in enumerate(members):
                for other in members[at + 1 : at + 1 + _BAND]:
                    self._add(one, other)

    def join(self, one: int, other: int, *, only_apart: bool) -> None:
        """Join two directions by one pair, if both have a node with room."""
        if only_apart and self._root(one) == self._root(other):
            return
        a, b = self._roomiest(one), self._roomiest(other)
        if a is None or b is None or (min(a, b), max(a, b)) in self._found:
            return
        if self._add(a, b):
            self._part[self._root(one)] = self._root(other)

    def pairs(self) -> list[SimilarPair]:
        """What was found; ids are sorted, so the lower place is the lower id."""
        return [
            SimilarPair(self._ids[a], self._ids[b], cosine) for (a, b), cosine in sorted(self._found.items())
        ]

    def _add(self, one: int, other: int) -> bool:
        cosine = min(1.0, float(self._unit[one] @ self._unit[other]))
        if cosine < MIN_COSINE:
            return False
        self._found[min(one, other), max(one, other)] = cosine
        self._degree[one] += 1
        self._degree[other] += 1
        return True

    def _roomiest(self, group: int) -> int | None:
        """The member with the fewest neighbours: in a long chain one of the 5 at either end."""
        members = self._members[group]
        ends = members if len(members) <= 2 * _BAND else [*members[:_BAND], *members[-_BAND:]]
        best = min(ends, key=lambda place: (self._degree[place], place))
        return best if self._degree[best] < MAX_NEIGHBOURS else None

    def _root(self, group: int) -> int:
        while self._part[group] != group:
            self._part[group] = self._part[self._part[group]]
            group = self._part[group]
        return group
