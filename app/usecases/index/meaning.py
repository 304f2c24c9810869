"""What an index knows of the meaning of its tools."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from app.domain.ranking.formulas import Array, Positions
from app.domain.ranking.meaning import ToolVectors
from app.errors import EncoderError


class RequestEncoder(Protocol):
    """Turns a request into vectors."""

    def request(self, text: str) -> npt.NDArray[np.float32]:
        """(parts, dimensions), as `meaning.parts_of`, each row of length 1.

        Raises:
            EncoderError: they cannot be had now.
        """


class Meaning:
    """The vectors of an index's tools, and what encodes requests; both may come in while the index is asked.

    Without either, rankings are by words and graph alone.
    """

    def __init__(self, vectors: ToolVectors | None = None, encoder: RequestEncoder | None = None) -> None:
        self._held = (vectors, encoder)

    @property
    def vectors(self) -> ToolVectors | None:
        """Of the tools, in the order of the index."""
        return self._held[0]

    def take(self, vectors: ToolVectors, encoder: RequestEncoder | None) -> None:
        """Take both at once: whoever asks meanwhile has the earlier ones or these."""
        self._held = (vectors, encoder)

    def take_from(self, other: "Meaning") -> None:
        """Take what is known of the same tools elsewhere, where nothing is known here."""
        if self._held[0] is None:
            self._held = other._held

    def cosines(self, request: str, positions: Positions) -> Array | None:
        """`ToolVectors.cosines` of a request; None where no vectors are known.

        Raises:
            EncoderError: the request cannot be encoded now, or not by what the tools were encoded by.
        """
        vectors, encoder = self._held
        if vectors is None or encoder is None or not positions.size or not vectors.scales[positions].any():
            return None
        asked = encoder.request(request)
        if asked.shape[1] != vectors.codes.shape[1]:
            raise EncoderError(
                f"vectors of requests have {asked.shape[1]} dimensions, those of tools {vectors.codes.shape[1]}"
            )
        return vectors.cosines(asked, positions)

    def later(self, origin: Positions) -> "Meaning":
        """That of a later generation; `origin` as in `ToolVectors.taken`."""
        vectors, encoder = self._held
        return Meaning(None if vectors is None else vectors.taken(origin), encoder)


class ChosenMeaning(Meaning):
    """Of some tools, at new places; vectors that come in later are theirs at once.

    Args:
        everything: Of all tools.
        at: Where each stands among them, rising.
    """

    def __init__(self, everything: Meaning, at: Positions) -> None:
        super().__init__()
        self._everything = everything
        self._at = at

    @property
    def vectors(self) -> ToolVectors | None:
        """Of these tools."""
        found = self._everything.vectors
        return None if found is None else found.taken(self._at)

    def cosines(self, request: str, positions: Positions) -> Array | None:
        """As for all tools."""
        return self._everything.cosines(request, self._at[positions])
