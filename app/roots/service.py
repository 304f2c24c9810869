"""The composition root: the one place where the ports of the service meet adapters.

What is opened here once serves all requests, over HTTP and of an MCP client on stdin alike.
"""

import contextlib
import ctypes
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Protocol

from threadpoolctl import threadpool_limits

from app.adapters.audit_file import AuditFile
from app.adapters.graph.lease import lease_owner
from app.domain.unmet.entries import UnmetMode
from app.errors import ServeRefusedError
from app.ports.graph import CatalogueReader, GraphExplorer, GraphWriter, WorkflowReader
from app.ports.notices import Notify
from app.ports.ranking import RankedGraph
from app.ports.reading import GoalReader
from app.ports.reviewing import ReviewDesk
from app.ports.servers import McpListener
from app.ports.snapshots import SnapshotMaker, SnapshotStore
from app.ports.watching import FollowedSources
from app.roots.audit import anchored, audit_file, given
from app.roots.calls import OpenCaller, opened_caller
from app.roots.encoders import open_encoder, opened_outside, outside_s
from app.roots.graph import open_graph, open_mcp_client
from app.roots.reading import opened_reader
from app.roots.snapshots import open_snapshots, snapshot_maker
from app.roots.webhook import SERVICE_WAIT_S, opened_webhook
from app.service.components import Calls, Components, Readings, RequestLimits
from app.service.metrics import Metrics
from app.service.workers import Workers
from app.settings import Settings
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.snapshots import SnapshotKeeper
from app.usecases.plans.reach import CallReach, Outages
from app.usecases.rankings.outside import ALONE, Outside
from app.usecases.unmet.keeper import PAUSE_S, UnmetKeeper
from app.usecases.workflows import WorkflowStore

_GRAPH_THREADS = 16
_MEMORY_THREADS = 4
_READING_THREADS = 4
"""Goals that may be with a language model at the same time."""
_GIL_SWITCH_S = 0.001
"""A request that waits for the lock of the interpreter gets it this soon from a snapshot that is being built."""


class Graph(CatalogueReader, GraphExplorer, RankedGraph, GraphWriter, WorkflowReader, Protocol):
    """What the service reads, and what changes of workflows write to."""


_M_ARENA_MAX = -8
"""The number of this option of `mallopt`. Source: malloc.h of glibc."""
_HEAPS = 2
"""The interpreter's lock lets one thread work at a time, an encoder's runs beside it. 50,000 tools, after 200 requests and 50
goals: 347 MB of own memory with a heap for each thread, 240 MB with two."""


@contextmanager
def service_components(
    settings: Settings, metrics: Metrics, audit: AuditFile | None = None
) -> Iterator[Components]:
    """Open the graph, start the thread that keeps the snapshot; close both in the end.

    Args:
        settings: of the service.
        metrics: its counters.
        audit: where it is written down who calls what; its heads are kept meanwhile.

    Raises:
        StoreUnavailableError: the graph database does not answer now. Later it may go and come.
    """
    sys.setswitchinterval(_GIL_SWITCH_S)
    _share_heaps()
    limits = RequestLimits(
        max_query_chars=settings.max_query_chars,
        query_timeout_s=settings.query_timeout_s,
        lease_wait_s=settings.lease_wait_s,
        refresh_s=settings.refresh_s,
        outside_s=outside_s(settings),
        views_mb=settings.views_mb,
    )
    from ingest.wiring import Desk

    with ExitStack() as stack:
        # A product of matrices takes less than a millisecond; divided among cores that are busy it waits for 15.
        stack.enter_context(threadpool_limits(1, user_api="blas"))
        if settings.audit_searches and audit is None:
            audit = audit_file(settings)
        reader = stack.enter_context(opened_reader(settings))
        outside = stack.enter_context(opened_outside(settings))
        store = stack.enter_context(open_graph(settings))
        if audit is not None:
            stack.enter_context(anchored(audit, store))
        # One for calls and for the watch: a command that is a server runs once, and what a call changes is seen.
        servers = stack.enter_context(open_mcp_client(settings)) if settings.proxy or settings.watch else None
        notify = stack.enter_context(
            opened_webhook(settings, wait_s=SERVICE_WAIT_S, counted=metrics.count_notice)
        )
        components = stack.enter_context(
            components_over(
                store,
                refresh_s=settings.refresh_s,
                limits=limits,
                metrics=metrics,
                settle_memory=_settle_memory,
                snapshots=open_snapshots(settings),
                maker=snapshot_maker(settings),
                encoder=open_encoder(settings),
                open_caller=partial(opened_caller, settings, audit, store, servers)
                if servers and settings.proxy and audit
                else None,
                calls_at_once=settings.proxy_at_once,
                reader=reader,
                outside=outside,
                unmet=UnmetMode(settings.unmet),
                reviews=Desk(store, settings, audit or audit_file(settings), notify=notify),
            )
        )
        if settings.audit_searches and audit is not None:
            components = replace(components, given=partial(given, audit))
        if servers and settings.watch:
            watched = stack.enter_context(
                _watching(settings, store, servers, components.keeper.notice, notify)
            )
            components = replace(components, watched=watched)
        yield components


