"""The tools of the graph, for steps that look at the same ones."""

from collections.abc import Collection

from app.domain.nodes.models import NodeKind, Tool
from app.ports.graph import GraphWriter


class ReadTools:
    """Tools as the graph has them, each read once: while this is used none may change.

    Args:
        graph: Where they are.
    """

    def __init__(self, graph: GraphWriter) -> None:
        self._graph = graph
        self._found: dict[str, Tool] = {}
        self._others: dict[str, Tool] = {}
        """Read by their ids, generators among them."""
        self._servers: set[str] = set()

    def of_servers(self, servers: Collection[str]) -> list[Tool]:
        """All tools of these servers, by id; generators are left out."""
        wanted = set(servers)
        if missing := wanted - self._servers:
            self._found.update((tool.id, tool) for tool in self._graph.tools_of_servers(missing))
            self._servers |= missing
        return sorted(
            (tool for tool in self._found.values() if tool.server in wanted), key=lambda tool: tool.id
        )

    def others(self, known: Collection[str]) -> list[Tool]:
        """All tools, by id, but for those with these ids."""
        ids = [name.id for name in self._graph.node_names(NodeKind.TOOL) if name.id not in known]
        missing = [one for one in ids if one not in self._found and one not in self._others]
        self._others.update((tool.id, tool) for tool in self._graph.found_tools(missing))
        found = self._others | self._found
        return [found[one] for one in ids if one in found]
