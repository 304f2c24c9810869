"""A request against the limits of its caller: what it takes, and how it is refused."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from app.domain.access.buckets import CallerBounds, CallerUse, TooMuch
from app.domain.access.callers import OF_MCP_TOOLS, CallerScope
from app.errors import TooManyRequestsError

_PLACE: Final = "place_of"
_LISTEN: Final = "subscriptions/listen"


@dataclass(frozen=True, slots=True)
class Slowed:
    """A request that comes too soon."""

    reason: str
    retry_after: str
    """Whole seconds, one at least."""
    answer: Response | None
    """Of a message that asks for a call of a tool: its result, an error; None: a problem document."""


def entered(
    use: CallerUse,
    caller: str,
    state: dict[str, Any],
    method: str,
    message: object,
    bounds: CallerBounds | None = None,
) -> Slowed | None:
    """Take what a request takes; `left` gives back the place that it has.

    Args:
        use: What callers ask for.
        caller: Id.
        state: Of the request.
        method: Of the request.
        message: To the MCP server; None of other requests.
        bounds: What this caller may ask for; what every caller may unless given.
    """
    messages = message if isinstance(message, list) else [message]
    # A client of 2025 listens by GET at /mcp; nothing else is asked there by GET.
    is_stream = state.get("is_mcp", False) and method == "GET"
    listens = is_stream or all(_method(one) == _LISTEN for one in messages)
    found = use.enter(caller, calls=sum(map(_is_call, messages)), listens=listens, bounds=bounds)
    if found is None:
        if not listens:
            state[_PLACE] = caller
        return None
    after = str(max(1, math.ceil(found.wait_s)))
    answer = _result(message, found, after) if _method(message) == "tools/call" else None
    return Slowed(found.reason, after, answer)


def enter_page(use: CallerUse, caller: str, state: dict[str, Any], bounds: CallerBounds | None) -> None:
    """Take what a visit of a page takes, by somebody whom the page has let in; `left` gives back the place.

    Raises:
        TooManyRequestsError: it comes too soon.
    """
    slowed = entered(use, caller, state, "GET", None, bounds)
    if slowed is not None:
        raise TooManyRequestsError(slowed.reason, retry_after_s=int(slowed.retry_after))


def left(use: CallerUse, state: Mapping[str, Any]) -> None:
    """The request is answered, or refused."""
    if _PLACE in state:
        use.leave(state[_PLACE])


def _method(message: object) -> object:
    return message.get("method") if isinstance(message, dict) else None


def _is_call(message: object) -> bool:
    params = message.get("params") if isinstance(message, dict) else None
    name = params.get("name") if isinstance(params, dict) else None
    return (
        _method(message) == "tools/call"
        and isinstance(name, str)
        and CallerScope.CALL in OF_MCP_TOOLS.get(name, ())
    )


def _result(message: object, found: TooMuch, after: str) -> Response | None:
    """The result of a call of a tool; None where the message cannot be answered."""
    asked = message.get("id") if isinstance(message, dict) else None
    if not isinstance(asked, str | int):
        return None
    text = f"Too many requests: {found.reason}; accepted: the same again in {after} s"
    result = {"content": [{"type": "text", "text": text}], "isError": True, "resultType": "complete"}
    body = json.dumps({"jsonrpc": "2.0", "id": asked, "result": result})
    return Response(body, media_type="application/json", headers={"Retry-After": after})
