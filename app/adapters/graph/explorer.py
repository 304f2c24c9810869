"""Single nodes, lists and neighbourhoods of the graph, for people and for drawing."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime

from app.adapters.graph.connection import Row
from app.adapters.graph.queries import CypherQueries, slices
from app.adapters.graph.values import labels_by_tool, read_requests, requests_by_tool, with_labels
from app.domain.calling.calls import CallTarget
from app.domain.calling.definitions import read_confirmed
from app.domain.moments import utc_text
from app.domain.nodes.edge_forms import DRAWN_KINDS, EDGE_FORMS, EdgeProperty
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
from app.domain.nodes.models import EdgeForm, EdgeKind, KeptRequest, NodeKind, Source, SourceId, Tool, ToolId
from app.domain.nodes.syncs import SyncPage, SyncRecord, record_ids
from app.domain.review.records import Review
from app.domain.unmet.entries import UnmetEntry
from app.errors import NotFoundError

_BATCH_NODES = 100
"""Whose edges come in one answer."""
_BATCH_SERVERS = 200
"""Whose tools come in one answer."""
_NO_FACTS: Row = {"base_url": "", "security": [], "confirmed": "", "sources": [], "declares": []}


class CypherExplorer(CypherQueries):
    """Fits `GraphExplorer` and `CallTargets`; safe to share between threads."""

    def ping(self) -> None:
        """One round trip.

        Raises:
            StoreUnavailableError: the database does not answer.
        """
        self._graph.read(self._statements.ping)

    def status(self) -> GraphStatus:
        """Where the graph stands, and who writes it."""
        (row,) = self._graph.read(self._statements.find_status)
        at = row["generation_at"]
        return GraphStatus(
            generation=row["generation"],
            writing=row["writing"],
            generation_at=utc_text(datetime.fromtimestamp(at / 1000, UTC)) if at else "",
            lease_owner=row["lease_owner"] or "",
            lease_left_s=max(0.0, row["lease_left"] / 1000),
        )

    def tool(self, tool_id: str) -> Tool:
        """The tool with this id.

        Raises:
            NotFoundError: no tool has it.
        """
        tools = self.labelled_tools([tool_id])
        if not tools:
            raise NotFoundError(
                f"no tool {tool_id!r}; tools are named server/name, as `GET /v1/tools` lists them"
            )
        return tools[0]

    def list_tools(
        self, *, server: str | None = None, category: str | None = None, after_id: str = "", limit: int
    ) -> list[Tool]:
        """A page of tools, by id, those after `after_id`; generators are left out.

        A tool is in a category when it belongs to it itself or carries out a method that does.
        """
        rows = self._graph.read(
            self._statements.list_tool_ids, server=server, category=category, after_id=after_id, limit=limit
        )
        return self.found_tools([row["id"] for row in rows])

    def tool_origin(self, tool_id: str) -> ToolOrigin:
        """Where a tool comes from; nothing for an unknown id."""
        sources = self._graph.read(self._statements.find_tool_sources, id=tool_id)
        names = self._graph.read(self._statements.nodes[NodeKind.TOOL].find_names, ids=[tool_id])
        return ToolOrigin(
            sources=tuple(ToolSource(source=row["source"], declares=row["declares"]) for row in sources),
            former_ids=tuple(former for row in names for former in row["former_ids"]),
        )

    def tool_details(self, tool_id: str, *, limit: int = 200) -> ToolDetails:
        """A tool, its sources, and of each kind and direction at most `limit` edges that touch it.

        Raises:
            NotFoundError: no tool has it.
        """
        tool = self.tool(tool_id)
        own = GraphNode(kind=NodeKind.TOOL, id=tool_id, name=tool.name)
        touching = self.touching([own.ref], kinds=DRAWN_KINDS, per_kind=limit)
        nodes = {own.key: own, **{one.other.key: one.other for one in touching}}
        return ToolDetails(
            tool=tool,
            nodes=tuple(sorted(nodes.values(), key=lambda node: node.ref)),
            edges=tuple(one.edge for one in touching),
            **dict(self.tool_origin(tool_id)),
        )

    def call_target(self, tool_id: str) -> CallTarget:
        """A tool with what a call of it needs.

        Raises:
            NotFoundError: no tool has it.
        """
        tool = self.tool(tool_id)
        rows = self._graph.read(self._statements.find_call_target, id=tool_id)
        facts = rows[0] if rows else _NO_FACTS
        return CallTarget(
            tool=tool,
            base_url=facts["base_url"],
            security=tuple(facts["security"]),
            confirmed=read_confirmed(facts["confirmed"]),
            sources=tuple(
                ToolSource(source=source, declares=declares)
                for source, declares in zip(facts["sources"], facts["declares"], strict=True)
            ),
        )

    def nodes_with_id(self, node_id: str) -> list[GraphNode]:
        """The nodes of any kind that have this id, by kind."""
        rows = self._graph.read(self._statements.find_nodes, id=node_id)
        return [GraphNode(kind=NodeKind(row["label"]), id=row["id"], name=row["name"]) for row in rows]

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
            By node, place, kind, direction: the first of each before the second of any.
        """
        ids: defaultdict[NodeKind, list[str]] = defaultdict(list)
        for node in nodes:
            ids[node.kind].append(node.id)
        found = [
            _touching_edge(kind, row)
            for kind, given in ids.items()
            for batch in slices(sorted(set(given)), _BATCH_NODES)
            for row in self._graph.read(
                self._statements.nodes[kind].find_surroundings,
                ids=batch,
                kinds=sorted(DRAWN_KINDS.intersection(kinds)),
                min_confidence=float(min_confidence),
                skip=skip,
                until=skip + per_kind,
            )
        ]
        return sorted(found, key=touching_order)

    def source_counts(self, ids: Sequence[str] | None = None) -> list[SourceCounts]:
        """Sources, by id, with the number of nodes that each provides.

        Args:
            ids: of the sources; unknown ones are left out. None: all, which takes half a second for 2,000 of them.
        """
        nodes: defaultdict[str, dict[NodeKind, int]] = defaultdict(dict)
        declared: defaultdict[str, int] = defaultdict(int)
        if ids is None:
            provided = self._graph.read(self._statements.count_provisions)
            found = self._graph.read(self._statements.list_sources)
        else:
            wanted = sorted(set(ids))
            provided = self._graph.read(self._statements.find_provision_counts, ids=wanted)
            found = self._graph.read(self._statements.find_sources, ids=wanted)
        for row in provided:
            nodes[row["source"]][NodeKind(row["label"])] = row["nodes"]
            declared[row["source"]] += row["declared"]
        return [
            SourceCounts(
                source=Source.model_validate(row), nodes=nodes[row["id"]], declared=declared[row["id"]]
            )
            for row in found
        ]

    def syncs(self, source: str) -> list[SyncRecord]:
        """The records that are kept of a source's syncs, the newest first."""
        rows = self._graph.read(self._statements.find_syncs, ids=record_ids(source))
        found = [SyncRecord.model_validate_json(row["document"]) for row in rows]
        return sorted(found, key=lambda record: -record.number)

    def all_syncs(self, page: SyncPage) -> list[SyncRecord]:
        """A page of the records of all sources, the newest first, those of one second by id."""
        rows = self._graph.read(
            self._statements.list_syncs,
            since=page.since,
            before=page.before,
            after_id=page.after_id,
            severities=list(page.severities) or None,
            limit=page.limit,
        )
        return [SyncRecord.model_validate_json(row["document"]) for row in rows]

    def unmet(self, limit: int) -> list[UnmetEntry]:
        """What is kept of requests that nothing met, those that were asked for last first; at most `limit`."""
        rows = self._graph.read(self._statements.list_unmet, limit=limit)
        return [UnmetEntry.model_validate(row) for row in rows]

    def reviews(self) -> list[Review]:
        """What is kept of definitions that are reviewed, by id, without the definitions themselves."""
        return [_review(row) for row in self._graph.read(self._statements.list_reviews)]

    def reviews_of(self, source: SourceId) -> list[Review]:
        """The records of a source, by id."""
        return [_review(row) for row in self._graph.read(self._statements.find_source_reviews, source=source)]

    def found_reviews(self, ids: Sequence[str]) -> list[Review]:
        """The records of these tools, by id; unknown ids are left out."""
        rows = self._read_by_id(self._statements.find_reviews, list(dict.fromkeys(ids)))
        return sorted((_review(row) for row in rows), key=lambda one: one.id)

    def found_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools with these ids, by id; unknown ones and generators are left out."""
        once = list(dict.fromkeys(ids))
        rows = self._read_by_id(self._statements.find_tools, once)
        return sorted(tools_of_rows(rows, self.requests_of(once)), key=lambda tool: tool.id)

    def requests_of(self, tools: Sequence[str]) -> list[KeptRequest]:
        """The requests that were written for these tools, by tool and in the order in which they were written."""
        return read_requests(self._read_by_id(self._statements.find_requests, list(dict.fromkeys(tools))))

    def labelled_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools as `found_tools` has them, with what taxonomies say of their flows."""
        said = labels_by_tool(self._read_by_id(self._statements.find_labels, list(dict.fromkeys(ids))))
        return with_labels(self.found_tools(ids), said)

    def tools_of_servers(self, servers: Collection[str]) -> list[Tool]:
        """All tools of these servers, by id, without the requests written for them; generators are left out."""
        # An answer with everything would be held three times over: as bytes, as rows and as tools.
        rows = (
            row
            for batch in slices(sorted(servers), _BATCH_SERVERS)
            for row in self._graph.read(self._statements.find_server_tools, servers=batch)
        )
        return sorted(tools_of_rows(rows), key=lambda tool: tool.id)