def _watching(
    settings: Settings,
    graph: GraphWriter,
    servers: McpListener,
    on_generation: Callable[[int], None],
    notify: Notify,
) -> AbstractContextManager[FollowedSources]:
    """Keep the graph at what the sources file says."""
    if settings.sources is None:
        raise ServeRefusedError("OUTFITTER_WATCH is set and OUTFITTER_SOURCES is not: name the sources file")
    from ingest.wiring import watching

    return watching(
        settings, graph, settings.sources, servers=servers, on_generation=on_generation, notify=notify
    )


@contextmanager
def components_over(
    graph: Graph,
    *,
    refresh_s: float,
    limits: RequestLimits,
    metrics: Metrics,
    settle_memory: Callable[[], None] = lambda: None,
    open_caller: OpenCaller | None = None,
    calls_at_once: int = 4,
    snapshots: SnapshotStore | None = None,
    maker: SnapshotMaker | None = None,
    encoder: ToolEncoder | None = None,
    reader: GoalReader | None = None,
    outside: Outside = ALONE,
    unmet: UnmetMode = UnmetMode.OFF,
    reviews: ReviewDesk | None = None,
    unmet_pause_s: float = PAUSE_S,
) -> Iterator[Components]:
    """Everything that requests use, over an open graph; calls are passed on where `open_caller` is given, and goals
    read by a model where `reader` is; `outside` may be asked by answers."""
    keeper = SnapshotKeeper(
        graph,
        refresh_s=refresh_s,
        settle_memory=settle_memory,
        store=snapshots,
        encoder=encoder,
        maker=maker,
    )
    metrics.watch(keeper)
    with ExitStack() as stack:
        calls = None
        if open_caller is not None:
            caller = stack.enter_context(open_caller(lambda: keeper.generation))
            calls = Calls(caller, Workers(calls_at_once, name="calls"))
            stack.callback(calls.workers.close)
        reading = None
        if reader is not None:
            workers = Workers(_READING_THREADS, name="reading")
            reading = Readings(reader, workers, threading.BoundedSemaphore(_READING_THREADS))
            stack.callback(workers.close)
        components = Components(
            keeper=keeper,
            graph=graph,
            explorer=graph,
            unmet=UnmetKeeper(
                graph,
                keeper,
                mode=unmet,
                owner=lease_owner,
                lease_wait_s=limits.lease_wait_s,
                pause_s=unmet_pause_s,
            ),
            workflows=WorkflowStore(graph, owner=lease_owner, lease_wait_s=limits.lease_wait_s),
            limits=limits,
            graph_workers=Workers(_GRAPH_THREADS, name="graph"),
            memory_workers=Workers(_MEMORY_THREADS, name="memory"),
            metrics=metrics,
            calls=calls,
            provenance=graph,
            reviews=reviews,
            reading=reading,
            outside=outside,
            reach=CallReach(down=Outages(graph).down),
        )
        keeper.start()
        components.unmet.start()
        try:
            yield components
        finally:
            components.unmet.stop()
            keeper.stop()
            components.graph_workers.close()
            components.memory_workers.close()


def _share_heaps() -> None:
    """Threads share a few heaps, where the C library can do that: each would else keep what its largest answer took."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _HEAPS)


def _settle_memory() -> None:
    """Keep the collector from walking the snapshot, which lives until the next one, at every collection."""
    gc.collect()
    gc.freeze()
    _give_back_memory()


def _give_back_memory() -> None:
    """What the last snapshot took goes back to the system, where the C library can do that."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
