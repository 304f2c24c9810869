"""What the use cases need from outside, in domain words."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from app.domain.calls import CallEvent, CallLimits, CallTarget, Connection
from app.domain.catalogue import Catalogue
from app.domain.dependencies import Precedence, Requirement
from app.domain.graph_views import Neighbourhood, SourceCounts, ToolDetails
from app.domain.http_requests import HttpAnswer, HttpRequest
from app.domain.mcp_endpoints import McpChange, McpEndpoint, McpFailure, McpListing
from app.domain.models import (
    EdgeForm,
    EdgeKind,
    EdgeRow,
    GraphState,
    MethodSeed,
    NodeKind,
    NodeName,
    NodeRow,
    Provision,
    ScoredId,
    Source,
    SourceId,
    Tool,
    ToolId,
)
from app.domain.syncs import SyncRecord
from app.domain.workflows import Workflow

Scores = npt.NDArray[np.float64]
"""One score per document, in the order in which the documents were indexed; shape (N,)."""


class LexicalIndex(Protocol):
    """BM25 over N documents, each a list of tokens; fixed once built, read by many threads.

    k1 = 1.2, b = 0.75, idf = ln((N - df + 0.5) / (df + 0.5) + 1).
    """

    def scores(self, tokens: Sequence[str]) -> Scores:
        """BM25 of every document for the query's tokens (repeated tokens count again); 0 where no token matches."""


class LexicalIndexFactory(Protocol):
    """Builds the index of a list of documents; no documents, or documents without tokens, are fine."""

    def __call__(self, documents: Sequence[Sequence[str]], /) -> LexicalIndex:
        """The index of `documents`, in their order."""


@dataclass(frozen=True, slots=True)
class GraphScores:
    """What one round trip to the graph gave.

    `channels` maps a channel's name to tool id -> score. `consistent` is false when an ingest was at
    work, or finished, while the statement ran: the scores may mix two generations.
    """

    generation: int
    consistent: bool
    channels: Mapping[str, Mapping[str, float]]


class GraphRanker(Protocol):
    """Re-ranking in the graph: one round trip a call."""

    def kg_hybrid_scores(self, *, methods: Sequence[ScoredId], templates: Sequence[ScoredId]) -> GraphScores:
        """Channel `graph`: the graph score of KG-Hybrid for every tool that the seeds reach."""

    def auto_scores(
        self, *, methods: Sequence[MethodSeed], templates: Sequence[ScoredId], concepts: Sequence[ScoredId]
    ) -> GraphScores:
        """Channels `power`, `sum`, `template`, `concept` of `auto` for every tool that the seeds reach."""

    def state(self) -> GraphState:
        """Generation, whether an ingest is at work, schema version."""


@dataclass(frozen=True, slots=True)
class Prerequisites:
    """What one round trip to the graph gave; as for `GraphScores`, it may mix two generations."""

    generation: int
    consistent: bool
    edges: tuple[Requirement, ...]
    """By consumer, parameter, rank; each (consumer, producer, parameter) once."""


class GraphPlanner(Protocol):
    """What tools need, in the graph: one round trip a call."""

    def prerequisites(
        self, tools: Sequence[ToolId], *, min_confidence: float, optional: bool
    ) -> Prerequisites:
        """The requirements of these tools, of what these need, and so on, four edges deep.

        Args:
            tools: where to begin; unknown ids are left out.
            min_confidence: less sure edges are neither given nor followed.
            optional: follow what fills optional inputs, too.
        """


