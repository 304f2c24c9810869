"""Gives indexes the vectors of their tools: from what is kept, a few at once, and the others off the path of requests."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from app.domain.nodes.models import Tool
from app.domain.ranking.field_vectors import FIELDS, FieldWeights, field_texts, weighted_average
from app.domain.ranking.formulas import Positions
from app.domain.ranking.meaning import ToolVectors, Vectors, encoded_texts, parts_of, quantised, with_requests
from app.errors import EncoderError
from app.ports.encoding import Encoder, VectorStore
from app.usecases.index.meaning import AskedVectors
from app.usecases.index.search_index import SearchIndex

_log = logging.getLogger(__name__)

AT_ONCE = 32
"""Texts that are encoded before an index is swapped in: .2 s on one core."""
LOOKED_FOR = 2_000
"""Tools whose kept vectors an index waits for while a service answers: .1 s to read their texts. Of more, all wait alike."""
_BATCH = 256
_GIVEN = 16 * _BATCH
"""Tools whose vectors are given to an index together: each time, the vectors of all its tools are copied."""
_TRIES = 2
"""The second after a first one whose dimensions were others than before."""
_SCALE_BYTES = 4
"""Of a kept vector, before its codes."""
_REQUESTS = 512
"""Vectors of requests that are kept: a client asks the same again, and `why` asks what `search` asked."""


class ToolEncoder:
    """Encodes tools and requests with one model.

    Args:
        encoder: The model.
        store: Keeps vectors beyond this process; else they are encoded again at each start.
        at_once: The most texts that an index waits for before it is swapped in.
        weights: Of a tool's fields, each of which then has a vector; None makes one of their text.
        weight: What closeness by its vectors counts, 0 to 1.
        stand_in: A far faster one, asked until most tools have a vector of this.
    """

    def __init__(
        self,
        encoder: Encoder,
        store: VectorStore | None = None,
        *,
        at_once: int = AT_ONCE,
        weights: FieldWeights | None = None,
        weight: float = 1.0,
        stand_in: "ToolEncoder | None" = None,
    ) -> None:
        self._encoder = encoder
        self.weight = weight
        self._stand_in = stand_in
        self._weights = weights
        self.keeps_vectors = store is not None
        """Whether another process has them, too."""
        self._store = store if store is not None else _InMemory()
        self._at_once = at_once
        self._asked = lru_cache(_REQUESTS)(self._encoded_requests)

    @property
    def model(self) -> str:
        """That of the encoder, and what its vectors were averaged by."""
        model = self._encoder.model
        return model if self._weights is None else f"{model} {self._weights.label}"

    def requests(self, texts: Sequence[str]) -> Sequence[Vectors]:
        """Requests and their sentences, each as (parts, dimensions), encoded together.

        Raises:
            EncoderError: the encoder does not answer.
        """
        return self._asked(tuple(texts))

    def _encoded_requests(self, texts: tuple[str, ...]) -> Sequence[Vectors]:
        parts = [parts_of(text) for text in texts]
        rows = self._encoder.encode_request([one for some in parts for one in some])
        return np.split(rows, np.cumsum([len(some) for some in parts])[:-1])

    def attach(self, index: SearchIndex, *, at_once: int | None = None, most: int | None = None) -> int:
        """Give an index what is kept, and encode the rest where it is little.

        Args:
            index: Whose `meaning` is set.
            at_once: The most texts that are encoded here, if not as many as usual.
            most: The most tools whose vectors are looked for here; None: all. Where more have none, `complete` does it.

        Returns:
            How many tools have no vector yet.
        """
        vectors = self._vectors_of(index)
        missing = vectors.missing
        if missing.size and (most is None or missing.size <= most):
            vectors = self._found(
                vectors, missing, index, at_once=self._at_once if at_once is None else at_once
            )
        index.meaning.take(vectors, self)
        return int(vectors.missing.size)

    def _vectors_of(self, index: SearchIndex) -> ToolVectors:
        """Those that an index has of this model."""
        vectors = index.meaning.vectors
        if vectors is None or vectors.model != self.model:
            return ToolVectors.unknown(self.model, len(index.catalogue.tools))
        return vectors

    def complete(
        self, index: SearchIndex, *, goes_on: Callable[[], bool], say: Callable[[int], None] = lambda _: None
    ) -> bool:
        """Find or encode the vectors of all tools that have none, keep these, and give them to the index as they come.

        Vectors of other dimensions than the earlier ones are of another model under the same name: then all are
        encoded again.

        Args:
            index: After `attach`.
            goes_on: Asked after each batch; what was encoded until then is kept.
            say: Called with the number of texts of each batch.

        Returns:
            Whether all are there.
        """
        if self._stand_in is not None and not self.keeps_most_of(index):
            self._stand_in.lend(index, goes_on=goes_on)
        for _ in range(_TRIES):
            vectors = index.meaning.vectors
            if vectors is None:
                return False
            missing, dimensions = vectors.missing, vectors.codes.shape[1]
            is_whole = True
            for start in range(0, missing.size, _GIVEN):
                vectors, is_whole = self._more(
                    vectors, missing[start : start + _GIVEN], index, goes_on=goes_on, say=say
                )
                index.meaning.take(vectors, self)
                if not is_whole or vectors.codes.shape[1] != (
                    dimensions := dimensions or vectors.codes.shape[1]
                ):
                    break
            if not vectors.missing.size:
                return True
            if not is_whole:
                return False
        return False

    def attach_kept(self, index: SearchIndex) -> None:
        """Give an index what is kept, and encode nothing; nothing where few of its tools would have a vector."""
        index.meaning.take(self._vectors_of(index), self)
        if self.keeps_most_of(index):
            self.attach(index, at_once=0)

    def keeps_most_of(self, index: SearchIndex) -> bool:
        """Whether most tools without a vector get one from the store in a moment, by a sample of them."""
        vectors = index.meaning.vectors
        if vectors is None or not vectors.missing.size:
            return True
        sample = vectors.missing[:: vectors.missing.size // _BATCH + 1]
        keys = [_key(text) for text in self._texts(index.catalogue.tools, sample)]
        return 2 * len(self._store.read(self.model, keys)) >= len(set(keys))

    def lend(self, index: SearchIndex, *, goes_on: Callable[[], bool]) -> None:
        """Give an index vectors to be asked as long as most tools have no others; none are kept beyond it.

        Args:
            index: Whose `meaning` has vectors of another encoder.
            goes_on: Asked after each batch.
        """
        vectors = index.meaning.vectors
        if vectors is None or vectors.are_mostly_known():
            return
        lent = index.meaning.stand_in
        found = lent.vectors if lent is not None else ToolVectors.unknown(self.model, vectors.scales.size)
        missing = found.missing
        for start in range(0, missing.size, _GIVEN):
            some = missing[start : start + _GIVEN]
            texts = self._texts(index.catalogue.tools, some)
            found = found.with_rows(some, *quantised(self._vectors(texts)))
            index.meaning.lend(AskedVectors(found, self))
            if not goes_on():
                return

    def _found(
        self, vectors: ToolVectors, missing: Positions, index: SearchIndex, *, at_once: int
    ) -> ToolVectors:
        """The vectors with those that are kept, and those of the others where they are few."""
        texts = self._texts(index.catalogue.tools, missing)
        keys = [_key(text) for text in texts]
        vectors = _with(vectors, missing, keys, self._store.read(self.model, keys))
        left = [at for at in range(missing.size) if vectors.scales[missing[at]] == 0]
        if 0 < len(left) <= at_once:
            found = self._encoded({keys[at]: texts[at] for at in left})
            vectors = _with(vectors, missing[left], [keys[at] for at in left], found)
        return vectors

    def _more(
        self,
        vectors: ToolVectors,
        missing: Positions,
        index: SearchIndex,
        *,
        goes_on: Callable[[], bool],
        say: Callable[[int], None],
    ) -> tuple[ToolVectors, bool]:
        """The vectors with as many of the missing ones as could be had, and whether these are all."""
        keys: list[bytes] = []
        kept: dict[bytes, bytes] = {}
        size = _size(vectors)
        for start in range(0, missing.size, _BATCH):
            texts = self._texts(index.catalogue.tools, missing[start : start + _BATCH])
            some = [_key(text) for text in texts]
            # Another process may have made them, or this one for another index.
            there = self._store.read(self.model, some)
            kept |= {key: vector for key, vector in there.items() if len(vector) == (size or len(vector))}
            fresh = self._encoded(
                {key: text for key, text in zip(some, texts, strict=True) if key not in kept}
            )
            kept |= fresh
            keys += some
            # What is made now says which length is right.
            size = max(map(len, fresh.values()), default=size or max(map(len, there.values()), default=0))
            if any(key not in kept for key in some):
                return _with(vectors, missing[: len(keys)], keys, kept, size=size), False
            say(len(some))
            if not goes_on():
                break
        return _with(vectors, missing[: len(keys)], keys, kept, size=size), len(keys) == missing.size

    def _encoded(self, texts: Mapping[bytes, tuple[str, ...]]) -> dict[bytes, bytes]:
        """Kept vectors by key; none where the encoder does not answer."""
        if not texts:
            return {}
        try:
            codes, scales = quantised(self._vectors(list(texts.values())))
        except EncoderError as error:
            _log.warning(
                "tools are ranked by words alone", extra={"problem": str(error), "tools": len(texts)}
            )
            return {}
        rows = zip(texts, scales.astype("<f4"), codes, strict=True)
        found = {key: scale.tobytes() + row.tobytes() for key, scale, row in rows}
        self._store.keep(self.model, found)
        return found

    def _texts(self, tools: Sequence[Tool], positions: Positions) -> list[tuple[str, ...]]:
        """What is encoded of some tools."""
        texts = encoded_texts if self._weights is None else field_texts
        return [texts(tools[at]) for at in positions.tolist()]

    def _vectors(self, texts: Sequence[tuple[str, ...]]) -> Vectors:
        """One for each tool, of what `_texts` says of it."""
        rows = self._encoder.encode([text for parts in texts for text in parts if text])
        ends = np.cumsum([sum(map(bool, parts)) for parts in texts])
        each = np.split(rows, ends[:-1])
        if self._weights is None:
            return with_requests(np.stack([one[0] for one in each]), [one[1:] for one in each])
        found = []
        for parts, one in zip(texts, each, strict=True):
            at = np.cumsum([bool(field) for field in parts[:FIELDS]])
            found.append(weighted_average(np.split(one, at), self._weights))
        return np.stack(found)


class _InMemory:
    """A store that ends with the process."""

    def __init__(self) -> None:
        self._kept: dict[bytes, bytes] = {}

    def read(self, _: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        return {key: self._kept[key] for key in keys if key in self._kept}

    def keep(self, _: str, vectors: Mapping[bytes, bytes]) -> None:
        self._kept |= vectors


def _key(texts: tuple[str, ...]) -> bytes:
    return blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=16).digest()


def _size(vectors: ToolVectors) -> int:
    """Bytes of a kept vector like these; 0 where none is known."""
    dimensions = vectors.codes.shape[1]
    return _SCALE_BYTES + dimensions if dimensions else 0


def _with(
    vectors: ToolVectors,
    positions: Positions,
    keys: Sequence[bytes],
    kept: Mapping[bytes, bytes],
    *,
    size: int = 0,
) -> ToolVectors:
    """The vectors with those of some tools that are kept, and have a length: that of the others unless it is given."""
    size = size or _size(vectors) or next((len(kept[key]) for key in reversed(keys) if key in kept), 0)
    places = [at for at, key in enumerate(keys) if len(kept.get(key, b"")) == size]
    if not places or size <= _SCALE_BYTES:
        return vectors
    whole = np.frombuffer(b"".join(kept[keys[at]] for at in places), np.uint8).reshape(len(places), -1)
    scales: npt.NDArray[np.float32] = whole[:, :_SCALE_BYTES].copy().view("<f4").ravel()
    return vectors.with_rows(positions[places], whole[:, _SCALE_BYTES:].view(np.int8), scales)
