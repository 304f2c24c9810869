"""The graph as ingest sees it: what the diff reads, the lease to write under, and what is written under it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from app.adapters.graph.catalogue import edge_ends
from app.adapters.graph.connection import Row
from app.adapters.graph.explorer import CypherExplorer
from app.adapters.graph.lease import Lease
from app.adapters.graph.queries import Record, by_size, by_source, slices
from app.adapters.graph.ranker import read_precedences, read_requirements
from app.adapters.graph.schema import apply_schema
from app.adapters.graph.statements import Statement, Statements
from app.domain.calling.definitions import KnownDefinition, WaitingTool, definition_of, read_confirmed
from app.domain.nodes.dependencies import Precedence, Requirement
from app.domain.nodes.edge_forms import inferred_evidence
from app.domain.nodes.models import (
    EdgeForm,
    EdgeKind,
    EdgeRow,
    NodeKind,
    NodeName,
    NodeRow,
    Provision,
    Source,
    SourceId,
)
from app.domain.nodes.syncs import SyncRecord, record_id, record_ids


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
        for batch in slices(sources):
            rows = [{"id": source.id, "properties": source.model_dump()} for source in batch]
            self._run(self._statements.put_sources, rows=rows)

    def put_nodes(self, kind: NodeKind, rows: Sequence[NodeRow]) -> None:
        """Create nodes, or replace all properties of those that exist."""
        self._put(self._statements.nodes[kind].put_nodes, rows)

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
                    # Only a tool has a name that others could bring.
                    **({"named": one.named} if one.kind is NodeKind.TOOL else {}),
                }
            )
        for (kind, source), rows in groups.items():
            statement = self._statements.nodes[kind].put_provisions
            for batch in slices(rows):
                self._run(statement, source=source, rows=batch)

    def remove_provisions(self, source: SourceId, kind: NodeKind, ids: Sequence[str]) -> None:
        """Remove `PROVIDED_BY` edges of one source."""
        for batch in slices(ids):
            self._run(self._statements.nodes[kind].remove_provisions, source=source, ids=batch)

    def rename_tools(self, renames: Sequence[tuple[str, str]]) -> None:
        """Give tools (old id, new id) another id; every edge stays, and the tool remembers the old id."""
        for batch in slices(renames):
            self._run(self._statements.put_tool_ids, rows=[{"id": old, "new_id": new} for old, new in batch])

    def confirm_tools(self, ids: Sequence[str]) -> None:
        """Trust the definitions of these tools as they are now."""
        for batch in slices(ids):
            self._run(self._statements.remove_unconfirmed, ids=batch)

    def remove_nodes(self, kind: NodeKind, ids: Sequence[str]) -> None:
        """Remove nodes with all their edges."""
        for batch in slices(ids):
            self._run(self._statements.nodes[kind].remove_nodes, ids=batch)

    def remove_sources(self, sources: Sequence[SourceId]) -> None:
        """Remove source nodes with the records of their syncs; their provisions are gone before."""
        for ids in slices([one for source in sources for one in record_ids(source)]):
            self._run(self._statements.remove_syncs, ids=ids)
        for batch in slices(sources):
            self._run(self._statements.remove_sources, ids=batch)

    def put_syncs(self, records: Sequence[SyncRecord]) -> None:
        """Keep records of syncs; of each source the last `KEPT`."""
        self._put(self._statements.put_syncs, [_sync_row(record) for record in records])

    def put_edges(self, form: EdgeForm, rows: Sequence[EdgeRow]) -> None:
        """Create edges that do not exist yet; rows whose ends are missing are dropped."""
        statement = self._statements.edges[form].put
        for batch in by_source(rows, statement):
            self._run(statement, rows=batch)

    def remove_edges(
        self, form: EdgeForm, sources: Sequence[str], *, stated_by: SourceId | None = None
    ) -> None:
        """Remove the stated edges of a form that leave these nodes; with `stated_by`, only that source's."""
        statement = self._statements.remove_edges[form.source]
        for batch in slices(sources):
            self._run(statement, ids=batch, stated_by=stated_by, **_edges_of(form))

    def remove_tool_references(self, form: EdgeForm, edges: Sequence[EdgeRow]) -> None:
        """Remove these stated edges of a form that leads to tools; of those from tools only what `stated_by` stated."""
        groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for edge in edges:
            groups[edge.target, str(edge.properties.get("stated_by") or "")].append(edge.source)
        rows = [
            {"id": tool, "kind": form.kind, "label": form.source, "sources": sources, "stated_by": stated_by}
            for (tool, stated_by), sources in groups.items()
        ]
        for batch in slices(rows):
            self._run(self._statements.remove_tool_references, rows=batch)

    def replace_inferred(
        self, form: EdgeForm, *, remove: Sequence[tuple[str, str]], put: Sequence[EdgeRow]
    ) -> None:
        """Remove these inferred edges (source, target) of a form, then create these."""
        targets: defaultdict[str, list[str]] = defaultdict(list)
        for source, target in remove:
            targets[source].append(target)
        for batch in slices([{"source": one, "targets": others} for one, others in targets.items()]):
            statement = self._statements.remove_inferred[form.source]
            self._run(statement, rows=batch, **_edges_of(form))
        self.put_edges(form, put)

    def finish(self) -> int:
        """Raise the generation by one, clear the mark of `begin`; the new generation."""
        (row,) = self._lease.run(self._statements.put_next_generation, kept=self._statements.find_state)
        return int(row["generation"])

    def _put(self, statement: Statement, rows: Sequence[NodeRow]) -> None:
        for batch in by_size(rows):
            self._run(
                statement,
                rows=[{"id": row.id, "properties": {**row.properties, "id": row.id}} for row in batch],
            )

    def _run(self, statement: Statement, **params: Any) -> Sequence[Row]:
        return self._lease.run(statement, **params)


