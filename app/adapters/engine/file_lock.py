"""Locks that the kernel frees when their holder dies, so that no crash leaves one behind."""

import os
import sys
from pathlib import Path

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
