"""Vectors of texts: how close a request is to what tools say of themselves, in whatever words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from app.domain.language.foreign import in_english
from app.domain.language.text import split_words
from app.domain.nodes.models import Tool
from app.domain.ranking.formulas import Array, Positions

Vectors = npt.NDArray[np.float32]
ENCODED_CHARACTERS = 600
"""Characters of a description that are encoded; what follows tells how. Source: Outfitter's own measurement of encoders,
where 300, 600 and 1,500 are alike."""
_REQUESTS = 12
"""Requests of a tool that are encoded: four in each of three languages."""
_REQUESTS_SHARE = 0.3
"""Of a vector. Source: azure_mcp with two of its requests written down for each tool, the others asked: R@5 / MRR .984 / .927
without, .989 / .935 with .3, .989 / .939 with .5; where few tools of a set have requests, .5 costs .009 MRR, .3 costs .003. The
nearest of text and requests is behind both (.978 / .929)."""
_LEVELS = 127
_SHARPNESS = 1.75
"""Power of a cosine's share of the best one: what is half as close says less than half as much. Source: TUNE, LONG and `catalogues`, R@5
/ MRR: 1.5 and a weight of .75 .723 / .785, .672 / .829, .486 / .421; this and .65 .723 / .787, .674 / .829, .483 / .416."""
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|\n|\bthen\b", re.IGNORECASE)
_LONG = 40
"""Words from which a request is taken apart. Source: LONG and TUNE together, of 0, 30, 40, 50, 60 and never."""
_NEED_END = re.compile(r"(?<=[.!?;,])\s|\n|\b(?:then|and|also|plus)\b", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"\n]*+"')
_NEED_SHARPNESS = 4
"""Power of a cosine's share of the best one, for one need among several. Source: TUNE and LONG; 2 and 8 find fewer of LONG."""
_HEARD = 0.2
"""Largest cosine of a need from which on it is heard. Source: the largest of remarks (`when you have time`, `nobody knows what to
do`) to 1,000 operations of a document are .15 to .3; LONG R@5 / MRR .675 / .833 without, .670 / .835 with this, .668 / .833 with .25."""
_EVENED = 0.5
"""Power by which parts are made even. Source: LONG and TUNE, R@5 / MRR .650 / .810 and .707 / .776 with 0, .654 / .814 and .707 /
.777 with .5, .654 / .814 and .706 / .777 with .75, .652 / .819 and .706 / .778 with .875, .652 / .820 on LONG with 1."""
_WORDS = 3
"""A shorter sentence, or clause, asks for nothing: "Thanks!", "Hi there."."""
_SENTENCES = 12
"""The most sentences, or clauses, that are encoded: of requests on public sets one in a hundred has more."""
_EXACT = 2_000
"""Tools that are all compared with a request; of more, those whose signs agree most. Half a millisecond."""
_SKETCHED = 20
"""How many tools are compared for one that is among the closest. Source: 6,463 operations, 150 requests: of the 50 closest
995 of 1,000 are among the 1,000 whose signs agree most."""
_WORD = 64


def encoded_text(tool: Tool) -> str:
    """What is encoded of a tool: server and name in words, and what it says of itself.

    Names in words, and the server, are worth more than a longer description: nDCG@10 .498 to .588 on 6,463
    operations.
    """
    name = " ".join(split_words(f"{tool.server} {tool.name}"))
    return f"{name}: {(tool.description or tool.title)[:ENCODED_CHARACTERS]}"


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
    return _taken_apart(request, _SENTENCE_END) or [request]


def needs_of(request: str) -> list[str]:
    """What a request asks for, one by one: its clauses of three words or more; all of it where fewer than two are that long.

    What is quoted is left out of them: it says which thing is meant, and not what to do.
    """
    return _taken_apart(_QUOTED.sub(" ", request), _NEED_END) or [request]


