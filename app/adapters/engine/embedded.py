"""The embedded engine: an ArcadeDB in a process of its own, shared by all that use one data folder."""

import os
import platform
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from pydantic import SecretStr

from app.adapters.engine.folder import (
    DATABASE,
    EXIT_LOCKED,
    EXIT_NO_ENGINE,
    USERNAME,
    EngineFolder,
    EngineRecord,
    FileLock,
)
from app.adapters.engine.listeners import listens_on_loopback
from app.adapters.graph.bolt_address import BoltAddress
from app.errors import EngineUnavailableError

_POLL_S = 0.02
_TAIL_LINES = 12
_SMALL_DISK_BYTES = 10_000_000
_INSTEAD = "or set NEO4J_URI to use a Neo4j (5.26 or newer) instead"
if sys.platform == "win32":
    _DETACHED = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _DETACHED = 0
# The handshake of Bolt: its magic, then four versions that the client speaks.
_BOLT_HELLO = bytes.fromhex("6060b017" + "00000405" + "00000404" + "00000000" + "00000000")

LONGEST_COMMAND_S = 600.0
"""Listings of a large catalogue are statements too: 200,000 names took more than 30 s while others took the machine, and an
ingest ended there. Whoever answers requests waits for a few seconds only, and does not depend on this."""