class WorkflowReader(Protocol):
    """Stored workflows, as the graph has them now.

    Raises:
        StoreUnavailableError: the database does not answer; any method may.
    """

    def workflows(self) -> list[Workflow]:
        """All, by id."""

    def workflow(self, workflow_id: str) -> Workflow:
        """The workflow with this id.

        Raises:
            NotFoundError: there is none.
        """

    def found_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools with these ids, by id; unknown ones are left out."""


class CatalogueReader(Protocol):
    """Whole generations of the graph."""

    def state(self) -> GraphState:
        """Generation, whether an ingest is at work, schema version."""

    def catalogue(self, *, accept_unfinished: bool = False) -> Catalogue:
        """Everything that ranking needs, of one generation.

        Args:
            accept_unfinished: take what a killed ingest left, once its lease has run out.

        Raises:
            StoreUnavailableError: the database did not answer.
            NotReadyError: an ingest was at work meanwhile; ask again.
        """


class GraphExplorer(Protocol):
    """Single nodes, lists and neighbourhoods, as the graph has them now.

    Raises:
        StoreUnavailableError: the database does not answer; any method may.
    """

    def ping(self) -> None:
        """One round trip."""

    def tool(self, tool_id: str) -> Tool:
        """The tool with this id.

        Raises:
            NotFoundError: there is none.
        """

    def list_tools(
        self, *, server: str | None = None, category: str | None = None, after_id: str = "", limit: int
    ) -> list[Tool]:
        """A page of tools, by id, those after `after_id`; generators are left out.

        A tool is in a category when it belongs to it itself or carries out a method that does.
        """

    def tool_details(self, tool_id: str, *, limit: int = 200) -> ToolDetails:
        """A tool, its sources, and at most `limit` edges that touch it.

        Raises:
            NotFoundError: there is none.
        """

    def neighbours(
        self, node_id: str, *, depth: int = 1, kinds: Iterable[EdgeKind] = ..., limit: int = 200
    ) -> Neighbourhood:
        """What surrounds the nodes that have this id, `depth` (1 to 3) edges far in either direction.

        Raises:
            NotFoundError: no node has this id.
        """

    def sources(self) -> list[Source]:
        """All sources, by id."""

    def source_counts(self) -> list[SourceCounts]:
        """All sources, by id, with the number of nodes that each provides."""

    def syncs(self, source: str) -> list[SyncRecord]:
        """The records that are kept of a source's syncs, the newest first."""


class GraphWriter(Protocol):
    """The graph as ingest sees it: reads for the diff, writes under a lease.

    One writer at a time. Every write runs in a managed transaction that first checks and renews the lease,
    so a writer whose lease was taken over writes nothing more.
    """

    def apply_schema(self) -> None:
        """Create constraints and indexes, idempotent; upgrade an older graph.

        Raises:
            SchemaVersionError: the graph was written by a newer version.
        """

    def state(self) -> GraphState:
        """Generation, whether an ingest is at work, schema version."""

    def sources(self) -> list[Source]:
        """All sources, by id."""

    def syncs(self, source: str) -> list[SyncRecord]:
        """The records that are kept of a source's syncs, the newest first."""

    def provisions(self, sources: Sequence[SourceId]) -> list[Provision]:
        """What these sources provide, by kind and id."""

    def providers(self, kind: NodeKind, ids: Sequence[str]) -> list[Provision]:
        """Every provision of these nodes, whichever source."""

    def node_names(self, kind: NodeKind) -> list[NodeName]:
        """Id and name of every node of a kind, by id. `Tool` includes generators' tools but no `Generator`."""

    def edge_pairs(self, form: EdgeForm, *, stated: bool) -> list[tuple[str, str, float]]:
        """(source id, target id, weight) of all edges of a form, sorted; stated ones, or inferred ones.

        An edge is inferred when its `reason` or `evidence` is one that only inference writes
        (`structure`; between tools also `schema`, `path`, `name`). Weight is 1.0 where the edge has none.
        """

    def found_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools with these ids, by id; unknown ones are left out."""

    def tools_of_servers(self, servers: Collection[str]) -> list[Tool]:
        """All tools of these servers, by id; declared ones too."""

    def requirements(self, consumers: Sequence[str]) -> list[Requirement]:
        """All REQUIRES edges that leave these tools, stated and inferred, in no order."""

    def precedences(self, firsts: Sequence[str]) -> list[Precedence]:
        """All PRECEDES edges that leave these tools, stated and inferred, in no order."""

    def workflows(self) -> list[Workflow]:
        """All workflows, by id."""

    def lease(self, *, owner: str, wait_s: float) -> AbstractContextManager["WriterLease"]:
        """Become the one writer; kept alive in the background, given back at the end.

        Raises:
            LeaseHeldError: another writer held it for longer than `wait_s`; says who and until when.
        """


class WriterLease(Protocol):
    """Writes of one ingest. Rows are batched inside. Every method is idempotent."""

    def begin(self) -> None:
        """Mark the graph as being written; readers answer from their snapshots until `finish`."""

    def put_sources(self, sources: Sequence[Source]) -> None:
        """Create or replace sources."""

    def put_nodes(self, kind: NodeKind, rows: Sequence[NodeRow]) -> None:
        """Create nodes, or replace all properties of those that exist."""

    def put_provisions(self, provisions: Sequence[Provision]) -> None:
        """Create or replace `PROVIDED_BY` edges; both ends exist."""

    def remove_provisions(self, source: SourceId, kind: NodeKind, ids: Sequence[str]) -> None:
        """Remove `PROVIDED_BY` edges of one source."""

    def rename_tools(self, renames: Sequence[tuple[str, str]]) -> None:
        """Give tools (old id, new id) another id; every edge stays, and the tool remembers the old id."""

    def remove_nodes(self, kind: NodeKind, ids: Sequence[str]) -> None:
        """Remove nodes with all their edges."""

    def remove_sources(self, sources: Sequence[SourceId]) -> None:
        """Remove source nodes with the records of their syncs; their provisions are gone before."""

    def put_syncs(self, records: Sequence[SyncRecord]) -> None:
        """Keep records of syncs; of each source the last `KEPT`."""

    def put_edges(self, form: EdgeForm, rows: Sequence[EdgeRow]) -> None:
        """Create edges that do not exist yet; rows whose ends are missing are dropped."""

    def remove_edges(
        self, form: EdgeForm, sources: Sequence[str], *, stated_by: SourceId | None = None
    ) -> None:
        """Remove the stated edges of a form that leave these nodes; with `stated_by`, only that source's."""

    def replace_inferred(
        self, form: EdgeForm, *, remove: Sequence[tuple[str, str]], put: Sequence[EdgeRow]
    ) -> None:
        """Remove these inferred edges (source, target) of a form, then create these."""

    def finish(self) -> int:
        """Raise the generation by one, clear the mark of `begin`; the new generation."""