def _review(row: Row) -> Review:
    return Review.model_validate({**row, "findings": [json.loads(one) for one in row["findings"]]})


def tools_of_rows(rows: Iterable[Row], requests: Iterable[KeptRequest] = ()) -> list[Tool]:
    """Rows of `find_tools` or `find_server_tools`, in their order, with what was written for them."""
    written = requests_by_tool(requests)
    return [
        Tool.model_validate(
            {
                **row,
                "id": ToolId(row["id"]),
                "categories": sorted(row["categories"]),
                "requests": written.get(row["id"], ()),
            }
        )
        for row in rows
    ]


def _touching_edge(kind: NodeKind, row: Row) -> TouchingEdge:
    """A row of `find_surroundings`; what edges of its form do not carry is None."""
    direction, edge_kind = Direction(row["direction"]), EdgeKind(row["kind"])
    given = GraphNode(kind=kind, id=row["id"], name=row["name"])
    other = GraphNode(kind=NodeKind(row["other_label"]), id=row["other"], name=row["other_name"])
    source, target = (given, other) if direction is Direction.OUT else (other, given)
    traits = EDGE_FORMS.get(EdgeForm(source.kind, edge_kind, target.kind))
    carried = traits.properties if traits else ()
    edge = GraphEdge(
        source=source.key,
        target=target.key,
        kind=edge_kind,
        weight=row["weight"],
        confidence=row["confidence"],
        evidence=row["evidence"],
        reason=row["reason"],
        parameter=row["parameter"],
        field=row["field"],
        required=not row["optional"] if EdgeProperty.OPTIONAL in carried else None,
        rank=row["rank"] or None if EdgeProperty.RANK in carried else None,
        position=row["position"] if EdgeProperty.POSITION in carried else None,
    )
    return TouchingEdge(given, direction, other, edge, row["place"], row["count"])
