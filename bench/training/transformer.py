"""The layers of a sentence encoder of BERT's kind, with their gradients written out: no framework is needed to train them.

Source:
    Vaswani et al.: Attention is all you need. NeurIPS 2017; Devlin et al.: BERT. NAACL 2019, for the order of the parts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import numpy.typing as npt

from bench.training.devices import arrays_of, erf
from bench.training.token_table import Rows, Tokens

Weights = dict[str, Rows]
"""Of a layer, or the gradients of these; the names are those of `LAYER`."""

LAYER = (
    *("query", "query_bias", "key", "key_bias", "value", "value_bias", "mixed", "mixed_bias"),
    *("mixed_scale", "mixed_shift", "wide", "wide_bias", "narrow", "narrow_bias", "scale", "shift"),
)
_HEAD = 32
"""Dimensions of a head of attention. Source: BERT's small models; MiniLM has twelve of them."""
_EPSILON = np.float32(1e-12)
"""Beside a variance. Source: BERT."""
_FAR = np.float32(-1e9)


@dataclass(frozen=True, eq=False)
class TextTokens:
    """The tokens of some texts, one text after the other."""

    tokens: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    """Of each token its text."""
    columns: npt.NDArray[np.int64]
    """Of each token its place in the text."""
    lengths: npt.NDArray[np.int64]
    longest: int

    @classmethod
    def of(cls, texts: Sequence[Tokens], *, most: int, arrays: ModuleType = np) -> "TextTokens":
        """The first tokens of each text, which has at least one.

        Args:
            texts: The tokens of each.
            most: Of a text.
            arrays: Whose arrays they become: numpy, or CuPy.
        """
        cut = [text[:most] for text in texts]
        lengths = np.array([len(text) for text in cut])
        return cls(
            arrays.asarray(np.concatenate(cut).astype(np.int64)),
            arrays.asarray(np.repeat(np.arange(len(cut)), lengths)),
            arrays.asarray(np.concatenate([np.arange(length) for length in lengths])),
            arrays.asarray(lengths),
            int(lengths.max()),
        )

    def spread(self, packed: Rows) -> Rows:
        """(tokens, dimensions) as (texts, places, dimensions), 0 behind a text's end."""
        shape = (len(self.lengths), self.longest, packed.shape[1])
        found: Rows = arrays_of(packed).zeros(shape, np.float32)
        found[self.rows, self.columns] = packed
        return found

    def heads(self, packed: Rows) -> Rows:
        """(tokens, dimensions) as (texts, heads, places, dimensions of a head), 0 behind a text's end."""
        found: Rows = (
            self.spread(packed).reshape(len(self.lengths), self.longest, -1, _HEAD).transpose(0, 2, 1, 3)
        )
        return found

    def packed(self, heads: Rows) -> Rows:
        """The other way round."""
        texts, _, longest, _ = heads.shape
        found: Rows = heads.transpose(0, 2, 1, 3).reshape(texts, longest, -1)[self.rows, self.columns]
        return found

    @property
    def beyond(self) -> npt.NDArray[np.bool_]:
        """(texts, 1, 1, places): behind a text's end."""
        places = arrays_of(self.lengths).arange(self.longest)
        found: npt.NDArray[np.bool_] = places >= self.lengths[:, None]
        return found[:, None, None, :]


@dataclass(frozen=True, eq=False)
class Normalised:
    """Rows of mean 0 and variance 1, times a scale, and what their gradient takes."""

    values: Rows
    unscaled: Rows
    deviation: Rows

    @classmethod
    def of(cls, rows: Rows, scale: Rows, shift: Rows) -> "Normalised":
        """Source: Ba et al.: Layer normalization (2016)."""
        centred = rows - rows.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred * centred).mean(axis=1, keepdims=True) + _EPSILON)
        unscaled = centred / deviation
        return cls(unscaled * scale + shift, unscaled, deviation)

    def gradient(self, of_values: Rows, scale: Rows) -> tuple[Rows, Rows, Rows]:
        """Of the rows, the scale and the shift."""
        inner = of_values * scale
        along = (inner * self.unscaled).mean(axis=1, keepdims=True)
        of_rows = (inner - inner.mean(axis=1, keepdims=True) - self.unscaled * along) / self.deviation
        return of_rows, (of_values * self.unscaled).sum(axis=0), of_values.sum(axis=0)


