"""Trains the table: pairs of a batch against each other, and towards the vectors of the encoder that comes with Outfitter."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from bench.training.pairs import PairKind
from bench.training.steps import KindDraw, TokenPairs, pace
from bench.training.token_table import EncodedBag, Rows, Tokens, TrainedTable, bag_of, contrast

_LAST_RATE = 0.05
"""Share of the rate that is left at the end."""


@dataclass(frozen=True)
class TrainingRecipe:
    """What counts how much. Source: `docs/decisions.md`, *A small table stands in for the encoder*."""

    dimensions: int = 192
    steps: int = 250
    batch: int = 1_024
    """Pairs, each of which is a wrong answer to all others."""
    taught: int = 1_024
    """Texts of a step whose vectors are known."""
    rate: float = 2e-3
    warm_up: int = 50
    scale: float = 20.0
    """What cosines are multiplied by."""
    teaching: float = 10.0
    """What 1 - cosine to the known vector counts, where the pairs' cross-entropy counts 1."""
    left_out: float = 0.15
    """Share of tokens that do not count in a step, so that no single word decides."""
    shares: Mapping[PairKind, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                PairKind.NAME: 0.3,
                PairKind.SENTENCE: 0.2,
                PairKind.PARAMETERS: 0.17,
                PairKind.PATH: 0.17,
                PairKind.REQUEST: 0.16,
            }
        )
    )
    """Of steps; the pairs of a step are of one kind."""


@dataclass(frozen=True, eq=False)
class Taught:
    """Texts whose vectors are known."""

    texts: Sequence[Tokens]
    vectors: Rows
    """(texts, dimensions), each of length 1."""


def train(
    rows: Rows,
    pairs: Mapping[PairKind, TokenPairs],
    taught: Taught,
    recipe: TrainingRecipe,
    *,
    seed: int,
    say: Callable[[int, float, float], None] = lambda *_: None,
) -> Rows:
    """The table after all steps; equal seeds give equal bytes on one machine.

    Args:
        rows: (tokens, dimensions) to begin with; they stay as they are.
        pairs: By kind; kinds without any are passed over.
        taught: What the table is drawn towards.
        recipe: How long, and how.
        seed: Of the batches.
        say: Called after each step with its number, the loss of the pairs and the mean cosine to what is known.
    """
    random = np.random.default_rng(seed)
    table = TrainedTable(rows.copy())
    kinds = KindDraw.of(pairs, recipe.shares)
    for step in range(recipe.steps):
        kind = kinds.drawn(random)
        loss, gradient = _paired(table, pairs[kind], recipe, random)
        cosine, drawn = _drawn(table, taught, recipe, random)
        gradient += drawn
        table.step(
            gradient, recipe.rate * pace(step, steps=recipe.steps, warm_up=recipe.warm_up, last=_LAST_RATE)
        )
        say(step + 1, loss, cosine)
    return table.rows


def _paired(
    table: TrainedTable, pairs: TokenPairs, recipe: TrainingRecipe, random: np.random.Generator
) -> tuple[float, Rows]:
    count = len(pairs.asked)
    chosen = random.choice(count, min(recipe.batch, count), replace=False)
    asked = _bag(table, [pairs.asked[at] for at in chosen], recipe, random)
    told = _bag(table, [pairs.told[at] for at in chosen], recipe, random)
    owners = pairs.owners[chosen]
    loss, of_asked, of_told = contrast(
        asked.vectors, told.vectors, owners[:, None] != owners[None, :], recipe.scale
    )
    gradient = asked.gradient(of_asked)
    gradient += told.gradient(of_told)
    return loss, gradient


def _bag(
    table: TrainedTable, texts: Sequence[Tokens], recipe: TrainingRecipe, random: np.random.Generator
) -> EncodedBag:
    kept = random.random(sum(map(len, texts))) >= recipe.left_out
    return table.encoded(bag_of(texts, len(table.rows), kept))


def _drawn(
    table: TrainedTable, taught: Taught, recipe: TrainingRecipe, random: np.random.Generator
) -> tuple[float, Rows]:
    chosen = random.integers(0, len(taught.texts), recipe.taught)
    found = table.encoded(bag_of([taught.texts[at] for at in chosen], len(table.rows)))
    known = taught.vectors[chosen]
    gradient = found.gradient(known * np.float32(-recipe.teaching / len(chosen)))
    return float((found.vectors * known).sum(axis=1).mean()), gradient
