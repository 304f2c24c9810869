"""Any sentence encoder that the package sentence-transformers opens, by name or from a folder; an extra."""

import importlib.util
import threading
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from app.errors import EncoderError, InvalidInputError

_PACKAGE: Final = "sentence_transformers"
_BATCH: Final = 32
_MATRIX: Final = 2


def require_package(setting: str) -> None:
    """Refuse a setting that takes the extra where that is not installed.

    Raises:
        InvalidInputError: it is not.
    """
    if importlib.util.find_spec(_PACKAGE) is None:
        raise InvalidInputError(
            f"{setting}: the package sentence-transformers is not installed; accepted: after"
            " pip install 'outfitter[sentence-transformers]', or another value"
        )


class TransformersEncoder:
    """Fits `Encoder`; opened when it is first used, and asked by one thread at a time.

    Args:
        name: Of a model of the hub, from which the package fetches it, or a folder.

    Raises:
        InvalidInputError: the package is not installed.
    """

    def __init__(self, name: str) -> None:
        require_package("OUTFITTER_ENCODER = 'sentence-transformers'")
        self._name = name
        self._lock = threading.Lock()

    @cached_property
    def model(self) -> str:
        """The name; of a folder its own name, and what its files look like."""
        folder = Path(self._name)
        if not folder.is_dir():
            return f"sentence-transformers:{self._name}"
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        seen = [
            (str(path.relative_to(folder)), path.stat().st_size, path.stat().st_mtime_ns) for path in files
        ]
        digest = blake2b(repr(seen).encode(), digest_size=8).hexdigest()
        return f"sentence-transformers:{folder.name}:{digest}"

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As the port says, as documents, where the model tells these from requests."""
        return self._encoded("encode_document", texts)

    def encode_request(self, parts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As the port says, as queries."""
        return self._encoded("encode_query", parts)

    def _encoded(self, how: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if not texts:
            return np.empty((0, 0), np.float32)
        with self._lock:
            try:
                found = getattr(self._opened, how)(
                    list(texts), batch_size=_BATCH, show_progress_bar=False, convert_to_numpy=True
                )
                rows = np.asarray(found, np.float32)
            except Exception as error:
                raise EncoderError(f"encoder {self._name!r} failed: {type(error).__name__}") from error
        sizes = np.linalg.norm(rows, axis=1, keepdims=True) if rows.ndim == _MATRIX else np.zeros(1)
        if len(rows) != len(texts) or not np.isfinite(sizes).all() or not sizes.all():
            raise EncoderError(f"encoder {self._name!r} gave no vector for each text")
        return np.asarray(rows / sizes, np.float32)

    @cached_property
    def _opened(self) -> Any:
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(self._name)
