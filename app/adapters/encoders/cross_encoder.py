"""A cross-encoder of the package sentence-transformers: reads request and tool together; an extra."""

import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from app.adapters.encoders.transformers import require_package
from app.domain.nodes.models import Tool
from app.domain.ranking.meaning import encoded_text
from app.errors import RerankerError


class CrossEncoderReranker:
    """Fits `Reranker`; opened when it is first used, and asked by one thread at a time.

    What it has begun it ends: the time bounds how long others wait for their turn.

    Args:
        model: Its name at the hub, from which the package fetches it, or a folder.

    Raises:
        InvalidInputError: the package is not installed.
    """

    def __init__(self, model: str) -> None:
        require_package("OUTFITTER_RERANKER = 'cross-encoder'")
        self.name = f"cross-encoder {Path(model).name!r}"
        self._model = model
        self._turn = threading.Lock()

    def order(self, request: str, tools: Sequence[Tool], *, timeout_s: float) -> Sequence[int]:
        """As the port says; tools of equal scores stay as they stood."""
        if not self._turn.acquire(timeout=timeout_s):
            raise RerankerError(f"no turn within {timeout_s:g} s")
        try:
            pairs = [(request, encoded_text(tool)) for tool in tools]
            scores = np.asarray(self._opened.predict(pairs, show_progress_bar=False), np.float64)
        except Exception as error:
            raise RerankerError(f"{self.name} failed: {type(error).__name__}") from error
        finally:
            self._turn.release()
        if scores.shape != (len(tools),) or not np.isfinite(scores).all():
            raise RerankerError(f"{self.name} gave no score for each tool")
        return [int(place) for place in np.argsort(-scores, kind="stable")]

    @cached_property
    def _opened(self) -> Any:
        from sentence_transformers import CrossEncoder

        return CrossEncoder(self._model)