class McpLister(Protocol):
    """The tools of MCP servers, as they are now."""

    def list_tools(
        self, endpoints: Sequence[McpEndpoint], *, on_answer: Callable[[], None] | None = None
    ) -> list[McpListing | McpFailure]:
        """What each server answers, in the order of the endpoints; a bounded number is asked at the same time.

        A server that fails is no exception: the others are asked all the same. A server that is listened to,
        or called, is asked over the same connection.

        Args:
            endpoints: which servers.
            on_answer: called in the caller's thread whenever one more server has answered or failed.
        """


class McpSubscription(Protocol):
    """An open subscription to the changes of a server's tools."""

    declared: bool
    """Whether the server said that it tells of changes; one that did not may do so all the same."""

    def close(self) -> None:
        """End it; nothing is told any more. May be repeated."""


class McpListener(McpLister, Protocol):
    """Servers that tell when their tools change."""

    def listen(self, endpoint: McpEndpoint, on_change: Callable[[McpChange], None]) -> McpSubscription | None:
        """Be told of changes until closed or lost; None where the server has no way to tell. List after it.

        Args:
            endpoint: which server.
            on_change: called in a thread of the connection's; returns at once and raises nothing. After `LOST`
                it is not called again.

        Raises:
            McpServerError: the server cannot be reached, or does not answer as it must.
        """


class McpCaller(Protocol):
    """Tools of MCP servers, called."""

    def call(
        self, endpoint: McpEndpoint, tool: str, arguments: Mapping[str, object], *, timeout_s: float
    ) -> Mapping[str, object]:
        """The result of `tools/call` as the server sent it (`content`, `isError`, `structuredContent`, ...).

        The connection is kept for the next call. A call that may have reached the server is not repeated.

        Raises:
            McpServerError: the server cannot be reached, answers an error, not in time, or too much.
        """


class CallTargets(Protocol):
    """Tools as they are called."""

    def call_target(self, tool_id: str) -> CallTarget:
        """The tool with what a call of it needs, as the graph has it now.

        Raises:
            NotFoundError: there is none.
            StoreUnavailableError: the database does not answer.
        """


class Connections(Protocol):
    """How the operator lets sources be called."""

    def connection(self, source: SourceId) -> Connection | None:
        """The source's connection, as it is written down now; None where calls of it are not configured.

        Raises:
            InvalidInputError: what is written down cannot be read, or a variable that it names is not set.
        """


class HttpCaller(Protocol):
    """Operations of APIs, called."""

    def send(self, request: HttpRequest, limits: CallLimits) -> HttpAnswer:
        """What the server answers, whatever its status; nothing is followed, nothing repeated.

        Raises:
            CallFailedError: its address may not be called, it does not answer in time, or with too much. The
                message names the server and the reason, and holds nothing that was sent.
        """


class Audit(Protocol):
    """Where calls are written down."""

    def record(self, event: CallEvent) -> None:
        """Keep an event before returning.

        Raises:
            AuditError: it cannot be kept.
        """
