"""A graph in memory, for tests of what reads and writes one. The contract tests hold it to the real ones."""

import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from app.adapters.graph.connection import UniqueIdError
from app.adapters.graph.lease import TTL_S, owner_is_dead
from app.adapters.graph.schema import SCHEMA_VERSION
from app.adapters.graph.touched import Touched, read_touched
from app.domain.audit.chain import AuditHead
from app.domain.backup.lines import HALF_RESTORED
from app.domain.calling.calls import CallTarget
from app.domain.calling.definitions import KnownDefinition, WaitingTool, definition_of, read_confirmed
from app.domain.catalogue import Catalogue
from app.domain.changes import GENERATIONS_KEPT, CatalogueChanges, CataloguePart
from app.domain.moments import utc_text
from app.domain.nodes.dependencies import (
    Evidence,
    Precedence,
    Requirement,
    sorted_precedences,
    strongest,
)
from app.domain.nodes.edge_forms import DRAWN_KINDS, EDGE_FORMS, STRUCTURE, EdgeProperty, inferred_evidence
from app.domain.nodes.graph_views import (
    Direction,
    GraphEdge,
    GraphNode,
    GraphStatus,
    NodeRef,
    SourceCounts,
    ToolDetails,
    ToolOrigin,
    ToolSource,
    TouchingEdge,
    touching_order,
)
from app.domain.nodes.models import (
    Category,
    Concept,
    EdgeForm,
    EdgeKind,
    EdgeRow,
    Generator,
    GraphState,
    KeptRequest,
    Link,
    Method,
    MethodSeed,
    NodeKind,
    NodeName,
    NodeRow,
    Property,
    Provision,
    ScoredId,
    Source,
    SourceId,
    Template,
    Tool,
    ToolId,
    ToolRequest,
    merged_labels,
)
from app.domain.nodes.syncs import SyncPage, SyncRecord, record_id, record_ids, record_severity
from app.domain.ranking.graph_scores import auto_contributions, channel_sums, kg_hybrid_contributions
from app.domain.review.records import Review
from app.domain.unmet.entries import UnmetEntry
from app.domain.workflows.plans import Plan
from app.domain.workflows.stored import Workflow
from app.errors import (
    LeaseHeldError,
    LeaseLostError,
    NotFoundError,
    NotReadyError,
    SchemaVersionError,
    StoreUnavailableError,
)
from app.ports.ranking import GraphScores

_TOOL_TEXT = ("server", "name", "title", "description", "input_schema", "output_schema", "method", "path")
_TOOL_FLAGS = ("read_only", "destructive", "idempotent", "open_world")


@dataclass(frozen=True, slots=True)
class _Edge:
    form: EdgeForm
    source: str
    target: str
    properties: Mapping[str, Property]

    @property
    def stated(self) -> bool:
        return self.properties.get("reason") != STRUCTURE and self.properties.get(
            "evidence"
        ) not in inferred_evidence(self.form)

    def number(self, name: str, default: float) -> float:
        value = self.properties.get(name)
        return default if value is None else float(str(value))


