"""The schema and its version, on both engines."""

import threading
from pathlib import Path

import pytest

from app.adapters.graph.connection import GraphConnection, GraphEngine
from app.adapters.graph.queries import read_state
from app.adapters.graph.schema import SCHEMA_VERSION, apply_schema
from app.adapters.graph.statements import load_statements
from app.errors import SchemaVersionError, StatementError
from tests.contract.conftest import open_store
from tests.engines import TestDatabase

STATEMENTS = load_statements()


def test_a_newer_graph_is_refused_and_left_alone(database: TestDatabase) -> None:
    """Who wrote it may read it; the message says what to do."""
    with _connection(database) as connection:
        apply_schema(connection, STATEMENTS)
        connection.write(lambda transaction: transaction.run(STATEMENTS.put_schema_version, schema_version=7))

        with pytest.raises(SchemaVersionError, match=r"version 7.*ingest again"):
            apply_schema(connection, STATEMENTS)

        assert read_state(connection, STATEMENTS).schema_version == 7


def test_an_older_graph_is_brought_up_step_by_step(database: TestDatabase, tmp_path: Path) -> None:
    """Each step runs once, in order, together with the note of its version."""
    _step(tmp_path, "005_mark", "MERGE (sync:Sync {id: 'step'}) SET sync.steps = 'two';")
    _step(tmp_path, "006_add", "MATCH (sync:Sync {id: 'step'}) SET sync.steps = sync.steps + ' three';")
    with _connection(database) as connection:
        apply_schema(connection, STATEMENTS)
        for _ in range(2):
            apply_schema(connection, STATEMENTS, root=tmp_path, version=6)

        assert read_state(connection, STATEMENTS).schema_version == 6
    with database.driver() as driver:
        (row,) = driver.execute_query(
            "MATCH (sync:Sync) RETURN sync.steps AS steps", database_=database.address.database
        ).records
    assert row["steps"] == "two three"


def test_a_graph_of_version_one_is_read_and_brought_up(database: TestDatabase) -> None:
    """It says nothing of what its generations touched, and has a stamp once it is of this version."""
    with database.driver() as driver, open_store(database) as store:
        store.apply_schema()
        driver.execute_query(
            "MATCH (catalog:Catalog) SET catalog.schema_version = 1, catalog.generation = 5 REMOVE catalog.stamp",
            database_=database.address.database,
        )
        old = store.catalogue()
        assert (old.generation, old.stamp, store.changes(4, stamp="")) == (5, "", None)

        store.apply_schema()

        state = store.state()
        assert (state.schema_version, state.generation) == (SCHEMA_VERSION, 5)
        assert state.stamp
        assert store.changes(5, stamp=old.stamp) is None
        assert store.changes(5, stamp=state.stamp) is not None


def test_a_missing_step_is_a_mistake_of_ours(database: TestDatabase, tmp_path: Path) -> None:
    """A version without its file is found before anything is claimed."""
    with _connection(database) as connection:
        apply_schema(connection, STATEMENTS)
        with pytest.raises(StatementError, match="005"):
            apply_schema(connection, STATEMENTS, root=tmp_path, version=5)

        assert read_state(connection, STATEMENTS).schema_version == SCHEMA_VERSION


def test_a_database_with_other_data_is_fine(database: TestDatabase) -> None:
    """Somebody else's nodes are neither touched nor listed."""
    with database.driver() as driver, open_store(database) as store:
        name = database.address.database
        driver.execute_query(
            "CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Bob'})", database_=name
        )

        store.apply_schema()

        assert store.catalogue().tools == ()
        (row,) = driver.execute_query(
            "MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN a.name AS a, b.name AS b", database_=name
        ).records
        assert (row["a"], row["b"]) == ("Ada", "Bob")
        assert store.state().generation == 0


def test_many_may_apply_the_schema_at_once(database: TestDatabase) -> None:
    """Two commands on a new database both find it ready; there is one catalogue."""
    problems: list[Exception] = []

    def apply() -> None:
        try:
            with _connection(database) as connection:
                apply_schema(connection, STATEMENTS)
        except Exception as error:  # noqa: BLE001 - any of them fails the test
            problems.append(error)

    threads = [threading.Thread(target=apply) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert problems == []
    with database.driver() as driver:
        (row,) = driver.execute_query(
            "MATCH (catalog:Catalog) RETURN count(catalog) AS n", database_=database.address.database
        ).records
    assert row["n"] == 1


def _connection(database: TestDatabase) -> GraphConnection:
    return GraphConnection(lambda: database.address, engine=GraphEngine(database.name))


def _step(root: Path, name: str, text: str) -> None:
    folder = root / "schema" / "upgrade"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.cypher").write_text(f"// A step.\n// params:\n// returns:\n{text}\n")
