"""Vectors of texts: how close a request is to what tools say of themselves, in whatever words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.domain.language.foreign import in_english
from app.domain.language.text import split_words
from app.domain.nodes.models import Tool
from app.domain.ranking.formulas import Array, Positions

Vectors = npt.NDArray[np.float32]
_DESCRIPTION = 600
"""Characters of a description that are encoded; what follows tells how. Source: Outfitter's own measurement of encoders,
where 300, 600 and 1,500 are alike."""
_REQUESTS = 12
"""Requests of a tool that are encoded: four in each of three languages."""
_REQUESTS_SHARE = 0.3
"""Of a vector. Source: azure_mcp with two of its requests written down for each tool, the others asked: R@5 / MRR .984 / .927
without, .989 / .935 with .3, .989 / .939 with .5; where few tools of a set have requests, .5 costs .009 MRR, .3 costs .003. The
nearest of text and requests is behind both (.978 / .929)."""
_LEVELS = 127
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|\n|\bthen\b", re.IGNORECASE)
_LONG = 40
"""Words from which a request is taken apart. Source: LONG and TUNE together, of 0, 30, 40, 50, 60 and never."""
_WORDS = 3
"""A shorter sentence asks for nothing: "Thanks!", "Hi there."."""
_SENTENCES = 12
"""The most that are encoded: of requests on public sets one in a hundred has more."""


def encoded_text(tool: Tool) -> str:
    """What is encoded of a tool: server and name in words, and what it says of itself.

    Names in words, and the server, are worth more than a longer description: nDCG@10 .498 to .588 on 6,463
    operations.
    """
    name = " ".join(split_words(f"{tool.server} {tool.name}"))
    return f"{name}: {(tool.description or tool.title)[:_DESCRIPTION]}"


def encoded_texts(tool: Tool) -> tuple[str, ...]:
    """What is encoded of a tool: `encoded_text`, and what was written down of those who need it, in English or read in it."""
    said = (
        request.text if request.language.lower().startswith("en") else in_english(request.text)
        for request in tool.requests
    )
    return (encoded_text(tool), *list(dict.fromkeys(filter(None, said)))[:_REQUESTS])


def parts_of(request: str) -> list[str]:
    """What is encoded of a request: a long one by its sentences, since a tool may do what one of them asks for.

    On three sets of long requests (43 to 106 words in the median) this finds .012 more among five than one vector does;
    on shorter requests it would rank the first worse.
    """
    if len(request.split()) < _LONG:
        return [request]
    sentences = [
        one for part in _SENTENCE_END.split(request) if len((one := part.strip(" ,.;")).split()) >= _WORDS
    ]
    return sentences[:_SENTENCES] if len(sentences) > 1 else [request]


@dataclass(frozen=True, eq=False)
class ToolVectors:
    """One vector for each tool of a catalogue, as far as they are known."""

    model: str
    """Names what made them; vectors of different models have nothing in common."""
    codes: npt.NDArray[np.int8]
    """(tools, dimensions): -127 to 127."""
    scales: npt.NDArray[np.float32]
    """(tools,): what one level counts; 0 where the vector is not known."""

    @classmethod
    def unknown(cls, model: str, tools: int, dimensions: int = 0) -> "ToolVectors":
        """Of none of the tools; without dimensions until the first vector is there."""
        return cls(model, np.zeros((tools, dimensions), np.int8), np.zeros(tools, np.float32))

    @property
    def missing(self) -> Positions:
        """The tools whose vector is not known, rising."""
        return np.flatnonzero(self.scales == 0)

    def cosines(self, request: Vectors, positions: Positions) -> Array:
        """How close each of some tools is to a request, (positions,): -1 to 1, and NaN where its vector is not known.

        Args:
            request: (parts, dimensions), each row of length 1; the closest part counts.
            positions: Of the tools.
        """
        scales = self.scales[positions].astype(np.float64)
        dots = self.codes[positions].astype(np.float32) @ request.T
        found: Array = dots.max(axis=1).astype(np.float64) * scales
        found[scales == 0] = np.nan
        return found

    def with_rows(
        self, positions: Positions, codes: npt.NDArray[np.int8], scales: npt.NDArray[np.float32]
    ) -> "ToolVectors":
        """The same with the vectors of some tools, as `quantised` gives them; those of other dimensions go."""
        if codes.shape[1] != self.codes.shape[1]:
            return ToolVectors.unknown(self.model, self.scales.size, codes.shape[1]).with_rows(
                positions, codes, scales
            )
        all_codes, all_scales = self.codes.copy(), self.scales.copy()
        all_codes[positions], all_scales[positions] = codes, scales
        return ToolVectors(self.model, all_codes, all_scales)

    def taken(self, origin: Positions) -> "ToolVectors":
        """Those of a later generation.

        Args:
            origin: Of each of its tools the position in this one; -1 where its text is another, or it is new.
        """
        if not self.scales.size:
            return ToolVectors.unknown(self.model, origin.size, self.codes.shape[1])
        codes, scales = self.codes[origin], self.scales[origin]
        scales[origin < 0] = 0
        return ToolVectors(self.model, codes, scales)


def quantised(vectors: Vectors) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Vectors in a fourth of their memory: each component in steps of a 127th of the row's largest.

    Args:
        vectors: (rows, dimensions), none of them 0.

    Returns:
        Codes (rows, dimensions) and scales (rows,), whose product differs from a component by half a step at most.
    """
    scales = np.abs(vectors).max(axis=1, initial=0.0) / _LEVELS
    codes = np.rint(vectors / np.maximum(scales, np.finfo(np.float32).tiny)[:, None]).astype(np.int8)
    return codes, scales.astype(np.float32)


def closeness(cosines: Array, words: Array) -> Array | None:
    """How close some tools are to a request, compared with the closest, 0 to 1; None where no vector says it.

    Args:
        cosines: As `ToolVectors.cosines`; where NaN the words stand in.
        words: (N,), 0 to 1: what the words give.
    """
    known = ~np.isnan(cosines)
    peak = float(cosines[known].max(initial=0.0))
    if peak <= 0:
        return None
    return np.where(known, np.clip(np.nan_to_num(cosines), 0.0, None) / peak, words)


def with_requests(texts: Vectors, requests: Sequence[Vectors]) -> Vectors:
    """One vector for each tool: of its text, moved towards the mean of its requests.

    Args:
        texts: (tools, dimensions), each row of length 1.
        requests: For each tool (requests, dimensions) of such rows; without any, its row stays as it is.
    """
    found = texts.copy()
    for row, said in zip(found, requests, strict=True):
        if len(said):
            row *= 1 - _REQUESTS_SHARE
            row += _REQUESTS_SHARE * _normed(said.mean(axis=0))
            row[:] = _normed(row)
    return found


def _normed(row: Vectors) -> Vectors:
    length = max(float(np.linalg.norm(row)), float(np.finfo(np.float32).tiny))
    return np.asarray(row / length, np.float32)
