"""The process that runs the embedded engine: `python -m app.adapters.engine.sidecar DATA_DIR`.

It leaves its starter's session and terminal, holds `engine.lock` for its whole life, writes
`engine.json` while Bolt answers, and ends when nobody has held `users.lock` for the lingering time
or at SIGTERM. Everything it prints goes to `engine.log`.
"""

import argparse
import importlib.util
import os
import secrets
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

from app.adapters.engine.folder import (
    DATABASE,
    EXIT_LOCKED,
    EXIT_NO_ENGINE,
    EngineFolder,
    EngineRecord,
    FileLock,
)
from app.adapters.engine.listeners import deafen_listeners

_POLL_S = 0.1
_LOCK_WAIT_S = 2.0
_MAX_OUTPUT_BYTES = 4_000_000
_ATTEMPTS = 4
_LOOPBACK = "127.0.0.1"


def main(arguments: list[str] | None = None) -> int:
    """Run the engine until nobody uses it; returns the exit status."""
    parser = argparse.ArgumentParser(prog="sidecar", description=__doc__)
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--linger", type=float, default=0.0, help="seconds to stay after the last user left")
    parser.add_argument("--command-timeout", type=float, required=True, help="seconds a statement may run")
    options = parser.parse_args(arguments)

    if importlib.util.find_spec("arcadedb") is None:
        _say(f"{sys.executable} has no module arcadedb")
        return EXIT_NO_ENGINE
    os.umask(0o077)
    folder = EngineFolder(options.data_dir)
    # Never released here: the end of the process does that, so a free lock means that nothing is left of it.
    lock = FileLock(folder.engine_lock)
    if not _taken(lock):
        _say(f"{folder.engine_lock} is held by another process")
        return EXIT_LOCKED
    # The starter waits for the first process; the second, which shares the lock, outlives it.
    if sys.platform != "win32" and os.fork() > 0:
        os._exit(0)
    return _serve(folder, linger_s=options.linger, command_timeout_ms=round(options.command_timeout * 1000))


def _taken(lock: FileLock) -> bool:
    """Take the folder; a user that looks whether somebody has it holds the lock for an instant."""
    deadline = time.monotonic() + _LOCK_WAIT_S
    while not lock.try_exclusive():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _serve(folder: EngineFolder, *, linger_s: float, command_timeout_ms: int) -> int:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    os.environ["ARCADEDB_LOG_CONSOLE"] = "0"
    os.environ["ARCADEDB_LOG_DIR"] = str(folder.log_dir)
    import arcadedb  # Starts its library, which reads the two variables.

    try:
        password = _new_password(folder)
        server, port = _start(folder, password=password)
        database = server.create_database(DATABASE)
        # The engine ignores the driver's own timeout.
        database.command("sql", f"ALTER DATABASE `arcadedb.command.timeout` {command_timeout_ms}")
    except (arcadedb.ArcadeDBError, OSError) as problem:
        _say(str(problem))
        return 1
    with FileLock(folder.users_lock) as users:
        folder.write_record(EngineRecord(pid=os.getpid(), port=port, password=password))
        try:
            _wait_unused(folder, users, stop=stop, linger_s=linger_s)
        finally:
            # From here on a newcomer waits until this process has ended.
            folder.record.unlink(missing_ok=True)
            server.stop()
    return 0


def _start(folder: EngineFolder, *, password: str) -> tuple[Any, int]:
    """A started server and its Bolt port, the only one that answers."""
    import arcadedb

    folder.engine_dir.mkdir(mode=0o700, exist_ok=True)
    for attempt in range(1, _ATTEMPTS + 1):
        port = _free_port()
        server = arcadedb.create_server(
            str(folder.engine_dir),
            root_password=password,
            config={
                "mode": "production",
                "host": _LOOPBACK,
                "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
                "bolt_port": port,
                # The engine has no setting for "no HTTP server"; with 0 it takes any free port.
                "http_port": 0,
            },
        )
        try:
            server.start()
        except arcadedb.ArcadeDBError:
            # Another program may have taken the port since it was found free.
            if attempt == _ATTEMPTS:
                raise
        else:
            deafen_listeners(except_port=port)
            return server, port
    raise AssertionError("the last attempt returns or raises")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _new_password(folder: EngineFolder) -> str:
    """A password for this engine alone: who was sent an earlier one by mistake cannot use it here.

    The engine keeps a hash, and takes a new password only when it knows no user; the data stay.
    """
    folder.engine_users.unlink(missing_ok=True)
    folder.former_password.unlink(missing_ok=True)
    return secrets.token_urlsafe(24)


def _wait_unused(folder: EngineFolder, users: FileLock, *, stop: threading.Event, linger_s: float) -> None:
    """Return holding `users` when nobody used the engine for `linger_s`, or without it at a signal."""
    unused_since: float | None = None
    last_arrival = 0.0
    while not stop.wait(_POLL_S):
        if folder.output.stat().st_size > _MAX_OUTPUT_BYTES:
            os.truncate(folder.output, 0)
        if not users.try_exclusive():
            unused_since = None
            continue
        now = time.monotonic()
        arrival = folder.users_lock.stat().st_mtime
        # A user that came and went between two looks left its time on the file.
        if unused_since is None or arrival != last_arrival:
            unused_since, last_arrival = now, arrival
        if now - unused_since >= linger_s:
            return
        users.release()


def _say(message: str) -> None:
    sys.stderr.write(f"{message}\n")


if __name__ == "__main__":
    sys.exit(main())
