"""What the parts of the store share: the connection, the statements, where the graph stands, and batches."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from app.adapters.graph.connection import GraphConnection, Row
from app.adapters.graph.statements import Statement, Statements
from app.domain.nodes.models import EdgeRow, GraphState, NodeRow


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
    return graph_state(row)


def graph_state(row: Row) -> GraphState:
    """The row of `find_state`."""
    return GraphState(
        generation=row["generation"],
        writing=row["writing"],
        schema_version=row["schema_version"],
        stamp=row["stamp"],
    )


T = TypeVar("T")
Record: TypeAlias = dict[str, Any]

_BATCH_ROWS = 1_000
_BATCH_EDGES = 10_000
_BATCH_CHARS = 4_000_000


def slices(items: Sequence[T], size: int = _BATCH_ROWS) -> Iterator[list[T]]:
    """The items in lists of at most `size`."""
    for start in range(0, len(items), size):
        yield list(items[start : start + size])


def by_size(rows: Sequence[NodeRow]) -> Iterator[list[NodeRow]]:
    """Batches within a number of rows and, except for a single larger row, a number of characters of text."""
    batch: list[NodeRow] = []
    chars = 0
    for row in rows:
        size = sum(len(value) for value in row.properties.values() if isinstance(value, str))
        if batch and (len(batch) >= _BATCH_ROWS or chars + size > _BATCH_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(row)
        chars += size
    if batch:
        yield batch


def by_source(rows: Sequence[EdgeRow], statement: Statement) -> Iterator[list[Record]]:
    """Edges grouped under their source, so that each source is looked up once; in batches that hold a limited number of edges."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if unknown := row.properties.keys() - statement.edges:
            accepted = sorted(statement.edges - {"target"})
            raise ValueError(f"{statement.name} writes no property {sorted(unknown)}; it writes {accepted}")
        groups.setdefault(row.source, []).append({**row.properties, "target": row.target})
    batch: list[Record] = []
    count = 0
    for source, edges in groups.items():
        for part in slices(edges, _BATCH_EDGES):
            if count + len(part) > _BATCH_EDGES:
                yield batch
                batch, count = [], 0
            batch.append({"source": source, "edges": part})
            count += len(part)
    if batch:
        yield batch
