"""Trains the layers of the encoder that ships: each first text of a batch has to find its second one among all."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType, ModuleType

import numpy as np
import numpy.typing as npt

from app.adapters.encoders.wordpiece import WordPiece
from bench.training.devices import on_processor
from bench.training.pairs import PairKind, TextPair
from bench.training.steps import KindDraw, TokenPairs, pace
from bench.training.token_table import Rows, Tokens, contrast
from bench.training.transformer import EncodedTexts, TextTokens, Weights, below, encoded

_LAST_RATE = 0.02
"""Share of the rate that is left at the end."""
_BETA, _BETA_2, _EPSILON = 0.9, 0.999, 1e-8
"""Of Adam. Source: Kingma, Ba (ICLR 2015)."""


@dataclass(frozen=True)
class TransformerRecipe:
    """What counts how much. Source: `docs/decisions.md`, *The encoder is trained on what tools say of themselves*."""

    layers: int = 6
    """The upper ones, which are trained; the others stay."""
    steps: int = 300
    batch: int = 512
    """Pairs, each of which is a wrong answer to all others."""
    rate: float = 8e-5
    warm_up: float = 0.1
    """Share of the steps in which the rate rises."""
    scale: float = 20.0
    """What cosines are multiplied by, as the encoder's authors did."""
    together: float = 0.2
    """Share of the steps whose pairs are of few servers or domains: what stands beside a tool is what it is taken for."""
    of_group: int = 32
    """Pairs of one of these, at most."""
    longest_asked: int = 32
    longest_told: int = 64
    """Tokens; the median tool has 37."""
    kept: float = 0.7
    """Share of the way from the weights that it begins with to those after training: `between`. Source: TUNE, LONG and `catalogues`, R@5 / MRR
    of a like recipe, before 8 bits: .6 .716 / .785, .664 / .830, .504 / .418; .7 .719 / .788, .670 / .831, .517 / .431; .8 .716 / .788, .667 / .827,
    .519 / .438."""

    most_change: float = 1.0
    """The largest length of a gradient; a longer one is cut."""
    shares: Mapping[PairKind, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                PairKind.NAME: 0.2,
                PairKind.SENTENCE: 0.2,
                PairKind.PARAMETERS: 0.06,
                PairKind.PATH: 0.06,
                PairKind.REQUEST: 0.18,
                PairKind.WRITTEN: 0.05,
                PairKind.SIBLING: 0.2,
                PairKind.SEVERAL: 0.05,
            }
        )
    )
    """Of steps; the pairs of a step are of one kind."""


@dataclass(frozen=True, eq=False)
class GroupedPairs(TokenPairs):
    """The pairs of one kind; the owner of a pair is its second text."""

    askers: npt.NDArray[np.int64]
    """(pairs,): a number for each first text; of two pairs with the same one, neither second text is a wrong answer."""

    groups: Sequence[npt.NDArray[np.int64]]
    """The pairs of each server or domain that has two or more."""
    beside: Sequence[Tokens] = ()
    """For each pair a text that is a wrong answer to all: of another tool of the same server."""


def grouped_pairs(
    pairs: Sequence[TextPair], tokenizer: WordPiece, recipe: TransformerRecipe
) -> dict[PairKind, GroupedPairs]:
    """The pairs by kind, as tokens; kinds without any are left out."""
    found = {}
    for kind in PairKind:
        some = [pair for pair in pairs if pair.kind is kind]
        if not some:
            continue
        told = [pair.told.lower() for pair in some]
        groups: defaultdict[str, list[int]] = defaultdict(list)
        for at, pair in enumerate(some):
            groups[pair.group].append(at)
        asked = [_tokens(pair.asked, tokenizer, recipe.longest_asked) for pair in some]
        answers = [_tokens(pair.told, tokenizer, recipe.longest_told) for pair in some]
        beside = [_tokens(pair.beside, tokenizer, recipe.longest_told) for pair in some if pair.beside]
        found[kind] = GroupedPairs(
            asked,
            answers,
            _numbered(told),
            _numbered([pair.asked.lower() for pair in some]),
            [np.array(group) for group in groups.values() if len(group) > 1],
            beside,
        )
    return found


def _numbered(texts: Sequence[str]) -> npt.NDArray[np.int64]:
    """Equal texts have equal numbers."""
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return np.array([numbers[text] for text in texts])


def _tokens(text: str, tokenizer: WordPiece, most: int) -> Tokens:
    return np.array(tokenizer.encode(text, most=most), np.int32)


