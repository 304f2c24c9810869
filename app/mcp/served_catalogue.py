"""What the tools of the MCP server ask."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from app.domain.nodes.graph_views import SourceCounts, ToolOrigin
from app.domain.nodes.models import Source
from app.ports.graph import GraphExplorer
from app.service.components import Components
from app.service.given import OVER_HTTP, Asker
from app.service.waiting import answered, ask_graph, origin_of
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.consistent import ConsistentGraph

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServedCatalogue:
    """The catalogue behind the server, over the components of the service."""

    components: Components
    asker: Asker = OVER_HTTP
    """Who is given what it answers, for the audit."""

    @property
    def index(self) -> SearchIndex | None:
        """What answers come from now; None until it is loaded."""
        current = self.components.keeper.current
        return current.index if current else None

    async def ask(self, work: Callable[[ConsistentGraph], T], *, what: str) -> T:
        """The result of `work`, done in a thread; the first one waits until the catalogue is loaded.

        Raises:
            NotReadyError: nothing is loaded in time, or no thread was free.
            OutfitterError: `work` raised it.
        """
        components = self.components
        if components.keeper.current is None:
            timeout_s = components.limits.query_timeout_s
            await components.memory_workers.run(lambda: components.keeper.wait(timeout_s))
        return await answered(components, work, what=what)

    async def origin(self, tool_id: str) -> ToolOrigin | None:
        """Where a tool comes from; None while the graph is away."""
        return await origin_of(self.components, tool_id)

    async def sources(self) -> list[SourceCounts]:
        """All sources, as the graph has them now.

        Raises:
            StoreUnavailableError: the graph is away.
        """
        return await ask_graph(self.components, lambda explorer: explorer.source_counts())

    async def read_sources(self) -> list[Source]:
        """The sources of which something was read; nothing is counted but of those that do not say when.

        Raises:
            StoreUnavailableError: the graph is away.
        """
        return await ask_graph(self.components, _read_sources)


def _read_sources(explorer: GraphExplorer) -> list[Source]:
    sources = explorer.sources()
    silent = [str(one.id) for one in sources if not one.synced_at]
    counted = explorer.source_counts(silent) if silent else ()
    provides = {one.source.id for one in counted if one.nodes}
    return [one for one in sources if one.synced_at or one.id in provides]
