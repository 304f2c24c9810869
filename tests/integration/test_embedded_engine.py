"""The embedded engine's process: one per data folder, shared, and gone when nobody uses it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from neo4j import Driver, GraphDatabase

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.engine.folder import EngineFolder
from app.adapters.graph.bolt_address import BoltAddress
from app.errors import EngineUnavailableError

ROOT = Path(__file__).parents[2]
CLIENT = """
import sys
from pathlib import Path
from app.adapters.engine.embedded import EmbeddedEngine
engine = EmbeddedEngine(Path(sys.argv[1]))
print(engine.open().uri, flush=True)
sys.stdin.read()
"""

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and file modes")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder; whatever engine still runs there at the end is ended."""
    data_dir = tmp_path / "data"
    yield data_dir
    if data_dir.is_dir() and not EmbeddedEngine(data_dir).stop(timeout_s=5):
        os.kill(pid_of(data_dir), signal.SIGKILL)
        raise AssertionError("the engine outlived its users")


def driver(address: BoltAddress) -> Driver:
    return GraphDatabase.driver(
        address.uri,
        auth=(address.username, address.password.get_secret_value()),
        notifications_min_severity="OFF",
    )


def names(address: BoltAddress) -> list[str]:
    with driver(address) as opened:
        records = opened.execute_query(
            "MATCH (n) RETURN n.name AS name ORDER BY name", database_=address.database
        )
    return [record["name"] for record in records.records]


def put(address: BoltAddress, name: str) -> None:
    with driver(address) as opened, opened.session(database=address.database) as session:
        session.execute_write(lambda tx: tx.run("CREATE (:Tool {name: $name})", name=name).consume())


def pid_of(data_dir: Path) -> int:
    record = EngineFolder(data_dir).read_record()
    assert record is not None
    return record.pid


def client(data_dir: Path) -> "subprocess.Popen[str]":
    """Another process that uses the engine until its standard input closes."""
    return subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(data_dir)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def uri_of(user: "subprocess.Popen[str]") -> str:
    assert user.stdout is not None
    return user.stdout.readline().strip()


def eventually_ends(data_dir: Path, within_s: float = 5.0) -> bool:
    return EmbeddedEngine(data_dir).stop(timeout_s=within_s)


def test_open_starts_an_engine_that_keeps_what_is_written(folder: Path) -> None:
    """Data outlive the engine's process."""
    with EmbeddedEngine(folder) as engine:
        put(engine.open(), "a")
        first = pid_of(folder)
        assert engine.stop()
        assert names(engine.open()) == ["a"]
        assert pid_of(folder) != first


def test_a_second_user_gets_the_running_engine(folder: Path) -> None:
    """Opening twice, in one process or in two objects, starts one engine."""
    with EmbeddedEngine(folder) as one, EmbeddedEngine(folder) as two:
        assert one.open() == two.open() == one.open()


def test_users_that_come_at_once_share_one_engine(folder: Path) -> None:
    """Whoever starts it, all get its address."""
    users = [client(folder) for _ in range(4)]
    try:
        uris = {uri_of(user) for user in users}
        assert len(uris) == 1
        assert next(iter(uris)).startswith("bolt://127.0.0.1:")
    finally:
        for user in users:
            user.communicate(timeout=10)


def test_threads_that_come_at_once_share_one_engine(folder: Path) -> None:
    engines = [EmbeddedEngine(folder) for _ in range(6)]
    with ThreadPoolExecutor(len(engines)) as pool:
        assert len({address.uri for address in pool.map(EmbeddedEngine.open, engines)}) == 1
    for engine in engines:
        engine.close()


def test_the_engine_stays_for_another_user_and_ends_with_the_last(folder: Path) -> None:
    starter = client(folder)
    uri = uri_of(starter)
    with EmbeddedEngine(folder) as engine:
        address = engine.open()
        assert address.uri == uri
        starter.communicate(timeout=10)
        time.sleep(0.5)
        put(address, "a")
        assert names(address) == ["a"]
    assert eventually_ends(folder)
    assert not (folder / "engine.json").exists()


def test_a_lingering_engine_is_found_by_the_next_user(folder: Path) -> None:
    """`linger_s` keeps it for users that come one after the other, not longer."""
    with EmbeddedEngine(folder, linger_s=1.0) as engine:
        first = engine.open()
        pid = pid_of(folder)
    time.sleep(0.4)
    with EmbeddedEngine(folder) as engine:
        assert engine.open() == first
        assert pid_of(folder) == pid
    assert eventually_ends(folder)


