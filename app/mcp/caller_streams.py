"""Streams of clients that listen, where callers are known: a few for each, and none that outlasts what let its caller in."""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import anyio
from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import ListenHandler, SubscriptionBus

MOST_STREAMS: Final = 4
"""Of one caller at once."""
_LOOK_S: Final = 1.0
"""Between two looks at whether a caller may listen still: with the half second of a file, less than the two promised."""


class Listener(NamedTuple):
    """Who listens."""

    who: str
    is_over: Callable[[], bool]
    """Whether what let the caller in has ended, or was taken away."""


class CallerStreams:
    """Serves `subscriptions/listen`, each stream by a handler of the SDK of its own, so that it can be closed alone.

    Args:
        bus: What streams hear.
        listener: Who sends a message.
        look_s: Seconds between two looks at whether a stream is over.
    """

    def __init__(
        self,
        bus: SubscriptionBus,
        listener: Callable[[ServerRequestContext[Any, Any]], Awaitable[Listener]],
        *,
        look_s: float = _LOOK_S,
    ) -> None:
        self._bus = bus
        self._listener = listener
        self._look_s = look_s
        self._open: Counter[str] = Counter()
        self._streams: set[ListenHandler] = set()

    async def __call__(
        self, context: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve one stream until its client leaves, its caller may not ask any more, or `close`."""
        listener = await self._listener(context)
        if self._open[listener.who] >= MOST_STREAMS:
            raise MCPError(
                types.INTERNAL_ERROR,
                f"{MOST_STREAMS} streams of this caller are open; accepted: up to as many",
            )
        stream = ListenHandler(self._bus, max_subscriptions=1)
        self._open[listener.who] += 1
        self._streams.add(stream)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._end, stream, listener)
                result = await stream(context, params)
                group.cancel_scope.cancel()
        finally:
            self._streams.discard(stream)
            self._open[listener.who] -= 1
            if not self._open[listener.who]:
                del self._open[listener.who]
        return result

    def close(self) -> None:
        """Let all clients go."""
        for stream in list(self._streams):
            stream.close()

    async def _end(self, stream: ListenHandler, listener: Listener) -> None:
        while not listener.is_over():
            await anyio.sleep(self._look_s)
        stream.close()
