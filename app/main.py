"""The composition root of the service: the one place where its ports meet adapters."""

import gc
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager, nullcontext
from importlib.metadata import version
from ipaddress import ip_address
from typing import Any, Protocol

from fastapi import FastAPI

from app.adapters.graph_lease import lease_owner
from app.api import health, neighbours, openapi, plan, problems, query, sources, tools, workflows
from app.api.access import Access, Policy
from app.api.components import Calls, Components, Limits
from app.api.mcp_route import mcp_route
from app.api.metrics import Metrics
from app.api.workers import Workers
from app.errors import ServeRefusedError
from app.mcp_root import opened_endpoint
from app.ports import (
    CatalogueReader,
    GraphExplorer,
    GraphPlanner,
    GraphRanker,
    GraphWriter,
    LexicalIndexFactory,
    WorkflowReader,
)
from app.proxy import OpenCaller, check_proxy, opened_caller
from app.settings import Settings
from app.usecases.snapshots import SnapshotKeeper
from app.usecases.watched_ranker import WatchedRanker
from app.usecases.workflows import WorkflowStore
from app.wiring import lexical_factory, open_graph

_LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
_GRAPH_THREADS = 16
_MEMORY_THREADS = 4
_GIL_SWITCH_S = 0.001
"""A request that waits for the lock of the interpreter gets it this soon from a snapshot that is being built."""


class Graph(CatalogueReader, GraphExplorer, GraphRanker, GraphPlanner, GraphWriter, WorkflowReader, Protocol):
    """What the service reads, and what changes of workflows write to."""


DESCRIPTION = """
Which tools fit a request, and why: **POST /v1/query**. Which calls a goal takes, in which order, with which inputs:
**POST /v1/plan**.

Errors are problem documents (RFC 9457). An answer names the `generation` of the graph that it comes from;
each ingest that changes something makes the next one. `X-Request-ID` is accepted, echoed and logged.
"""


def create_app(
    open_components: Callable[[Metrics], AbstractContextManager[Components]],
    *,
    policy: Policy,
    max_body_bytes: int,
    metrics: Metrics | None = None,
) -> FastAPI:
    """Build the service.

    Args:
        open_components: entered at start-up and left at shutdown; tests pass one that yields fakes.
        policy: who may ask.
        max_body_bytes: larger bodies are refused.
        metrics: counters to use; new ones unless given.
    """
    metrics = metrics or Metrics()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        with open_components(metrics) as components:
            async with opened_endpoint(
                components, max_body_bytes=max_body_bytes, token=policy.token is not None
            ) as opened:
                app.state.end_streams = opened.end_streams
                yield {"components": components, "mcp": opened.endpoint}

    app = FastAPI(
        title="Outfitter",
        version=version("outfitter"),
        description=DESCRIPTION,
        lifespan=lifespan,
        redoc_url=None,
    )
    app.state.end_streams = lambda: None
    problems.install(app)
    for resource in (query, plan, workflows, tools, neighbours, sources, health):
        app.include_router(resource.router)
    app.router.routes.append(mcp_route)
    app.add_middleware(Access, policy=policy, max_body_bytes=max_body_bytes, metrics=metrics)
    openapi.complete(
        app,
        query.QueryRequest,
        plan.GoalRequest,
        workflows.NewWorkflow,
        workflows.WorkflowRequest,
        token=policy.token is not None,
    )
    return app


def production() -> FastAPI:
    """Build the service from the environment: `uvicorn --factory app.main:production`."""
    settings = Settings()
    return create_app(
        lambda metrics: service_components(settings, metrics),
        policy=policy_of(settings),
        max_body_bytes=settings.max_body_bytes,
    )


