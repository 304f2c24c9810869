"""What passes between the MCP SDK and a server: counted, kept as it was sent, and put in words without secrets."""

import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

import anyio
import httpx2
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from mcp_types import CONNECTION_CLOSED, RequestId
from pydantic import ValidationError

from app.domain.calling.mcp_endpoints import McpFailure
from app.domain.calling.secret_words import redacted
from app.domain.language.visible_text import excerpt
from app.errors import McpServerError

STRUCK_OUT: Final = "***"
"""For a secret that a server repeats in a listing or an error; definitions are compared, so it stays."""
EXPECTED: Final = (
    OSError,  # TimeoutError is one
    RuntimeError,  # the SDK's for a revision that it does not know
    ValueError,  # no host name, no answer of the protocol: pydantic's ValidationError is one
    MCPError,
    McpServerError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.StreamError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.EndOfStream,
)
"""What a server, or the way to it, can cause; everything else is a bug of this program."""

_SUBSTITUTES: Final[Mapping[str, Mapping[str, Any]]] = {
    "tools/list": {"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"},
    "tools/call": {"resultType": "complete", "content": [], "isError": False},
}
_SHOWN = 300
_CODES: Final = {
    -32700: "parse error",
    -32600: "invalid request",
    -32601: "method not found",
    -32602: "invalid parameters",
    -32603: "internal error",
}
"""JSON-RPC 2.0, section 5.1."""
_captured: ContextVar[list[dict[str, Any]] | None] = ContextVar("outfitter_mcp_captured", default=None)


class AnswerTooLargeError(httpx2.StreamError):
    """A server sent more than is read; the SDK takes it for the end of the stream."""


class Meter:
    """What a server has sent since it was last asked, and why its connection was given up."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self.problem = ""
        """The reason that goes before what the SDK makes of it."""
        self.said = ""
        """What the server said of that problem."""
        self.http_error = ""
        """Status of the last HTTP answer, where it was an error; not the server's words for it."""
        self.noise = 0
        """Lines that were no message of the protocol."""

    def begin(self) -> None:
        """A new question is asked."""
        self._bytes = 0

    def add(self, size: int) -> None:
        """Count bytes that came.

        Raises:
            AnswerTooLargeError: they are too many.
        """
        self._bytes += size
        if self._bytes > self._max_bytes:
            self.problem = f"sent more than {self._max_bytes:,} bytes"
            raise AnswerTooLargeError(self.problem)


@contextmanager
def capturing() -> Iterator[list[dict[str, Any]]]:
    """Collect the results of this task's requests as they were sent; the SDK gets empty ones to check."""
    answers: list[dict[str, Any]] = []
    token = _captured.set(answers)
    try:
        yield answers
    finally:
        _captured.reset(token)


class RawDispatcher(JSONRPCDispatcher[TransportContext]):
    """Keeps results as they were sent: the SDK would lose a whole page for one broken tool."""

    async def send_raw_request(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        opts: CallOptions | None = None,
        *,
        _related_request_id: RequestId | None = None,
    ) -> dict[str, Any]:
        """The result of a request, or, while it is captured, an empty one in its place."""
        raw = await super().send_raw_request(method, params, opts, _related_request_id=_related_request_id)
        answers = _captured.get()
        if answers is None or method not in _SUBSTITUTES:
            return raw
        answers.append(raw)
        return dict(_SUBSTITUTES[method])


def is_closed(error: BaseException) -> bool:
    """Whether a request failed because the connection had ended."""
    return any(isinstance(leaf, MCPError) and leaf.code == CONNECTION_CLOSED for leaf in _leaves(error))


def describe(error: BaseException, meter: Meter, secrets: Sequence[str]) -> McpFailure:
    """Why a server failed: a line of our own words and numbers, and apart from it what the server said."""
    leaves = _leaves(error)
    own = next((leaf for leaf in leaves if isinstance(leaf, McpServerError)), None)
    if own or meter.problem:
        text, said = (str(own), own.said or meter.said) if own else (meter.problem, meter.said)
    else:
        known = [leaf for leaf in leaves if not is_closed(leaf)] or leaves
        text, said = _sentence(known[0], meter)
    if meter.noise and not own:
        text += f"; wrote {meter.noise:,} lines that are not messages of MCP"
    return McpFailure(
        excerpt(redacted(text, secrets, mark=STRUCK_OUT), length=_SHOWN),
        excerpt(redacted(said, secrets, mark=STRUCK_OUT)),
    )


def where(error: BaseException) -> str:
    """A bug without what it was about, which may be secret."""
    leaf = _leaves(error)[0]
    frames = traceback.extract_tb(leaf.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(leaf).__name__}{place}"


def _sentence(error: BaseException, meter: Meter) -> tuple[str, str]:
    """What happened, and what the server, or a library that quotes it, said."""
    if isinstance(error, MCPError):
        if is_closed(error):
            return "closed the connection", ""
        meant = f" ({_CODES[error.code]})" if error.code in _CODES else ""
        status = f" (HTTP {meter.http_error})" if meter.http_error else ""
        return f"answered error {error.code}{meant}{status}", error.message
    if isinstance(error, ValidationError):
        # Without the input: it is the server's, and may be endless.
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return "gave an answer that MCP does not have", f"{place}: {first['msg']}"
    if isinstance(error, TimeoutError):
        return str(error) or "did not answer in time", ""
    if isinstance(error, httpx2.ConnectError | httpx2.TimeoutException):
        # Words of the system: no byte of an answer was read.
        return f"did not answer: {type(error).__name__}: {error}", ""
    if isinstance(error, httpx2.HTTPError):
        return f"did not answer: {type(error).__name__}", str(error)
    if isinstance(error, OSError):
        return f"{type(error).__name__}: {error}", ""
    return f"gave an answer that cannot be used ({type(error).__name__})", str(error)


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for child in error.exceptions for leaf in _leaves(child)]
    return [error]
