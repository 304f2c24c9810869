"""What a request may use, as one typed value, whichever interface it came by."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from app.domain.audit.events import SearchEvent
from app.ports.graph import GraphExplorer
from app.ports.ranking import RankedGraph
from app.ports.reading import GoalReader
from app.ports.reviewing import ReviewDesk
from app.ports.watching import FollowedSources
from app.service.metrics import Metrics
from app.service.workers import Workers
from app.usecases.call import ToolCaller
from app.usecases.index.snapshots import Snapshots
from app.usecases.plans.reach import EVERYTHING_IN_REACH, CallReach
from app.usecases.rankings.outside import ALONE, Outside
from app.usecases.seen.provenance import ProvenanceReader
from app.usecases.unmet.keeper import UnmetKeeper
from app.usecases.workflows import WorkflowStore


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """What a request may ask for."""

    max_query_chars: int
    query_timeout_s: float
    lease_wait_s: float = 5.0
    """How long a change of a workflow waits for another writer."""
    refresh_s: float = 0.25
    """How often the MCP server looks whether the catalogue has changed."""
    views_mb: int = 64
    """Memory for what callers with different rules see."""
    outside_s: float = 0.0
    """What encoder and re-ranker may take of an answer, beyond the time for the graph."""


@dataclass(frozen=True, slots=True)
class Calls:
    """What passes calls on, where that is switched on."""

    caller: ToolCaller
    workers: Workers
    """For calls alone; all of them may wait for servers that hang."""


@dataclass(frozen=True, slots=True)
class Readings:
    """What reads goals with a language model, where one is set."""

    reader: GoalReader
    workers: Workers
    """For it alone; all of them may wait for a model that hangs."""
    free: threading.BoundedSemaphore
    """One for each of these threads: a goal that finds no free one is planned without the model."""


@dataclass(frozen=True, slots=True)
class Components:
    """Opened once at start-up, shared by all requests."""

    keeper: Snapshots
    graph: RankedGraph | None
    """None: scores are computed from the index."""
    explorer: GraphExplorer
    workflows: WorkflowStore
    unmet: UnmetKeeper
    """Is notified of what nothing met, by REST and MCP."""
    limits: RequestLimits
    graph_workers: Workers
    """For calls that ask the graph; all of them may hang in it."""
    memory_workers: Workers
    """For calls that do not."""
    metrics: Metrics
    calls: Calls | None = None
    """None: calls are not passed on."""
    watched: FollowedSources | None = None
    """What follows sources; None where nothing does."""
    provenance: ProvenanceReader | None = None
    """Says who provides what, where policies are asked for."""
    given: Callable[[SearchEvent], None] | None = None
    """Writes down what searches and plans gave; None where that is not wanted."""
    reviews: ReviewDesk | None = None
    """Carries out what is decided of definitions; None where nothing does."""
    reading: Readings | None = None
    """None: goals are read without a model."""
    outside: Outside = ALONE
    """Whom answers may ask beside the graph."""
    reach: CallReach = EVERYTHING_IN_REACH
    """What of a plan whoever asks can call."""
