"""What a model has answered already, on this machine: a line of JSON for each tool, as it was and as it was asked about."""

import logging
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from app.domain.nodes.models import Tool
from app.domain.requests.answer import Requests
from app.domain.requests.basis import request_basis
from app.domain.requests.prompt import PROMPT_VERSION, RequestWish
from ingest.cards import canonical_json, sha256

_log = logging.getLogger(__name__)
_MOST_BYTES = 200_000_000
"""A file beyond it is not read: 1 kB a tool, it would be of 200,000."""


class CachedRequests(BaseModel):
    """An answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    key: str
    requests: dict[str, tuple[str, ...]]
    at: str


class AnswerCache:
    """Answers by what was asked: a tool that comes back as it was costs nothing, nor does a run that was ended.

    Args:
        path: The file; made with the first answer. A line that is broken is passed over, and so is the file where it
            cannot be read or written: then models are asked again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)

    def find(self, tool: Tool, wish: RequestWish, *, model: str) -> CachedRequests | None:
        """What this model wrote for the tool as it is, when it was asked the same."""
        return self._known.get(_key(tool, wish, model))

    def keep(self, tool: Tool, wish: RequestWish, requests: Requests, *, model: str, at: str) -> None:
        """Add an answer."""
        answer = CachedRequests(key=_key(tool, wish, model), requests=dict(requests), at=at)
        self._known[answer.key] = answer
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Readable by its owner alone, as all of the data folder.
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            with os.fdopen(os.open(self._path, flags, 0o600), "a", encoding="utf-8") as file:
                file.write(answer.model_dump_json() + "\n")
        except OSError as error:
            _log.warning("answer is not kept", extra={"problem": type(error).__name__})


def _key(tool: Tool, wish: RequestWish, model: str) -> str:
    return sha256(
        canonical_json([PROMPT_VERSION, model, wish.number, list(wish.languages), request_basis(tool)])
    )


def _read(path: Path) -> dict[str, CachedRequests]:
    found: dict[str, CachedRequests] = {}
    try:
        if not path.exists() or path.stat().st_size > _MOST_BYTES:
            return found
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    answer = CachedRequests.model_validate_json(line)
                except ValidationError:
                    continue
                found[answer.key] = answer
    except OSError as error:
        _log.warning("answers cannot be read", extra={"problem": type(error).__name__})
    return found
