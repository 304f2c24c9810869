"""The graph as ingest sees it: what the diff reads, and the lease to write under."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from app.adapters.graph.catalogue import edge_ends
from app.adapters.graph.connection import Row
from app.adapters.graph.explorer import CypherExplorer
from app.adapters.graph.lease import Lease
from app.adapters.graph.ranker import read_precedences, read_requirements
from app.adapters.graph.schema import apply_schema
from app.adapters.graph.values import read_labels
from app.adapters.graph.writes import CypherLease
from app.domain.audit.chain import AuditHead
from app.domain.calling.definitions import KnownDefinition, WaitingTool, definition_of, read_confirmed
from app.domain.nodes.dependencies import Precedence, Requirement
from app.domain.nodes.edge_forms import EDGE_FORMS
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

    def sources(self, ids: Sequence[str] | None = None) -> list[Source]:
        """Sources, all or those with these ids, by id; unknown ones are left out."""
        if ids is None:
            found = self._graph.read(self._statements.list_sources)
        else:
            found = self._graph.read(self._statements.find_sources, ids=sorted(set(ids)))
        return [Source.model_validate(row) for row in found]

    def unhealthy_sources(self) -> list[Source]:
        """Sources that could not be read the last time, by id."""
        rows = self._graph.read(self._statements.list_unhealthy_sources)
        return [Source.model_validate(row) for row in rows]

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
        return _names(kind, self._graph.read(self._statements.nodes[kind].list_names))

    def names_of(self, kind: NodeKind, ids: Sequence[str]) -> list[NodeName]:
        """Id and name of these nodes of a kind, by id; unknown ids, and generators among tools, are left out."""
        return _names(
            kind, self._read_by_id(self._statements.nodes[kind].find_names, list(dict.fromkeys(ids)))
        )

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

    def node_rows(self, kind: NodeKind, ids: Sequence[str]) -> list[NodeRow]:
        """These nodes of a kind with all their properties, by id; unknown ids are left out."""
        rows = self._read_by_id(self._statements.nodes[kind].find_contents, list(dict.fromkeys(ids)))
        return sorted(
            (NodeRow(id=row["id"], properties=row["properties"]) for row in rows), key=lambda row: row.id
        )

    def edges_from(self, kind: NodeKind, ids: Sequence[str]) -> list[tuple[EdgeForm, EdgeRow]]:
        """Every edge that leaves these nodes, stated and inferred, with all its properties, in no order."""
        columns = ("kinds", "labels", "targets", "properties")
        return [
            (
                _form_of(kind, edge_kind, label),
                EdgeRow(source=row["source"], target=target, properties=properties),
            )
            for row in self._read_by_id(self._statements.nodes[kind].find_leaving, list(dict.fromkeys(ids)))
            for edge_kind, label, target, properties in zip(*(row[name] for name in columns), strict=True)
        ]

    def half_restored(self) -> str:
        """The SHA-256 of the backup that the graph is being filled from, or was when that was killed."""
        (row,) = self._graph.read(self._statements.find_restoration)
        return str(row["backup"])

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

    def vetoes(self, consumers: Sequence[str]) -> set[tuple[str, str]]:
        """(consumer, producer) pairs of these tools that a source ruled out."""
        rows = self._read_by_id(self._statements.find_vetoes, consumers)
        return {(row["id"], other) for row in rows for other in row["not_requires"]}

    def suggestions(self, tools: Sequence[str]) -> list[tuple[str, str, float]]:
        """(method id, tool id, confidence) of all SUGGESTS edges that lead to these tools, in no order."""
        return [
            (method, row["tool"], confidence)
            for row in self._read_by_id(self._statements.find_suggestions, tools)
            for method, confidence in zip(row["methods"], row["confidences"], strict=True)
        ]

    def refuted(self, tools: Sequence[str]) -> set[tuple[str, str]]:
        """(method id, tool id) pairs of these tools that a source ruled out."""
        rows = self._read_by_id(self._statements.find_refuted_methods, tools)
        return {(method, row["tool"]) for row in rows for method in row["methods"]}

    def idle_methods(self) -> list[str]:
        """Ids of the methods of the common taxonomy that suggest no tool, sorted."""
        rows = self._graph.read(self._statements.find_idle_methods)
        return sorted(row["id"] for row in rows)

    def idle_requests(self) -> list[tuple[str, str]]:
        """(request id, tool id as it was) of the requests whose tool is gone, sorted."""
        rows = self._graph.read(self._statements.find_idle_requests)
        return sorted((row["id"], row["tool"]) for row in rows)

    def precedences(self, firsts: Sequence[str]) -> list[Precedence]:
        """All PRECEDES edges that leave these tools, stated and inferred, in no order."""
        return list(read_precedences(self._read_by_id(self._statements.find_precedences, firsts)))

    def put_audit_head(self, head: AuditHead) -> None:
        """Keep where a chain of the audit stands now, in place of where it stood; part of no generation."""
        entry = f"{head.chain} {head.head} {head.at}"
        statement = self._statements.put_audit_head
        self._graph.write(lambda transaction: transaction.run(statement, chain=head.chain, entry=entry))

    def audit_heads(self) -> list[AuditHead]:
        """Where each chain of the audit stood last, those that were kept last first."""
        (row,) = self._graph.read(self._statements.list_audit_heads)
        return [AuditHead(*entry.split(" ")) for entry in row["entries"]]

    @contextmanager
    def lease(self, *, owner: str, wait_s: float) -> Iterator[CypherLease]:
        """Become the one writer; kept alive in the background, given back at the end.

        Raises:
            LeaseHeldError: another writer held it for longer than `wait_s`; says who and until when.
        """
        with Lease(
            self._graph, self._statements, owner=owner, wait_s=wait_s, ttl_s=self._lease_ttl_s
        ) as lease:
            yield CypherLease(lease, self._graph, self._statements)


def _form_of(source: NodeKind, kind: str, label: str) -> EdgeForm:
    """The form of an edge; one that leads to a generator may be of a form that leads to tools."""
    form = EdgeForm(source, EdgeKind(kind), NodeKind(label))
    if form not in EDGE_FORMS and form.target is NodeKind.GENERATOR:
        return EdgeForm(source, form.kind, NodeKind.TOOL)
    return form


def _names(kind: NodeKind, rows: Iterable[Row]) -> list[NodeName]:
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


def _provision(kind: NodeKind, row: Row) -> Provision:
    return Provision(
        kind=kind,
        id=row["id"],
        source=row["source"],
        content_hash=row["content_hash"],
        declares=row["declares"],
        not_requires=tuple(row["not_requires"]),
        not_implements=tuple(row["not_implements"]),
        labels=read_labels(row["labels"]),
        named=row["named"] if kind is NodeKind.TOOL else "",
    )


def _provisions(row: Row) -> Iterator[Provision]:
    """The provisions of one source and label, which come as lists of equal length."""
    kind = NodeKind(row["label"])
    names = ("ids", "hashes", "declares", "not_requires", "not_implements", "labels", "named")
    columns = (row[name] for name in names)
    for node, content_hash, declares, not_requires, not_implements, labels, named in zip(
        *columns, strict=True
    ):
        yield Provision(
            kind=kind,
            id=node,
            source=row["source"],
            content_hash=content_hash,
            declares=declares,
            not_requires=tuple(not_requires),
            not_implements=tuple(not_implements),
            labels=read_labels(labels),
            named=named,
        )
