"""Who listens where callers are known: a few streams each, which end when their caller may not ask any more."""

import asyncio
from collections.abc import AsyncIterable, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.server.lowlevel import Server

from app.mcp.caller_streams import MOST_STREAMS, CallerStreams, Listener


@dataclass
class Callers:
    """Who asks next, and who is out."""

    now: str = "ada"
    out: set[str] = field(default_factory=set)
    lists: dict[str, str | None] = field(default_factory=dict)
    """What the list of each says; None: nobody can say."""

    async def listener(self, _: Any) -> Listener:
        who = self.now

        async def listed() -> str | None:
            return self.lists.get(who, "")

        return Listener(who, lambda: who in self.out, lambda: self.lists.get(who), listed)


def listening(
    check: Callable[[Client, Callers, CallerStreams], Awaitable[None]],
) -> None:
    """A client of a server whose streams are those of callers."""

    async def run() -> None:
        callers = Callers()
        streams = CallerStreams(callers.listener, look_s=0.02)
        server: Server[Any] = Server("streams", on_subscriptions_listen=streams)
        async with Client(server, mode="2026-07-28") as client:
            await asyncio.wait_for(check(client, callers, streams), 20)

    asyncio.run(run())


def test_a_stream_ends_when_its_caller_is_out_and_others_go_on() -> None:
    async def check(client: Client, callers: Callers, _: CallerStreams) -> None:
        async with client.listen(tools_list_changed=True) as of_ada:
            callers.now = "eva"
            async with client.listen(tools_list_changed=True) as of_eva:
                callers.out.add("ada")
                assert [event async for event in of_ada] == []
                callers.lists["eva"] = "another"
                assert await anext(aiter(of_eva)) is not None

    listening(check)


def test_a_caller_has_a_few_streams_and_takes_none_of_others() -> None:
    async def check(client: Client, callers: Callers, _: CallerStreams) -> None:
        async with AsyncExitStack() as opened:
            streams = [
                await opened.enter_async_context(client.listen(tools_list_changed=True))
                for _ in range(MOST_STREAMS)
            ]
            with pytest.raises(MCPError, match=f"{MOST_STREAMS} streams"):
                await opened.enter_async_context(client.listen(tools_list_changed=True))
            callers.now = "eva"
            await opened.enter_async_context(client.listen(tools_list_changed=True))
            callers.now, callers.out = "ada", {"ada"}
            for stream in streams:
                assert [event async for event in stream] == []
            callers.out = set()
            await opened.enter_async_context(client.listen(tools_list_changed=True))

    listening(check)


def test_all_streams_end_with_the_service() -> None:
    async def check(client: Client, _: Callers, streams: CallerStreams) -> None:
        async with (
            client.listen(tools_list_changed=True) as first,
            client.listen(tools_list_changed=True) as second,
        ):
            streams.close()
            assert [event async for event in first] == []
            assert [event async for event in second] == []

    listening(check)


def test_each_hears_of_their_own_list_alone() -> None:
    """A list that says the same again is no news, nor is one that nobody can say."""

    async def check(client: Client, callers: Callers, _: CallerStreams) -> None:
        heard: list[str] = []

        async def hear(who: str, stream: AsyncIterable[object]) -> None:
            async for _event in stream:
                heard.append(who)

        async with AsyncExitStack() as opened:
            tasks = []
            for who in ("ada", "eva"):
                callers.now, callers.lists[who] = who, "orders"
                stream = await opened.enter_async_context(client.listen(tools_list_changed=True))
                tasks.append(asyncio.create_task(hear(who, stream)))
            callers.lists["ada"] = None
            await asyncio.sleep(0.1)
            callers.lists["ada"] = "orders"
            await asyncio.sleep(0.1)
            assert heard == []

            callers.lists["eva"] = "orders and payments"
            while not heard:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            assert heard == ["eva"]
            for task in tasks:
                task.cancel()

    listening(check)
