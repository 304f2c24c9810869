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
from tokenizers import Tokenizer

from app.errors import EncoderError, InvalidInputError

SHIPPED = Path(__file__).parent / "minilm"
"""all-MiniLM-L6-v2, 384 dimensions, 8 bits a weight; its card stands beside it."""
_MODEL, _TOKENIZER = "model.onnx", "tokenizer.json"
_TOKENS = 128
"""Of a text; the rest is cut off. MiniLM was trained on as many."""
_BATCH = 32


class OnnxEncoder:
    """Fits `Encoder`: the mean of a transformer's token vectors, of length 1. Threads may share it.

    Args:
        folder: With `model.onnx`, whose first output is (texts, tokens, dimensions), and `tokenizer.json`.

    Raises:
        InvalidInputError: a file is missing.
    """

    def __init__(self, folder: Path = SHIPPED) -> None:
        for name in (_MODEL, _TOKENIZER):
            if not (folder / name).is_file():
                raise InvalidInputError(
                    f"OUTFITTER_ENCODER_MODEL = {str(folder)!r} has no {name}; accepted: a folder with"
                    f" {_MODEL} and {_TOKENIZER}"
                )
        self._folder = folder
        self._opening = threading.Lock()

    @cached_property
    def model(self) -> str:
        """The folder's name and what the model's file holds."""
        digest = blake2b((self._folder / _MODEL).read_bytes(), digest_size=8)
        return f"onnx:{self._folder.name}:{digest.hexdigest()}"

    @cached_property
    def dimensions(self) -> int:
        """Of a vector."""
        return int(self.encode(["tool"]).shape[1])

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(texts, dimensions), each row of length 1.

        Raises:
            EncoderError: the files are no such model.
        """
        session, tokenizer = self._opened
        # Neighbours of about the same length, so that little is filled up.
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        parts = [
            self._batch([texts[at] for at in order[start : start + _BATCH]], session, tokenizer)
            for start in range(0, len(order), _BATCH)
        ]
        found = np.empty((len(texts), parts[0].shape[1] if parts else 0), np.float32)
        if parts:
            found[order] = np.concatenate(parts)
        return found

    def _batch(
        self, texts: list[str], session: onnxruntime.InferenceSession, tokenizer: Tokenizer
    ) -> npt.NDArray[np.float32]:
        encoded = tokenizer.encode_batch(texts)
        given = {
            "input_ids": np.array([one.ids for one in encoded], np.int64),
            "attention_mask": np.array([one.attention_mask for one in encoded], np.int64),
            "token_type_ids": np.array([one.type_ids for one in encoded], np.int64),
        }
        accepted = {one.name for one in session.get_inputs()}
        try:
            hidden = session.run(None, {name: value for name, value in given.items() if name in accepted})[0]
            mask = given["attention_mask"][:, :, None].astype(np.float32)
            mean = (hidden * mask).sum(axis=1) / mask.sum(axis=1)
        except Exception as error:
            raise EncoderError(f"encoder {self._folder.name!r}: {type(error).__name__}") from error
        lengths = np.linalg.norm(mean, axis=1, keepdims=True)
        return np.asarray(mean / np.maximum(lengths, np.finfo(np.float32).tiny), np.float32)

    @property
    def _opened(self) -> tuple[onnxruntime.InferenceSession, Tokenizer]:
        with self._opening:
            return self._session

    @cached_property
    def _session(self) -> tuple[onnxruntime.InferenceSession, Tokenizer]:
        options: Any = onnxruntime.SessionOptions()
        # One thread: requests come from several, and texts are encoded beside them.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # Memory of the largest batch would else be kept for good.
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(
                str(self._folder / _MODEL), options, providers=["CPUExecutionProvider"]
            )
            tokenizer = Tokenizer.from_file(str(self._folder / _TOKENIZER))
        except Exception as error:
            raise EncoderError(f"encoder {self._folder.name!r} cannot be opened: {error}") from error
        tokenizer.enable_truncation(_TOKENS)
        tokenizer.enable_padding()
        return session, tokenizer
