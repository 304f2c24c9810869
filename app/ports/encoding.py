"""What turns texts into vectors, and what keeps these."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt


class Encoder(Protocol):
    """Turns texts into vectors whose dot product says how close they are in meaning."""

    @property
    def model(self) -> str:
        """Names the model and its version: vectors of two names are never compared."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Texts of tools as (texts, dimensions), each row of length 1; nobody waits for them.

        Raises:
            EncoderError: they cannot be encoded now.
        """

    def encode_request(self, parts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A request, or its parts, likewise; whoever asks waits.

        Raises:
            EncoderError: they cannot be encoded now, or not in time.
        """


class VectorStore(Protocol):
    """Keeps vectors by the text that they are of; whatever goes wrong with it is logged, and texts are encoded again."""

    def read(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of these keys that are kept."""

    def keep(self, model: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep some, by key."""