def policy_of(settings: Settings) -> Policy:
    """Who may ask at the address of the settings.

    Raises:
        ServeRefusedError: others can reach the address, or calls are passed on, and there is no token.
    """
    token = settings.api_token.get_secret_value() if settings.api_token else None
    if settings.proxy:
        check_proxy(settings, stdio=False)
    loopback = _is_loopback(settings.host)
    if not loopback and not token:
        raise ServeRefusedError(
            f"host {settings.host!r} can be reached by others: set OUTFITTER_API_TOKEN to the bearer token that they"
            " need, or serve on 127.0.0.1"
        )
    extra = frozenset(host.lower() for host in settings.allowed_hosts)
    # Behind a name of its own a page of the web cannot send the token; on loopback there may be none.
    hosts = _LOOPBACK_HOSTS | extra if loopback else extra or None
    return Policy(token=token or None, hosts=hosts)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@contextmanager
def service_components(settings: Settings, metrics: Metrics) -> Iterator[Components]:
    """Open the graph, start the thread that keeps the snapshot; close both in the end.

    Raises:
        StoreUnavailableError: the graph database does not answer now. Later it may go and come.
    """
    sys.setswitchinterval(_GIL_SWITCH_S)
    with open_graph(settings) as store:
        limits = Limits(
            max_query_chars=settings.max_query_chars,
            query_timeout_s=settings.query_timeout_s,
            lease_wait_s=settings.lease_wait_s,
            refresh_s=settings.refresh_s,
        )
        with (
            components_over(
                store,
                lexical=lexical_factory(settings),
                refresh_s=settings.refresh_s,
                limits=limits,
                metrics=metrics,
                after_swap=_settle_memory,
                open_caller=(lambda generation: opened_caller(settings, store, generation=generation))
                if settings.proxy
                else None,
                calls_at_once=settings.proxy_at_once,
            ) as components,
            _watching(settings, store, components.keeper),
        ):
            yield components


def _watching(settings: Settings, graph: GraphWriter, keeper: SnapshotKeeper) -> AbstractContextManager[None]:
    """Keep the graph at what the sources file says, where the settings want that."""
    if not settings.watch:
        return nullcontext()
    if settings.sources is None:
        raise ServeRefusedError("OUTFITTER_WATCH is set and OUTFITTER_SOURCES is not: name the sources file")
    from ingest.wiring import watching

    return watching(settings, graph, settings.sources, on_generation=keeper.notice)


@contextmanager
def components_over(
    graph: Graph,
    *,
    lexical: LexicalIndexFactory,
    refresh_s: float,
    limits: Limits,
    metrics: Metrics,
    after_swap: Callable[[], None] = lambda: None,
    open_caller: OpenCaller | None = None,
    calls_at_once: int = 4,
) -> Iterator[Components]:
    """Everything that requests use, over an open graph; calls are passed on where `open_caller` is given."""
    keeper = SnapshotKeeper(graph, lexical=lexical, refresh_s=refresh_s, after_swap=after_swap)
    metrics.watch(keeper)
    watched = WatchedRanker(graph, keeper)
    with ExitStack() as stack:
        calls = None
        if open_caller is not None:
            caller = stack.enter_context(open_caller(lambda: keeper.generation))
            calls = Calls(caller, Workers(calls_at_once, name="calls"))
            stack.callback(calls.workers.close)
        components = Components(
            keeper=keeper,
            ranker=watched,
            planner=watched,
            explorer=graph,
            workflows=WorkflowStore(graph, owner=lease_owner, lease_wait_s=limits.lease_wait_s),
            limits=limits,
            graph_workers=Workers(_GRAPH_THREADS, name="graph"),
            memory_workers=Workers(_MEMORY_THREADS, name="memory"),
            metrics=metrics,
            calls=calls,
        )
        keeper.start()
        try:
            yield components
        finally:
            keeper.stop()
            components.graph_workers.close()
            components.memory_workers.close()


def _settle_memory() -> None:
    """Keep the collector from walking the snapshot, which lives until the next one, at every collection."""
    gc.collect()
    gc.freeze()
