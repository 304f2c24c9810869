"""Nobody but the engine is sent its password, whoever listens where it was."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.engine.folder import EngineFolder
from app.adapters.graph.bolt_address import BoltAddress
from app.adapters.graph.schema import SCHEMA_VERSION
from app.adapters.graph.store import GraphEngine, GraphStore
from app.errors import StoreUnavailableError
from tests.bolt_listener import HANDSHAKE_BYTES, BoltListener, bolt_listener

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    """An engine of this test alone, to be killed."""
    engine = EmbeddedEngine(tmp_path / "data")
    yield engine
    assert engine.stop()


@pytest.mark.parametrize("version", [(5, 4), (4, 4)], ids=["Bolt 5.4", "Bolt 4.4"])
def test_a_listener_on_the_port_of_a_killed_engine_sees_no_password(
    engine: EmbeddedEngine, version: tuple[int, int]
) -> None:
    """A driver that finds it there says which versions it speaks, no more, and the store goes to a new engine."""
    before = engine.open()
    known = [before]
    kill(engine)

    with bolt_listener(port_of(before), version=version) as listener:
        with GraphStore(
            lambda: known.pop() if known else engine.open(), engine=GraphEngine.EMBEDDED
        ) as store:
            store.apply_schema()
            assert store.state().generation == 0
        after = engine.open()

        assert len(listener.received) >= 1
        assert_no_secret(listener, before, after)
        assert (after.uri, after.password) != (before.uri, before.password)


def test_many_threads_that_lose_their_engine_send_its_password_to_nobody(engine: EmbeddedEngine) -> None:
    """A thread whose connection broke asks for the engine again; the others are just opening theirs."""
    with GraphStore(engine.open, engine=GraphEngine.EMBEDDED) as store:
        store.apply_schema()
        before = engine.open()
        answers: list[int] = []
        kill(engine)
        with bolt_listener(port_of(before), version=(5, 4)) as listener:
            together([lambda: answers.append(store.state().schema_version)] * 12)
            assert_no_secret(listener, before, engine.open())

    assert answers == [SCHEMA_VERSION] * 12


def test_a_new_engine_has_a_new_password_and_all_its_users_learn_it(engine: EmbeddedEngine) -> None:
    """Each user asks for itself, and all have one engine again."""
    other = EmbeddedEngine(engine.data_dir)
    with (
        other,
        GraphStore(engine.open, engine=GraphEngine.EMBEDDED) as one,
        GraphStore(other.open, engine=GraphEngine.EMBEDDED) as two,
    ):
        one.apply_schema()
        passwords = set()
        for _ in range(3):
            assert one.state() == two.state()
            passwords.add(engine.open().password.get_secret_value())
            kill(engine)
        assert two.state() == one.state()
        assert engine.open() == other.open()
    assert len(passwords) == 3


def test_a_folder_keeps_no_password_of_an_engine_that_has_ended(engine: EmbeddedEngine) -> None:
    """Neither in a file of its own, as earlier versions did, nor with the address."""
    engine.data_dir.mkdir(mode=0o700)
    (engine.data_dir / "password").write_text("of-an-earlier-version", encoding="utf-8")
    password = engine.open().password.get_secret_value()

    assert password != "of-an-earlier-version"
    assert engine.stop()
    kept = [
        path
        for path in engine.data_dir.rglob("*")
        if path.is_file() and password.encode() in path.read_bytes()
    ]
    assert kept == []
    assert not (engine.data_dir / "password").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="tables of sockets as Linux has them")
def test_an_engine_that_does_not_own_its_port_is_no_engine(engine: EmbeddedEngine) -> None:
    """The lock is held and the record is whole, and yet somebody else listens there."""
    address = engine.open()
    record = EngineFolder(engine.data_dir).read_record()
    assert record is not None
    with bolt_listener(version=(5, 4)) as listener:
        elsewhere = type(record)(pid=record.pid, port=listener.port, password=record.password)
        EngineFolder(engine.data_dir).write_record(elsewhere)
        try:
            with pytest.raises(StoreUnavailableError):
                EmbeddedEngine(engine.data_dir, start_timeout_s=1.0).open()
        finally:
            EngineFolder(engine.data_dir).write_record(record)
        assert_no_secret(listener, address)


def test_a_server_that_cannot_be_used_is_unavailable() -> None:
    """A Bolt that the driver cannot work with: no error of the driver's own, so that others can act on it."""
    from pydantic import SecretStr

    with bolt_listener(version=(4, 4)) as listener:
        address = BoltAddress(f"bolt://127.0.0.1:{listener.port}", "neo4j", SecretStr("a-password"), "neo4j")
        store = GraphStore(lambda: address, engine=GraphEngine.NEO4J)
        with pytest.raises(StoreUnavailableError, match=r"bolt://127.0.0.1:\d+ .*4\.4.*NEO4J_URI"), store:
            pytest.fail("there is nothing to open")


def assert_no_secret(listener: BoltListener, *addresses: BoltAddress) -> None:
    for address in addresses:
        assert address.password.get_secret_value().encode() not in listener.data
    assert all(len(data) <= HANDSHAKE_BYTES for data in listener.received)


def port_of(address: BoltAddress) -> int:
    return int(address.uri.rsplit(":", 1)[1])


def kill(engine: EmbeddedEngine) -> None:
    record = EngineFolder(engine.data_dir).read_record()
    assert record is not None
    os.kill(record.pid, signal.SIGKILL)


def together(calls: list[Callable[[], None]]) -> None:
    """Run them at the same instant, each in a thread of its own."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], None]) -> None:
        start.wait()
        call()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
