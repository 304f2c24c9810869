"""The MCP server put together: its tools over what the service opened."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar, cast

from app import logs
from app.api.answers import answered
from app.api.components import Calls, Components
from app.api.graph_calls import ask_graph
from app.api.metrics import Metrics
from app.domain.calling.calls import CallAnswer
from app.domain.nodes.graph_views import SourceCounts
from app.errors import CallRefusedError
from app.mcp.backend import RankedGraph
from app.mcp.server import CatalogueServer
from app.mcp.tools.call import CallTool
from app.mcp.tools.describe import describe_tool
from app.mcp.tools.plan import plan_tool
from app.mcp.tools.search import search_tool
from app.mcp.tools.served_tools import ServedTool
from app.mcp.tools.sources import sources_tool
from app.mcp.transports import Endpoint, http_endpoint, serve_stdio
from app.roots.calls import check_proxy
from app.roots.service import service_components
from app.settings import Settings
from app.signals import handled
from app.usecases.index.search_index import SearchIndex
from app.usecases.search_values import SearchAnswer, SearchMethod

T = TypeVar("T")


class ServedCatalogue:
    """Fits `Backend`, over the components of the service."""

    def __init__(self, components: Components) -> None:
        self._components = components

    @property
    def index(self) -> SearchIndex | None:
        """What answers come from now."""
        current = self._components.keeper.current
        return current.index if current else None

    @property
    def max_query_chars(self) -> int:
        """The longest query or goal."""
        return self._components.limits.max_query_chars

    async def ask(self, work: Callable[[SearchIndex, RankedGraph], T], *, what: str) -> T:
        """The result of `work`; the first one waits until the catalogue is loaded."""
        components = self._components
        keeper = components.keeper
        if keeper.current is None:
            timeout_s = components.limits.query_timeout_s
            await components.memory_workers.run(lambda: keeper.wait(timeout_s))
        graph = cast("RankedGraph", components.ranker)
        return await answered(components, lambda: work(keeper.index, graph), what=what)

    async def sources(self) -> list[SourceCounts]:
        """All sources, as the graph has them now."""
        return await ask_graph(self._components, lambda explorer: explorer.source_counts())

    def searched(self, answer: SearchAnswer, method: SearchMethod, seconds: float) -> None:
        """Count a search that was answered."""
        self._components.metrics.count_query(answer, method.value, seconds)

    def planned(self, seconds: float) -> None:
        """Count a plan that was made."""
        self._components.metrics.plans.observe(seconds)


def catalogue_server(
    components: Components, *, refresh_s: float, scope: Literal["public", "private"], who: str = "http"
) -> CatalogueServer:
    """The server with all its tools; `who` is how its callers come in, for the audit of calls."""
    backend = ServedCatalogue(components)
    tools: tuple[ServedTool, ...] = (
        search_tool(backend),
        plan_tool(backend),
        describe_tool(backend),
        sources_tool(backend),
    )
    if components.calls is not None:
        tools = (*tools, CallTool(partial(passed_on, components.calls, who)))
    return CatalogueServer(tools, backend, refresh_s=refresh_s, scope=scope)


async def passed_on(calls: Calls, who: str, tool_id: str, arguments: Mapping[str, Any]) -> CallAnswer:
    """The call, made in a thread for calls; refused when none is free for as long as a call may take."""
    job = calls.workers.submit(lambda: calls.caller.call(tool_id, arguments, who=who))
    wait_s = calls.caller.limits.timeout_s
    try:
        await asyncio.wait({job.future}, timeout=wait_s)
    except asyncio.CancelledError:
        # Whoever asked has gone: what has not begun need not begin.
        job.future.cancel()
        raise
    if job.started is None and job.future.cancel():
        raise CallRefusedError(
            f"{len(calls.workers.threads)} calls are under way and none ended within {wait_s:g} s; accepted: the same"
            " call again, later (OUTFITTER_PROXY_AT_ONCE)"
        )
    return await job.future


@asynccontextmanager
async def opened_endpoint(
    components: Components, *, max_body_bytes: int, token: bool
) -> AsyncIterator["OpenedMcp"]:
    """What answers at /mcp."""
    server = catalogue_server(
        components, refresh_s=components.limits.refresh_s, scope="private" if token else "public"
    )
    async with http_endpoint(server, max_body_bytes=max_body_bytes) as endpoint:
        yield OpenedMcp(endpoint, server.end_streams)


class OpenedMcp(NamedTuple):
    """The MCP server behind HTTP."""

    endpoint: Endpoint
    end_streams: Callable[[], None]
    """Lets clients go that listen for changes; they would keep the service from ending."""


def run_stdio(settings: Settings) -> None:
    """Serve one client over stdin and stdout.

    Raises:
        StoreUnavailableError: the graph database does not answer.
        ServeRefusedError: calls are to be passed on, and nothing says which.
    """
    if settings.proxy:
        check_proxy(settings, stdio=True)
    logs.configure(level=settings.log_level, form=settings.log_format)
    with ExitStack() as opened:
        components = opened.enter_context(service_components(settings, Metrics()))
        components.keeper.wait(settings.query_timeout_s)
        server = catalogue_server(components, refresh_s=settings.refresh_s, scope="private", who="stdio")
        with handled(_closing(opened), signal.SIGTERM, signal.SIGINT):
            asyncio.run(serve_stdio(server))


def _closing(opened: ExitStack) -> Callable[[int, object], None]:
    """Close what is open, so that servers that were started for calls are gone, and end by the same signal.

    A thread that reads stdin cannot be interrupted: unwinding the event loop would wait for the client.
    """

    def end(number: int, _: object) -> None:
        # The same again ends us at once.
        signal.signal(number, signal.SIG_DFL)
        opened.close()
        signal.raise_signal(number)

    return end
