"""What the parts of the store share: the connection, the statements, and where the graph stands."""

from collections.abc import Iterator, Sequence

from app.adapters.graph.batches import slices
from app.adapters.graph.connection import GraphConnection, Row
from app.adapters.graph.statements import Statement, Statements
from app.domain.nodes.models import GraphState


class CypherQueries:
    """Base of the parts; safe to share between threads.

    Args:
        graph: where; opened and closed by the caller.
        statements: the store's own.
        timeout_s: how long Neo4j may work on a query that somebody waits for; the embedded engine has a
            setting of its own.
    """

    def __init__(
        self, graph: GraphConnection, statements: Statements, *, timeout_s: float | None = None
    ) -> None:
        self._graph = graph
        self._statements = statements
        self._timeout_s = timeout_s

    def state(self) -> GraphState:
        """Generation, whether an ingest is at work, schema version."""
        return read_state(self._graph, self._statements)

    def _read_by_id(self, statement: Statement, ids: Sequence[str]) -> Iterator[Row]:
        """Rows of a statement that takes `ids`, a batch after the other."""
        return (row for batch in slices(ids) for row in self._graph.read(statement, ids=batch))


def read_state(graph: GraphConnection, statements: Statements) -> GraphState:
    """Where the graph stands; generation and schema version are 0 in a database that has no catalogue yet."""
    (row,) = graph.read(statements.find_state)
    return GraphState(
        generation=row["generation"], writing=row["writing"], schema_version=row["schema_version"]
    )
