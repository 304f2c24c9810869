"""The steps of a training: which pairs are next, and how much the weights move."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench.training.pairs import PairKind
from bench.training.token_table import Tokens


@dataclass(frozen=True, eq=False)
class TokenPairs:
    """The pairs of one kind."""

    asked: Sequence[Tokens]
    told: Sequence[Tokens]
    owners: npt.NDArray[np.int64]
    """(pairs,): a number for each owner, whose second texts are no wrong answers to its first ones."""


@dataclass(frozen=True, eq=False)
class KindDraw:
    """Draws the kind of pairs of each step."""

    kinds: Sequence[PairKind]
    chances: npt.NDArray[np.float64]

    @classmethod
    def of(cls, pairs: Mapping[PairKind, TokenPairs], shares: Mapping[PairKind, float]) -> "KindDraw":
        """Of the kinds that have pairs, each as often as its share of theirs."""
        kinds = [kind for kind in PairKind if kind in pairs and len(pairs[kind].asked)]
        found = np.array([shares[kind] for kind in kinds])
        return cls(kinds, found / found.sum())

    def drawn(self, random: np.random.Generator) -> PairKind:
        """The kind of the next step."""
        return self.kinds[random.choice(len(self.kinds), p=self.chances)]


def pace(step: int, *, steps: int, warm_up: float, last: float) -> float:
    """Share of the rate: rising at first, then half a cosine.

    Args:
        step: From 0.
        steps: How many there are.
        warm_up: In how many of them the rate rises.
        last: The share that is left at the end.
    """
    falling = 0.5 * (1 + np.cos(np.pi * step / steps)) * (1 - last) + last
    return float(min(1.0, (step + 1) / warm_up) * falling)
