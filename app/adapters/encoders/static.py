"""A sentence encoder without a network: a vector for each token, whose sum is a text's. It takes numpy alone."""

import threading
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.adapters.encoders.wordpiece import WordPiece
from app.errors import EncoderError, InvalidInputError

SHIPPED_TABLE = Path(__file__).parent / "table"
"""Made by `outfitter bench train-encoder`; its card stands beside it."""
CODES, SCALES, TOKENIZER = "codes.npy", "scales.npy", "tokenizer.json"
"""int8 (tokens, dimensions), -127 to 127; float32 (tokens,), what one level of each row counts, 0 for tokens that say nothing;
and how texts become tokens."""
SHIPPED_TOKENIZER = Path(__file__).parent / "minilm" / TOKENIZER
"""Of the encoder that comes with Outfitter; the table that does has its tokens."""
MOST_TOKENS = 160
"""Of a text; the rest is cut off, as it is in training."""
_MATRIX = 2


class StaticEncoder:
    """Fits `Encoder`; threads may share it.

    Args:
        folder: With `codes.npy` and `scales.npy`, and `tokenizer.json` (WordPiece, lower-case) where it is not that of
            the encoder that comes with Outfitter.

    Raises:
        InvalidInputError: a file is missing.
    """

    def __init__(self, folder: Path = SHIPPED_TABLE) -> None:
        for name in (CODES, SCALES):
            if not (folder / name).is_file():
                raise InvalidInputError(
                    f"OUTFITTER_ENCODER_MODEL = {str(folder)!r} has no {name}; accepted: a folder with {CODES} and"
                    f" {SCALES}, or OUTFITTER_ENCODER with another kind of encoder"
                )
        self._folder = folder
        self._opening = threading.Lock()

    @cached_property
    def model(self) -> str:
        """The folder's name and what the table holds."""
        digest = blake2b((self._folder / CODES).read_bytes(), digest_size=8)
        return f"static:{self._folder.name}:{digest.hexdigest()}"

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(texts, dimensions), each row of length 1.

        Raises:
            EncoderError: the files are no such table.
        """
        codes, scales, tokenizer = self._opened
        rows = [_encoded(tokenizer.encode(text, most=MOST_TOKENS)[1:-1], codes, scales) for text in texts]
        return np.stack(rows) if rows else np.empty((0, codes.shape[1]), np.float32)

    def encode_request(self, parts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As any other text."""
        return self.encode(parts)

    @property
    def _opened(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], WordPiece]:
        with self._opening:
            return self._table

    @cached_property
    def _table(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], WordPiece]:
        own = self._folder / TOKENIZER
        tokenizer = WordPiece(own if own.is_file() else SHIPPED_TOKENIZER)
        try:
            codes = np.load(self._folder / CODES, allow_pickle=False)
            scales = np.load(self._folder / SCALES, allow_pickle=False)
        except (OSError, ValueError) as error:
            raise EncoderError(f"encoder {self._folder.name!r} cannot be opened: {error}") from error
        forms = (codes.dtype, scales.dtype, codes.ndim, scales.shape)
        if forms != (np.int8, np.float32, _MATRIX, codes.shape[:1]) or len(codes) != len(tokenizer.tokens):
            raise EncoderError(
                f"encoder {self._folder.name!r}: {CODES} is {codes.dtype} {codes.shape}, {SCALES} {scales.dtype}"
                f" {scales.shape}; accepted: int8 (tokens, dimensions) and float32 (tokens,), {len(tokenizer.tokens)} tokens"
            )
        return codes, scales, tokenizer


def _encoded(
    tokens: list[int], codes: npt.NDArray[np.int8], scales: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    found = scales[tokens] @ codes[tokens].astype(np.float32)
    length = float(np.linalg.norm(found))
    if length == 0:
        # A text without a word is as far from one text as from another.
        return np.full(found.size, found.size**-0.5, np.float32)
    return np.asarray(found / length, np.float32)
