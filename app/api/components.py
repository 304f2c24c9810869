"""What a request may use, as one typed value."""

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from app.api.metrics import Metrics
from app.api.workers import Workers
from app.ports import GraphExplorer, GraphRanker
from app.usecases.search_index import SearchIndex
from app.usecases.snapshots import SnapshotKeeper


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request may ask for."""

    max_query_chars: int
    query_timeout_s: float


@dataclass(frozen=True, slots=True)
class Components:
    """Opened once at start-up, shared by all requests."""

    keeper: SnapshotKeeper
    ranker: GraphRanker
    """A `WatchedRanker`: it does not raise when the graph is away."""
    explorer: GraphExplorer
    limits: Limits
    graph_workers: Workers
    """For calls that ask the graph; all of them may hang in it."""
    memory_workers: Workers
    """For calls that do not."""
    metrics: Metrics


# `async`, though they await nothing: FastAPI would give a `def` to a thread.
async def _components(request: Request) -> Components:
    return cast("Components", request.state.components)


async def _index(request: Request) -> SearchIndex:
    return cast("Components", request.state.components).keeper.index


ComponentsDep = Annotated[Components, Depends(_components)]
IndexDep = Annotated[SearchIndex, Depends(_index)]
