"""Single nodes, lists and neighbourhoods of the graph, for people and for drawing."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from app.adapters.graph.connection import Row
from app.adapters.graph.queries import CypherQueries, slices
from app.domain.calling.calls import CallTarget
from app.domain.calling.definitions import read_confirmed
from app.domain.nodes.edge_forms import DRAWN_KINDS
from app.domain.nodes.graph_views import (
    GraphEdge,
    GraphNode,
    Neighbourhood,
    SourceCounts,
    ToolDetails,
    ToolSource,
)
from app.domain.nodes.models import EdgeKind, NodeKind, Source, Tool, ToolId
from app.domain.nodes.syncs import SyncRecord, record_ids
from app.errors import NotFoundError

_PARAMETERS = {
    NodeKind.TOOL: "tools",
    NodeKind.GENERATOR: "tools",
    NodeKind.METHOD: "methods",
    NodeKind.CATEGORY: "categories",
    NodeKind.CONCEPT: "concepts",
    NodeKind.TEMPLATE: "templates",
    NodeKind.EXAMPLE: "examples",
    NodeKind.WORKFLOW: "workflows",
}

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

    def tool(self, tool_id: str) -> Tool:
        """The tool with this id.

        Raises:
            NotFoundError: no tool has it.
        """
        tools = self.found_tools([tool_id])
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

    def tool_details(self, tool_id: str, *, limit: int = 200) -> ToolDetails:
        """A tool, its sources, and at most `limit` edges that touch it.

        Raises:
            NotFoundError: no tool has it.
        """
        tool = self.tool(tool_id)
        sources = self._graph.read(self._statements.find_tool_sources, id=tool_id)
        edges = self._edges([GraphNode(kind=NodeKind.TOOL, id=tool_id, name="")], DRAWN_KINDS, limit)
        return ToolDetails(
            tool=tool,
            sources=tuple(ToolSource(source=row["source"], declares=row["declares"]) for row in sources),
            edges=tuple(edges),
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

    def neighbours(
        self, node_id: str, *, depth: int = 1, kinds: Iterable[EdgeKind] = DRAWN_KINDS, limit: int = 200
    ) -> Neighbourhood:
        """What surrounds the nodes that have this id, `depth` edges far in either direction, nearest first.

        Args:
            node_id: of any kind of node; several nodes of different kinds may have it.
            depth: 1 to 3.
            kinds: edges to follow.
            limit: most edges.

        Raises:
            NotFoundError: no node has this id.
        """
        found = [_node(row["label"], row["id"], row["name"]) for row in self._nodes(node_id)]
        if not found:
            raise NotFoundError(f"no node {node_id!r} of any kind")
        nodes = {(node.kind, node.id): node for node in found}
        edges: dict[GraphEdge, None] = {}
        frontier = found
        followed = DRAWN_KINDS.intersection(kinds)
        for _ in range(depth):
            if not frontier or len(edges) > limit:
                break
            # Edges back to nodes seen before come again and must not use up the limit.
            edges |= dict.fromkeys(self._edges(frontier, followed, limit + 1 + len(edges)))
            ends = [end for edge in list(edges)[:limit] for end in (edge.source, edge.target)]
            frontier = [end for end in dict.fromkeys(ends) if (end.kind, end.id) not in nodes]
            nodes |= {(node.kind, node.id): node for node in frontier}
        return Neighbourhood(
            nodes=tuple(sorted(nodes.values(), key=lambda node: (node.kind, node.id))),
            edges=tuple(edges)[:limit],
            truncated=len(edges) > limit,
        )

    def source_counts(self) -> list[SourceCounts]:
        """All sources, by id, with the number of nodes that each provides."""
        nodes: defaultdict[str, dict[NodeKind, int]] = defaultdict(dict)
        declared: defaultdict[str, int] = defaultdict(int)
        for row in self._graph.read(self._statements.count_provisions):
            nodes[row["source"]][NodeKind(row["label"])] = row["nodes"]
            declared[row["source"]] += row["declared"]
        return [
            SourceCounts(
                source=Source.model_validate(row), nodes=nodes[row["id"]], declared=declared[row["id"]]
            )
            for row in self._graph.read(self._statements.list_sources)
        ]

    def syncs(self, source: str) -> list[SyncRecord]:
        """The records that are kept of a source's syncs, the newest first."""
        rows = self._graph.read(self._statements.find_syncs, ids=record_ids(source))
        found = [SyncRecord.model_validate_json(row["document"]) for row in rows]
        return sorted(found, key=lambda record: -record.number)

    def _nodes(self, node_id: str) -> Sequence[Row]:
        return self._graph.read(self._statements.find_nodes, id=node_id)

    def found_tools(self, ids: Sequence[str]) -> list[Tool]:
        """The tools with these ids, by id; unknown ones and generators are left out."""
        rows = self._read_by_id(self._statements.find_tools, list(dict.fromkeys(ids)))
        return sorted(tools_of_rows(rows), key=lambda tool: tool.id)

    def tools_of_servers(self, servers: Collection[str]) -> list[Tool]:
        """All tools of these servers, by id; generators are left out."""
        # An answer with everything would be held three times over: as bytes, as rows and as tools.
        rows = (
            row
            for batch in slices(sorted(servers), _BATCH_SERVERS)
            for row in self._graph.read(self._statements.find_server_tools, servers=batch)
        )
        return sorted(tools_of_rows(rows), key=lambda tool: tool.id)

    def _edges(self, nodes: Iterable[GraphNode], kinds: Iterable[EdgeKind], limit: int) -> list[GraphEdge]:
        given: dict[str, Any] = {name: [] for name in _PARAMETERS.values()}
        for node in nodes:
            given[_PARAMETERS[node.kind]].append(node.id)
        rows = self._graph.read(self._statements.find_neighbours, **given, kinds=sorted(kinds), limit=limit)
        return [
            GraphEdge(
                source=_node(row["source_label"], row["source"], row["source_name"]),
                kind=row["kind"],
                target=_node(row["target_label"], row["target"], row["target_name"]),
                weight=row["weight"],
                confidence=row["confidence"],
                evidence=row["evidence"],
                reason=row["reason"],
            )
            for row in rows
        ]


def tools_of_rows(rows: Iterable[Row]) -> list[Tool]:
    """Rows of `find_tools` or `find_server_tools`, in their order."""
    return [
        Tool.model_validate({**row, "id": ToolId(row["id"]), "categories": sorted(row["categories"])})
        for row in rows
    ]


def _node(label: str, node_id: str, name: str) -> GraphNode:
    return GraphNode(kind=NodeKind(label), id=node_id, name=name)
