"""A sentence encoder behind an OpenAI-compatible endpoint: POST /embeddings."""

import threading
import time
import weakref
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Field, ValidationError

from app.adapters.http.caller import PooledHttpCaller
from app.adapters.http.rest import Rest
from app.adapters.llm.chat import ModelEndpoint, reported_tokens, request_to
from app.domain.calling.calls import CallLimits
from app.domain.reading.model_prompt import estimated_tokens
from app.errors import CallFailedError, EncoderError

PATH: Final = "/embeddings"
_OK: Final = 200
_TRY_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses that pass."""
_BATCH: Final = 32
"""Texts of one POST: what the strictest of the common servers accepts unless it is set up otherwise."""
_CHARS: Final = 1_600
"""Of a text: some 400 tokens, and small encoders read 512 at most."""
_MAX_ANSWER_BYTES: Final = 16_000_000
"""A batch of 4,096 dimensions is 3 MB."""
_MOST_DIMENSIONS: Final = 16_384
_BATCH_TIMEOUT_S: Final = 60.0
"""Nobody waits for texts of tools."""
_PAUSES_S: Final = (1.0, 4.0)
"""Before a batch is sent again."""
_DAY_S: Final = 86_400.0


class EndpointEncoder:
    """Fits `Encoder`; safe to share between threads. Its connections close with it.

    Texts of tools are sent in batches, and again after failures that pass. A request is sent once. How many dimensions
    there are, the first answer says.

    Args:
        endpoint: The encoder; its time is that of a request, and its tokens are those of a day.
        pause: Waits between two tries.
    """

    def __init__(self, endpoint: ModelEndpoint, *, pause: Callable[[float], object] = time.sleep) -> None:
        place = f"{endpoint.server.origin}{endpoint.server.path}"
        digest = blake2b(place.encode(), digest_size=4).hexdigest()
        # Where the endpoint stands is not for everybody who asks for the status.
        self.model = f"openai:{endpoint.model}:{digest}"
        self._endpoint = endpoint
        self._pause = pause
        self._http = PooledHttpCaller()
        self._budget = _Budget(endpoint.max_tokens)
        self._rest = Rest()
        weakref.finalize(self, self._http.close)

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As the port says, batch by batch."""
        if not texts:
            return np.empty((0, 0), np.float32)
        found = [self._batch(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
        if len({one.shape[1] for one in found}) > 1:
            raise EncoderError("the encoder's endpoint answered with vectors of several lengths")
        return np.concatenate(found)

    def encode_request(self, parts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As the port says: one try, within the time."""
        if self._rest.is_on:
            raise EncoderError(
                "the encoder's endpoint failed three times in a row, and is not asked for a while"
            )
        try:
            found = self._asked(parts, timeout_s=self._endpoint.timeout_s)
        except EncoderError:
            self._rest.failed()
            raise
        self._rest.worked()
        return found

    def _batch(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        for pause in _PAUSES_S:
            try:
                return self._asked(texts, timeout_s=_BATCH_TIMEOUT_S)
            except _PassingError:
                self._pause(pause)
        return self._asked(texts, timeout_s=_BATCH_TIMEOUT_S)

    def _asked(self, texts: Sequence[str], *, timeout_s: float) -> npt.NDArray[np.float32]:
        cut = [text[:_CHARS] or " " for text in texts]
        estimated = estimated_tokens(*cut)
        self._budget.take(estimated)
        server = self._endpoint.server
        body = {"model": self._endpoint.model, "input": cut, "encoding_format": "float"}
        request = request_to(server, PATH, body, key=self._endpoint.key)
        limits = CallLimits(timeout_s=timeout_s, max_answer_bytes=_MAX_ANSWER_BYTES)
        try:
            answer = self._http.send(request, limits)
        except CallFailedError as error:
            raise _PassingError(f"the encoder's endpoint{str(error).removeprefix(server.origin)}") from error
        if answer.status != _OK:
            kind = _PassingError if answer.status in _TRY_AGAIN else EncoderError
            raise kind(f"the encoder's endpoint answered {answer.status}")
        found, reported = _vectors(answer.body, len(cut))
        self._budget.take(reported - estimated, is_spent=True)
        return found


class _PassingError(EncoderError):
    """The same question may be answered a little later."""


class _Embedding(BaseModel):
    index: Annotated[int, Field(ge=0)] | None = None
    embedding: Annotated[list[float], Field(min_length=1, max_length=_MOST_DIMENSIONS)]


class _Embeddings(BaseModel):
    data: list[_Embedding]
    usage: Any = None


def _vectors(body: bytes, texts: int) -> tuple[npt.NDArray[np.float32], int]:
    """(texts, dimensions), each of length 1, and the tokens that the endpoint counted, 0 where it did not.

    Raises:
        EncoderError: the answer is something else.
    """
    try:
        found = _Embeddings.model_validate_json(body)
    except ValidationError as error:
        raise EncoderError("the encoder's endpoint answered something else than embeddings") from error
    places = [at if one.index is None else one.index for at, one in enumerate(found.data)]
    lengths = {len(one.embedding) for one in found.data}
    if sorted(places) != list(range(texts)) or len(lengths) != 1:
        raise EncoderError(
            f"the encoder's endpoint answered {texts} texts with {len(places)} vectors of {len(lengths)} lengths, or"
            " twice for one text"
        )
    rows = np.empty((texts, lengths.pop()), np.float64)
    for place, one in zip(places, found.data, strict=True):
        rows[place] = one.embedding
    with np.errstate(over="ignore", invalid="ignore"):
        sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(sizes).all() or not sizes.all():
        raise EncoderError("the encoder's endpoint answered with a vector that has no direction")
    return (rows / sizes).astype(np.float32), reported_tokens(found.usage)


class _Budget:
    """Tokens of a day, which begins with the first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0
        self._begin: float | None = None
        self._lock = threading.Lock()

    def take(self, tokens: int, *, is_spent: bool = False) -> None:
        """Take tokens, or what more was spent than had been taken.

        Raises:
            EncoderError: there are not enough left, and they are not spent yet.
        """
        with self._lock:
            now = time.monotonic()
            if self._begin is None or now - self._begin >= _DAY_S:
                self._begin, self._taken = now, 0
            if not is_spent and self._taken + tokens > self._most:
                raise EncoderError(
                    f"{self._taken:,} of {self._most:,} tokens of the day are used (OUTFITTER_ENCODER_MAX_TOKENS)"
                )
            self._taken += max(tokens, 0)