class LayerPass:
    """One layer over some texts, and what its gradient takes.

    Args:
        weights: Of the layer.
        rows: (tokens, dimensions): what the layer below gives.
        texts: Whose tokens they are.
    """

    def __init__(self, weights: Weights, rows: Rows, texts: TextTokens) -> None:
        self._weights, self._rows, self._texts = weights, rows, texts
        self._query, self._key, self._value = (
            texts.heads(rows @ weights[name] + weights[f"{name}_bias"]) for name in ("query", "key", "value")
        )
        logits = self._query @ self._key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(_HEAD))
        logits = np.where(texts.beyond, _FAR, logits)
        logits -= logits.max(axis=3, keepdims=True)
        shares = np.exp(logits)
        self._shares: Rows = shares / shares.sum(axis=3, keepdims=True)
        self._context = texts.packed(self._shares @ self._value)
        mixed: Rows = rows + self._context @ weights["mixed"] + weights["mixed_bias"]
        self._mixed = Normalised.of(mixed, weights["mixed_scale"], weights["mixed_shift"])
        self._wide: Rows = self._mixed.values @ weights["wide"] + weights["wide_bias"]
        self._below: Rows = np.float32(0.5) * (1 + erf(self._wide / np.float32(np.sqrt(2))))
        self._bent: Rows = self._wide * self._below
        narrow: Rows = self._mixed.values + self._bent @ weights["narrow"] + weights["narrow_bias"]
        self._out = Normalised.of(narrow, weights["scale"], weights["shift"])

    @property
    def rows(self) -> Rows:
        """(tokens, dimensions): what the layer gives."""
        return self._out.values

    def gradient(self, of_rows: Rows, into: Weights) -> Rows:
        """That of the rows below; those of the weights are added to `into`, by name."""
        weights = self._weights
        of_narrow, *of_last = self._out.gradient(of_rows, weights["scale"])
        _added(into, ("scale", "shift"), of_last)
        of_bent = _through(self._bent, of_narrow, weights, "narrow", into)
        # The slope of x * P(X <= x) for a standard normal X.
        slope = self._below + self._wide * np.exp(-0.5 * self._wide * self._wide) / np.float32(
            np.sqrt(2 * np.pi)
        )
        of_mixed = of_narrow + _through(self._mixed.values, of_bent * slope, weights, "wide", into)
        of_sum, *of_first = self._mixed.gradient(of_mixed, weights["mixed_scale"])
        _added(into, ("mixed_scale", "mixed_shift"), of_first)
        of_context = self._texts.heads(_through(self._context, of_sum, weights, "mixed", into))
        of_shares = of_context @ self._value.transpose(0, 1, 3, 2)
        of_logits = self._shares * (of_shares - (of_shares * self._shares).sum(axis=3, keepdims=True))
        of_logits /= np.float32(np.sqrt(_HEAD))
        parts = {
            "query": of_logits @ self._key,
            "key": of_logits.transpose(0, 1, 3, 2) @ self._query,
            "value": self._shares.transpose(0, 1, 3, 2) @ of_context,
        }
        for name, part in parts.items():
            of_sum = of_sum + _through(self._rows, self._texts.packed(part), weights, name, into)
        return of_sum


@dataclass(frozen=True, eq=False)
class EncodedTexts:
    """Some texts as vectors, and what the gradient of the upper layers takes."""

    vectors: Rows
    """(texts, dimensions), each of length 1."""
    lengths: Rows
    """(texts, 1), before they were made 1."""
    passes: Sequence[LayerPass]
    texts: TextTokens

    def gradient(self, of_vectors: Rows, into: Sequence[Weights]) -> None:
        """Add the gradients of the weights to `into`, layer by layer."""
        along = (self.vectors * of_vectors).sum(axis=1, keepdims=True)
        of_means = (of_vectors - self.vectors * along) / self.lengths
        of_rows = (of_means / self.texts.lengths[:, None].astype(np.float32))[self.texts.rows]
        for layer, weights in zip(reversed(self.passes), reversed(into), strict=True):
            of_rows = layer.gradient(of_rows, weights)


def embedded(embeddings: Mapping[str, Rows], texts: TextTokens) -> Rows:
    """(tokens, dimensions): what the lowest layer takes."""
    rows = embeddings["words"][texts.tokens] + embeddings["places"][texts.columns] + embeddings["kinds"][0]
    return Normalised.of(rows, embeddings["scale"], embeddings["shift"]).values


def below(embeddings: Mapping[str, Rows], layers: Sequence[Weights], texts: TextTokens) -> Rows:
    """What the layers give that stay as they are."""
    rows = embedded(embeddings, texts)
    for weights in layers:
        rows = LayerPass(weights, rows, texts).rows
    return rows


def encoded(rows: Rows, layers: Sequence[Weights], texts: TextTokens) -> EncodedTexts:
    """The mean of the tokens behind the upper layers, of length 1."""
    passes = []
    for weights in layers:
        passes.append(LayerPass(weights, rows, texts))
        rows = passes[-1].rows
    means = texts.spread(rows).sum(axis=1) / texts.lengths[:, None].astype(np.float32)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    return EncodedTexts(means / lengths, lengths, passes, texts)


def _through(given: Rows, of_taken: Rows, weights: Weights, name: str, into: Weights) -> Rows:
    """The gradient of what a product is given; those of its weights and of what is added to it go into `into`."""
    _added(into, (name, f"{name}_bias"), (given.T @ of_taken, of_taken.sum(axis=0)))
    found: Rows = of_taken @ weights[name].T
    return found


def _added(into: Weights, names: Sequence[str], gradients: Sequence[Rows]) -> None:
    for name, gradient in zip(names, gradients, strict=True):
        into[name] = into[name] + gradient if name in into else gradient
