"""Who is notified of a change of the list of MCP tools, where callers see different things: over the real views."""

import asyncio
from collections.abc import AsyncIterable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from app.domain.access.callers import Caller, CallerScope, CameBy
from app.domain.access.rules import Act, Rule, RuleBook
from app.mcp.server import Asking, CatalogueServer
from app.roots.mcp import catalogue_server
from app.service.components import Components
from app.service.worlds import Worlds, world_of
from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest, manifest, tool
from tests.service import REFRESH_S
from tests.unit.mcp.test_server import ERAS, opened

CANARY = "zebra"
QUIET_S = 6 * REFRESH_S
"""Several looks of each stream."""


def rule(group: str, *sources: str) -> Rule:
    """What a group may find."""
    return Rule(group, frozenset({group}), may=frozenset({Act.CALL}), sources=sources)


@dataclass
class Callers:
    """Who asks next; who is out; the rules of now."""

    worlds: Worlds | None = None
    now: str = "ada"
    out: set[str] = field(default_factory=set)
    rules: RuleBook = field(
        default_factory=lambda: RuleBook(
            (rule("ada", "manifest:orders"), rule("eva", "manifest:orders", "manifest:zebra*"))
        )
    )

    async def asking(self, components: Components, who: str) -> Asking:
        """Somebody as of now."""
        caller = Caller(
            who, who, frozenset({who}), frozenset(CallerScope) - {CallerScope.ADMIN}, None, CameBy.TOKEN
        )
        worlds = self.worlds
        assert worlds is not None
        return Asking(
            await world_of(worlds, caller, components),
            who,
            (who,),
            is_over=lambda: who in self.out,
            version=lambda: worlds.version(caller),
            now=lambda: self.asking(components, who),
        )


@contextmanager
def served(graph: InMemoryGraph, callers: Callers) -> Iterator[tuple[Components, Any]]:
    """Components with their views; what makes a server that serves one caller, or whoever asks next."""
    with opened(graph) as components:
        worlds = callers.worlds = Worlds(components, graph, lambda: callers.rules, refresh_s=REFRESH_S)
        worlds.start()
        try:
            assert worlds.wait(20)

            def server(who: str = "") -> CatalogueServer:
                return catalogue_server(
                    components,
                    refresh_s=REFRESH_S,
                    scope="private",
                    asking=lambda _: callers.asking(components, who or callers.now),
                )

            yield components, server
        finally:
            worlds.stop()


def test_what_nobody_asked_for_longest_makes_room(tmp_path: Path) -> None:
    """One megabyte keeps some views, and the last one in any case."""
    graph = InMemoryGraph()
    ingest(graph, *(manifest(tmp_path, f"m{number}", tool(f"t{number}")) for number in range(30)))
    book = RuleBook(tuple(rule(f"g{number}", f"manifest:m{number}") for number in range(30)))
    callers = [
        Caller(
            f"g{number}",
            f"g{number}",
            frozenset({f"g{number}"}),
            frozenset({CallerScope.FIND}),
            None,
            CameBy.TOKEN,
        )
        for number in range(30)
    ]
    with opened(graph) as components:
        worlds = Worlds(components, graph, lambda: book, refresh_s=REFRESH_S, views_mb=1)
        worlds.start()
        try:
            assert worlds.wait(20)
            for caller in callers:
                worlds.of(caller)
            assert worlds.at_hand(callers[-1]) is not None
            assert worlds.at_hand(callers[0]) is None
            assert len(worlds.of(callers[0]).find.keeper.index.catalogue.tools) == 1
        finally:
            worlds.stop()


async def until(true: Any) -> None:
    """Wait for it."""
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.01)


async def taken_in(callers: Callers, components: Components, graph: InMemoryGraph) -> None:
    """Until views are of the graph's generation, and each stream has looked several times."""
    worlds = callers.worlds
    assert worlds is not None
    generation = graph.state().generation
    await until(lambda: worlds.look() and components.keeper.generation == generation)
    await asyncio.sleep(QUIET_S)


def test_what_changes_for_others_sends_nothing(tmp_path: Path) -> None:
    """Streams of 2026-07-28: a server that only one caller sees is news to that one; a policy, to whom it is about."""
    heard: list[str] = []
    frames: dict[str, list[object]] = {"ada": [], "eva": []}

    async def hear(who: str, stream: AsyncIterable[object]) -> None:
        async for event in stream:
            heard.append(who)
            frames[who].append(event)

    async def run(components: Components, server: Any) -> None:
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(Client(server().sdk, mode=ERAS[0]))
            for who in ("ada", "eva"):
                callers.now = who
                stream = await stack.enter_async_context(client.listen(tools_list_changed=True))
                task = asyncio.create_task(hear(who, stream))
                stack.callback(task.cancel)
            await asyncio.to_thread(ingest, graph, manifest(tmp_path, CANARY, tool(f"get_{CANARY}", CANARY)))
            await until(lambda: heard)
            await taken_in(callers, components, graph)
            assert heard == ["eva"]
            callers.now = "eva"
            assert CANARY in str((await client.list_tools(cache_mode="refresh")).tools)
            callers.now = "ada"
            assert CANARY not in str((await client.list_tools(cache_mode="refresh")).tools)
            # What the hidden server's tools say is in no list at all.
            await asyncio.to_thread(ingest, graph, manifest(tmp_path, CANARY, tool(f"list_{CANARY}", CANARY)))
            await taken_in(callers, components, graph)
            assert heard == ["eva"]
            callers.rules = RuleBook(
                (rule("ada", "manifest:zebra"), rule("eva", "manifest:orders", "manifest:zebra*"))
            )
            await until(lambda: len(heard) > 1)
            assert heard == ["eva", "ada"]
            callers.out.add("ada")
            await asyncio.sleep(QUIET_S)
            await asyncio.to_thread(ingest, graph, manifest(tmp_path, "zebras", tool("count", CANARY)))
            await until(lambda: len(heard) > 2)
            assert heard == ["eva", "ada", "eva"]
            assert CANARY not in str(frames["ada"])

    graph, callers = InMemoryGraph(), Callers()
    ingest(graph, manifest(tmp_path, "orders", tool("get_order", "Gets it")))
    with served(graph, callers) as (components, server):
        asyncio.run(run(components, server))


@pytest.mark.parametrize("who", ["ada", "eva"])
def test_a_client_of_2025_that_stays_connected_hears_of_its_own_list(who: str, tmp_path: Path) -> None:
    heard: list[object] = []

    async def hear(message: object) -> None:
        heard.append(message)

    async def run(components: Components, server: Any) -> None:
        async with Client(server(who).sdk, mode=ERAS[1], message_handler=hear) as client:
            await client.list_tools()
            await asyncio.to_thread(ingest, graph, manifest(tmp_path, CANARY, tool(f"get_{CANARY}", CANARY)))
            await taken_in(callers, components, graph)
            if who == "eva":
                await until(lambda: heard)
            assert len(heard) == (who == "eva")
            assert CANARY not in str(heard)

    graph, callers = InMemoryGraph(), Callers()
    ingest(graph, manifest(tmp_path, "orders", tool("get_order", "Gets it")))
    with served(graph, callers) as (components, server):
        asyncio.run(run(components, server))