@dataclass
class InMemoryGraph:
    """Fits every port on the graph.

    `reachable = False` makes every call fail as a database that is away does.
    """

    lease_ttl_s: float = TTL_S
    reachable: bool = True
    generation: int = 0
    writing: bool = False
    restoring: str = ""
    schema_version: int = 0
    stamp: str = ""
    generation_at: str = ""
    generations: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The stamp before each of the last generations, and what it touched."""
    lease_owner: str | None = None
    lease_until: float = 0.0
    nodes: dict[NodeKind, dict[str, dict[str, Property]]] = field(
        default_factory=lambda: {kind: {} for kind in NodeKind}
    )
    edges: list[_Edge] = field(default_factory=list)
    provided: dict[tuple[NodeKind, str, str], Provision] = field(default_factory=dict)
    known_sources: dict[str, Source] = field(default_factory=dict)
    records: dict[str, SyncRecord] = field(default_factory=dict)
    heads: list[AuditHead] = field(default_factory=list)
    unmet_entries: dict[str, UnmetEntry] = field(default_factory=dict)
    kept_reviews: dict[str, Review] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    # Reads of the diff

    def apply_schema(self) -> None:
        self.ping()
        if self.schema_version > SCHEMA_VERSION:
            raise SchemaVersionError(f"the graph has schema version {self.schema_version}")
        self.schema_version = SCHEMA_VERSION

    def state(self) -> GraphState:
        self.ping()
        return GraphState(
            generation=self.generation,
            writing=self.writing,
            schema_version=self.schema_version,
            stamp=self.stamp,
        )

    def sources(self, ids: Sequence[str] | None = None) -> list[Source]:
        self.ping()
        return [known for one, known in sorted(self.known_sources.items()) if ids is None or one in ids]

    def unhealthy_sources(self) -> list[Source]:
        return [one for one in self.sources() if not one.healthy]

    def provisions(self, sources: Sequence[SourceId]) -> list[Provision]:
        self.ping()
        found = [one for one in self.provided.values() if one.source in set(sources)]
        return sorted(found, key=lambda one: (one.kind, one.id, one.source))

    def providers(self, kind: NodeKind, ids: Sequence[str]) -> list[Provision]:
        self.ping()
        found = [one for one in self.provided.values() if one.kind is kind and one.id in set(ids)]
        return sorted(found, key=lambda one: (one.id, one.source))

    def node_names(self, kind: NodeKind) -> list[NodeName]:
        self.ping()
        return [
            NodeName(
                id=one,
                name=_name(kind, node),
                declared=bool(node.get("declared")),
                former_ids=_list(node, "former_ids"),
            )
            for one, node in sorted(self.nodes[kind].items())
        ]

    def names_of(self, kind: NodeKind, ids: Sequence[str]) -> list[NodeName]:
        return [one for one in self.node_names(kind) if one.id in set(ids)]

    def edge_pairs(self, form: EdgeForm, *, stated: bool) -> list[tuple[str, str, float]]:
        self.ping()
        return sorted(
            (edge.source, edge.target, edge.number("weight", 1.0))
            for edge in self.edges
            if edge.form == form and edge.stated is stated
        )

    def definitions(self, ids: Sequence[str]) -> list[KnownDefinition]:
        self.ping()
        tools = self.nodes[NodeKind.TOOL]
        return [
            KnownDefinition(
                id=one,
                declared=bool(tools[one].get("declared")),
                now=definition_of(tools[one]),
                confirmed=read_confirmed(str(tools[one].get("confirmed") or "")),
            )
            for one in sorted(set(ids) & tools.keys())
        ]

    def waiting_tools(self) -> list[WaitingTool]:
        self.ping()
        tools = self.nodes[NodeKind.TOOL]
        return [
            WaitingTool(id=one.id, source=one.source, changes=_list(tools[one.id], "unconfirmed"))
            for one in self.providers(NodeKind.TOOL, list(tools))
            if not one.declares and "unconfirmed" in tools[one.id]
        ]

    def node_rows(self, kind: NodeKind, ids: Sequence[str]) -> list[NodeRow]:
        self.ping()
        nodes = self.nodes[kind]
        return [NodeRow(id=one, properties=dict(nodes[one])) for one in sorted(set(ids) & nodes.keys())]

    def edges_from(self, kind: NodeKind, ids: Sequence[str]) -> list[tuple[EdgeForm, EdgeRow]]:
        self.ping()
        return [
            (edge.form, EdgeRow(source=edge.source, target=edge.target, properties=dict(edge.properties)))
            for edge in self.edges
            if edge.form.source is kind and edge.source in set(ids)
        ]

    def half_restored(self) -> str:
        self.ping()
        return self.restoring

    def tool_edges(self, ids: Sequence[str]) -> list[tuple[EdgeForm, EdgeRow]]:
        self.ping()
        given = {(NodeKind.TOOL, one) for one in ids}
        return [
            (edge.form, EdgeRow(source=edge.source, target=edge.target, properties=dict(edge.properties)))
            for edge in self.edges
            if edge.stated and given & {(edge.form.source, edge.source), (edge.form.target, edge.target)}
        ]

    def put_audit_head(self, head: AuditHead) -> None:
        self.ping()
        self.heads = [head, *(one for one in self.heads if one.chain != head.chain)][:100]

    def audit_heads(self) -> list[AuditHead]:
        self.ping()
        return list(self.heads)

    @contextmanager
    def lease(self, *, owner: str, wait_s: float) -> Iterator["_Lease"]:
        self.ping()
        deadline = time.monotonic() + wait_s
        while not self._take(owner):
            if time.monotonic() >= deadline:
                raise LeaseHeldError(f"{self.lease_owner} is writing")
            time.sleep(0.01)
        try:
            yield _Lease(self, owner)
        finally:
            if self.lease_owner == owner:
                self.lease_owner = None

    def _take(self, owner: str) -> bool:
        with self.lock:
            held = self.lease_owner is not None and time.monotonic() < self.lease_until
            if held and not owner_is_dead(str(self.lease_owner)):
                return False
            self.lease_owner = owner
            self.lease_until = float("inf")
            return True

    def syncs(self, source: str) -> list[SyncRecord]:
        self.ping()
        found = [self.records[one] for one in record_ids(source) if one in self.records]
        return sorted(found, key=lambda record: -record.number)

    def all_syncs(self, page: SyncPage) -> list[SyncRecord]:
        self.ping()
        found = [
            (one.at, place)
            for place, one in self.records.items()
            if one.at >= page.since
            and (one.at < page.before or (one.at == page.before and place > page.after_id))
            and (not page.severities or record_severity(one) in page.severities)
        ]
        # Twice, because the later sort keeps the order of equals.
        ordered = sorted(sorted(found, key=lambda one: one[1]), key=lambda one: one[0], reverse=True)
        return [self.records[place] for _, place in ordered[: page.limit]]

    def reviews(self) -> list[Review]:
        self.ping()
        found = [self.kept_reviews[one] for one in sorted(self.kept_reviews)]
        return [one.model_copy(update={"approved": "", "seen": ""}) for one in found]

    def reviews_of(self, source: SourceId) -> list[Review]:
        self.ping()
        return [
            self.kept_reviews[one]
            for one in sorted(self.kept_reviews)
            if self.kept_reviews[one].source == source
        ]

    def found_reviews(self, ids: Sequence[str]) -> list[Review]:
        self.ping()
        return [self.kept_reviews[one] for one in sorted(set(ids)) if one in self.kept_reviews]

    def unmet(self, limit: int) -> list[UnmetEntry]:
        self.ping()
        return self._unmet_newest()[:limit]

    def _unmet_newest(self) -> list[UnmetEntry]:
        by_id = [self.unmet_entries[one] for one in sorted(self.unmet_entries)]
        return sorted(by_id, key=lambda one: one.last_at, reverse=True)

    # Whole generations

    def tool_count(self) -> int:
        self.ping()
        with self.lock:
            return len(self.nodes[NodeKind.TOOL])

    def catalogue(self, *, accept_unfinished: bool = False) -> Catalogue:
        self.ping()
        with self.lock:
            expired = self.lease_owner is None or self.lease_until < time.monotonic()
            if self.writing and not (accept_unfinished and expired):
                raise NotReadyError("an ingest is writing")
            return Catalogue(
                generation=self.generation,
                tools=tuple(self.labelled_tools(list(self.nodes[NodeKind.TOOL]))),
                methods=tuple(self._method(one) for one in sorted(self.nodes[NodeKind.METHOD])),
                templates=tuple(
                    Template.model_validate(
                        {
                            **_texts(node, one, "name", "surface", "interior"),
                            "tags": _list(node, "tags"),
                            "uses": self._ends(NodeKind.TEMPLATE, one, EdgeKind.USES, NodeKind.TOOL),
                            "places": self._places(NodeKind.TEMPLATE, one, EdgeKind.USES, NodeKind.TOOL),
                        }
                    )
                    for one, node in sorted(self.nodes[NodeKind.TEMPLATE].items())
                ),
                concepts=tuple(
                    Concept.model_validate(
                        {
                            **_texts(node, one, "name", "description"),
                            "tags": _list(node, "tags"),
                            "related_to": self._ends(
                                NodeKind.CONCEPT, one, EdgeKind.RELATED_TO, NodeKind.METHOD
                            ),
                            "places": self._places(
                                NodeKind.CONCEPT, one, EdgeKind.RELATED_TO, NodeKind.METHOD
                            ),
                        }
                    )
                    for one, node in sorted(self.nodes[NodeKind.CONCEPT].items())
                ),
                generators=tuple(
                    Generator.model_validate(
                        {
                            **_texts(node, one, "name", "description"),
                            "parameters": _list(node, "parameters"),
                            "tool": uses[0],
                        }
                    )
                    for one, node in sorted(self.nodes[NodeKind.GENERATOR].items())
                    if (uses := self._ends(NodeKind.GENERATOR, one, EdgeKind.USES, NodeKind.TOOL))
                ),
                categories=tuple(
                    Category.model_validate(_texts(node, one, "name", "description"))
                    for one, node in sorted(self.nodes[NodeKind.CATEGORY].items())
                ),
                requirements=strongest(self.requirements(list(self.nodes[NodeKind.TOOL]))),
                precedences=sorted_precedences(self.precedences(list(self.nodes[NodeKind.TOOL]))),
                workflows=tuple(self.workflows()),
                stamp=self.stamp,
            )

    def changes(self, since: int, *, stamp: str) -> CatalogueChanges | None:
        self.ping()
        with self.lock:
            if self.writing:
                raise NotReadyError("an ingest is writing")
            wanted = range(since + 1, self.generation + 1)
            before = self.generations[since + 1][0] if since + 1 in self.generations else self.stamp
            if since > self.generation or not self.generations.keys() >= set(wanted) or before != stamp:
                return None
            ids: defaultdict[NodeKind, set[str]] = defaultdict(set)
            for generation in wanted:
                touched = read_touched(self.generations[generation][1])
                if touched is None:
                    return None
                for kind, some in touched.items():
                    ids[kind].update(some)
            found = {kind: frozenset(some) for kind, some in ids.items()}
            return CatalogueChanges(since=since, generation=self.generation, stamp=self.stamp, ids=found)

    def part(self, changes: CatalogueChanges) -> CataloguePart:
        whole = self.catalogue()
        if (whole.generation, whole.stamp) != (changes.generation, changes.stamp):
            raise NotReadyError("there is a newer generation")
        examples = changes.of(NodeKind.EXAMPLE)
        changes = changes.with_methods(
            edge.source
            for edge in self.edges
            if edge.form.target is NodeKind.EXAMPLE and edge.target in examples
        )
        tools = changes.of(NodeKind.TOOL)
        return CataloguePart(
            changes=changes,
            tools=tuple(one for one in whole.tools if one.id in tools),
            methods=tuple(one for one in whole.methods if one.id in changes.of(NodeKind.METHOD)),
            templates=tuple(one for one in whole.templates if one.id in changes.of(NodeKind.TEMPLATE)),
            concepts=tuple(one for one in whole.concepts if one.id in changes.of(NodeKind.CONCEPT)),
            generators=tuple(one for one in whole.generators if one.id in changes.of(NodeKind.GENERATOR)),
            categories=tuple(one for one in whole.categories if one.id in changes.of(NodeKind.CATEGORY)),
            requirements=tuple(one for one in whole.requirements if one.consumer in tools),
            precedences=tuple(one for one in whole.precedences if one.first in tools),
            workflows=tuple(one for one in whole.workflows if one.id in changes.of(NodeKind.WORKFLOW)),
        )

    def _tool(self, tool_id: str) -> Tool:
        node = self.nodes[NodeKind.TOOL][tool_id]
        return Tool.model_validate(
            {
                **_texts(node, tool_id, *_TOOL_TEXT, "content_hash"),
                **{name: node.get(name) for name in _TOOL_FLAGS},
                "deprecated": bool(node.get("deprecated")),
                "declared": bool(node.get("declared")),
                "categories": self._ends(NodeKind.TOOL, tool_id, EdgeKind.BELONGS_TO, NodeKind.CATEGORY),
                "unconfirmed": _list(node, "unconfirmed"),
                "trust": node.get("trust"),
                "reviewed": node.get("reviewed"),
                "requests": tuple(
                    ToolRequest(text=one.text, language=one.language, model=one.model, at=one.at)
                    for one in self.requests_of([tool_id])
                ),
            }
        )

    def _method(self, method_id: str) -> Method:
        node = self.nodes[NodeKind.METHOD][method_id]
        categories = self._ends(NodeKind.METHOD, method_id, EdgeKind.BELONGS_TO, NodeKind.CATEGORY)
        examples = self._ends(NodeKind.METHOD, method_id, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE)
        related = [
            Link(kind=kind, target=edge.target, weight=edge.number("weight", 1.0))
            for kind in (EdgeKind.ENHANCES, EdgeKind.SIMILAR)
            for edge in self._out(NodeKind.METHOD, method_id, kind, NodeKind.METHOD)
        ]
        return Method.model_validate(
            {
                **_texts(node, method_id, "name", "description"),
                "category": categories[0] if categories else "",
                "tags": _list(node, "tags"),
                "parameters": _list(node, "parameters"),
                "examples": (
                    *(str(self.nodes[NodeKind.EXAMPLE][one].get("text")) for one in examples),
                    *_list(node, "examples"),
                ),
                "implements": self._ends(NodeKind.METHOD, method_id, EdgeKind.IMPLEMENTS, NodeKind.TOOL),
                "related": tuple(sorted(related, key=lambda link: (link.target, link.kind, link.weight))),
                "suggests": tuple(
                    Link(kind=EdgeKind.SUGGESTS, target=edge.target, weight=edge.number("confidence", 0.0))
                    for edge in sorted(self.edges, key=lambda edge: edge.target)
                    if edge.form.kind is EdgeKind.SUGGESTS and edge.source == method_id
                ),
                "alternatives": tuple(
                    sorted(self._ends(NodeKind.METHOD, method_id, EdgeKind.ALTERNATIVE, NodeKind.METHOD))
                ),
                "common": bool(node.get("common")),
            }
        )

    def _out(self, source: NodeKind, node_id: str, kind: EdgeKind, target: NodeKind) -> list[_Edge]:
        form = EdgeForm(source, kind, target)
        found = [edge for edge in self.edges if edge.form == form and edge.source == node_id and edge.stated]
        return sorted(found, key=lambda edge: (edge.number("position", 0), edge.target))

    def _ends(self, source: NodeKind, node_id: str, kind: EdgeKind, target: NodeKind) -> tuple[str, ...]:
        return tuple(dict.fromkeys(edge.target for edge in self._out(source, node_id, kind, target)))

    def _places(self, source: NodeKind, node_id: str, kind: EdgeKind, target: NodeKind) -> tuple[int, ...]:
        first: dict[str, int] = {}
        for edge in self._out(source, node_id, kind, target):
            first.setdefault(edge.target, int(edge.number("position", 0)))
        return tuple(first.values())

    # Dependencies and workflows

    def found_tools(self, ids: Sequence[str]) -> list[Tool]:
        self.ping()
        return [self._tool(one) for one in sorted(set(ids) & self.nodes[NodeKind.TOOL].keys())]

    def labelled_tools(self, ids: Sequence[str]) -> list[Tool]:
        return [self._labelled(tool) for tool in self.found_tools(ids)]

    def _labelled(self, tool: Tool) -> Tool:
        said = [label for one in self.providers(NodeKind.TOOL, [tool.id]) for label in one.labels]
        return tool.model_copy(update={"labels": merged_labels(said)})

    def tools_of_servers(self, servers: Collection[str]) -> list[Tool]:
        self.ping()
        tools = self.nodes[NodeKind.TOOL]
        return [self._tool(one) for one in sorted(tools) if tools[one].get("server") in servers]

    def requirements(self, consumers: Sequence[str]) -> list[Requirement]:
        self.ping()
        return [
            Requirement(
                consumer=ToolId(edge.source),
                producer=ToolId(edge.target),
                parameter=str(edge.properties.get("parameter") or ""),
                required=not edge.properties.get("optional"),
                field=str(edge.properties.get("field") or ""),
                confidence=edge.number("confidence", 1.0),
                evidence=Evidence(str(edge.properties.get("evidence") or "manual")),
                rank=int(edge.number("rank", 1)),
            )
            for edge in self._between_tools(EdgeKind.REQUIRES, consumers)
        ]

    def vetoes(self, consumers: Sequence[str]) -> set[tuple[str, str]]:
        found = self.providers(NodeKind.TOOL, consumers)
        return {(one.id, other) for one in found for other in one.not_requires}

    def suggestions(self, tools: Sequence[str]) -> list[tuple[str, str, float]]:
        self.ping()
        return [
            (edge.source, edge.target, edge.number("confidence", 0.0))
            for edge in self.edges
            if edge.form.kind is EdgeKind.SUGGESTS and edge.target in tools
        ]

    def refuted(self, tools: Sequence[str]) -> set[tuple[str, str]]:
        return {
            (method, one.id) for one in self.providers(NodeKind.TOOL, tools) for method in one.not_implements
        }

    def idle_methods(self) -> list[str]:
        self.ping()
        busy = {edge.source for edge in self.edges if edge.form.kind is EdgeKind.SUGGESTS}
        common = (one for one, properties in self.nodes[NodeKind.METHOD].items() if properties.get("common"))
        return sorted(one for one in common if one not in busy)

    def requests_of(self, tools: Sequence[str]) -> list[KeptRequest]:
        self.ping()
        form = EdgeForm(NodeKind.TOOL, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE)
        found = []
        for edge in self.edges:
            if edge.form == form and edge.source in tools:
                node = self.nodes[NodeKind.EXAMPLE][edge.target]
                texts = {
                    name: str(node.get(name) or "") for name in ("text", "language", "model", "at", "basis")
                }
                found.append(KeptRequest(id=edge.target, tool=ToolId(edge.source), **texts))
        return sorted(found, key=lambda one: (one.tool, one.id))

    def idle_requests(self) -> list[tuple[str, str]]:
        self.ping()
        form = EdgeForm(NodeKind.TOOL, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE)
        busy = {edge.target for edge in self.edges if edge.form == form}
        return sorted(
            (one, str(node.get("tool") or ""))
            for one, node in self.nodes[NodeKind.EXAMPLE].items()
            if node.get("basis") is not None and one not in busy
        )

    def precedences(self, firsts: Sequence[str]) -> list[Precedence]:
        self.ping()
        return [
            Precedence(
                ToolId(edge.source),
                ToolId(edge.target),
                edge.number("confidence", 1.0),
                Evidence(str(edge.properties.get("evidence") or "manual")),
            )
            for edge in self._between_tools(EdgeKind.PRECEDES, firsts)
        ]

    def _between_tools(self, kind: EdgeKind, sources: Iterable[str]) -> list[_Edge]:
        form = EdgeForm(NodeKind.TOOL, kind, NodeKind.TOOL)
        given = set(sources)
        return [edge for edge in self.edges if edge.form == form and edge.source in given]

    def workflows(self) -> list[Workflow]:
        self.ping()
        return [self.workflow(one) for one in sorted(self.nodes[NodeKind.WORKFLOW])]

    def workflow(self, workflow_id: str) -> Workflow:
        self.ping()
        node = self.nodes[NodeKind.WORKFLOW].get(workflow_id)
        if node is None:
            raise NotFoundError(f"no workflow {workflow_id!r}")
        document, sources = node.get("document"), self.providers(NodeKind.WORKFLOW, [workflow_id])
        return Workflow(
            id=workflow_id,
            name=str(node.get("name") or ""),
            plan=Plan.model_validate_json(str(document))
            if document
            else Plan(goal=str(node.get("goal") or ""), steps=()),
            broken=bool(node.get("broken")),
            reason=str(node.get("reason") or ""),
            updated_at=str(node.get("updated_at") or ""),
            owner=str(node.get("owner") or ""),
            source=SourceId(min((one.source for one in sources), default="")),
        )

    # Scores

    def kg_hybrid_scores(self, *, methods: Sequence[ScoredId], templates: Sequence[ScoredId]) -> GraphScores:
        with self.lock:
            catalogue = replace(self._readable(), generation=self.generation)
            parts = kg_hybrid_contributions(catalogue, methods=methods, templates=templates)
            return self._scores(channel_sums(parts), "graph")

    def auto_scores(
        self,
        *,
        methods: Sequence[MethodSeed],
        templates: Sequence[ScoredId],
        concepts: Sequence[ScoredId],
    ) -> GraphScores:
        with self.lock:
            parts = auto_contributions(
                self._readable(), methods=methods, templates=templates, concepts=concepts
            )
            return self._scores(channel_sums(parts), "power", "sum", "template", "concept")

    def _readable(self) -> Catalogue:
        writing, self.writing = self.writing, False
        try:
            return self.catalogue()
        finally:
            self.writing = writing

    def _scores(self, sums: Mapping[str, Mapping[str, float]], *channels: str) -> GraphScores:
        return GraphScores(
            generation=self.generation,
            consistent=not self.writing,
            channels={
                name: {tool: score for tool, score in sums.get(name, {}).items() if score}
                for name in channels
            },
        )

    # Looking around

    def ping(self) -> None:
        if not self.reachable:
            raise StoreUnavailableError("the graph database at memory does not answer")

    def status(self) -> GraphStatus:
        self.ping()
        left = self.lease_until - time.monotonic() if self.lease_owner else 0.0
        return GraphStatus(
            generation=self.generation,
            writing=self.writing,
            generation_at=self.generation_at,
            lease_owner=self.lease_owner or "" if left > 0 else "",
            lease_left_s=min(max(0.0, left), self.lease_ttl_s),
        )

    def tool(self, tool_id: str) -> Tool:
        self.ping()
        if tool_id not in self.nodes[NodeKind.TOOL]:
            raise NotFoundError(f"no tool {tool_id!r}")
        return self._labelled(self._tool(tool_id))

    def list_tools(
        self, *, server: str | None = None, category: str | None = None, after_id: str = "", limit: int
    ) -> list[Tool]:
        self.ping()
        tools = [self._tool(one) for one in sorted(self.nodes[NodeKind.TOOL]) if one > after_id]
        return [
            tool
            for tool in tools
            if server in (None, tool.server) and (category is None or category in self._categories(tool))
        ][:limit]

    def _categories(self, tool: Tool) -> set[str]:
        methods = [self._method(one) for one in self.nodes[NodeKind.METHOD]]
        return {*tool.categories, *(one.category for one in methods if tool.id in one.implements)}

    def tool_origin(self, tool_id: str) -> ToolOrigin:
        return ToolOrigin(
            sources=tuple(
                ToolSource(source=one.source, declares=one.declares)
                for one in self.providers(NodeKind.TOOL, [tool_id])
            ),
            former_ids=tuple(
                former for name in self.names_of(NodeKind.TOOL, [tool_id]) for former in name.former_ids
            ),
        )

    def tool_details(self, tool_id: str, *, limit: int = 200) -> ToolDetails:
        tool = self.tool(tool_id)
        own = self._view(NodeKind.TOOL, tool_id)
        touching = self.touching([own.ref], kinds=DRAWN_KINDS, per_kind=limit)
        nodes = {own.key: own, **{one.other.key: one.other for one in touching}}
        return ToolDetails(
            tool=tool,
            nodes=tuple(sorted(nodes.values(), key=lambda node: node.ref)),
            edges=tuple(one.edge for one in touching),
            **dict(self.tool_origin(tool_id)),
        )

    def call_target(self, tool_id: str) -> CallTarget:
        details = self.tool_details(tool_id)
        node = self.nodes[NodeKind.TOOL][tool_id]
        return CallTarget(
            tool=details.tool,
            base_url=str(node.get("base_url") or ""),
            security=_list(node, "security"),
            confirmed=read_confirmed(str(node.get("confirmed") or "")),
            sources=details.sources,
        )

    def nodes_with_id(self, node_id: str) -> list[GraphNode]:
        self.ping()
        return [self._view(kind, node_id) for kind in sorted(NodeKind) if node_id in self.nodes[kind]]

    def touching(
        self,
        nodes: Collection[NodeRef],
        *,
        kinds: Iterable[EdgeKind],
        per_kind: int,
        skip: int = 0,
        min_confidence: float = 0.0,
    ) -> list[TouchingEdge]:
        self.ping()
        groups: defaultdict[tuple[NodeRef, Direction, EdgeKind], list[_Edge]] = defaultdict(list)
        for edge in self.edges:
            if edge.form.kind in set(kinds) and edge.number("confidence", 1.0) >= min_confidence:
                source = NodeRef(edge.form.source, edge.source)
                target = NodeRef(edge.form.target, edge.target)
                if source in nodes:
                    groups[source, Direction.OUT, edge.form.kind].append(edge)
                if target in nodes:
                    groups[target, Direction.IN, edge.form.kind].append(edge)
        return sorted(
            (
                TouchingEdge(
                    self._view(*node),
                    direction,
                    self._view(*_other_end(edge, direction)),
                    _drawn(edge),
                    place,
                    len(group),
                )
                for (node, direction, _), group in groups.items()
                for place, edge in enumerate(
                    sorted(group, key=lambda edge: _sureness(edge, direction)), start=0
                )
                if skip <= place < skip + per_kind
            ),
            key=touching_order,
        )

    def _view(self, kind: NodeKind, node_id: str) -> GraphNode:
        return GraphNode(kind=kind, id=node_id, name=_name(kind, self.nodes[kind][node_id]))

    def source_counts(self, ids: Sequence[str] | None = None) -> list[SourceCounts]:
        counts = []
        for source in self.sources():
            if ids is not None and source.id not in ids:
                continue
            mine = self.provisions([source.id])
            nodes: defaultdict[NodeKind, int] = defaultdict(int)
            for one in mine:
                nodes[one.kind] += 1
            declared = sum(one.declares for one in mine)
            counts.append(SourceCounts(source=source, nodes=dict(nodes), declared=declared))
        return counts


class _Lease:
    """Writes to an `InMemoryGraph`."""

    def __init__(self, graph: InMemoryGraph, owner: str) -> None:
        self._graph = graph
        self._owner = owner
        self._touched = Touched()
        self._begun = False

    @contextmanager
    def _writing(self) -> Iterator[InMemoryGraph]:
        with self._graph.lock:
            self._graph.ping()
            if self._graph.lease_owner != self._owner:
                raise LeaseLostError(f"{self._owner} no longer holds the lease")
            yield self._graph

    def begin(self) -> None:
        with self._writing() as graph:
            if graph.restoring:
                raise NotReadyError(HALF_RESTORED)
            if graph.writing and not self._begun:
                self._touched.add_everything()
            graph.writing = self._begun = True

    def begin_restore(self, backup: str, *, generation: int) -> None:
        with self._writing() as graph:
            self._touched.add_everything()
            graph.restoring, graph.generation = backup, generation - 1
            graph.writing = self._begun = True

    def put_sources(self, sources: Sequence[Source]) -> None:
        with self._writing() as graph:
            graph.known_sources |= {source.id: source for source in sources}

    def put_nodes(self, kind: NodeKind, rows: Sequence[NodeRow]) -> None:
        with self._writing() as graph:
            if kind is NodeKind.GENERATOR and (
                taken := {row.id for row in rows} & graph.nodes[NodeKind.TOOL].keys()
            ):
                raise UniqueIdError(f"{sorted(taken)} are tools")
            for row in rows:
                self._touched.add(kind, (row.id,))
                graph.nodes[kind][row.id] = {
                    name: value for name, value in row.properties.items() if value is not None
                }

    def put_provisions(self, provisions: Sequence[Provision]) -> None:
        with self._writing() as graph:
            for one in provisions:
                self._touched.add(one.kind, (one.id,))
                if one.source in graph.known_sources and one.id in graph.nodes[one.kind]:
                    graph.provided[one.kind, one.id, one.source] = one

    def remove_provisions(self, source: SourceId, kind: NodeKind, ids: Sequence[str]) -> None:
        with self._writing() as graph:
            self._touched.add(kind, ids)
            for one in ids:
                graph.provided.pop((kind, one, source), None)

    def rename_tools(self, renames: Sequence[tuple[str, str]]) -> None:
        with self._writing() as graph:
            tools = graph.nodes[NodeKind.TOOL]
            for old, new in renames:
                if old not in tools:
                    continue
                if new in tools or new in graph.nodes[NodeKind.GENERATOR]:
                    raise UniqueIdError(f"{new} is in use")
                self._touched.add(NodeKind.TOOL, (old, new))
                self._touch(lambda edge, old=old: old in _tools_at(edge))
                tools[new] = tools.pop(old)
                tools[new]["former_ids"] = [old, *_list(tools[new], "former_ids")[:9]]
                graph.edges = [_renamed(edge, old, new) for edge in graph.edges]
                graph.provided = {
                    (kind, new if (kind, one) == (NodeKind.TOOL, old) else one, source): provision
                    if (kind, one) != (NodeKind.TOOL, old)
                    else provision.model_copy(update={"id": new})
                    for (kind, one, source), provision in graph.provided.items()
                }

    def confirm_tools(self, ids: Sequence[str]) -> None:
        with self._writing() as graph:
            self._touched.add(NodeKind.TOOL, ids)
            for one in graph.nodes[NodeKind.TOOL].keys() & set(ids):
                for name in ("confirmed", "unconfirmed"):
                    graph.nodes[NodeKind.TOOL][one].pop(name, None)

    def remove_nodes(self, kind: NodeKind, ids: Sequence[str]) -> None:
        with self._writing() as graph:
            gone = set(ids)
            self._touched.add(kind, gone)
            self._touch(
                lambda edge: (
                    (edge.form.source is kind and edge.source in gone)
                    or (edge.form.target is kind and edge.target in gone)
                )
            )
            for one in gone:
                graph.nodes[kind].pop(one, None)
            graph.edges = [
                edge
                for edge in graph.edges
                if not (edge.form.source is kind and edge.source in gone)
                and not (edge.form.target is kind and edge.target in gone)
            ]
            graph.provided = {
                key: one for key, one in graph.provided.items() if not (key[0] is kind and key[1] in gone)
            }

    def remove_sources(self, sources: Sequence[SourceId]) -> None:
        with self._writing() as graph:
            for source in sources:
                graph.known_sources.pop(source, None)
                for place in record_ids(source):
                    graph.records.pop(place, None)
            graph.provided = {key: one for key, one in graph.provided.items() if key[2] not in set(sources)}

    def put_syncs(self, records: Sequence[SyncRecord]) -> None:
        with self._writing() as graph:
            graph.records |= {record_id(record): record for record in records}

    def put_reviews(self, records: Sequence[Review]) -> None:
        with self._writing() as graph:
            graph.kept_reviews.update({one.id: one for one in records})

    def remove_reviews(self, ids: Sequence[str]) -> None:
        with self._writing() as graph:
            for one in ids:
                graph.kept_reviews.pop(one, None)

    def put_unmet(self, entries: Sequence[UnmetEntry]) -> None:
        with self._writing() as graph:
            for one in entries:
                there = graph.unmet_entries.get(one.id)
                graph.unmet_entries[one.id] = (
                    one
                    if there is None
                    else one.model_copy(update={"count": there.count + one.count, "first_at": there.first_at})
                )

    def remove_unmet(self, ids: Sequence[str]) -> None:
        with self._writing() as graph:
            for one in ids:
                graph.unmet_entries.pop(one, None)

    def trim_unmet(self, *, before: str, most: int) -> None:
        with self._writing() as graph:
            kept = [one for one in graph._unmet_newest() if one.last_at >= before][:most]
            graph.unmet_entries = {one.id: one for one in kept}

    def put_edges(self, form: EdgeForm, rows: Sequence[EdgeRow]) -> None:
        with self._writing() as graph:
            if form not in EDGE_FORMS:
                raise KeyError(form)
            for row in rows:
                self._touched.add(form.source, (row.source,))
                self._touched.add(form.target, (row.target,))
            graph.edges += [
                _Edge(form, row.source, row.target, dict(row.properties))
                for row in rows
                if row.source in graph.nodes[form.source] and row.target in graph.nodes[form.target]
            ]

    def remove_edges(
        self, form: EdgeForm, sources: Sequence[str], *, stated_by: SourceId | None = None
    ) -> None:
        given = set(sources)
        self._touched.add(form.source, given)
        self._drop(
            lambda edge: (
                edge.form == form
                and edge.source in given
                and edge.stated
                and stated_by in (None, edge.properties.get("stated_by"))
            )
        )

    def remove_tool_references(self, form: EdgeForm, edges: Sequence[EdgeRow]) -> None:
        gone = {(edge.source, edge.target, edge.properties.get("stated_by") or "") for edge in edges}
        self._drop(
            lambda edge: (
                edge.form == form
                and edge.stated
                and (edge.source, edge.target, edge.properties.get("stated_by") or "") in gone
            )
        )

    def replace_inferred(
        self, form: EdgeForm, *, remove: Sequence[tuple[str, str]], put: Sequence[EdgeRow]
    ) -> None:
        gone = set(remove)
        self._drop(lambda edge: edge.form == form and not edge.stated and (edge.source, edge.target) in gone)
        self.put_edges(form, put)

    def finish(self) -> int:
        with self._writing() as graph:
            graph.generation += 1
            graph.generation_at = utc_text(datetime.now(UTC))
            graph.generations[graph.generation] = (graph.stamp, self._touched.text)
            graph.generations.pop(graph.generation - GENERATIONS_KEPT, None)
            graph.stamp = uuid.uuid4().hex
            graph.writing = self._begun = False
            graph.restoring = ""
            self._touched.clear()
            return graph.generation

    def _touch(self, concerns: Callable[[_Edge], bool]) -> None:
        """Both ends of these edges are touched."""
        for edge in self._graph.edges:
            if concerns(edge):
                self._touched.add(edge.form.source, (edge.source,))
                self._touched.add(edge.form.target, (edge.target,))

    def _drop(self, concerns: Callable[[_Edge], bool]) -> None:
        """Remove these edges."""
        with self._writing() as graph:
            self._touch(concerns)
            graph.edges = [edge for edge in graph.edges if not concerns(edge)]


def _tools_at(edge: _Edge) -> list[str]:
    ends = ((edge.form.source, edge.source), (edge.form.target, edge.target))
    return [one for kind, one in ends if kind is NodeKind.TOOL]


def _renamed(edge: _Edge, old: str, new: str) -> _Edge:
    source = new if (edge.form.source, edge.source) == (NodeKind.TOOL, old) else edge.source
    target = new if (edge.form.target, edge.target) == (NodeKind.TOOL, old) else edge.target
    return replace(edge, source=source, target=target)


def _name(kind: NodeKind, node: Mapping[str, Property]) -> str:
    return str(node.get("text" if kind is NodeKind.EXAMPLE else "name") or "")


def _texts(node: Mapping[str, Property], node_id: str, *names: str) -> dict[str, str]:
    return {"id": node_id, **{name: str(node.get(name) or "") for name in names}}


def _list(node: Mapping[str, Property], name: str) -> tuple[str, ...]:
    value = node.get(name)
    return tuple(str(one) for one in value) if isinstance(value, list) else ()


def _drawn(edge: _Edge) -> GraphEdge:
    carried = EDGE_FORMS[edge.form].properties
    rank, position = edge.properties.get("rank"), edge.properties.get("position")
    return GraphEdge(
        source=NodeRef(edge.form.source, edge.source).key,
        target=NodeRef(edge.form.target, edge.target).key,
        kind=edge.form.kind,
        weight=edge.number("weight", 1.0),
        confidence=edge.number("confidence", 1.0),
        evidence=str(edge.properties.get("evidence") or ""),
        reason=str(edge.properties.get("reason") or ""),
        parameter=str(edge.properties.get("parameter") or ""),
        field=str(edge.properties.get("field") or ""),
        required=not edge.properties.get("optional") if EdgeProperty.OPTIONAL in carried else None,
        rank=int(str(rank)) if rank and EdgeProperty.RANK in carried else None,
        position=int(str(position or 0)) if EdgeProperty.POSITION in carried else None,
    )


def _other_end(edge: _Edge, direction: Direction) -> NodeRef:
    if direction is Direction.OUT:
        return NodeRef(edge.form.target, edge.target)
    return NodeRef(edge.form.source, edge.source)


def _sureness(edge: _Edge, direction: Direction) -> tuple[float, float, float, float, str, str, str]:
    kind, other = _other_end(edge, direction)
    return (
        -edge.number("confidence", 1.0),
        -edge.number("weight", 1.0),
        edge.number("rank", 0),
        edge.number("position", 0),
        other,
        kind,
        str(edge.properties.get("parameter") or ""),
    )
