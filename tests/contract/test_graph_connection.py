"""What a store says when the database is not there, and what it does when it comes back."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from neo4j.exceptions import IncompleteCommit, Neo4jError
from pydantic import SecretStr

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.graph import connection as graph_connection
from app.adapters.graph.bolt_address import BoltAddress
from app.adapters.graph.schema import SCHEMA_VERSION
from app.adapters.graph.store import GraphEngine, GraphStore
from app.errors import StoreUnavailableError
from tests.contract.conftest import open_store
from tests.contract.rows import TOOL, TOOL_REQUIRES, edge, node
from tests.engines import TestDatabase
from tests.slow_relay import slow_relay


def test_a_wrong_password_is_named_but_not_told(database: TestDatabase) -> None:
    """The message says which user and where, and never the password."""
    address = replace(database.address, password=SecretStr("wrong-and-secret"))

    with pytest.raises(StoreUnavailableError, match="NEO4J_PASSWORD") as refused:
        _open(database, address)

    assert address.uri in str(refused.value)
    assert "wrong-and-secret" not in str(refused.value)


def test_an_unknown_database_is_named(database: TestDatabase) -> None:
    """A misspelt database is told apart from a server that is away."""
    with pytest.raises(StoreUnavailableError, match=r"'nowhere'.*NEO4J_DATABASE"):
        _open(database, replace(database.address, database="nowhere"))


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("bolt://127.0.0.1:1", "does not answer"),
        ("bolt://no-such-host.invalid:7687", "does not answer"),
        ("http://127.0.0.1:7474", "accepted: bolt://"),
        ("127.0.0.1:7687", "accepted: bolt://"),
        ("bolt://127.0.0.1:port", "accepted: bolt://"),
    ],
)
def test_an_address_that_leads_nowhere_is_named(uri: str, said: str) -> None:
    """Whatever is wrong with the address, the message has it and what is accepted."""
    address = BoltAddress(uri, "neo4j", SecretStr("secret"), "neo4j")
    store = GraphStore(lambda: address, engine=GraphEngine.NEO4J)

    with pytest.raises(StoreUnavailableError, match=said) as refused, store:
        pytest.fail("there is nothing to open")

    assert uri in str(refused.value)


def test_a_commit_whose_answer_is_lost_counts_once(
    database: TestDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction that was kept is not done again, although the writer has to ask again."""
    lost = 0
    execute = graph_connection._execute

    def lose_the_answer(*arguments: Any) -> Any:
        nonlocal lost
        result = execute(*arguments)
        lost += 1
        if lost % 2:
            raise IncompleteCommit("connection closed while committing")
        return result

    with open_store(database) as store:
        store.apply_schema()
        with store.lease(owner="a:1:x", wait_s=1) as lease:
            lease.put_nodes(TOOL, [node("a"), node("b")])
            monkeypatch.setattr(graph_connection, "_execute", lose_the_answer)
            lease.put_edges(TOOL_REQUIRES, [edge("a", "b", confidence=1.0)])
            generation = lease.finish()
            monkeypatch.undo()

        assert lost == 4
        assert generation == store.state().generation == 1
        assert store.edge_pairs(TOOL_REQUIRES, stated=True) == [("a", "b", 1.0)]


def test_a_thread_that_outlives_the_store_opens_no_other_connection(database: TestDatabase) -> None:
    """What was closed stays closed: a read that comes too late is refused, and no driver is left open."""
    with open_store(database) as store:
        store.apply_schema()
    with pytest.raises(StoreUnavailableError, match="are closed"):
        store.state()
    with pytest.raises(StoreUnavailableError, match="are closed"), store.lease(owner="a:1:x", wait_s=1):
        pytest.fail("there is nothing to write to")

    with store:
        assert store.state().generation == 0


def test_a_connection_that_is_opened_while_the_store_closes_is_closed_too(database: TestDatabase) -> None:
    """Whoever waits for the server's first word is waited for, and what was opened for them does not stay."""
    with slow_relay(database.address.uri) as relay:
        relay.go_on.set()
        address = replace(database.address, uri=relay.uri)
        answers: list[int] = []
        with GraphStore(lambda: address, engine=GraphEngine(database.name)) as store:
            relay.go_on.clear()
            # One takes the connection that is there, the other needs a new one.
            readers = [
                threading.Thread(target=lambda: answers.append(store.state().generation)) for _ in range(2)
            ]
            for reader in readers:
                reader.start()
            relay.await_opened(2)
            threading.Timer(0.3, relay.go_on.set).start()
        for reader in readers:
            reader.join()

        assert answers == [0, 0]
        relay.await_ended()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    """An engine of this test alone, to be killed."""
    engine = EmbeddedEngine(tmp_path)
    yield engine
    engine.stop()


@pytest.mark.skipif("sys.platform == 'win32'", reason="no SIGKILL")
def test_a_read_is_tried_again_when_the_database_fails(
    database: TestDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a writer is just removing may make a reading statement fail, on some engines for no stated reason."""
    fetch, failures = graph_connection._fetch, [Neo4jError("a record is gone")]

    def fail_once(*args: Any) -> Any:
        if failures:
            raise failures.pop()
        return fetch(*args)

    with open_store(database) as store:
        monkeypatch.setattr(graph_connection, "_fetch", fail_once)

        assert store.state().generation == 0
        assert failures == []


def test_a_killed_engine_is_started_again(engine: EmbeddedEngine) -> None:
    """Reads and writes go on; what was committed is there, under the same lease."""
    import os
    import signal

    with GraphStore(engine.open, engine=GraphEngine.EMBEDDED) as store:
        store.apply_schema()
        with store.lease(owner="a:1:x", wait_s=1) as lease:
            lease.put_nodes(TOOL, [node("before", name="before")])
            os.kill(_pid(engine), signal.SIGKILL)
            lease.put_nodes(TOOL, [node("after", name="after")])
            assert lease.finish() == 1
        os.kill(_pid(engine), signal.SIGKILL)

        assert [name.id for name in store.node_names(TOOL)] == ["after", "before"]


@pytest.mark.skipif("sys.platform == 'win32'", reason="no SIGKILL")
def test_threads_share_one_restart(engine: EmbeddedEngine) -> None:
    """Many readers that find the engine gone all get their answer."""
    import os
    import signal

    with GraphStore(engine.open, engine=GraphEngine.EMBEDDED) as store:
        store.apply_schema()
        answers: list[int] = []
        start = threading.Barrier(9)

        def read() -> None:
            start.wait()
            for _ in range(20):
                answers.append(store.state().schema_version)

        threads = [threading.Thread(target=read) for _ in range(8)]
        for thread in threads:
            thread.start()
        start.wait()
        os.kill(_pid(engine), signal.SIGKILL)
        for thread in threads:
            thread.join()

    assert answers == [SCHEMA_VERSION] * 160


def _open(database: TestDatabase, address: BoltAddress) -> None:
    with GraphStore(lambda: address, engine=GraphEngine(database.name)):
        pass


def _pid(engine: EmbeddedEngine) -> int:
    import json

    return int(json.loads((engine.data_dir / "engine.json").read_text())["pid"])
