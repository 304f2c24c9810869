"""The graph as ingest sees it: what the diff reads, and writes under a lease."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from app.adapters.cypher_files import Statement, Statements
from app.adapters.graph_catalogue import edge_ends
from app.adapters.graph_connection import GraphConnection, Row
from app.adapters.graph_dependencies import read_precedences, read_requirements
from app.adapters.graph_explorer import CypherExplorer
from app.adapters.graph_lease import TTL_S, Lease
from app.adapters.graph_ranker import read_state
from app.adapters.graph_schema import apply_schema
from app.domain.dependencies import Precedence, Requirement
from app.domain.models import (
    EdgeForm,
    EdgeRow,
    GraphState,
    NodeKind,
    NodeName,
    NodeRow,
    Provision,
    Source,
    SourceId,
    Tool,
)
from app.domain.syncs import SyncRecord, record_id, record_ids

T = TypeVar("T")
Record: TypeAlias = dict[str, Any]

_BATCH_ROWS = 1_000
_BATCH_EDGES = 10_000
_BATCH_CHARS = 4_000_000


class CypherWriter:
    """Fits `GraphWriter`.

    Args:
        graph: where; opened and closed by the caller.
        statements: the store's own.
        lease_ttl_s: how long the lease of a writer that stopped answering keeps others away.
    """

    def __init__(self, graph: GraphConnection, statements: Statements, *, lease_ttl_s: float = TTL_S) -> None:
        self._graph = graph
        self._statements = statements
        self._lease_ttl_s = lease_ttl_s

    def apply_schema(self) -> None:
        """Create constraints and indexes, idempotent; upgrade an older graph.

        Raises:
            SchemaVersionError: the graph was written by a newer version.
        """
        apply_schema(self._graph, self._statements)

    def state(self) -> GraphState:
        """Generation, whether an ingest is at work, schema version."""
        return read_state(self._graph, self._statements)

    def sources(self) -> list[Source]:
        """All sources, by id."""
        return [Source.model_validate(row) for row in self._graph.read(self._statements.list_sources)]

    def provisions(self, sources: Sequence[SourceId]) -> list[Provision]:
        """What these sources provide, by kind and id."""
        rows = self._graph.read(self._statements.list_provisions, sources=list(sources))
        found = [provision for row in rows for provision in _provisions(row)]
        return sorted(found, key=lambda one: (one.kind, one.id, one.source))

    def providers(self, kind: NodeKind, ids: Sequence[str]) -> list[Provision]:
        """Every provision of these nodes, whichever source, by id and source."""
        statement = self._statements.nodes[kind].find_providers
        rows = [row for batch in _slices(ids) for row in self._graph.read(statement, ids=batch)]
        found = [_provision(kind, row) for row in rows]
        return sorted(found, key=lambda one: (one.id, one.source))

    def node_names(self, kind: NodeKind) -> list[NodeName]:
        """Id and name of every node of a kind, by id; a generator is none of the tools."""
        rows = self._graph.read(self._statements.nodes[kind].list_names)
        names = [
            NodeName(
                id=row["id"],
                name=row["name"],
                declared=row["declared"],
                former_ids=tuple(row["former_ids"]) if kind is NodeKind.TOOL else (),
            )
            for row in rows
        ]
        return sorted(names, key=lambda name: name.id)

    def edge_pairs(self, form: EdgeForm, *, stated: bool) -> list[tuple[str, str, float]]:
        """(source id, target id, weight) of all edges of a form, sorted; stated ones, or inferred ones."""
        weighted = "weights" in self._statements.edges[form].list.returns
        ends = edge_ends(self._graph, self._statements, form, stated=stated)
        return sorted(
            (source, target, weight if weighted else 1.0)
            for source, pairs in ends.items()
            for weight, target in pairs
        )

    def found_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools with these ids, by id; unknown ones and generators are left out."""
        explorer = CypherExplorer(self._graph, self._statements)
        return [tool for batch in _slices(ids) for tool in explorer.found_tools(batch)]

    def tools_of_servers(self, servers: Collection[str]) -> list[Tool]:
        """All tools of these servers, by id."""
        return CypherExplorer(self._graph, self._statements).tools_of_servers(servers)

    def requirements(self, consumers: Sequence[str]) -> list[Requirement]:
        """All REQUIRES edges that leave these tools, stated and inferred, in no order."""
        rows = self._of_tools(self._statements.find_requirements, consumers)
        return list(read_requirements(rows))

    def precedences(self, firsts: Sequence[str]) -> list[Precedence]:
        """All PRECEDES edges that leave these tools, stated and inferred, in no order."""
        return list(read_precedences(self._of_tools(self._statements.find_precedences, firsts)))

    def _of_tools(self, statement: Statement, ids: Sequence[str]) -> Iterator[Row]:
        return (row for batch in _slices(ids) for row in self._graph.read(statement, ids=batch))

    @contextmanager
    def lease(self, *, owner: str, wait_s: float) -> Iterator["CypherLease"]:
        """Become the one writer; kept alive in the background, given back at the end.

        Raises:
            LeaseHeldError: another writer held it for longer than `wait_s`; says who and until when.
        """
        with Lease(
            self._graph, self._statements, owner=owner, wait_s=wait_s, ttl_s=self._lease_ttl_s
        ) as lease:
            yield CypherLease(lease, self._statements)


