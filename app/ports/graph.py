"""The graph, read and written."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from app.domain.calling.definitions import KnownDefinition, WaitingTool
from app.domain.catalogue import Catalogue
from app.domain.changes import CatalogueChanges, CataloguePart
from app.domain.nodes.dependencies import Precedence, Requirement
from app.domain.nodes.graph_views import (
    GraphNode,
    GraphStatus,
    NodeRef,
    SourceCounts,
    ToolDetails,
    ToolOrigin,
    TouchingEdge,
)
from app.domain.nodes.models import (
    EdgeForm,
    EdgeKind,
    EdgeRow,
    GraphState,
    KeptRequest,
    NodeKind,
    NodeName,
    NodeRow,
    Provision,
    Source,
    SourceId,
    Tool,
)
from app.domain.nodes.syncs import SyncPage, SyncRecord
from app.domain.review.records import Review
from app.domain.unmet.entries import UnmetEntry
from app.domain.workflows.stored import Workflow


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
            NotFoundError: no workflow has it.
        """

    def found_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools with these ids, by id; unknown ones are left out."""

    def labelled_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools as `found_tools` has them, with what taxonomies say of their flows."""


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

    def tool_count(self) -> int:
        """How many tools a catalogue would have, generators included, without reading them.

        Raises:
            StoreUnavailableError: the database did not answer.
        """

    def changes(self, since: int, *, stamp: str) -> CatalogueChanges | None:
        """What was touched after a generation, up to the last one; nothing when that is the last.

        Args:
            since: the generation.
            stamp: of its state, as `GraphState` or `Catalogue` had it.

        Returns:
            None when the graph cannot say: `since` is too far behind or of another graph, a generation touched too
            much to be kept, or followed a writer that was killed.

        Raises:
            StoreUnavailableError: the database did not answer.
            NotReadyError: an ingest was at work meanwhile; ask again.
        """

    def part(self, changes: CatalogueChanges) -> CataloguePart:
        """What there is of the nodes that `changes` names, read by id, at the generation that they lead to.

        Raises:
            StoreUnavailableError: the database did not answer.
            NotReadyError: an ingest was at work meanwhile, or there is a newer generation; ask for changes again.
        """


