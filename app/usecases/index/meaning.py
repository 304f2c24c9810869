"""What an index knows of the meaning of its tools."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from app.domain.ranking.formulas import Array, Positions
from app.domain.ranking.meaning import ToolVectors
from app.errors import EncoderError


class RequestEncoder(Protocol):
    """Turns requests into vectors."""

    @property
    def weight(self) -> float:
        """What closeness counts by its vectors, where that by the encoder that comes with Outfitter counts 1."""

    def requests(self, texts: Sequence[str]) -> Sequence[npt.NDArray[np.float32]]:
        """Each as (parts, dimensions), as `meaning.parts_of`, each row of length 1.

        Raises:
            EncoderError: they cannot be had now.
        """


@dataclass(frozen=True)
class AskedVectors:
    """What requests are compared with: vectors of tools, and what encodes requests as those were."""

    vectors: ToolVectors
    encoder: RequestEncoder
    at: Positions | None = None
    """Where the tools of the index that asks stand among those of the vectors, rising; None: as they are."""

    def cosines(self, request: str, positions: Positions) -> Array | None:
        """`ToolVectors.cosines` of a request; None where none of these tools has a vector.

        Raises:
            EncoderError: as for `all_cosines`.
        """
        found = self.all_cosines([request], positions)
        return None if found is None else found[0]

    def all_cosines(self, requests: Sequence[str], positions: Positions) -> Sequence[Array] | None:
        """`ToolVectors.cosines` of each of some requests, which are encoded together; None as for `cosines`.

        Raises:
            EncoderError: the requests cannot be encoded now, or not by what the tools were encoded by.
        """
        places = positions if self.at is None else self.at[positions]
        if not self.vectors.scales[places].any():
            return None
        return self.vectors.all_cosines(self._encoded(requests), places)

    def nearest(self, request: str, count: int, *, among: Positions | None = None) -> Positions | None:
        """`ToolVectors.nearest` of a request; None where none of these tools has a vector.

        Raises:
            EncoderError: as for `all_cosines`.
        """
        places = among if self.at is None else self.at if among is None else self.at[among]
        if not (self.vectors.scales if places is None else self.vectors.scales[places]).any():
            return None
        (encoded,) = self._encoded([request])
        found = self.vectors.nearest(encoded, count, among=places)
        return found if self.at is None else self.at.searchsorted(found)

    def _encoded(self, requests: Sequence[str]) -> Sequence[npt.NDArray[np.float32]]:
        asked, dimensions = self.encoder.requests(requests), self.vectors.codes.shape[1]
        if any(one.shape[1] != dimensions for one in asked):
            raise EncoderError(
                f"vectors of requests have {asked[0].shape[1]} dimensions, those of tools {dimensions}"
            )
        return asked


class Meaning:
    """The vectors of an index's tools, and what encodes requests; both may come in while the index is asked.

    Without either, rankings are by words and graph alone.
    """

    def __init__(
        self,
        vectors: ToolVectors | None = None,
        encoder: RequestEncoder | None = None,
        stand_in: AskedVectors | None = None,
    ) -> None:
        self._held = (vectors, encoder)
        self._stand_in = stand_in

    @property
    def vectors(self) -> ToolVectors | None:
        """Of the tools, in the order of the index."""
        return self._held[0]

    @property
    def stand_in(self) -> AskedVectors | None:
        """Those of a faster encoder, which are asked as long as most tools have no others."""
        return self._stand_in

    def take(self, vectors: ToolVectors, encoder: RequestEncoder | None) -> None:
        """Take both at once: whoever asks meanwhile has the earlier ones or these."""
        self._held = (vectors, encoder)
        if not vectors.missing.size:
            self._stand_in = None

    def lend(self, stand_in: AskedVectors) -> None:
        """Have others asked as long as most tools have no vectors of their own."""
        self._stand_in = stand_in

    def take_from(self, other: "Meaning") -> None:
        """Take what is known of the same tools elsewhere, where nothing is known here."""
        if self._held[0] is None:
            self._held, self._stand_in = other._held, other._stand_in

    def asked(self, among: Positions | None = None) -> AskedVectors | None:
        """What a request is compared with: never vectors of two models, since what one calls near is not what another does.

        Args:
            among: The tools that are compared; all unless given.

        Returns:
            None where nothing is known of any tool.
        """
        (vectors, encoder), stand_in = self._held, self._stand_in
        if vectors is None:
            return None
        if stand_in is not None and not vectors.are_mostly_known(among):
            return stand_in
        return None if encoder is None else AskedVectors(vectors, encoder)

    def later(self, origin: Positions) -> "Meaning":
        """That of a later generation; `origin` as in `ToolVectors.taken`."""
        vectors, encoder = self._held
        stand_in = self._stand_in
        if stand_in is not None:
            stand_in = replace(stand_in, vectors=stand_in.vectors.taken(origin))
        return Meaning(None if vectors is None else vectors.taken(origin), encoder, stand_in)


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

    def asked(self, among: Positions | None = None) -> AskedVectors | None:
        """As for all tools."""
        found = self._everything.asked(self._at if among is None else self._at[among])
        return None if found is None else replace(found, at=self._at)