class CypherLease:
    """Fits `WriterLease`: batches in managed transactions, each of which first renews the lease."""

    def __init__(self, lease: Lease, statements: Statements) -> None:
        self._lease = lease
        self._statements = statements

    def begin(self) -> None:
        """Mark the graph as being written; readers answer from their snapshots until `finish`."""
        self._run(self._statements.put_writing_mark)

    def put_sources(self, sources: Sequence[Source]) -> None:
        """Create or replace sources."""
        for batch in _slices(sources):
            rows = [{"id": source.id, "properties": source.model_dump()} for source in batch]
            self._run(self._statements.put_sources, rows=rows)

    def put_nodes(self, kind: NodeKind, rows: Sequence[NodeRow]) -> None:
        """Create nodes, or replace all properties of those that exist."""
        statement = self._statements.nodes[kind].put_nodes
        for batch in _by_size(rows):
            self._run(
                statement,
                rows=[{"id": row.id, "properties": {**row.properties, "id": row.id}} for row in batch],
            )

    def put_provisions(self, provisions: Sequence[Provision]) -> None:
        """Create or replace `PROVIDED_BY` edges; both ends exist."""
        groups: defaultdict[tuple[NodeKind, SourceId], list[Record]] = defaultdict(list)
        for one in provisions:
            groups[one.kind, one.source].append(
                {
                    "id": one.id,
                    "content_hash": one.content_hash,
                    "declares": one.declares,
                    "not_requires": list(one.not_requires),
                }
            )
        for (kind, source), rows in groups.items():
            statement = self._statements.nodes[kind].put_provisions
            for batch in _slices(rows):
                self._run(statement, source=source, rows=batch)

    def remove_provisions(self, source: SourceId, kind: NodeKind, ids: Sequence[str]) -> None:
        """Remove `PROVIDED_BY` edges of one source."""
        for batch in _slices(ids):
            self._run(self._statements.nodes[kind].remove_provisions, source=source, ids=batch)

    def rename_tools(self, renames: Sequence[tuple[str, str]]) -> None:
        """Give tools (old id, new id) another id; every edge stays, and the tool remembers the old id."""
        for batch in _slices(renames):
            self._run(self._statements.put_tool_ids, rows=[{"id": old, "new_id": new} for old, new in batch])

    def remove_nodes(self, kind: NodeKind, ids: Sequence[str]) -> None:
        """Remove nodes with all their edges."""
        for batch in _slices(ids):
            self._run(self._statements.nodes[kind].remove_nodes, ids=batch)

    def remove_sources(self, sources: Sequence[SourceId]) -> None:
        """Remove source nodes with the records of their syncs; their provisions are gone before."""
        for ids in _slices([one for source in sources for one in record_ids(source)]):
            self._run(self._statements.remove_syncs, ids=ids)
        for batch in _slices(sources):
            self._run(self._statements.remove_sources, ids=batch)

    def put_syncs(self, records: Sequence[SyncRecord]) -> None:
        """Keep records of syncs; of each source the last `KEPT`."""
        for batch in _by_size([_sync_row(record) for record in records]):
            rows = [{"id": row.id, "properties": {**row.properties, "id": row.id}} for row in batch]
            self._run(self._statements.put_syncs, rows=rows)

    def put_edges(self, form: EdgeForm, rows: Sequence[EdgeRow]) -> None:
        """Create edges that do not exist yet; rows whose ends are missing are dropped."""
        statement = self._statements.edges[form].put
        for batch in _by_source(rows, statement):
            self._run(statement, rows=batch)

    def remove_edges(
        self, form: EdgeForm, sources: Sequence[str], *, stated_by: SourceId | None = None
    ) -> None:
        """Remove the stated edges of a form that leave these nodes; with `stated_by`, only that source's."""
        statement = self._statements.remove_edges[form.source]
        for batch in _slices(sources):
            self._run(statement, ids=batch, kind=form.kind, target=form.target, stated_by=stated_by)

    def replace_inferred(
        self, form: EdgeForm, *, remove: Sequence[tuple[str, str]], put: Sequence[EdgeRow]
    ) -> None:
        """Remove these inferred edges (source, target) of a form, then create these."""
        targets: defaultdict[str, list[str]] = defaultdict(list)
        for source, target in remove:
            targets[source].append(target)
        for batch in _slices([{"source": one, "targets": others} for one, others in targets.items()]):
            statement = self._statements.remove_inferred[form.source]
            self._run(statement, rows=batch, kind=form.kind, target=form.target)
        self.put_edges(form, put)

    def finish(self) -> int:
        """Raise the generation by one, clear the mark of `begin`; the new generation."""
        (row,) = self._lease.run(self._statements.put_next_generation, kept=self._statements.find_state)
        return int(row["generation"])

    def _run(self, statement: Statement, **params: Any) -> Sequence[Row]:
        return self._lease.run(statement, **params)