def test_users_that_come_while_it_ends_get_a_new_one(folder: Path) -> None:
    """Opening right after the last close waits for the end and starts again, time after time."""
    for turn in range(4):
        with EmbeddedEngine(folder) as engine:
            address = engine.open()
            put(address, str(turn))
        time.sleep(0.09 + turn * 0.02)
    with EmbeddedEngine(folder) as engine:
        assert names(engine.open()) == ["0", "1", "2", "3"]


@posix_only
def test_a_killed_user_leaves_nothing_behind(folder: Path) -> None:
    """kill -9 of the only user: the engine ends by itself, the next user starts it again."""
    user = client(folder)
    uri_of(user)
    user.kill()
    user.communicate()
    assert eventually_ends(folder)
    with EmbeddedEngine(folder) as engine:
        assert names(engine.open()) == []


@posix_only
def test_a_killed_starter_does_not_take_the_engine_along(folder: Path) -> None:
    """kill -9 and Ctrl-C of the starter's whole process group: other users go on."""
    for number in (signal.SIGKILL, signal.SIGINT):
        starter = client(folder)
        uri = uri_of(starter)
        with EmbeddedEngine(folder) as engine:
            address = engine.open()
            assert address.uri == uri
            os.killpg(starter.pid, number)
            starter.communicate()
            put(address, number.name)
    with EmbeddedEngine(folder) as engine:
        assert names(engine.open()) == ["SIGINT", "SIGKILL"]


@posix_only
def test_after_a_killed_engine_open_starts_another_one_with_the_same_data(folder: Path) -> None:
    """kill -9 of the engine: committed data are there, under another password."""
    with EmbeddedEngine(folder) as engine:
        passwords = set()
        for turn in range(3):
            address = engine.open()
            passwords.add(address.password)
            put(address, f"before {turn}")
            os.kill(pid_of(folder), signal.SIGKILL)
            assert len(names(engine.open())) == turn + 1
        assert len(passwords) == 3


@posix_only
def test_an_engine_told_to_end_ends_cleanly_and_is_started_again(folder: Path) -> None:
    """SIGTERM while drivers are connected: what was committed is there, the next open starts a new one."""
    with EmbeddedEngine(folder) as engine, driver(engine.open()) as opened:
        put(engine.open(), "a")
        opened.verify_connectivity()
        before = pid_of(folder)
        os.kill(before, signal.SIGTERM)
        deadline = time.monotonic() + 10
        while EngineFolder(folder).record.exists() and pid_of(folder) == before:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert names(engine.open()) == ["a"]
        assert pid_of(folder) != before


@posix_only
def test_after_a_killed_engine_all_its_users_may_open_at_once(folder: Path) -> None:
    engines = [EmbeddedEngine(folder) for _ in range(4)]
    address = engines[0].open()
    for engine in engines:
        engine.open()
    os.kill(pid_of(folder), signal.SIGKILL)
    with ThreadPoolExecutor(len(engines)) as pool:
        (again,) = set(pool.map(EmbeddedEngine.open, engines))
    assert again != address
    for engine in engines:
        engine.close()


def test_a_stale_file_is_not_believed(folder: Path) -> None:
    """`engine.json` without a living engine, or without sense, is a leaving."""
    for text in (json.dumps({"pid": 1, "port": 1, "password": "x"}), "{", "[]", ""):
        with EmbeddedEngine(folder) as engine:
            engine.open()
            assert engine.stop()
            (folder / "engine.json").write_text(text, encoding="utf-8")
            assert names(engine.open()) == []


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="processes and sockets as Linux shows them")


@linux_only
def test_the_engine_gets_no_secrets_of_its_starter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the environment it has what a program needs to run."""
    for name in ("OUTFITTER_API_TOKEN", "NEO4J_PASSWORD", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "a-secret")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with EmbeddedEngine(folder) as engine:
        engine.open()
        given = Path(f"/proc/{pid_of(folder)}/environ").read_bytes()

    assert b"a-secret" not in given
    assert b"LC_ALL=C.UTF-8" in given


@linux_only
def test_nothing_but_bolt_can_be_reached(folder: Path) -> None:
    """The engine's HTTP server, which cannot be switched off, is deaf."""
    with EmbeddedEngine(folder) as engine:
        bolt = int(engine.open().uri.rsplit(":", 1)[1])
        others = listening_ports(pid_of(folder)) - {bolt}

        assert len(others) == 1
        for port in others:
            with pytest.raises(TimeoutError):
                socket.create_connection(("127.0.0.1", port), timeout=0.3)


