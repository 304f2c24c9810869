"""A folder of snapshots: the last two, written aside and renamed, by one writer at a time."""

import contextlib
import logging
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy.typing as npt

from app.adapters.snapshot_files.file_format import (
    SnapshotFileError,
    map_snapshot,
    read_state,
    write_snapshot,
)
from app.ports.snapshots import KeptState

_log = logging.getLogger(__name__)
_KEPT = 2
_SUFFIX, _ASIDE = ".snapshot", ".part"
_NAME = re.compile(r"^\d{1,19}-[0-9a-zA-Z_-]{0,80}\.snapshot$")
_OTHERS_WRITE = 0o022


class SnapshotFolder:
    """Fits `SnapshotStore`. Files are readable by their owner alone, and only the owner's are read.

    Args:
        path: The folder; made when something is kept.
        release: Names what makes the arrays; those of others are passed over.
    """

    def __init__(self, path: Path, *, release: str) -> None:
        self._path = path
        self._release = release

    def states(self) -> list[KeptState]:
        """Of which states there is one, the latest generation first."""
        found: list[KeptState] = []
        for path in self._files():
            with self._warning(path):
                found.append(read_state(path, release=self._release))
        return sorted(found, key=lambda state: -state.generation)

    def load(self, state: KeptState) -> Mapping[str, npt.NDArray[Any]] | None:
        """The arrays of a state, mapped."""
        path = self._path / _name(state)
        with self._warning(path):
            if self._is_ours(path):
                return map_snapshot(path, release=self._release)
        return None

    def keep(self, state: KeptState, arrays: Mapping[str, npt.NDArray[Any]]) -> bool:
        """Write a snapshot, unless another process writes one; older ones but the last go."""
        aside = self._path / (_name(state) + _ASIDE)
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._alone() as is_alone:
                if not is_alone:
                    return False
                self._tidy(keep=_KEPT)
                try:
                    with os.fdopen(
                        os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb"
                    ) as file:
                        write_snapshot(file, state, arrays, release=self._release)
                    aside.replace(self._path / _name(state))
                finally:
                    with contextlib.suppress(OSError):
                        aside.unlink(missing_ok=True)
                self._tidy(keep=_KEPT)
        except (OSError, ValueError) as error:
            _log.warning("snapshot not kept", extra={"folder": str(self._path), "problem": str(error)})
            return False
        return True

    def can_keep(self) -> bool:
        """Whether the folder can be written, and nobody else writes it now."""
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._alone() as is_alone:
                return is_alone and os.access(self._path, os.W_OK)
        except OSError as error:
            _log.warning("no snapshot is kept", extra={"folder": str(self._path), "problem": str(error)})
            return False

    def _files(self) -> list[Path]:
        """Our snapshots, the latest first."""
        try:
            found = [path for path in self._path.iterdir() if _NAME.match(path.name) and self._is_ours(path)]
            return sorted(found, key=lambda path: -path.stat().st_mtime_ns)
        except OSError:
            return []

    def _is_ours(self, path: Path) -> bool:
        """Whether nobody else can have written a file."""
        try:
            both = [one.stat(follow_symlinks=False) for one in (path, self._path)]
        except FileNotFoundError:
            return False
        own = all(one.st_uid in (os.geteuid(), 0) and not one.st_mode & _OTHERS_WRITE for one in both)
        if not own:
            _log.warning("snapshot passed over: others may write it", extra={"file": str(path)})
        return own

    def _tidy(self, *, keep: int) -> None:
        """Remove all but the latest, and what a writer that was killed left. Whoever has one mapped goes on with it."""
        for path in [*self._path.glob(f"*{_ASIDE}"), *self._files()[keep:]]:
            path.unlink(missing_ok=True)

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Hold the folder's lock, which ends with the process; False where another process has it."""
        import fcntl

        lock = os.open(self._path / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
        finally:
            os.close(lock)

    @contextmanager
    def _warning(self, path: Path) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            pass
        except (SnapshotFileError, OSError, ValueError) as error:
            _log.warning("snapshot passed over", extra={"file": path.name, "problem": str(error)})


def _name(state: KeptState) -> str:
    safe = re.sub(r"[^0-9a-zA-Z_-]", "_", state.stamp)[:80]
    return f"{state.generation}-{safe}{_SUFFIX}"
