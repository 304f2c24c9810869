"""What lies in the data folder of the embedded engine, and who writes it.

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
