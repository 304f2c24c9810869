"""A sentence encoder in ONNX form on the processor, without a framework."""

import threading
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime

from app.adapters.encoders.wordpiece import WordPiece
from app.errors import EncoderError, InvalidInputError

SHIPPED = Path(__file__).parent / "minilm"
"""all-MiniLM-L6-v2, 384 dimensions, 8 bits a weight; its card stands beside it."""
_MODEL, _TOKENIZER = "model.onnx", "tokenizer.json"
_TOKENS = 128
"""Of a text; the rest is cut off. MiniLM was trained on as many."""


class OnnxEncoder:
    """Fits `Encoder`: the mean of a transformer's token vectors, of length 1. Threads may share it.

    Args:
        folder: With `model.onnx`, whose first output is (texts, tokens, dimensions), and `tokenizer.json`, whose kind is
            lower-case WordPiece.

    Raises:
        InvalidInputError: a file is missing.
    """

    def __init__(self, folder: Path = SHIPPED) -> None:
        for name in (_MODEL, _TOKENIZER):
            if not (folder / name).is_file():
                raise InvalidInputError(
                    f"OUTFITTER_ENCODER_MODEL = {str(folder)!r} has no {name}; accepted: a folder with"
                    f" {_MODEL} and {_TOKENIZER}, or OUTFITTER_ENCODER with another kind of encoder"
                )
        self._folder = folder
        self._opening = threading.Lock()

    @cached_property
    def model(self) -> str:
        """The folder's name and what the model's file holds."""
        digest = blake2b((self._folder / _MODEL).read_bytes(), digest_size=8)
        return f"onnx:{self._folder.name}:{digest.hexdigest()}"

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(texts, dimensions), each row of length 1.

        One by one: in a batch the weights' eight bits make a vector depend on its neighbours (a cosine of .98 to the
        same text alone), and what is filled up costs more than the batch saves (240 tools a second, alone 390).

        Raises:
            EncoderError: the files are no such model.
        """
        vectors = [self._encoded(text) for text in texts]
        return np.stack(vectors) if vectors else np.empty((0, 0), np.float32)

    def encode_request(self, parts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As any other text."""
        return self.encode(parts)

    def _encoded(self, text: str) -> npt.NDArray[np.float32]:
        session, tokenizer, accepted = self._opened
        numbers = tokenizer.encode(text, most=_TOKENS)
        given = {
            "input_ids": numbers,
            "attention_mask": [1] * len(numbers),
            "token_type_ids": [0] * len(numbers),
        }
        try:
            hidden = session.run(
                None, {name: np.array([row], np.int64) for name, row in given.items() if name in accepted}
            )[0]
            mean = hidden[0].mean(axis=0)
        except Exception as error:
            raise EncoderError(f"encoder {self._folder.name!r} failed: {type(error).__name__}") from error
        length = max(float(np.linalg.norm(mean)), float(np.finfo(np.float32).tiny))
        return np.asarray(mean / length, np.float32)

    @property
    def _opened(self) -> tuple[onnxruntime.InferenceSession, WordPiece, frozenset[str]]:
        with self._opening:
            return self._session

    @cached_property
    def _session(self) -> tuple[onnxruntime.InferenceSession, WordPiece, frozenset[str]]:
        options: Any = onnxruntime.SessionOptions()
        # One thread: requests come from several, and texts are encoded beside them.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # Memory of the longest text would else be kept for good.
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(
                str(self._folder / _MODEL), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise EncoderError(f"encoder {self._folder.name!r} cannot be opened: {error}") from error
        tokenizer = WordPiece(self._folder / _TOKENIZER)
        return session, tokenizer, frozenset(one.name for one in session.get_inputs())
