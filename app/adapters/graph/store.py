"""The graph database as one object that fits every port on it."""

from collections.abc import Callable
from typing import Self

from app.adapters.graph.bolt_address import BoltAddress
from app.adapters.graph.catalogue import CypherCatalogue, CypherWorkflows
from app.adapters.graph.connection import GraphConnection, GraphEngine
from app.adapters.graph.lease import TTL_S
from app.adapters.graph.ranker import CypherRanker
from app.adapters.graph.statements import load_statements
from app.adapters.graph.writer import CypherWriter

__all__ = ["GraphEngine", "GraphStore"]


class GraphStore(CypherCatalogue, CypherRanker, CypherWorkflows, CypherWriter):
    """Fits every port on the graph; safe to share between threads.

    Use it in a `with`, which fails when the database does not answer; without one it connects at the first call.

    Args:
        connect: returns where the database listens; called when the store opens and again when the
            database has gone away, so that it may start it again.
        engine: which database it is.
        query_timeout_s: how long Neo4j may work on one query; the embedded engine has a setting of its own.
        lease_ttl_s: how long the lease of a writer that stopped answering keeps others away.
        notifications: let the server's warnings about statements reach the log; tests fail on them.
    """

    def __init__(
        self,
        connect: Callable[[], BoltAddress],
        *,
        engine: GraphEngine,
        query_timeout_s: float | None = None,
        lease_ttl_s: float = TTL_S,
        notifications: bool = False,
    ) -> None:
        graph = GraphConnection(connect, engine=engine, notifications=notifications)
        super().__init__(graph, load_statements(), timeout_s=query_timeout_s)
        self._lease_ttl_s = lease_ttl_s

    def __enter__(self) -> Self:
        """Open the connections.

        Raises:
            StoreUnavailableError: the database does not answer, or refuses the credentials or its name.
        """
        self._graph.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        self._graph.close()

    def close(self) -> None:
        """Close the connections; a later call is refused."""
        self._graph.close()
