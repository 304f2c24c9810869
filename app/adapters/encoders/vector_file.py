"""Vectors in a file beside the graph, by the text that they are of: several processes share it."""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

_log = logging.getLogger(__name__)

MOST = 2_000_000
"""Vectors that are kept, 400 bytes each: twice the largest catalogue. The ones that were kept first go first."""
_AT_ONCE = 500
"""Keys of one statement."""
_WAIT_S = 5.0


class VectorFile:
    """Fits `VectorStore`; only the file's owner may read it.

    Args:
        path: Of the file; its folder is made where it is missing.
        most: Vectors that are kept at most.
    """

    def __init__(self, path: Path, *, most: int = MOST) -> None:
        self._path = path
        self._most = most
        self._lock = threading.Lock()

    def read(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those that are kept; none where the file cannot be read."""
        found: dict[bytes, bytes] = {}
        try:
            with self._open() as database:
                for start in range(0, len(keys), _AT_ONCE):
                    some = keys[start : start + _AT_ONCE]
                    marks = ",".join("?" * len(some))
                    found.update(
                        database.execute(
                            f"SELECT key, vector FROM vectors WHERE model = ? AND key IN ({marks})",  # noqa: S608 - question marks
                            (model, *some),
                        )
                    )
        except (OSError, sqlite3.Error) as error:
            self._warn("read", error)
        return found

    def keep(self, model: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep some; the oldest beyond the bound go."""
        now = time.time()
        try:
            with self._open() as database, database:
                database.executemany(
                    "INSERT OR REPLACE INTO vectors (model, key, vector, kept_at) VALUES (?, ?, ?, ?)",
                    [(model, key, vector, now) for key, vector in vectors.items()],
                )
                (count,) = database.execute("SELECT count(*) FROM vectors").fetchone()
                if count > self._most:
                    database.execute(
                        "DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors ORDER BY kept_at, rowid LIMIT ?)",
                        (count - self._most,),
                    )
        except (OSError, sqlite3.Error) as error:
            self._warn("written", error)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if not self._path.exists():
                self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            with closing(sqlite3.connect(self._path, timeout=_WAIT_S)) as database:
                database.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (model TEXT NOT NULL, key BLOB NOT NULL, vector BLOB NOT NULL,"
                    " kept_at REAL NOT NULL, PRIMARY KEY (model, key))"
                )
                yield database

    def _warn(self, what: str, error: Exception) -> None:
        _log.warning(
            "kept vectors cannot be %s", what, extra={"file": str(self._path), "problem": str(error)}
        )