def _edges_of(form: EdgeForm) -> dict[str, str | list[str]]:
    """Parameters that single out the edges of a form among those that leave a node, and the inferred ones of them."""
    return {"kind": form.kind, "target": form.target, "inferred_evidence": inferred_evidence(form)}


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


class CypherWriter(CypherExplorer):
    """Fits `GraphWriter`."""

    _lease_ttl_s: float
    """Set by the store."""

    def apply_schema(self) -> None:
        """Create constraints and indexes, idempotent; upgrade an older graph.

        Raises:
            SchemaVersionError: the graph was written by a newer version.
        """
        apply_schema(self._graph, self._statements)

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
        found = [_provision(kind, row) for row in self._read_by_id(statement, ids)]
        return sorted(found, key=lambda one: (one.id, one.source))

    def node_names(self, kind: NodeKind) -> list[NodeName]:
        """Id and name of every node of a kind, by id; generators are not among the tools."""
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

    def definitions(self, ids: Sequence[str]) -> list[KnownDefinition]:
        """Where calls of these tools go and what they promise, by id; unknown ones are left out."""
        rows = self._read_by_id(self._statements.find_definitions, list(dict.fromkeys(ids)))
        found = [
            KnownDefinition(
                id=row["id"],
                declared=row["declared"],
                now=definition_of(row),
                confirmed=read_confirmed(row["confirmed"]),
            )
            for row in rows
        ]
        return sorted(found, key=lambda one: one.id)

    def waiting_tools(self) -> list[WaitingTool]:
        """Tools whose calls are refused until their definition is confirmed, by id."""
        rows = self._graph.read(self._statements.list_unconfirmed_tools)
        return [WaitingTool.model_validate(row) for row in rows]

    def tool_edges(self, ids: Sequence[str]) -> list[tuple[EdgeForm, EdgeRow]]:
        """Every stated edge that leaves or enters these tools, with all its properties, each once, in no order."""
        found: dict[tuple[EdgeForm, str, str, str], EdgeRow] = {}
        for row in self._read_by_id(self._statements.find_tool_edges, list(dict.fromkeys(ids))):
            form = EdgeForm(
                NodeKind(row["source_label"]), EdgeKind(row["kind"]), NodeKind(row["target_label"])
            )
            # An edge between two of the tools comes with each batch that has one of them.
            found[form, row["source"], row["target"], repr(sorted(row["properties"].items()))] = EdgeRow(
                source=row["source"], target=row["target"], properties=row["properties"]
            )
        return [(form, edge) for (form, *_), edge in found.items()]

    def requirements(self, consumers: Sequence[str]) -> list[Requirement]:
        """All REQUIRES edges that leave these tools, stated and inferred, in no order."""
        rows = self._read_by_id(self._statements.find_requirements, consumers)
        return list(read_requirements(rows))

    def precedences(self, firsts: Sequence[str]) -> list[Precedence]:
        """All PRECEDES edges that leave these tools, stated and inferred, in no order."""
        return list(read_precedences(self._read_by_id(self._statements.find_precedences, firsts)))

    @contextmanager
    def lease(self, *, owner: str, wait_s: float) -> Iterator[CypherLease]:
        """Become the one writer; kept alive in the background, given back at the end.

        Raises:
            LeaseHeldError: another writer held it for longer than `wait_s`; says who and until when.
        """
        with Lease(
            self._graph, self._statements, owner=owner, wait_s=wait_s, ttl_s=self._lease_ttl_s
        ) as lease:
            yield CypherLease(lease, self._statements)


def _provision(kind: NodeKind, row: Row) -> Provision:
    return Provision(
        kind=kind,
        id=row["id"],
        source=row["source"],
        content_hash=row["content_hash"],
        declares=row["declares"],
        not_requires=tuple(row["not_requires"]),
        named=row["named"] if kind is NodeKind.TOOL else "",
    )


def _provisions(row: Row) -> Iterator[Provision]:
    """The provisions of one source and label, which come as lists of equal length."""
    kind = NodeKind(row["label"])
    columns = (row["ids"], row["hashes"], row["declares"], row["not_requires"], row["named"])
    for node, content_hash, declares, not_requires, named in zip(*columns, strict=True):
        yield Provision(
            kind=kind,
            id=node,
            source=row["source"],
            content_hash=content_hash,
            declares=declares,
            not_requires=tuple(not_requires),
            named=named,
        )