def train_layers(
    embeddings: Mapping[str, Rows],
    layers: Sequence[Weights],
    pairs: Mapping[PairKind, GroupedPairs],
    recipe: TransformerRecipe,
    *,
    seed: int,
    arrays: ModuleType = np,
    say: Callable[[int, PairKind, float], None] = lambda *_: None,
) -> list[Weights]:
    """The weights of all layers after all steps; those given stay as they are.

    Args:
        embeddings: Of the tokens; they are not trained.
        layers: The lowest first.
        pairs: By kind; kinds without any are passed over.
        recipe: How long, and how.
        seed: Of the batches.
        arrays: What computes: numpy, or CuPy on a GPU.
        say: Called after each step with its number, the kind of its pairs and their loss.
    """
    random = np.random.default_rng(seed)
    kept = len(layers) - recipe.layers
    known = _moved(embeddings, arrays)
    fixed, trained = (
        [_moved(weights, arrays) for weights in some] for some in (layers[:kept], layers[kept:])
    )
    adam = _Adam()
    kinds = KindDraw.of(pairs, recipe.shares)
    warm_up = max(1.0, recipe.warm_up * recipe.steps)
    for step in range(recipe.steps):
        kind = kinds.drawn(random)
        some = pairs[kind]
        chosen = _chosen(some, recipe, random)

        def of(texts: Sequence[Tokens], most: int) -> EncodedTexts:
            packed = TextTokens.of(texts, most=most, arrays=arrays)
            return encoded(below(known, fixed, packed), trained, packed)

        asked = of([some.asked[at] for at in chosen], recipe.longest_asked)
        told = [some.told[at] for at in chosen]
        beside = [some.beside[at] for at in chosen] if some.beside else []
        answers = of([*told, *beside], recipe.longest_told)
        loss, of_asked, of_answers = _both_ways(
            asked.vectors, answers.vectors, _is_other(some, chosen), recipe
        )
        gradients: list[Weights] = [{} for _ in trained]
        asked.gradient(of_asked, gradients)
        answers.gradient(of_answers, gradients)
        _cut(gradients, recipe.most_change)
        rate = recipe.rate * pace(step, steps=recipe.steps, warm_up=warm_up, last=_LAST_RATE)
        adam.step(trained, gradients, rate)
        say(step + 1, kind, loss)
    on_host = [{name: on_processor(rows) for name, rows in weights.items()} for weights in trained]
    return [*(dict(weights) for weights in layers[:kept]), *on_host]


def _moved(weights: Mapping[str, Rows], arrays: ModuleType) -> Weights:
    return {name: arrays.asarray(rows) for name, rows in weights.items()}


def between(first: Sequence[Weights], last: Sequence[Weights], share: float) -> list[Weights]:
    """Weights on the straight line from some to others.

    What an encoder knew before it was trained on little is kept so. Source: Wortsman et al.: Robust fine-tuning of zero-shot
    models. CVPR 2022.

    Args:
        first: Layers.
        last: The same layers after training.
        share: 0: the first ones, 1: the last ones.
    """
    return [
        {
            name: np.asarray(before[name] + np.float32(share) * (after[name] - before[name]), np.float32)
            for name in before
        }
        for before, after in zip(first, last, strict=True)
    ]


class _Adam:
    def __init__(self) -> None:
        self._steps = 0
        self._means: dict[tuple[int, str], Rows] = {}
        self._squares: dict[tuple[int, str], Rows] = {}

    def step(self, layers: Sequence[Weights], gradients: Sequence[Weights], rate: float) -> None:
        self._steps += 1
        for number, (weights, some) in enumerate(zip(layers, gradients, strict=True)):
            for name, gradient in some.items():
                key = (number, name)
                mean = self._means[key] = _mixed(self._means.get(key), gradient, _BETA)
                square = self._squares[key] = _mixed(self._squares.get(key), gradient * gradient, _BETA_2)
                size = np.sqrt(square / np.float32(1 - _BETA_2**self._steps)) + np.float32(_EPSILON)
                weights[name] = weights[name] - np.float32(rate / (1 - _BETA**self._steps)) * mean / size


def _mixed(before: Rows | None, now: Rows, share: float) -> Rows:
    return np.float32(1 - share) * now + (0 if before is None else np.float32(share) * before)


def _chosen(
    pairs: GroupedPairs, recipe: TransformerRecipe, random: np.random.Generator
) -> npt.NDArray[np.int64]:
    """The pairs of a step: drawn from all, or from a few groups."""
    count = min(recipe.batch, len(pairs.asked))
    if random.random() >= recipe.together:
        return random.choice(len(pairs.asked), count, replace=False)
    found: list[npt.NDArray[np.int64]] = []
    for group in random.permutation(len(pairs.groups)):
        found.append(random.permutation(pairs.groups[group])[: recipe.of_group])
        if sum(map(len, found)) >= count:
            break
    return np.concatenate(found)[:count]


def _is_other(pairs: GroupedPairs, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """(chosen, chosen): whether the second text of a pair is a wrong answer to the first one of another."""
    owners, askers = pairs.owners[chosen], pairs.askers[chosen]
    found: npt.NDArray[np.bool_] = (owners[:, None] != owners) & (askers[:, None] != askers)
    return found


def _both_ways(
    asked: Rows, answers: Rows, is_other: npt.NDArray[np.bool_], recipe: TransformerRecipe
) -> tuple[float, Rows, Rows]:
    """The mean of both losses, of asked to answers and back, and the gradients of both.

    Args:
        asked: (pairs, dimensions).
        answers: (pairs or more, dimensions): the second texts, then further wrong answers.
        is_other: (pairs, pairs): whether the second text of a pair is a wrong answer to the first one of another.
        recipe: What cosines are multiplied by.
    """
    pairs = len(asked)
    further = np.ones((pairs, len(answers) - pairs), np.bool_)
    loss, of_asked, of_answers = contrast(asked, answers, np.hstack([is_other, further]), recipe.scale)
    back, of_told, of_back = contrast(answers[:pairs], asked, is_other, recipe.scale)
    of_answers[:pairs] += of_told
    half = np.float32(0.5)
    return (loss + back) / 2, half * (of_asked + of_back), half * of_answers


def _cut(gradients: Sequence[Weights], most: float) -> None:
    """Make the gradients no longer than this together."""
    length = float(np.sqrt(sum(float((one * one).sum()) for some in gradients for one in some.values())))
    if length > most:
        for some in gradients:
            for one in some.values():
                one *= np.float32(most / length)