def _taken_apart(text: str, end: re.Pattern[str]) -> list[str]:
    """The first parts that are long enough to ask for something; none where fewer than two are."""
    found = [one for part in end.split(text) if len((one := part.strip(" ,.;")).split()) >= _WORDS]
    return found[:_SENTENCES] if len(found) > 1 else []


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

    def are_mostly_known(self, among: Positions | None = None) -> bool:
        """Whether at least half of these tools have a vector; of all unless given."""
        scales = self.scales if among is None else self.scales[among]
        return bool(2 * np.count_nonzero(scales) >= scales.size)

    def cosines(self, request: Vectors, positions: Positions) -> Array:
        """How close each of some tools is to a request, (positions,): -1 to 1, and NaN where its vector is not known.

        Args:
            request: (parts, dimensions), each row of length 1; the closest part counts, as `evened` has them.
            positions: Of the tools.
        """
        return self.all_cosines([request], positions)[0]

    def all_cosines(self, requests: Sequence[Vectors], positions: Positions) -> list[Array]:
        """`cosines` of each of some requests."""
        scales = self.scales[positions].astype(np.float64)
        # Kernels of OpenBLAS may say `invalid` of finite numbers, whose product is right.
        with np.errstate(invalid="ignore"):
            dots = (self.codes[positions].astype(np.float32) @ np.concatenate(requests).T) * scales[:, None]
        found: list[Array] = []
        for parts in np.split(dots, np.cumsum([len(one) for one in requests])[:-1], axis=1):
            cosines: Array = evened(parts).max(axis=1)
            cosines[scales == 0] = np.nan
            found.append(cosines)
        return found

    def nearest(self, request: Vectors, count: int, *, among: Positions | None = None) -> Positions:
        """The tools that are closest to a request, rising; fewer where fewer are closer than not at all.

        Of many tools those are compared whose vectors have the request's signs in most components.

        Args:
            request: As for `cosines`.
            count: How many, at least 1.
            among: Positions of the tools that count, rising; None: all.
        """
        some = np.arange(self.scales.size) if among is None else among
        compared = _SKETCHED * count
        if some.size > max(_EXACT, compared):
            signs = self._signs if among is None else self._signs[:, some]
            differing = np.min([_differing(signs, part) for part in _signs_of(request > 0).T], axis=0)
            differing[self.scales[some] == 0] = np.iinfo(np.uint16).max
            some = some[np.argpartition(differing, compared)[:compared]]
        cosines = np.nan_to_num(self.cosines(request, some), nan=0.0)
        order = np.lexsort((some, -cosines))[:count]
        return np.sort(some[order[cosines[order] > 0]])

    @cached_property
    def _signs(self) -> npt.NDArray[np.uint64]:
        """(dimensions / 64, tools): which components are above 0."""
        return _signs_of(self.codes > 0)

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


def _signs_of(above: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    """(rows, dimensions) in bits, (dimensions / 64, rows)."""
    padded = np.pad(above, ((0, 0), (0, -above.shape[1] % _WORD)))
    return np.ascontiguousarray(np.packbits(padded, axis=1).view(np.uint64).T)


def _differing(signs: npt.NDArray[np.uint64], asked: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint16]:
    """(tools,): in how many components the signs of each differ from those asked for."""
    found = np.zeros(signs.shape[1], np.uint16)
    for row, word in zip(signs, asked, strict=True):
        found += np.bitwise_count(row ^ word)
    return found


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


def evened(cosines: Array) -> Array:
    """Cosines of tools and parts of a request, raised where the closest tool of a part is far from it.

        cosine * sqrt(largest of all parts / largest of this part)

    What asks in few or unusual words is far from every tool; its closest one is meant all the same. The largest cosine
    stays as it is.

    Args:
        cosines: (tools, parts).
    """
    peaks = cosines.max(axis=0, initial=0.0)
    raised = np.where(peaks > 0, (peaks.max(initial=0.0) / np.where(peaks > 0, peaks, 1.0)) ** _EVENED, 1.0)
    found: Array = cosines * raised
    return found


def closeness(cosines: Array, words: Array) -> Array | None:
    """How close some tools are to a request, compared with the closest, 0 to 1; None where no vector says it.

        (cosine / the best one)^1.75

    Args:
        cosines: As `ToolVectors.cosines`; where NaN the words stand in.
        words: (N,), 0 to 1: what the words give.
    """
    known = ~np.isnan(cosines)
    peak = float(cosines[known].max(initial=0.0))
    if peak <= 0:
        return None
    return np.where(known, (np.clip(np.nan_to_num(cosines), 0.0, None) / peak) ** _SHARPNESS, words)


def need_closeness(cosines: Array) -> Array:
    """How close some tools are to each thing that a request asks for, compared with the closest of them, 0 to 1.

        (cosine / the best one of the need)^4

    Where no tool is near, it is a remark, or asks for what none of them does: no tool is close to it.

    Args:
        cosines: (tools, needs); NaN where a vector is not known, whose tool is close to nothing.
    """
    known = np.clip(np.nan_to_num(cosines), 0.0, None)
    peaks = known.max(axis=0, initial=0.0)
    shares = known / np.maximum(peaks, _HEARD)
    found: Array = np.where(peaks >= _HEARD, shares**_NEED_SHARPNESS, 0.0)
    return found


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
