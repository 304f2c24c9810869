"""What the tools of the MCP server ask."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from app.answers.search import QueryAnswer
from app.domain.nodes.graph_views import SourceCounts
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchMethod
from app.usecases.rankings.consistent import ConsistentGraph

T = TypeVar("T")


class Backend(Protocol):
    """The catalogue behind the server; a composition root opens it."""

    @property
    def index(self) -> SearchIndex | None:
        """What answers come from now; None until it is loaded."""

    @property
    def max_query_chars(self) -> int:
        """The longest query or goal."""

    async def ask(self, work: Callable[[ConsistentGraph], T], *, what: str) -> T:
        """The result of `work`, done in a thread.

        Raises:
            NotReadyError: nothing is loaded yet, or no thread was free in time.
            OutfitterError: `work` raised it.
        """

    async def sources(self) -> list[SourceCounts]:
        """All sources, as the graph has them now.

        Raises:
            StoreUnavailableError: the graph is away.
        """

    def searched(self, answer: QueryAnswer, method: SearchMethod, seconds: float) -> None:
        """Count a search that was answered."""

    def planned(self, seconds: float) -> None:
        """Count a plan that was made."""