class GraphExplorer(Protocol):
    """Single nodes, lists and neighbourhoods, as the graph has them now.

    Raises:
        StoreUnavailableError: the database does not answer; any method may.
    """

    def ping(self) -> None:
        """One round trip."""

    def status(self) -> GraphStatus:
        """Where the graph stands, and who writes it."""

    def tool(self, tool_id: str) -> Tool:
        """The tool with this id.

        Raises:
            NotFoundError: no tool has it.
        """

    def list_tools(
        self, *, server: str | None = None, category: str | None = None, after_id: str = "", limit: int
    ) -> list[Tool]:
        """A page of tools, by id, those after `after_id`; generators are left out.

        A tool is in a category when it belongs to it itself or carries out a method that does.
        """

    def tool_origin(self, tool_id: str) -> ToolOrigin:
        """Where a tool comes from; nothing for an unknown id."""

    def tool_details(self, tool_id: str, *, limit: int = 200) -> ToolDetails:
        """A tool, its sources, and of each kind and direction at most `limit` edges that touch it.

        Raises:
            NotFoundError: no tool has it.
        """

    def nodes_with_id(self, node_id: str) -> list[GraphNode]:
        """The nodes of any kind that have this id, by kind."""

    def touching(
        self,
        nodes: Collection[NodeRef],
        *,
        kinds: Iterable[EdgeKind],
        per_kind: int,
        skip: int = 0,
        min_confidence: float = 0.0,
    ) -> list[TouchingEdge]:
        """The edges that leave or enter nodes, for each node, kind and direction those from place `skip` on.

        Args:
            nodes: unknown ones have no edges.
            kinds: of the edges.
            per_kind: most edges of one node, kind and direction.
            skip: how many of them are passed over.
            min_confidence: less sure edges are as if they were not there.

        Returns:
            The first of each node, kind and direction before the second of any; the surest first.
        """

    def sources(self, ids: Sequence[str] | None = None) -> list[Source]:
        """Sources, all or those with these ids, by id; unknown ones are left out."""

    def source_counts(self, ids: Sequence[str] | None = None) -> list[SourceCounts]:
        """Sources, all or those with these ids, by id, with the number of nodes that each provides."""

    def syncs(self, source: str) -> list[SyncRecord]:
        """The records that are kept of a source's syncs, the newest first."""

    def definitions(self, ids: Sequence[str]) -> list[KnownDefinition]:
        """Where calls of these tools go and what they promise, by id; unknown ones are left out."""

    def all_syncs(self, page: SyncPage) -> list[SyncRecord]:
        """A page of the records of all sources, the newest first, those of one second by id."""

    def reviews(self) -> list[Review]:
        """What is kept of definitions that are reviewed, by id, without the definitions themselves."""

    def found_reviews(self, ids: Sequence[str]) -> list[Review]:
        """The records of these tools, by id; unknown ids are left out."""

    def unmet(self, limit: int) -> list[UnmetEntry]:
        """What is kept of requests that nothing met, those that were asked for last first; at most `limit`."""


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

    def sources(self, ids: Sequence[str] | None = None) -> list[Source]:
        """Sources, all or those with these ids, by id; unknown ones are left out."""

    def unhealthy_sources(self) -> list[Source]:
        """Sources that could not be read the last time, by id."""

    def syncs(self, source: str) -> list[SyncRecord]:
        """The records that are kept of a source's syncs, the newest first."""

    def all_syncs(self, page: SyncPage) -> list[SyncRecord]:
        """A page of the records of all sources, the newest first, those of one second by id."""

    def provisions(self, sources: Sequence[SourceId]) -> list[Provision]:
        """What these sources provide, by kind and id."""

    def providers(self, kind: NodeKind, ids: Sequence[str]) -> list[Provision]:
        """Every provision of these nodes, whichever source."""

    def node_names(self, kind: NodeKind) -> list[NodeName]:
        """Id and name of every node of a kind, by id. `Tool` includes generators' tools but no `Generator`."""

    def names_of(self, kind: NodeKind, ids: Sequence[str]) -> list[NodeName]:
        """Id and name of these nodes of a kind, by id; unknown ids, and generators among tools, are left out."""

    def edge_pairs(self, form: EdgeForm, *, stated: bool) -> list[tuple[str, str, float]]:
        """(source id, target id, weight) of all edges of a form, sorted; stated ones, or inferred ones.

        An edge is inferred when its `reason` or `evidence` is one that only inference writes
        (`structure`; between tools also `schema`, `path`, `name`). Weight is 1.0 where the edge has none.
        """

    def node_rows(self, kind: NodeKind, ids: Sequence[str]) -> list[NodeRow]:
        """These nodes of a kind with all their properties, by id; unknown ids are left out."""

    def edges_from(self, kind: NodeKind, ids: Sequence[str]) -> list[tuple[EdgeForm, EdgeRow]]:
        """Every edge that leaves these nodes, stated and inferred, with all its properties, in no order."""

    def half_restored(self) -> str:
        """The SHA-256 of the backup that the graph is being filled from, or was when that was killed; empty otherwise."""

    def tool_edges(self, ids: Sequence[str]) -> list[tuple[EdgeForm, EdgeRow]]:
        """Every stated edge that leaves or enters these tools, with all its properties, each once, in no order."""

    def found_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools with these ids, by id; unknown ones are left out."""

    def labelled_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools as `found_tools` has them, with what taxonomies say of their flows."""

    def definitions(self, ids: Sequence[str]) -> list[KnownDefinition]:
        """Where calls of these tools go and what they promise, by id; unknown ones are left out."""

    def waiting_tools(self) -> list[WaitingTool]:
        """Tools whose calls are refused until their definition is confirmed, by id."""

    def tools_of_servers(self, servers: Collection[str]) -> list[Tool]:
        """All tools of these servers, by id, without the requests written for them; declared ones too."""

    def requirements(self, consumers: Sequence[str]) -> list[Requirement]:
        """All REQUIRES edges that leave these tools, stated and inferred, in no order."""

    def vetoes(self, consumers: Sequence[str]) -> set[tuple[str, str]]:
        """(consumer, producer) pairs of these tools that a source ruled out."""

    def suggestions(self, tools: Sequence[str]) -> list[tuple[str, str, float]]:
        """(method id, tool id, confidence) of all SUGGESTS edges that lead to these tools, in no order."""

    def refuted(self, tools: Sequence[str]) -> set[tuple[str, str]]:
        """(method id, tool id) pairs of these tools that a source ruled out."""

    def idle_methods(self) -> list[str]:
        """Ids of the methods of the common taxonomy that suggest no tool, sorted."""

    def requests_of(self, tools: Sequence[str]) -> list[KeptRequest]:
        """The requests that were written for these tools, by tool and in the order in which they were written."""

    def idle_requests(self) -> list[tuple[str, str]]:
        """(request id, tool id as it was) of the requests whose tool is gone, sorted."""

    def precedences(self, firsts: Sequence[str]) -> list[Precedence]:
        """All PRECEDES edges that leave these tools, stated and inferred, in no order."""

    def workflows(self) -> list[Workflow]:
        """All workflows, by id."""

    def reviews(self) -> list[Review]:
        """What is kept of definitions that are reviewed, by id, without the definitions themselves."""

    def found_reviews(self, ids: Sequence[str]) -> list[Review]:
        """The records of these tools, by id; unknown ids are left out."""

    def reviews_of(self, source: SourceId) -> list[Review]:
        """The records of a source, by id."""

    def unmet(self, limit: int) -> list[UnmetEntry]:
        """What is kept of requests that nothing met, those that were asked for last first; at most `limit`."""

    def lease(self, *, owner: str, wait_s: float) -> AbstractContextManager["WriterLease"]:
        """Become the one writer; kept alive in the background, given back at the end.

        Raises:
            LeaseHeldError: another writer held it for longer than `wait_s`; says who and until when.
        """


