"""Who listens where callers are known: a few streams each, which end when their caller may not ask any more."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ToolsListChanged

from app.mcp.caller_streams import MOST_STREAMS, CallerStreams, Listener


@dataclass
class Callers:
    """Who asks next, and who is out."""

    now: str = "ada"
    out: set[str] = field(default_factory=set)

    async def listener(self, _: Any) -> Listener:
        who = self.now
        return Listener(who, lambda: who in self.out)


def listening(
    check: Callable[[Client, Callers, CallerStreams, InMemorySubscriptionBus], Awaitable[None]],
) -> None:
    """A client of a server whose streams are those of callers."""

    async def run() -> None:
        callers, bus = Callers(), InMemorySubscriptionBus()
        streams = CallerStreams(bus, callers.listener, look_s=0.02)
        server: Server[Any] = Server("streams", on_subscriptions_listen=streams)
        async with Client(server, mode="2026-07-28") as client:
            await asyncio.wait_for(check(client, callers, streams, bus), 20)

    asyncio.run(run())


def test_a_stream_ends_when_its_caller_is_out_and_others_go_on() -> None:
    async def check(client: Client, callers: Callers, _: CallerStreams, bus: InMemorySubscriptionBus) -> None:
        async with client.listen(tools_list_changed=True) as of_ada:
            callers.now = "eva"
            async with client.listen(tools_list_changed=True) as of_eva:
                callers.out.add("ada")
                assert [event async for event in of_ada] == []
                await bus.publish(ToolsListChanged())
                assert await anext(aiter(of_eva)) is not None

    listening(check)


def test_a_caller_has_a_few_streams_and_takes_none_of_others() -> None:
    async def check(client: Client, callers: Callers, _: CallerStreams, __: InMemorySubscriptionBus) -> None:
        async with AsyncExitStack() as opened:
            for _n in range(MOST_STREAMS):
                await opened.enter_async_context(client.listen(tools_list_changed=True))
            with pytest.raises(MCPError, match=f"{MOST_STREAMS} streams"):
                await opened.enter_async_context(client.listen(tools_list_changed=True))
            callers.now = "eva"
            await opened.enter_async_context(client.listen(tools_list_changed=True))
            callers.now, callers.out = "ada", {"ada"}
            await asyncio.sleep(0.1)
            callers.out = set()
            await opened.enter_async_context(client.listen(tools_list_changed=True))

    listening(check)


def test_all_streams_end_with_the_service() -> None:
    async def check(
        client: Client, callers: Callers, streams: CallerStreams, _: InMemorySubscriptionBus
    ) -> None:
        async with (
            client.listen(tools_list_changed=True) as first,
            client.listen(tools_list_changed=True) as second,
        ):
            streams.close()
            assert [event async for event in first] == []
            assert [event async for event in second] == []

    listening(check)
