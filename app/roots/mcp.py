"""The MCP server put together: its tools over what the service opened."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import Any, Literal, NamedTuple, cast

from app import logs
from app.domain.access.callers import Caller, CameBy, is_operator
from app.domain.calling.calls import CallAnswer
from app.errors import CallRefusedError, NotPermittedError, ServeRefusedError
from app.mcp.served_catalogue import ServedCatalogue
from app.mcp.server import (
    Asking,
    CatalogueServer,
    Endpoint,
    MessageContext,
    WhoAsks,
    http_endpoint,
    serve_stdio,
)
from app.mcp.tools.call import CallTool
from app.mcp.tools.catalogue import describe_tool, sources_tool
from app.mcp.tools.plan import plan_tool
from app.mcp.tools.search import search_tool
from app.mcp.tools.served_tools import ServedTool
from app.roots.callers import AccessFiles, read_access_files, stdio_caller
from app.roots.calls import check_proxy
from app.roots.service import service_components
from app.roots.telemetry.opened import opened_telemetry
from app.service.components import Calls, Components
from app.service.given import Asker
from app.service.metrics import Metrics
from app.service.worlds import World, Worlds, world_of
from app.settings import Settings
from app.signals import handled


def catalogue_server(
    components: Components,
    *,
    refresh_s: float,
    scope: Literal["public", "private"],
    who: str = "http",
    asking: WhoAsks | None = None,
) -> CatalogueServer:
    """The server with all its tools.

    Args:
        components: Of the service.
        refresh_s: Seconds between two looks at the catalogue.
        scope: Whether everybody may see the same list.
        who: How its callers come in, for the audit of calls.
        asking: Who sends a message and what they see; None: everybody sees everything.
    """
    everything = World(components, components)

    def tools_of(asking: Asking | None) -> Sequence[ServedTool]:
        return (
            catalogue_tools(asking.world, asking.who, asking.run, groups=asking.groups)
            if asking
            else catalogue_tools(everything, who)
        )

    return CatalogueServer(
        tools_of,
        ServedCatalogue(components),
        refresh_s=refresh_s,
        scope=scope,
        asking=asking,
    )


def catalogue_tools(
    world: World, who: str, run: str = "", *, groups: tuple[str, ...] = ()
) -> Sequence[ServedTool]:
    """All tools over what somebody sees, for the calls of one of their runs."""
    asker = Asker(who, groups)
    catalogue, planning = ServedCatalogue(world.find, asker), ServedCatalogue(world.plan, asker)
    tools: tuple[ServedTool, ...] = (
        search_tool(catalogue),
        plan_tool(planning),
        describe_tool(catalogue),
        sources_tool(catalogue),
    )
    calls = world.find.calls
    return (
        tools if calls is None else (*tools, CallTool(partial(passed_on, calls, who, groups=groups, run=run)))
    )


async def passed_on(
    calls: Calls,
    who: str,
    tool_id: str,
    arguments: Mapping[str, Any],
    *,
    groups: tuple[str, ...] = (),
    run: str = "",
) -> CallAnswer:
    """The call, made in a thread for calls; refused when none is free for as long as a call may take."""
    job = calls.workers.submit(lambda: calls.caller.call(tool_id, arguments, who=who, groups=groups, run=run))
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
    components: Components, *, max_body_bytes: int, token: bool, worlds: Worlds | None = None
) -> AsyncIterator["OpenedMcp"]:
    """What answers at /mcp."""
    server = catalogue_server(
        components,
        refresh_s=components.limits.refresh_s,
        scope="private" if token else "public",
        asking=None if worlds is None else _asking_over_http,
    )
    async with http_endpoint(server, max_body_bytes=max_body_bytes) as endpoint:
        yield OpenedMcp(endpoint, server.end_streams)


async def _asking_over_http(context: MessageContext) -> Asking:
    """Whom the gate let in, with what it found that they see."""
    # The transport attaches the request to every message.
    state = cast("Any", context.request).scope["state"]
    worlds: Worlds = state["worlds"]
    begun: Caller = state["caller"]
    still: Callable[[], Caller | None] = state["still"]

    def asking(caller: Caller, world: World) -> Asking:
        return Asking(
            world,
            caller.id,
            tuple(sorted(caller.groups)),
            caller,
            is_over=lambda: still() is None,
            version=lambda: worlds.version(still() or begun),
            now=now,
        )

    async def now() -> Asking:
        caller = still()
        if caller is None:
            raise NotPermittedError("what let the caller in has ended")
        return asking(caller, await world_of(worlds, caller, state["components"]))

    return asking(begun, state["world"])


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
    files = read_access_files(settings)
    caller = stdio_caller(settings, files)
    with ExitStack() as opened:
        opened.enter_context(opened_telemetry(settings))
        components = opened.enter_context(service_components(settings, Metrics(), files.audit))
        components.keeper.wait(settings.query_timeout_s)
        asking = (
            None
            if is_operator(caller)
            else opened.enter_context(_asking_over_stdio(components, files, caller))
        )
        server = catalogue_server(
            components, refresh_s=settings.refresh_s, scope="private", who="stdio", asking=asking
        )
        with handled(_closing(opened), signal.SIGTERM, signal.SIGINT):
            asyncio.run(serve_stdio(server))


@contextmanager
def _asking_over_stdio(components: Components, files: AccessFiles, caller: Caller) -> Iterator[WhoAsks]:
    """The one caller, for as long as the file has it."""
    graph = components.provenance
    if graph is None or files.callers is None:
        raise ServeRefusedError(f"caller {caller.name!r}: nothing says who provides what")
    listed = files.callers.current
    worlds = Worlds(
        components,
        graph,
        files.policies.current if files.policies else lambda: None,
        refresh_s=components.limits.refresh_s,
        views_mb=components.limits.views_mb,
    )

    async def asking(_: MessageContext) -> Asking:
        entry = listed().named(caller.name)
        if entry is None or (entry.expires_at is not None and entry.expires_at <= time.time()):
            raise NotPermittedError(f"caller {caller.name!r} is not in the file of callers, or has expired")
        now = entry.caller(CameBy.STDIO)
        if worlds.at_hand(now) is None:
            # The first message waits, as it does without callers.
            timeout_s = components.limits.query_timeout_s
            await components.memory_workers.run(lambda: worlds.wait(timeout_s))
        world = await world_of(worlds, now, components)
        return Asking(world, now.id, tuple(sorted(now.groups)), now, version=lambda: worlds.version(now))

    with files.followed():
        worlds.start()
        try:
            yield asking
        finally:
            worlds.stop()


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
