"""Gives indexes the vectors of their tools: from what is kept, a few at once, and the others off the path of requests."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from app.domain.ranking.formulas import Positions
from app.domain.ranking.meaning import ToolVectors, Vectors, parts_of, quantised, texts_of
from app.errors import EncoderError
from app.ports.encoding import Encoder, VectorStore
from app.usecases.index.search_index import SearchIndex

_log = logging.getLogger(__name__)

AT_ONCE = 32
"""Texts that are encoded before an index is swapped in: .2 s on one core."""
_BATCH = 256
_REQUESTS = 512
"""Vectors of requests that are kept: a client asks the same again, and `why` asks what `search` asked."""


class ToolEncoder:
    """Encodes tools and requests with one model.

    Args:
        encoder: The model.
        store: Keeps vectors beyond this process; else they are encoded again at each start.
    """

    def __init__(self, encoder: Encoder, store: VectorStore | None = None) -> None:
        self._encoder = encoder
        self._store = store if store is not None else _InMemory()
        self._asked = lru_cache(_REQUESTS)(self._encoded_request)

    @property
    def model(self) -> str:
        """That of the encoder."""
        return self._encoder.model

    def request(self, text: str) -> Vectors | None:
        """A request and its sentences as (parts, dimensions); None where the encoder does not answer, which is logged."""
        try:
            return self._asked(text)
        except EncoderError as error:
            _log.warning("request is ranked by words alone", extra={"problem": str(error)})
            return None

    def _encoded_request(self, text: str) -> Vectors:
        return self._encoder.encode(parts_of(text))

    def attach(self, index: SearchIndex, *, at_once: int = AT_ONCE) -> int:
        """Give an index what is kept, and encode the rest where it is little.

        Args:
            index: Whose `meaning` is set.
            at_once: The most texts that are encoded here.

        Returns:
            How many tools have no vector yet.
        """
        vectors = index.meaning.vectors
        if vectors is None or vectors.model != self.model:
            vectors = ToolVectors.unknown(self.model, len(index.catalogue.tools), self._encoder.dimensions)
        missing = vectors.missing
        if missing.size:
            texts = texts_of(index.catalogue.tools, missing)
            keys = [_key(text) for text in texts]
            vectors = self._with_kept(vectors, missing, keys)
            left = [at for at in range(missing.size) if vectors.scales[missing[at]] == 0]
            if 0 < len(left) <= at_once:
                found = self._encoded({keys[at]: texts[at] for at in left})
                vectors = _with(vectors, missing[left], [keys[at] for at in left], found)
        index.meaning.take(vectors, self)
        return int(vectors.missing.size)

    def complete(
        self, index: SearchIndex, *, goes_on: Callable[[], bool], say: Callable[[int], None] = lambda _: None
    ) -> bool:
        """Encode all tools that have no vector, keep these, and give them to the index all together.

        Args:
            index: After `attach`.
            goes_on: Asked after each batch; what was encoded until then is kept.
            say: Called with the number of texts of each batch.

        Returns:
            Whether all are encoded.
        """
        vectors = index.meaning.vectors
        if vectors is None:
            return False
        missing = vectors.missing
        keys: list[bytes] = []
        kept: dict[bytes, bytes] = {}
        for start in range(0, missing.size, _BATCH):
            if not goes_on():
                return False
            texts = texts_of(index.catalogue.tools, missing[start : start + _BATCH])
            some = [_key(text) for text in texts]
            wanted = {key: text for key, text in zip(some, texts, strict=True) if key not in kept}
            kept |= self._encoded(wanted)
            keys += some
            if any(key not in kept for key in some):
                return False
            say(len(some))
        index.meaning.take(_with(vectors, missing, keys, kept), self)
        return True

    def _with_kept(self, vectors: ToolVectors, missing: Positions, keys: Sequence[bytes]) -> ToolVectors:
        return _with(vectors, missing, keys, self._store.read(self.model, keys))

    def _encoded(self, texts: Mapping[bytes, str]) -> dict[bytes, bytes]:
        """Kept vectors by key; none where the encoder does not answer."""
        if not texts:
            return {}
        try:
            codes, scales = quantised(self._encoder.encode(list(texts.values())))
        except EncoderError as error:
            _log.warning(
                "tools are ranked by words alone", extra={"problem": str(error), "tools": len(texts)}
            )
            return {}
        rows = zip(texts, scales.astype("<f4"), codes, strict=True)
        found = {key: scale.tobytes() + row.tobytes() for key, scale, row in rows}
        self._store.keep(self.model, found)
        return found


class _InMemory:
    """A store that ends with the process."""

    def __init__(self) -> None:
        self._kept: dict[bytes, bytes] = {}

    def read(self, _: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        return {key: self._kept[key] for key in keys if key in self._kept}

    def keep(self, _: str, vectors: Mapping[bytes, bytes]) -> None:
        self._kept |= vectors


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def _with(
    vectors: ToolVectors, positions: Positions, keys: Sequence[bytes], kept: Mapping[bytes, bytes]
) -> ToolVectors:
    """The vectors with those of some tools that are kept, and have the right length."""
    dimensions = vectors.codes.shape[1]
    places = [at for at, key in enumerate(keys) if len(kept.get(key, b"")) == 4 + dimensions]
    if not places:
        return vectors
    whole = np.frombuffer(b"".join(kept[keys[at]] for at in places), np.uint8).reshape(len(places), -1)
    scales: npt.NDArray[np.float32] = whole[:, :4].copy().view("<f4").ravel()
    return vectors.with_rows(positions[places], whole[:, 4:].view(np.int8), scales)
