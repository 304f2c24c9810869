"""What lies in the data folder of the embedded engine, who writes it, and the locks that say so.

| entry | written by | says |
|---|---|---|
| `users.lock` | shared by every user of the engine | the engine ends when nobody holds it |
| `start.lock` | a user that looks for the engine or starts it | one start at a time |
| `engine.lock` | held by the engine's process for its whole life | the engine lives |
| `engine.json` | the engine's process, while Bolt answers | its pid, port and password |
| `engine.log` | the engine's process | its output since its start; `engine.log.1` of the one before |
| `log/` | the engine | its own log |
| `engine/` | the engine | the database |

`engine.json` without a held `engine.lock` is a leaving of a process that was killed.
"""

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

DATABASE = "outfitter"
USERNAME = "root"

EXIT_LOCKED = 3
"""Exit status of the engine's process: another one has the folder."""
EXIT_NO_ENGINE = 4
"""Exit status of the engine's process: no ArcadeDB for this Python on this platform."""


@dataclass(frozen=True, slots=True)
class EngineRecord:
    """Where the running engine listens (loopback) and its password, which no other engine has had."""

    pid: int
    port: int
    password: str


@dataclass(frozen=True, slots=True)
class EngineFolder:
    """Names of the entries of one data folder."""

    path: Path

    @property
    def users_lock(self) -> Path:
        """Shared by every user of the engine."""
        return self.path / "users.lock"

    @property
    def start_lock(self) -> Path:
        """Held by whoever looks for the engine or starts it."""
        return self.path / "start.lock"

    @property
    def engine_lock(self) -> Path:
        """Held by the engine's process."""
        return self.path / "engine.lock"

    @property
    def record(self) -> Path:
        """The engine's address."""
        return self.path / "engine.json"

    @property
    def former_password(self) -> Path:
        """The password that earlier versions kept for all engines of the folder."""
        return self.path / "password"

    @property
    def output(self) -> Path:
        """Output of the engine's process."""
        return self.path / "engine.log"

    @property
    def log_dir(self) -> Path:
        """The engine's own log."""
        return self.path / "log"

    @property
    def engine_dir(self) -> Path:
        """The engine's configuration and databases."""
        return self.path / "engine"

    @property
    def engine_users(self) -> Path:
        """The engine's users with the hashes of their passwords."""
        return self.engine_dir / "config" / "server-users.jsonl"

    def read_record(self) -> EngineRecord | None:
        """The address that the engine wrote, or None: no file, or not one that this version writes."""
        try:
            found = json.loads(self.record.read_text(encoding="utf-8"))
            return EngineRecord(
                pid=int(found["pid"]), port=int(found["port"]), password=str(found["password"])
            )
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def write_record(self, record: EngineRecord) -> None:
        """Write the address; a reader sees the old file or the whole new one."""
        write_private(self.record, json.dumps(asdict(record)))

    def output_tail(self, lines: int) -> str:
        """The last lines that the engine's process printed, indented; empty when it printed nothing."""
        try:
            text = self.output.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""
        return "\n".join(f"  {line}" for line in text.strip().splitlines()[-lines:])


def write_private(path: Path, text: str) -> None:
    """Replace a file by one that only its owner may read, on disk when this returns."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    # A file that lies there may be open to others.
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


if sys.platform == "win32":
    import msvcrt
    import random

    # Windows' C runtime knows exclusive byte ranges only. A sharer locks one byte of the range, the
    # exclusive holder all of it; the range lies past the end of the file, which Windows allows.
    _RANGE = 1 << 20

    def _lock(descriptor: int, *, shared: bool) -> bool:
        for _attempt in range(4 if shared else 1):
            byte = random.randrange(_RANGE) if shared else 0  # noqa: S311 - spreads, hides nothing
            os.lseek(descriptor, byte, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1 if shared else _RANGE)
            except OSError:
                continue
            return True
        return False

    def _unlock(_descriptor: int) -> None:
        """Closing the descriptor frees its byte ranges."""

else:
    import fcntl

    def _lock(descriptor: int, *, shared: bool) -> bool:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


class FileLock:
    """A lock on a file, shared or exclusive, held until `release` or the end of the process.

    The file itself is never removed: removing it would give two holders two files of one name.
    A forked child holds the lock together with its parent until either gives it back; a started program does
    not inherit it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None

    def try_shared(self) -> bool:
        """Take it together with other sharers; False when somebody has it exclusively."""
        return self._try(shared=True)

    def try_exclusive(self) -> bool:
        """Take it alone; False when anybody has it."""
        return self._try(shared=False)

    def _try(self, *, shared: bool) -> bool:
        if self._descriptor is not None:
            raise ValueError(f"{self.path}: this object holds the lock already")
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            taken = _lock(descriptor, shared=shared)
        except BaseException:
            os.close(descriptor)
            raise
        if taken:
            self._descriptor = descriptor
        else:
            os.close(descriptor)
        return taken

    def release(self) -> None:
        """Give it back; nothing happens when it is not held."""
        if self._descriptor is not None:
            # Not by closing alone: a program that is just being started has a copy of the descriptor until its exec.
            _unlock(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> "FileLock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