class EmbeddedEngine:
    """One use of the engine of a data folder; the engine runs as long as somebody uses it.

    The engine is started by its first user and ends by itself `linger_s` after the last one has
    closed or died. Several processes, and several objects in one, may use it at once.

    Args:
        data_dir: made with mode 0700 when it does not exist.
        linger_s: seconds that the engine stays after its last user; the starter's value counts.
        start_timeout_s: longest wait for an engine that starts or stops.
        command_timeout_s: longest time of one statement; the starter's value counts.
        python: interpreter of the engine's process.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        linger_s: float = 0.0,
        start_timeout_s: float = 30.0,
        command_timeout_s: float = LONGEST_COMMAND_S,
        python: Path | None = None,
    ) -> None:
        self.data_dir = data_dir.absolute()
        self._folder = EngineFolder(self.data_dir)
        self._linger_s = linger_s
        self._start_timeout_s = start_timeout_s
        self._command_timeout_s = command_timeout_s
        self._python = python or Path(sys.executable)
        self._users = FileLock(self._folder.users_lock)

    def open(self) -> BoltAddress:
        """Address of the running engine, which is started if need be; call it again after a crash.

        Each engine has a port and a password of its own. The address vouches for its listener: a password is
        sent only as long as the engine lives that it belongs to.

        Raises:
            EngineUnavailableError: no engine for this platform, a folder that cannot be written or
                belongs to another program, or no answer in time; the message says which.
        """
        try:
            self._prepare()
            deadline = time.monotonic() + self._start_timeout_s
            if not self._users.held:
                self._wait(self._users.try_shared, deadline, "an engine that does not come to its end")
            os.utime(self._folder.users_lock)
            with FileLock(self._folder.start_lock) as start:
                self._wait(start.try_exclusive, deadline, "a start by another process that does not end")
                return self._address(self._running(deadline))
        except OSError as problem:
            self.close()
            raise EngineUnavailableError(
                f"data folder {self.data_dir}: {problem.filename or 'the engine'}:"
                f" {problem.strerror or problem}; choose a folder that can be written with"
                f" OUTFITTER_DATA_DIR, {_INSTEAD}"
            ) from problem
        except EngineUnavailableError:
            self.close()
            raise

    def close(self) -> None:
        """Give the engine up; it ends by itself once nobody uses it."""
        self._users.release()

    def stop(self, timeout_s: float = 10.0) -> bool:
        """Close, then wait for the end of the engine; False when it still runs, for others or lingering."""
        self.close()
        deadline = time.monotonic() + timeout_s
        while self._lives():
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_S)
        return True

    def __enter__(self) -> "EmbeddedEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prepare(self) -> None:
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sys.platform != "win32" and self.data_dir.stat().st_mode & 0o002:
            raise EngineUnavailableError(
                f"data folder {self.data_dir} may be written by every user of this machine; take that right"
                f" away (chmod o-w), choose another folder with OUTFITTER_DATA_DIR, {_INSTEAD}"
            )

    def _wait(self, taken: Callable[[], bool], deadline: float, obstacle: str) -> None:
        while not taken():
            if time.monotonic() > deadline:
                raise EngineUnavailableError(
                    f"data folder {self.data_dir}: {obstacle} for {self._start_timeout_s:g} s; look for the"
                    f" process that holds {self._folder.engine_lock}, choose another folder with"
                    f" OUTFITTER_DATA_DIR, {_INSTEAD}"
                )
            time.sleep(_POLL_S)

    def _running(self, deadline: float) -> EngineRecord:
        """The record of an engine that answers; the caller holds `start.lock`."""
        launched: subprocess.Popen[bytes] | None = None
        while time.monotonic() < deadline:
            if self._lives():
                record = self._folder.read_record()
                if record and self._is_engine(record) and _answers_bolt(record.port):
                    return record
            elif launched is None:
                launched = self._launch()
            if launched and launched.poll() not in (None, 0, EXIT_LOCKED):
                raise self._failure(launched.returncode)
            if launched and launched.poll() is not None and not self._lives():
                if launched.returncode != EXIT_LOCKED:
                    raise self._failure(launched.returncode)
                launched = None
            time.sleep(_POLL_S)
        raise EngineUnavailableError(
            f"data folder {self.data_dir}: the embedded engine did not answer within"
            f" {self._start_timeout_s:g} s{self._last_words()}"
        )

    def _lives(self) -> bool:
        try:
            with FileLock(self._folder.engine_lock) as lock:
                # Shared, so that others who look at the same instant do not count as the engine.
                return not lock.try_shared()
        except FileNotFoundError:
            return False

    def _is_engine(self, record: EngineRecord) -> bool:
        """Whether the engine of this record lives, and is what listens on its port.

        First the lock and then the file: whoever starts an engine removes the file of the one before, so that a
        held lock and an unchanged file are of one engine. It has had the port since it wrote the file, and so
        whoever is connected to that port already is connected to the engine.
        """
        if not self._lives() or self._folder.read_record() != record:
            return False
        return listens_on_loopback(record.pid, record.port) is not False

    def _vouch(self, record: EngineRecord) -> None:
        if not self._is_engine(record):
            raise EngineUnavailableError(
                f"data folder {self.data_dir}: the engine that listened on port {record.port} has ended; its"
                " password is not sent to what answers there"
            )

    def _launch(self) -> subprocess.Popen[bytes]:
        """Start the engine's process: own session, no terminal, output into the data folder."""
        self._folder.record.unlink(missing_ok=True)
        if self._folder.output.exists():
            self._folder.output.replace(self._folder.output.with_name("engine.log.1"))
        command = [str(self._python), "-P", "-m", "app.adapters.engine.sidecar", str(self.data_dir)]
        command += ["--linger", str(self._linger_s), "--command-timeout", str(self._command_timeout_s)]
        search_path = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
        descriptor = os.open(self._folder.output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            launched = subprocess.Popen(  # noqa: S603 - our own module, no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=descriptor,
                stderr=descriptor,
                cwd=self.data_dir,
                env=engine_environment(os.environ)
                | {"PYTHONPATH": os.pathsep.join(filter(None, search_path))},
                # Neither Ctrl-C in the starter's terminal nor its end reaches the engine's other users.
                start_new_session=True,
                creationflags=_DETACHED,
            )
        finally:
            os.close(descriptor)
        if sys.platform != "win32":
            launched.wait(self._start_timeout_s)
        return launched

    def _failure(self, status: int) -> EngineUnavailableError:
        if status == EXIT_NO_ENGINE:
            return EngineUnavailableError(
                f"the embedded engine (package arcadedb) is not installed for {self._python}, or does not exist"
                f" for this platform ({platform.system()} {platform.machine()}; it exists for Linux with glibc"
                f" on x86_64 and aarch64, macOS on arm64, Windows on AMD64); use one of these, {_INSTEAD}"
            )
        return EngineUnavailableError(
            f"data folder {self.data_dir}: the embedded engine ended before it answered{self._last_words()}"
        )

    def _last_words(self) -> str:
        free = shutil.disk_usage(self.data_dir).free
        disk = f" (its disk has {free // 1000} kB left)" if free < _SMALL_DISK_BYTES else ""
        tail = self._folder.output_tail(_TAIL_LINES) or "  (none)"
        return (
            f"{disk}; choose another folder with OUTFITTER_DATA_DIR, {_INSTEAD}."
            f" The last lines of {self._folder.output}:\n{tail}"
        )

    def _address(self, record: EngineRecord) -> BoltAddress:
        return BoltAddress(
            uri=f"bolt://127.0.0.1:{record.port}",
            username=USERNAME,
            password=SecretStr(record.password),
            database=DATABASE,
            vouch=partial(self._vouch, record),
        )


def _answers_bolt(port: int) -> bool:
    """Whether the port agrees on a version of Bolt."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1.0) as connection:
            connection.sendall(_BOLT_HELLO)
            return len(connection.recv(4)) == 4
    except OSError:
        return False


_NAMES = frozenset(
    # Where programs, libraries, temporary files and time zones are; and what Windows' own libraries ask for.
    """PATH HOME LANG LANGUAGE TZ TZDIR TMPDIR TEMP TMP LD_LIBRARY_PATH LD_PRELOAD DYLD_LIBRARY_PATH
    DYLD_FALLBACK_LIBRARY_PATH __PYVENV_LAUNCHER__ VIRTUAL_ENV SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT
    USERPROFILE LOCALAPPDATA APPDATA PROGRAMDATA NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE""".split()
)
_PREFIXES = ("LC_", "PYTHON", "MALLOC_", "ARCADEDB_")


def engine_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables of `environ` that the engine's process needs; Windows' names may have any case."""
    return {
        name: value
        for name, value in environ.items()
        if name.upper() in _NAMES or name.upper().startswith(_PREFIXES)
    }
