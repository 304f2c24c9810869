"""The MCP server over a graph in memory, asked by the official client in both protocol eras."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from mcp import Client

from app.adapters.lexical_bm25s import Bm25sIndex
from app.api.components import Components, Limits
from app.api.metrics import Metrics
from app.main import components_over
from app.mcp_root import catalogue_server
from tests.fakes import InMemoryGraph
from tests.service import REFRESH_S, ingest

T = TypeVar("T")
ERAS = ("2026-07-28", "legacy")


@contextmanager
def opened(graph: InMemoryGraph) -> Iterator[Components]:
    """The service's components over a graph, loaded."""
    limits = Limits(max_query_chars=500, query_timeout_s=5.0, refresh_s=REFRESH_S)
    with components_over(
        graph, lexical=Bm25sIndex, refresh_s=REFRESH_S, limits=limits, metrics=Metrics()
    ) as components:
        assert components.keeper.wait(20)
        yield components


def asked(components: Components, era: str, questions: Callable[[Client], Awaitable[T]]) -> T:
    """What a client of this era gets from a server over these components."""

    async def run() -> T:
        server = catalogue_server(components, refresh_s=REFRESH_S, scope="private")
        async with Client(server.sdk, mode=era) as client:
            return await questions(client)

    return asyncio.run(run())


@pytest.fixture(scope="module")
def shop() -> Iterator[Components]:
    graph = InMemoryGraph()
    ingest(graph)
    with opened(graph) as components:
        yield components


@pytest.mark.parametrize("era", ERAS)
def test_tools_are_listed_with_what_clients_need_to_know(shop: Components, era: str) -> None:
    """Read-only, idempotent, closed world; schemas of arguments and answers; what is inside, for how long."""
    listed = asked(shop, era, lambda client: client.list_tools())

    assert listed.tools[0].name == "search_tools"
    for tool in listed.tools:
        hints = tool.annotations
        assert hints is not None
        assert (hints.read_only_hint, hints.destructive_hint) == (True, False)
        assert (hints.idempotent_hint, hints.open_world_hint) == (True, False)
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
    assert "Servers: analytics, helpdesk, marketing, orders, payments, stock." in str(
        listed.tools[0].description
    )
    if era == ERAS[0]:
        assert (listed.ttl_ms, listed.cache_scope) == (60_000, "private")


@pytest.mark.parametrize("era", ERAS)
def test_a_search_gives_schemas_and_scores(shop: Components, era: str) -> None:
    """The client holds the answer to the schema that the tool declares."""
    found = asked(
        shop, era, lambda client: client.call_tool("search_tools", {"query": "refund a payment", "top_k": 2})
    )

    assert not found.is_error
    answer: dict[str, Any] = found.structured_content or {}
    assert answer["tools"][0]["id"] == "payments/refund_payment"
    assert answer["tools"][0]["score"] > 0
    assert answer["tools"][0]["input_schema"]["type"] == "object"