def listening_ports(pid: int) -> set[int]:
    """Ports on which the process's sockets listen, by the kernel's tables."""
    inodes = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        # It may close one while we look.
        with suppress(FileNotFoundError):
            inodes.add(str(entry.readlink()).removeprefix("socket:[").removesuffix("]"))
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()
    ]
    return {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and row[9] in inodes}


@posix_only
def test_secrets_and_data_are_the_owners_alone(folder: Path) -> None:
    """The folder is 0700, everything in it closed to others, whatever the umask."""
    before = os.umask(0)
    try:
        with EmbeddedEngine(folder) as engine:
            put(engine.open(), "a")
            modes = {path: path.stat().st_mode & 0o077 for path in [folder, *folder.rglob("*")]}
    finally:
        os.umask(before)
    assert (folder / "engine.json") in modes
    assert {str(path): oct(mode) for path, mode in modes.items() if mode} == {}


@posix_only
def test_a_folder_that_everybody_may_write_is_refused(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(EngineUnavailableError, match=r"(?s)data.*every user.*OUTFITTER_DATA_DIR.*NEO4J_URI"):
        EmbeddedEngine(folder).open()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A file where the folder should be: the message names it and what to do."""
    (tmp_path / "taken").write_text("", encoding="utf-8")
    data_dir = tmp_path / "taken" / "data"
    with pytest.raises(EngineUnavailableError, match=r"taken.*data.*OUTFITTER_DATA_DIR.*NEO4J_URI"):
        EmbeddedEngine(data_dir).open()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_named(folder: Path) -> None:
    folder.mkdir(mode=0o500)
    with pytest.raises(EngineUnavailableError, match=r"OUTFITTER_DATA_DIR.*NEO4J_URI"):
        EmbeddedEngine(folder).open()
    folder.chmod(0o700)


def test_a_python_without_the_engine_is_told_apart(folder: Path, tmp_path: Path) -> None:
    """Where ArcadeDB cannot be imported, the message says on which platforms it exists and names NEO4J_URI."""
    venv.create(tmp_path / "bare", with_pip=False)
    python = tmp_path / "bare" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    with pytest.raises(EngineUnavailableError, match=r"arcadedb.*glibc.*NEO4J_URI"):
        EmbeddedEngine(folder, python=python).open()
    with pytest.raises(EngineUnavailableError, match=r"no-python.*NEO4J_URI"):
        EmbeddedEngine(folder, python=tmp_path / "no-python").open()


def test_a_database_that_another_program_has_open_is_refused(folder: Path) -> None:
    """A foreign opener of the database is not disturbed; the error shows what the engine said."""
    with EmbeddedEngine(folder) as engine:
        put(engine.open(), "a")
        assert engine.stop()
        opener = subprocess.Popen(
            [
                *(sys.executable, "-c"),
                "import sys, arcadedb; db = arcadedb.open_database(sys.argv[1]); print('open', flush=True);"
                " sys.stdin.read(); db.close()",
                str(folder / "engine" / "databases" / "outfitter"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "ARCADEDB_LOG_CONSOLE": "0", "ARCADEDB_LOG_DIR": str(folder / "foreign")},
        )
        try:
            assert uri_of(opener) == "open"
            with pytest.raises(EngineUnavailableError, match=r"(?s)ended before.*NEO4J_URI.*engine\.log"):
                engine.open()
        finally:
            opener.communicate(timeout=20)
        assert names(engine.open()) == ["a"]


def test_a_lock_held_for_too_long_is_named(folder: Path) -> None:
    """A start that never ends does not hang the next command."""
    from app.adapters.engine.folder import FileLock

    folder.mkdir(mode=0o700)
    with FileLock(folder / "start.lock") as lock:
        assert lock.try_exclusive()
        with pytest.raises(EngineUnavailableError, match=r"start by another process.*0\.2 s.*NEO4J_URI"):
            EmbeddedEngine(folder, start_timeout_s=0.2).open()


def test_a_statement_that_runs_too_long_is_ended(folder: Path) -> None:
    """The engine ignores the driver's timeout; its own setting ends a runaway statement."""
    from neo4j.exceptions import Neo4jError

    with EmbeddedEngine(folder, command_timeout_s=0.5) as engine, driver(engine.open()) as opened:
        started = time.monotonic()
        with pytest.raises(Neo4jError):
            opened.execute_query(
                "UNWIND range(1, 100000000) AS i WITH i WHERE i % 7 = 3 RETURN count(i)",
                database_="outfitter",
            )
        assert time.monotonic() - started < 10
