"""The graph as one caller sees it: hidden rows are dropped before anything is counted, cut or numbered."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from app.domain.calling.definitions import KnownDefinition
from app.domain.nodes.graph_views import (
    Direction,
    GraphNode,
    GraphStatus,
    NodeRef,
    SourceCounts,
    ToolDetails,
    ToolOrigin,
    TouchingEdge,
    touching_order,
)
from app.domain.nodes.models import EdgeKind, NodeKind, Source, Tool
from app.domain.nodes.syncs import SyncPage, SyncRecord, SyncStatus, record_id, record_severity, worst
from app.domain.review.records import Review
from app.domain.unmet.entries import UnmetEntry
from app.errors import NotFoundError
from app.ports.graph import GraphExplorer
from app.usecases.seen.sight import Sight

_EDGES = 500
"""Edges of a node, kind and direction that are read at once."""
_RECORDS = 200
_LISTED = "the sources file"


class SeenExplorer:
    """Fits `GraphExplorer`.

    Args:
        graph: Everything.
        sight: What is visible.
    """

    def __init__(self, graph: GraphExplorer, sight: Sight) -> None:
        self._graph = graph
        self._sight = sight

    def ping(self) -> None:
        """One round trip."""
        self._graph.ping()

    def status(self) -> GraphStatus:
        """Where the graph stands; who writes it only for those who may see it."""
        found = self._graph.status()
        return (
            found
            if self._sight.is_admin
            else found.model_copy(update={"lease_owner": "", "lease_left_s": 0.0})
        )

    def tool(self, tool_id: str) -> Tool:
        """The tool with this id.

        Raises:
            NotFoundError: no tool has it, or it is hidden.
        """
        if not self._sight.sees_tool(tool_id):
            raise NotFoundError(f"no tool {tool_id!r}")
        return self._sight.told(self._graph.tool(tool_id))

    def list_tools(
        self, *, server: str | None = None, category: str | None = None, after_id: str = "", limit: int
    ) -> list[Tool]:
        """A page of visible tools."""
        found: list[Tool] = []
        while len(found) < limit:
            page = self._graph.list_tools(server=server, category=category, after_id=after_id, limit=_EDGES)
            found += [one for one in page if self._sight.sees_tool(one.id)]
            if len(page) < _EDGES:
                break
            after_id = page[-1].id
        return found[:limit]

    def tool_origin(self, tool_id: str) -> ToolOrigin:
        """Where a visible tool comes from; nothing for others."""
        if not self._sight.sees_tool(tool_id):
            return ToolOrigin(sources=(), former_ids=())
        found = self._graph.tool_origin(tool_id)
        kept = tuple(one for one in found.sources if self._sight.sees_source(one.source))
        return found.model_copy(update={"sources": kept})

    def tool_details(self, tool_id: str, *, limit: int = 200) -> ToolDetails:
        """A visible tool with the visible edges that touch it."""
        tool = self.tool(tool_id)
        own = NodeRef(NodeKind.TOOL, tool_id)
        touching = self.touching([own], kinds=list(EdgeKind), per_kind=limit)
        nodes = {one.ref: one for one in self.nodes_with_id(tool_id) if one.ref == own}
        nodes |= {one.other.ref: one.other for one in touching}
        return ToolDetails(
            tool=tool,
            nodes=tuple(sorted(nodes.values(), key=lambda node: node.ref)),
            edges=tuple(one.edge for one in touching),
            **dict(self.tool_origin(tool_id)),
        )

    def nodes_with_id(self, node_id: str) -> list[GraphNode]:
        """The visible nodes that have this id, by kind."""
        found = self._graph.nodes_with_id(node_id)
        return [one for one in found if self._is_seen(one.ref)]

    def touching(
        self,
        nodes: Collection[NodeRef],
        *,
        kinds: Iterable[EdgeKind],
        per_kind: int,
        skip: int = 0,
        min_confidence: float = 0.0,
    ) -> list[TouchingEdge]:
        """The edges between visible nodes, counted and numbered as if there were no others."""
        followed = list(kinds)
        if not self._sight.is_ruled:
            return self._graph.touching(
                nodes, kinds=followed, per_kind=per_kind, skip=skip, min_confidence=min_confidence
            )
        seen = [one for one in nodes if self._is_seen(one)]
        groups: defaultdict[tuple[NodeRef, Direction, EdgeKind], list[TouchingEdge]] = defaultdict(list)
        begin, more = 0, bool(seen)
        while more:
            page = self._graph.touching(
                seen, kinds=followed, per_kind=_EDGES, skip=begin, min_confidence=min_confidence
            )
            shown = {one.other.ref: False for one in page}
            shown = {ref: self._is_seen(ref) for ref in shown}
            for one in sorted(page, key=lambda one: one.place):
                if shown[one.other.ref]:
                    groups[one.node.ref, one.direction, one.edge.kind].append(one)
            begin += _EDGES
            more = any(one.count > begin for one in page)
        found = [
            replace(one, place=place, count=len(group))
            for group in groups.values()
            for place, one in enumerate(group)
            if skip <= place < skip + per_kind
        ]
        return sorted(found, key=touching_order)

    def _is_seen(self, node: NodeRef) -> bool:
        if not self._sight.is_ruled or node.kind is not NodeKind.EXAMPLE:
            return self._sight.sees(node)
        # An example hangs on its method alone.
        methods = self._graph.touching([node], kinds=[EdgeKind.HAS_EXAMPLE], per_kind=_EDGES)
        return any(self._sight.sees(one.other.ref) for one in methods)

    def sources(self, ids: Sequence[str] | None = None) -> list[Source]:
        """The visible sources, all or those with these ids, by id."""
        return [self._shown(one) for one in self._graph.sources(ids) if self._sight.sees_source(one.id)]

    def source_counts(self, ids: Sequence[str] | None = None) -> list[SourceCounts]:
        """Visible sources, all or those with these ids, by id, with the number of visible nodes that each provides."""
        sight = self._sight
        if not sight.is_ruled:
            return [
                one.model_copy(update={"source": self._shown(one.source)})
                for one in self._graph.source_counts(ids)
            ]
        return [
            SourceCounts(
                source=one, nodes=dict(sight.counts.get(one.id, {})), declared=sight.declared[one.id]
            )
            for one in self.sources()
            if ids is None or one.id in ids
        ]

    def _shown(self, source: Source) -> Source:
        """What of a source may be said: where it lies and how it fares only to those who run it."""
        sight = self._sight
        hidden: dict[str, object] = {}
        if not sight.is_admin:
            hidden = dict.fromkeys(("uri", "problem", "problem_said", "problem_at", "file_state"), "")
            hidden["listed_in"] = _LISTED if source.listed_in else ""
        if sight.is_ruled and not sight.is_admin:
            # These change with what is hidden, and say so when they are left out only then.
            hidden |= dict.fromkeys(("version", "content_hash", "synced_at"), "") | {"healthy": True}
        return source.model_copy(update=hidden) if hidden else source

    def syncs(self, source: str) -> list[SyncRecord]:
        """What a visible source's syncs did to visible tools, the newest first, numbered as if there were no others."""
        if not self._sight.sees_source(source):
            return []
        found = [one for one in map(self._narrowed, self._graph.syncs(source)) if one is not None]
        return self._numbered(found)

    def all_syncs(self, page: SyncPage) -> list[SyncRecord]:
        """A page of the visible records of all visible sources."""
        if not self._sight.is_ruled and self._sight.is_admin:
            return self._graph.all_syncs(page)
        by_source: defaultdict[str, list[SyncRecord]] = defaultdict(list)
        at, more = SyncPage(_RECORDS), True
        while more:
            read = self._graph.all_syncs(at)
            for one in read:
                narrowed = self._narrowed(one) if self._sight.sees_source(one.source) else None
                if narrowed is not None:
                    by_source[one.source].append(narrowed)
            more = len(read) == _RECORDS
            if more:
                at = SyncPage(_RECORDS, before=read[-1].at, after_id=record_id(read[-1]))
        found = [one for records in by_source.values() for one in self._numbered(records)]
        found = [one for one in found if _is_on(one, page)]
        found.sort(key=record_id)
        found.sort(key=lambda one: one.at, reverse=True)
        return found[: page.limit]

    def _numbered(self, records: Sequence[SyncRecord]) -> list[SyncRecord]:
        newest_first = sorted(records, key=lambda one: one.number, reverse=True)
        if not self._sight.is_ruled:
            return newest_first
        return [
            one.model_copy(update={"number": len(newest_first) - at}) for at, one in enumerate(newest_first)
        ]

    def _narrowed(self, record: SyncRecord) -> SyncRecord | None:
        """What a record says of what is visible; None when that is nothing."""
        sight = self._sight
        hidden: dict[str, object] = {}
        if not sight.is_admin:
            hidden = {"problem": "", "problem_said": ""}
        if not sight.is_ruled:
            return record.model_copy(update=hidden) if hidden else record
        tools = tuple(one for one in record.tools if sight.sees_tool(one.id))
        has_failed = record.status is SyncStatus.FAILED
        if has_failed and sight.is_admin:
            return record
        if not tools or has_failed:
            return None
        seen = {one.id for one in sight.index.catalogue.workflows}
        broken = tuple(one for one in record.workflows_broken if one.id in seen)
        return record.model_copy(
            update={
                **hidden,
                "tools": tools,
                "tools_changed": len(tools),
                "severity": worst(one.severity for one in tools),
                "nodes": {},
                "rejected": 0,
                "workflows_broken": broken,
                "workflows_broken_count": len(broken),
            }
        )

    def definitions(self, ids: Sequence[str]) -> list[KnownDefinition]:
        """Where calls of visible tools go and what they promise."""
        return self._graph.definitions([one for one in ids if self._sight.sees_tool(one)])

    def reviews(self) -> list[Review]:
        """What waits for somebody to agree to it: for those who may."""
        return self._graph.reviews() if self._sight.is_admin else []

    def found_reviews(self, ids: Sequence[str]) -> list[Review]:
        """The records of these tools, for the same."""
        return self._graph.found_reviews(ids) if self._sight.is_admin else []

    def unmet(self, limit: int) -> list[UnmetEntry]:
        """What is kept of requests that nothing met, of all callers: for those who may see that."""
        return self._graph.unmet(limit) if self._sight.is_admin else []


def _is_on(record: SyncRecord, page: SyncPage) -> bool:
    return (
        record.at >= page.since
        and (record.at < page.before or (record.at == page.before and record_id(record) > page.after_id))
        and (not page.severities or record_severity(record) in page.severities)
    )


_: type[GraphExplorer] = SeenExplorer
