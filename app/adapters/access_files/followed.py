"""A file that is read again when it changes: an entry that is gone counts no more within two seconds."""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from app.errors import InvalidInputError

T = TypeVar("T")
_LOOK_S = 0.5
_log = logging.getLogger(__name__)


class FollowedFile(Generic[T]):
    """What a file says. A broken one is refused at the start; later the last good one counts.

    Args:
        path: Of the file.
        read: Reads it, or refuses it.
        look_s: Seconds between two looks.

    `on_change`, where it is set, is called with what the file said before and what it says now.

    Raises:
        InvalidInputError: it cannot be read, or is not what is accepted.
    """

    def __init__(self, path: Path, read: Callable[[Path], T], *, look_s: float = _LOOK_S) -> None:
        self._path = path
        self._read = read
        self._look_s = look_s
        self._seen = self._state()
        self._current = read(path)
        self._read_at = time.time()
        self.on_change: Callable[[T, T], None] | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def current(self) -> T:
        """What it said last."""
        return self._current

    @property
    def read_at(self) -> float:
        """When it said what it says now; seconds since 1970."""
        return self._read_at

    def start(self) -> None:
        """Follow it; returns at once."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = threading.Thread(target=self._run, name=f"follow {self._path.name}", daemon=True)
            self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """Follow it no more. Safe to call twice."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout_s)
            self._thread = None

    def look(self) -> None:
        """Read it if it is another one."""
        state = self._state()
        if state == self._seen:
            return
        self._seen = state
        before = self._current
        try:
            self._current = self._read(self._path)
        except InvalidInputError as error:
            _log.error("file refused; what it said before still counts", extra={"problem": str(error)})
        else:
            self._read_at = time.time()
            _log.info("file read again", extra={"file": self._path.name})
            if self.on_change is not None:
                self.on_change(before, self._current)

    def _state(self) -> tuple[int, int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns

    def _run(self) -> None:
        while not self._stopping.wait(self._look_s):
            self.look()