class WriterLease(Protocol):
    """Writes of one ingest. Rows are batched inside. Every method is idempotent."""

    def begin(self) -> None:
        """Mark the graph as being written; readers answer from their snapshots until `finish`.

        Raises:
            NotReadyError: it was being filled from a backup, and that was killed: it has to be filled again.
        """

    def begin_restore(self, backup: str, *, generation: int) -> None:
        """As `begin`, of a graph that is filled from a backup with this SHA-256; `finish` makes it this generation."""

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

    def confirm_tools(self, ids: Sequence[str]) -> None:
        """Trust the definitions of these tools as they are now."""

    def remove_nodes(self, kind: NodeKind, ids: Sequence[str]) -> None:
        """Remove nodes with all their edges."""

    def remove_sources(self, sources: Sequence[SourceId]) -> None:
        """Remove source nodes with the records of their syncs; their provisions are gone before."""

    def put_syncs(self, records: Sequence[SyncRecord]) -> None:
        """Keep records of syncs; of each source the last `KEPT`."""

    def put_reviews(self, records: Sequence[Review]) -> None:
        """Create or replace what is kept of definitions that are reviewed."""

    def remove_reviews(self, ids: Sequence[str]) -> None:
        """Remove such records; unknown ids are left out."""

    def put_unmet(self, entries: Sequence[UnmetEntry]) -> None:
        """Add up requests that nothing met; part of no generation. Each id at most once."""

    def remove_unmet(self, ids: Sequence[str]) -> None:
        """Remove entries of such requests; unknown ids are left out."""

    def trim_unmet(self, *, before: str, most: int) -> None:
        """Remove entries that nobody has asked for since a time, and all but the `most` that were asked for last."""

    def put_edges(self, form: EdgeForm, rows: Sequence[EdgeRow]) -> None:
        """Create edges that do not exist yet; rows whose ends are missing are dropped."""

    def remove_edges(
        self, form: EdgeForm, sources: Sequence[str], *, stated_by: SourceId | None = None
    ) -> None:
        """Remove the stated edges of a form that leave these nodes; with `stated_by`, only that source's."""

    def remove_tool_references(self, form: EdgeForm, edges: Sequence[EdgeRow]) -> None:
        """Remove these stated edges of a form that leads to tools; of those from tools only what `stated_by` stated."""

    def replace_inferred(
        self, form: EdgeForm, *, remove: Sequence[tuple[str, str]], put: Sequence[EdgeRow]
    ) -> None:
        """Remove these inferred edges (source, target) of a form, then create these."""

    def finish(self) -> int:
        """Raise the generation by one, keep which nodes it touched, clear the mark of `begin`; the new generation."""