def _sync_row(record: SyncRecord) -> NodeRow:
    """The node of a record: what people filter by, and all of it as JSON."""
    properties = {
        "source": str(record.source),
        "number": record.number,
        "at": record.at,
        "status": record.status.value,
        "severity": record.severity.value if record.severity else "",
        "problem": record.problem,
        "generation": record.generation,
        "document": record.model_dump_json(),
    }
    return NodeRow(id=record_id(record), properties=properties)


def _provision(kind: NodeKind, row: Row) -> Provision:
    return Provision(
        kind=kind,
        id=row["id"],
        source=row["source"],
        content_hash=row["content_hash"],
        declares=row["declares"],
        not_requires=tuple(row["not_requires"]),
    )


def _provisions(row: Row) -> Iterator[Provision]:
    """The provisions of one source and label, which come as lists of equal length."""
    kind = NodeKind(row["label"])
    columns = (row["ids"], row["hashes"], row["declares"], row["not_requires"])
    for node, content_hash, declares, not_requires in zip(*columns, strict=True):
        yield Provision(
            kind=kind,
            id=node,
            source=row["source"],
            content_hash=content_hash,
            declares=declares,
            not_requires=tuple(not_requires),
        )


def _slices(items: Sequence[T], size: int = _BATCH_ROWS) -> Iterator[list[T]]:
    for start in range(0, len(items), size):
        yield list(items[start : start + size])


def _by_size(rows: Sequence[NodeRow]) -> Iterator[list[NodeRow]]:
    """Batches of at most so many rows and, but for a single larger row, so many characters of text."""
    batch: list[NodeRow] = []
    chars = 0
    for row in rows:
        size = sum(len(value) for value in row.properties.values() if isinstance(value, str))
        if batch and (len(batch) >= _BATCH_ROWS or chars + size > _BATCH_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(row)
        chars += size
    if batch:
        yield batch


def _by_source(rows: Sequence[EdgeRow], statement: Statement) -> Iterator[list[Record]]:
    """Edges grouped under their source, so that each source is looked up once; batches of so many edges."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if unknown := row.properties.keys() - statement.edges:
            accepted = sorted(statement.edges - {"target"})
            raise ValueError(f"{statement.name} writes no property {sorted(unknown)}; it writes {accepted}")
        groups.setdefault(row.source, []).append({**row.properties, "target": row.target})
    batch: list[Record] = []
    count = 0
    for source, edges in groups.items():
        for part in _slices(edges, _BATCH_EDGES):
            if count + len(part) > _BATCH_EDGES:
                yield batch
                batch, count = [], 0
            batch.append({"source": source, "edges": part})
            count += len(part)
    if batch:
        yield batch
