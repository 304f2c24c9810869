"""The MCP server put together: its tools over what the service opened."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from typing import Any, Literal, NamedTuple

from app import logs
from app.domain.calling.calls import CallAnswer
from app.errors import CallRefusedError
from app.mcp.served_catalogue import ServedCatalogue
from app.mcp.server import CatalogueServer, Endpoint, http_endpoint, serve_stdio
from app.mcp.tools.call import CallTool
from app.mcp.tools.catalogue import describe_tool, sources_tool
from app.mcp.tools.plan import plan_tool
from app.mcp.tools.search import search_tool
from app.mcp.tools.served_tools import ServedTool
from app.roots.calls import check_proxy
from app.roots.service import service_components
from app.service.components import Calls, Components
from app.service.metrics import Metrics
from app.settings import Settings
from app.signals import handled


def catalogue_server(
    components: Components, *, refresh_s: float, scope: Literal["public", "private"], who: str = "http"
) -> CatalogueServer:
    """The server with all its tools; `who` is how its callers come in, for the audit of calls."""
    catalogue = ServedCatalogue(components)
    tools: tuple[ServedTool, ...] = (
        search_tool(catalogue),
        plan_tool(catalogue),
        describe_tool(catalogue),
        sources_tool(catalogue),
    )
    if components.calls is not None:
        tools = (*tools, CallTool(partial(passed_on, components.calls, who)))
    return CatalogueServer(tools, catalogue, refresh_s=refresh_s, scope=scope)


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
