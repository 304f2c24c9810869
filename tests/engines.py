"""Databases for tests; `python -m tests.engines neo4j` starts a Neo4j to try things on.

The real Neo4j is, in this order: the one that NEO4J_TEST_URI names (with NEO4J_TEST_USERNAME and
NEO4J_TEST_PASSWORD), one in Docker when a daemon answers, one assembled by Maven and run by Java.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from neo4j import Driver, GraphDatabase
from pydantic import SecretStr

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.engine.folder import FileLock
from app.adapters.graph.bolt_address import BoltAddress
from tests import node, real_servers
from tests.neo4j_server import VERSION, assembled, running_neo4j
from tests.prepared import MissingError

MARKER = "OutfitterTestDatabase"
"""Label of the node by which a database that the tests did not start says that they may empty it."""
_DOCKER_S = 3.0


@dataclass(frozen=True, slots=True)
class TestDatabase:
    """A running database that tests may fill and empty."""

    __test__: ClassVar[bool] = False

    name: str
    """`embedded` or `neo4j`."""
    address: BoltAddress
    http_url: str | None = None
    """Neo4j's HTTP address; Neo4j Browser is at `/browser/` where the server was assembled here."""
    shared: bool = False
    """Somebody else started it: other test processes may use it too."""

    def driver(self) -> Driver:
        """A new driver on it; the caller closes it."""
        password = self.address.password.get_secret_value()
        return GraphDatabase.driver(
            self.address.uri,
            auth=(self.address.username, password),
            notifications_min_severity="OFF",
        )

    def wipe(self) -> None:
        """Delete every node and edge; constraints and indexes stay."""
        statement = (
            f"MATCH (n) WHERE NOT n:{MARKER} WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS deleted"
        )
        with self.driver() as driver:
            while driver.execute_query(statement, database_=self.address.database).records[0]["deleted"]:
                pass

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other test processes off a shared database."""
        if not self.shared:
            yield
            return
        key = hashlib.sha256(self.address.uri.encode()).hexdigest()[:16]
        with FileLock(Path(tempfile.gettempdir(), f"outfitter-tests-{key}.lock")) as lock:
            while not lock.try_exclusive():
                time.sleep(0.05)
            yield


@contextmanager
def embedded() -> Iterator[TestDatabase]:
    """An embedded engine in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="outfitter-embedded-") as folder:
        engine = EmbeddedEngine(Path(folder))
        try:
            yield TestDatabase(name="embedded", address=engine.open())
        finally:
            engine.stop()


@contextmanager
def neo4j() -> Iterator[TestDatabase]:
    """A real Neo4j, found or started as the module says.

    Raises:
        MissingError: there is none; the message says what to install.
        ValueError: NEO4J_TEST_URI names a database with somebody's data.
    """
    if uri := os.environ.get("NEO4J_TEST_URI"):
        yield _named(uri)
    elif _docker_answers():
        with _in_docker() as database:
            yield database
    else:
        with running_neo4j() as server:
            address = BoltAddress(server.uri, "neo4j", SecretStr(server.password), "neo4j")
            yield TestDatabase(name="neo4j", address=address, http_url=server.http_url)


def _named(uri: str) -> TestDatabase:
    """The database of NEO4J_TEST_URI; Community has one database, so a test database is told by its marker."""
    username = os.environ.get("NEO4J_TEST_USERNAME", "neo4j")
    password = SecretStr(os.environ.get("NEO4J_TEST_PASSWORD", ""))
    database = TestDatabase("neo4j", BoltAddress(uri, username, password, "neo4j"), shared=True)
    with database.driver() as driver:
        ((nodes, marked),) = driver.execute_query(
            f"MATCH (n) RETURN count(n) AS nodes, count(CASE WHEN n:{MARKER} THEN 1 END) AS marked"
        ).records
        if nodes and not marked:
            raise ValueError(
                f"NEO4J_TEST_URI={uri} holds {nodes} nodes and no :{MARKER}; tests delete everything, so name"
                f" an empty database, or mark it: CREATE (:{MARKER})"
            )
        driver.execute_query(f"MERGE (:{MARKER})")
    return database


def _docker_answers() -> bool:
    """Whether a Docker daemon answers, and testcontainers is there to use it."""
    try:
        import testcontainers.community.neo4j  # noqa: F401

        command = ["docker", "version", "--format", "{{.Server.Version}}"]
        return not subprocess.run(command, capture_output=True, timeout=_DOCKER_S, check=False).returncode
    except (ImportError, OSError, subprocess.TimeoutExpired):
        return False


@contextmanager
def _in_docker() -> Iterator[TestDatabase]:
    from testcontainers.community.neo4j import Neo4jContainer

    with Neo4jContainer(f"neo4j:{VERSION}-community", password="for-the-tests") as container:
        address = BoltAddress(
            container.get_connection_url(), container.username, SecretStr(container.password), "neo4j"
        )
        yield TestDatabase(name="neo4j", address=address)


def main(arguments: list[str] | None = None) -> int:
    """Start a database and print its address until Ctrl-C, or only fetch what tests need."""
    parser = argparse.ArgumentParser(prog="python -m tests.engines", description=__doc__)
    parser.add_argument("what", choices=["neo4j", "embedded", "prepare"])
    what = parser.parse_args(arguments).what
    try:
        if what == "prepare":
            if not os.environ.get("NEO4J_TEST_URI") and not _docker_answers():
                print(assembled())
            real_servers.prepare()
            print(" ".join(node.type_checker()))
            return 0
        with neo4j() if what == "neo4j" else embedded() as database:
            address = database.address
            print(f"uri       {address.uri}\nusername  {address.username}")
            print(f"password  {address.password.get_secret_value()}\ndatabase  {address.database}")
            print(f"browser   {database.http_url}/browser/" if database.http_url else "browser   (none)")
            print("Ctrl-C stops it.", flush=True)
            threading.Event().wait()
    except MissingError as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
