"""Composition shared by the commands, ingest and the service: settings in, open adapters out.

Adapters are imported where they are opened, so that `--help` does not wait for a database driver.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from pydantic import SecretStr

from app.adapters.bolt_address import BoltAddress
from app.settings import Settings

if TYPE_CHECKING:
    from app.adapters.embedded_engine import EmbeddedEngine
    from app.adapters.graph_store import GraphStore
    from app.ports import LexicalIndex


class LexicalFactory(Protocol):
    """Builds an index over tokenised documents."""

    def __call__(self, documents: Sequence[Sequence[str]]) -> "LexicalIndex":
        """Index these documents, in this order; none is fine."""


class GraphConnection:
    """The graph of a deployment, which outlives a crash of its engine.

    `store` is the current store. Neo4j's driver reconnects by itself; the embedded engine has to be
    started again, which `revive` does, and may then listen elsewhere: so ask for `store` at each call.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._engine: EmbeddedEngine | None = None
        self._address = self._locate()
        self._store = self._open_store()

    @property
    def store(self) -> "GraphStore":
        """The open store; safe to use from several threads."""
        return self._store

    def revive(self) -> None:
        """Start the embedded engine again if it does not run; does nothing for a Neo4j.

        Raises:
            EngineUnavailableError: it cannot be started.
        """
        if self._engine is None:
            return
        address = self._engine.open()
        if address != self._address:
            self._address, old = address, self._store
            self._store = self._open_store()
            old.close()

    def close(self) -> None:
        """Close the connections and give the embedded engine up."""
        self._store.close()
        if self._engine is not None:
            self._engine.stop()

    def _locate(self) -> BoltAddress:
        settings = self._settings
        if settings.neo4j_uri:
            return BoltAddress(
                uri=settings.neo4j_uri,
                username=settings.neo4j_username,
                password=SecretStr(settings.neo4j_password.get_secret_value()),
                database=settings.neo4j_database,
            )
        from app.adapters.embedded_engine import EmbeddedEngine

        self._engine = EmbeddedEngine(settings.data_dir, linger_s=settings.engine_linger_s)
        return self._engine.open()

    def _open_store(self) -> "GraphStore":
        from app.adapters.graph_store import GraphStore

        return GraphStore.open(self._address, embedded=self._engine is not None)


@contextmanager
def open_connection(settings: Settings) -> Iterator[GraphConnection]:
    """The graph that the settings name: the Neo4j of `neo4j_uri`, else the embedded engine in `data_dir`.

    Raises:
        StoreUnavailableError: the Neo4j does not answer or refuses the credentials, or the embedded
            engine cannot be started.
    """
    connection = GraphConnection(settings)
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def open_graph(settings: Settings) -> Iterator["GraphStore"]:
    """`open_connection` for the time of one command: its store."""
    with open_connection(settings) as connection:
        yield connection.store


def lexical_factory(settings: Settings) -> LexicalFactory:
    """The BM25 that `lexical_backend` names."""
    if settings.lexical_backend == "rank-bm25":
        from app.adapters.lexical_rank_bm25 import RankBm25Index

        return RankBm25Index
    from app.adapters.lexical_bm25s import Bm25sIndex

    return Bm25sIndex
