"""The graph that the contract tests ask: in memory, and in a database of either engine."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from app.adapters.graph.connection import GraphConnection, GraphTransaction, Row
from app.adapters.graph.statements import load_statements
from app.adapters.graph.store import GraphEngine, GraphStore
from tests.engines import TestDatabase
from tests.fakes import InMemoryGraph

LEASE_TTL_S = 3.0


@dataclass(frozen=True, slots=True)
class Contract:
    """A graph with its schema applied, and what no port does."""

    graph: InMemoryGraph | GraphStore
    leave_lease: Callable[[str, float], None]
    """Leave the lease (owner, seconds it lasts) as a writer does that was killed or hangs."""


@pytest.fixture(params=["memory", "embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def contract(request: pytest.FixtureRequest) -> Iterator[Contract]:
    """An empty graph, in memory and in each engine."""
    if request.param == "memory":
        memory = InMemoryGraph(lease_ttl_s=LEASE_TTL_S)
        memory.apply_schema()
        yield Contract(memory, _leave_in_memory(memory))
        return
    database: TestDatabase = request.getfixturevalue(f"{request.param}_database")
    with open_store(database) as store, no_deprecations():
        store.apply_schema()
        yield Contract(store, _leave_in_database(database))


@pytest.fixture
def graph(contract: Contract) -> InMemoryGraph | GraphStore:
    """An empty graph, in memory and in each engine."""
    return contract.graph


def open_store(database: TestDatabase) -> GraphStore:
    """A store on a test database that lets the server's warnings through."""
    engine = GraphEngine(database.name)
    return GraphStore(lambda: database.address, engine=engine, lease_ttl_s=LEASE_TTL_S, notifications=True)


class no_deprecations(logging.Handler):  # noqa: N801
    """Fail when a server calls a statement deprecated, or says that it does something silly."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        # An empty database does not know our labels, types and properties yet.
        if "UNRECOGNIZED" not in text:
            self.seen.append(text)

    def __enter__(self) -> None:
        logging.getLogger("neo4j.notifications").addHandler(self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger("neo4j.notifications").removeHandler(self)
        assert self.seen == []


def _leave_in_memory(graph: InMemoryGraph) -> Callable[[str, float], None]:
    def leave(owner: str, ttl_s: float) -> None:
        graph.lease_owner, graph.lease_until = owner, time.monotonic() + ttl_s

    return leave


def _leave_in_database(database: TestDatabase) -> Callable[[str, float], None]:
    statement = load_statements().put_lease

    def leave(owner: str, ttl_s: float) -> None:
        def take(transaction: GraphTransaction) -> Sequence[Row]:
            transaction.run_text("MATCH (catalog:Catalog) REMOVE catalog.lease_owner, catalog.lease_until")
            return transaction.run(statement, owner=owner, dead=None, ttl_ms=round(ttl_s * 1000))

        with GraphConnection(lambda: database.address, engine=GraphEngine(database.name)) as connection:
            (state,) = connection.write(take)
            assert state["holder"] == owner

    return leave
