"""An encoder of a few lines, so that vectors and what is made of them are compared, too."""

import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.domain.ranking.recipe import RECIPE
from app.usecases.index.encoding import ToolEncoder


class WordEncoder:
    """Texts with a word in common are close. Fits `Encoder`."""

    model = RECIPE.confidence_model
    """Goes by that name so that confidence is weighed by meaning."""
    dimensions = 32

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One place for each word."""
        found = np.full((len(texts), self.dimensions), 0.01, np.float32)
        for row, text in zip(found, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % self.dimensions] += 1
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        return found

    def encode_request(self, parts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As any other text."""
        return self.encode(parts)


def word_encoder() -> ToolEncoder:
    """A new one: what it encodes is kept nowhere else."""
    return ToolEncoder(WordEncoder())
