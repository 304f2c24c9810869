"""What is written under the writer's lease, and the record of which nodes that touches."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from app.adapters.graph.connection import GraphConnection, Row
from app.adapters.graph.lease import Lease
from app.adapters.graph.queries import Record, by_size, by_source, slices
from app.adapters.graph.statements import Statement, Statements
from app.adapters.graph.touched import Touched
from app.domain.backup.lines import HALF_RESTORED
from app.domain.changes import GENERATIONS_KEPT
from app.domain.nodes.edge_forms import inferred_evidence
from app.domain.nodes.models import EdgeForm, EdgeRow, NodeKind, NodeRow, Provision, Source, SourceId, Trust
from app.domain.nodes.syncs import SyncRecord, record_id, record_ids
from app.domain.review.records import Review
from app.domain.unmet.entries import UnmetEntry
from app.errors import NotReadyError


class CypherLease:
    """Fits `WriterLease`: batches in managed transactions, each of which first renews the lease."""

    def __init__(self, lease: Lease, graph: GraphConnection, statements: Statements) -> None:
        self._lease = lease
        self._graph = graph
        self._statements = statements
        self._touched = Touched()
        self._begun = False

    def begin(self) -> None:
        """Mark the graph as being written; readers answer from their snapshots until `finish`.

        Raises:
            NotReadyError: it was being filled from a backup, and that was killed: it has to be filled again.
        """
        (before,) = self._graph.read(self._statements.find_restoration)
        if before["backup"]:
            raise NotReadyError(HALF_RESTORED)
        rows = self._run(self._statements.put_writing_mark)
        if not self._begun and (not rows or rows[0]["unfinished"]):
            # Nobody knows what the writer before touched, which did not finish.
            self._touched.add_everything()
        self._begun = True

    def begin_restore(self, backup: str, *, generation: int) -> None:
        """As `begin`, of a graph that is filled from a backup with this SHA-256; `finish` makes it this generation."""
        self._touched.add_everything()
        self._run(self._statements.put_restoration, backup=backup, generation=generation - 1)
        self._begun = True

    def put_sources(self, sources: Sequence[Source]) -> None:
        """Create or replace sources."""
        for batch in slices(sources):
            rows = [{"id": source.id, "properties": _source_properties(source)} for source in batch]
            self._run(self._statements.put_sources, rows=rows)

    def put_nodes(self, kind: NodeKind, rows: Sequence[NodeRow]) -> None:
        """Create nodes, or replace all properties of those that exist."""
        self._touched.add(kind, [row.id for row in rows])
        self._put(self._statements.nodes[kind].put_nodes, rows)

    def put_provisions(self, provisions: Sequence[Provision]) -> None:
        """Create or replace `PROVIDED_BY` edges; both ends exist."""
        kinds: defaultdict[NodeKind, list[Provision]] = defaultdict(list)
        for one in provisions:
            kinds[one.kind].append(one)
        for kind, found in kinds.items():
            self._touched.add(kind, (one.id for one in found))
            statement = self._statements.nodes[kind].put_provisions
            # One transaction for many sources: a commit costs more than what is written for a small one.
            for batch in slices(found):
                groups: defaultdict[SourceId, list[Record]] = defaultdict(list)
                for one in batch:
                    groups[one.source].append(_provision_row(one))
                rows = [{"source": source, "edges": edges} for source, edges in groups.items()]
                self._run(statement, rows=rows)

    def remove_provisions(self, source: SourceId, kind: NodeKind, ids: Sequence[str]) -> None:
        """Remove `PROVIDED_BY` edges of one source."""
        self._touched.add(kind, ids)
        for batch in slices(ids):
            self._run(self._statements.nodes[kind].remove_provisions, source=source, ids=batch)

    def rename_tools(self, renames: Sequence[tuple[str, str]]) -> None:
        """Give tools (old id, new id) another id; every edge stays, and the tool remembers the old id."""
        self._touched.add(NodeKind.TOOL, [one for pair in renames for one in pair])
        self._touch_neighbours(NodeKind.TOOL, [old for old, _ in renames])
        for batch in slices(renames):
            self._run(self._statements.put_tool_ids, rows=[{"id": old, "new_id": new} for old, new in batch])

    def confirm_tools(self, ids: Sequence[str]) -> None:
        """Trust the definitions of these tools as they are now."""
        self._touched.add(NodeKind.TOOL, ids)
        for batch in slices(ids):
            self._run(self._statements.remove_unconfirmed, ids=batch)

    def remove_nodes(self, kind: NodeKind, ids: Sequence[str]) -> None:
        """Remove nodes with all their edges."""
        self._touched.add(kind, ids)
        self._touch_neighbours(kind, ids)
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

    def put_reviews(self, records: Sequence[Review]) -> None:
        """Create or replace what is kept of definitions that are reviewed."""
        self._put(self._statements.put_reviews, [_review_row(record) for record in records])

    def remove_reviews(self, ids: Sequence[str]) -> None:
        """Remove such records; unknown ids are left out."""
        for batch in slices(ids):
            self._run(self._statements.remove_reviews, ids=batch)

    def put_unmet(self, entries: Sequence[UnmetEntry]) -> None:
        """Add up requests that nothing met; part of no generation."""
        for batch in slices(entries):
            self._run(self._statements.put_unmet, rows=[one.model_dump(mode="json") for one in batch])

    def remove_unmet(self, ids: Sequence[str]) -> None:
        """Remove entries of such requests."""
        for batch in slices(ids):
            self._run(self._statements.remove_unmet, ids=batch)

    def trim_unmet(self, *, before: str, most: int) -> None:
        """Remove entries that nobody has asked for since a time, and all but the `most` that were asked for last."""
        self._run(self._statements.remove_unmet_before, before=before)
        self._run(self._statements.remove_unmet_beyond, most=most)

    def put_edges(self, form: EdgeForm, rows: Sequence[EdgeRow]) -> None:
        """Create edges that do not exist yet; rows whose ends are missing are dropped."""
        self._touch_ends(form, ((row.source, row.target) for row in rows))
        statement = self._statements.edges[form].put
        for batch in by_source(rows, statement):
            self._run(statement, rows=batch)

    def remove_edges(
        self, form: EdgeForm, sources: Sequence[str], *, stated_by: SourceId | None = None
    ) -> None:
        """Remove the stated edges of a form that leave these nodes; with `stated_by`, only that source's."""
        statement = self._statements.remove_edges[form.source]
        self._touched.add(form.source, sources)
        for batch in slices(sources):
            rows = self._run(statement, ids=batch, stated_by=stated_by, **_edges_of(form))
            if rows:
                self._touched.add(form.target, rows[0]["targets"])
            else:
                # The answer was lost with the connection, and the transaction was kept.
                self._touched.add_everything()

    def remove_tool_references(self, form: EdgeForm, edges: Sequence[EdgeRow]) -> None:
        """Remove these stated edges of a form that leads to tools; of those from tools only what `stated_by` stated."""
        self._touch_ends(form, ((edge.source, edge.target) for edge in edges))
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
        self._touch_ends(form, remove)
        targets: defaultdict[str, list[str]] = defaultdict(list)
        for source, target in remove:
            targets[source].append(target)
        for batch in slices([{"source": one, "targets": others} for one, others in targets.items()]):
            statement = self._statements.remove_inferred[form.source]
            self._run(statement, rows=batch, **_edges_of(form))
        self.put_edges(form, put)

    def finish(self) -> int:
        """Raise the generation by one, keep what it touched, clear the mark of `begin`; the new generation."""
        (row,) = self._lease.run(
            self._statements.put_next_generation,
            kept=self._statements.find_state,
            touched=self._touched.text,
            places=GENERATIONS_KEPT,
        )
        self._touched.clear()
        self._begun = False
        return int(row["generation"])

    def _touch_ends(self, form: EdgeForm, pairs: Iterable[tuple[str, str]]) -> None:
        for source, target in pairs:
            self._touched.add(form.source, (source,))
            self._touched.add(form.target, (target,))

    def _touch_neighbours(self, kind: NodeKind, ids: Sequence[str]) -> None:
        """Nodes at the other ends of all edges; nobody else writes meanwhile."""
        statement = self._statements.nodes[kind].find_neighbours
        for batch in slices(ids):
            if not self._touched.everything:
                self._touched.add_labelled(self._graph.read(statement, ids=batch))

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


def _provision_row(one: Provision) -> Record:
    return {
        "id": one.id,
        "content_hash": one.content_hash,
        "declares": one.declares,
        "not_requires": list(one.not_requires),
        "not_implements": list(one.not_implements),
        "labels": [label.model_dump_json(exclude_defaults=True) for label in one.labels] or None,
        # Only a tool has a name that others could bring.
        "named": one.named if one.kind is NodeKind.TOOL else None,
    }


def _source_properties(source: Source) -> Record:
    """All of a source; that it is trusted in full is what is said of it when nothing is."""
    properties = source.model_dump(mode="json")
    return {**properties, "trust": None if source.trust is Trust.FULL else source.trust.value}


def _review_row(record: Review) -> NodeRow:
    """The node of a record; each of its findings is JSON."""
    document = record.model_dump(mode="json")
    findings = [json.dumps(one) for one in document["findings"]]
    return NodeRow(id=record.id, properties={**document, "findings": findings})


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
