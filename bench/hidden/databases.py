"""The database that holds one random catalogue after the other."""

from collections.abc import Iterator
from contextlib import contextmanager

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.graph.bolt_address import BoltAddress
from app.adapters.graph.connection import GraphConnection, GraphEngine
from app.adapters.graph.store import GraphStore
from app.errors import InvalidInputError
from app.roots.graph import open_graph
from app.settings import Settings
from bench.hidden.compare import BothGraph, OpenEmpty
from bench.served.served import bench_settings
from bench.sets.toolbench_graph import Engine

_EMPTY = "MATCH (node) DETACH DELETE node"


@contextmanager
def opened_database(engine: Engine) -> Iterator[OpenEmpty]:
    """An embedded engine in a folder that goes, or the empty Neo4j of NEO4J_URI; what is put there is deleted.

    Raises:
        InvalidInputError: there is something in that Neo4j, or NEO4J_URI is not set.
        StoreUnavailableError: the database does not answer.
    """
    with bench_settings(engine) as settings, open_graph(settings) as store:
        _refuse_filled(settings, store)
        with (
            _addressed(settings) as address,
            GraphConnection(lambda: address, engine=GraphEngine(engine.value)) as connection,
        ):

            @contextmanager
            def empty() -> Iterator[BothGraph]:
                store.apply_schema()
                try:
                    yield store
                finally:
                    connection.write(lambda transaction: transaction.run_text(_EMPTY))

            yield empty


def _refuse_filled(settings: Settings, store: GraphStore) -> None:
    store.apply_schema()
    if store.state().generation or store.sources():
        raise InvalidInputError(
            f"NEO4J_URI: {settings.neo4j_uri} is not empty; the bench deletes everything in it, so it accepts a new database"
        )


@contextmanager
def _addressed(settings: Settings) -> Iterator[BoltAddress]:
    if settings.neo4j_uri is None:
        running = EmbeddedEngine(settings.data_dir)
        try:
            yield running.open()
        finally:
            # Whoever uses an engine keeps it from being stopped.
            running.close()
        return
    yield BoltAddress(
        uri=settings.neo4j_uri,
        username=settings.neo4j_username,
        password=settings.neo4j_password,
        database=settings.neo4j_database,
    )
