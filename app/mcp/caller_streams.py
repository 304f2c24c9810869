"""Streams of clients that listen, where callers are known: a few for each, and none that outlasts what let its caller in.

Each hears of its own caller's list alone: what changes for others sends nothing.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import anyio
from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

MOST_STREAMS: Final = 4
"""Of one caller at once."""
LOOK_S: Final = 1.0
"""Between two looks at whether a caller may listen still: with the half second of a file, less than the two promised."""


class Listener(NamedTuple):
    """Who listens."""

    who: str
    is_over: Callable[[], bool]
    """Whether what let the caller in has ended, or was taken away."""
    version: Callable[[], object]
    """Something else as soon as the caller may see something else."""
    listed: Callable[[], Awaitable[str | None]]
    """What the caller's list says now; None while nobody can say."""


class CallerStreams:
    """Serves `subscriptions/listen`, each stream by a handler of the SDK of its own, so that it can be closed alone.

    Args:
        listener: Who sends a message.
        look_s: Seconds between two looks at whether a stream is over, and at what its caller's list says.
    """

    def __init__(
        self,
        listener: Callable[[ServerRequestContext[Any, Any]], Awaitable[Listener]],
        *,
        look_s: float = LOOK_S,
    ) -> None:
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
        bus = InMemorySubscriptionBus()
        stream = ListenHandler(bus, max_subscriptions=1)
        self._open[listener.who] += 1
        self._streams.add(stream)
        try:
            # Before the client hears that it is listened to: whatever comes later is news to it.
            version, listed = listener.version(), await listener.listed()
            async with anyio.create_task_group() as group:
                group.start_soon(self._follow, stream, bus, listener, version, listed)
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

    async def _follow(
        self,
        stream: ListenHandler,
        bus: InMemorySubscriptionBus,
        listener: Listener,
        version: object,
        listed: str | None,
    ) -> None:
        while not listener.is_over():
            now = listener.version()
            if now != version or listed is None:
                said = await listener.listed()
                if said is not None:
                    if said != listed:
                        await bus.publish(ToolsListChanged())
                    version, listed = now, said
            await anyio.sleep(self._look_s)
        stream.close()
