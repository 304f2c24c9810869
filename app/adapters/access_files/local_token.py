"""The token of a service on loopback where nothing else says who may ask: a file that its owner alone may read."""

import os
import stat
import tempfile
from pathlib import Path
from typing import Final

from app.domain.access.callers import new_token
from app.errors import InvalidInputError, NotFoundError

FILE_NAME: Final = "local_token"
"""In the data folder."""
_MAX_BYTES: Final = 1_000
"""A token has 47; nothing as long as this is one."""


def local_token(path: Path) -> str:
    """The token of a file, which is made unless it is there.

    Raises:
        InvalidInputError: the file is not one that its owner alone may read, holds no token, or cannot be made.
    """
    try:
        return read_local_token(path)
    except NotFoundError:
        try:
            _make(path)
        except OSError as error:
            raise InvalidInputError(
                f"{path}: cannot be made: {error.strerror}; accepted: a folder of yours (OUTFITTER_DATA_DIR)"
            ) from error
    return read_local_token(path)


def read_local_token(path: Path) -> str:
    """The token of a file.

    Raises:
        NotFoundError: there is no file.
        InvalidInputError: it is not one that its owner alone may read, or holds no token.
    """
    try:
        # A link could lead to a file that somebody else may write.
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
            _check_rights(path, os.fstat(file.fileno()))
            token = file.read(_MAX_BYTES).strip().decode("latin-1")
    except FileNotFoundError:
        raise NotFoundError(
            f"there is no {path}; a service on loopback makes it at its first start with OUTFITTER_LOCAL_TOKEN=true"
        ) from None
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be read: {error.strerror}") from error
    if not token:
        raise InvalidInputError(f"{path}: is empty; accepted: no file, then the next start makes one")
    return token


def _check_rights(path: Path, found: os.stat_result) -> None:
    if os.name != "posix":
        return
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO) or found.st_uid != os.geteuid():
        raise InvalidInputError(
            f"{path}: others may read or write it; accepted: a file of yours with mode 0600. Remove it, and the next"
            " start makes another token: this one may be known"
        )


def _make(path: Path) -> None:
    """Make the file with all that is in it, or leave the one that another process made meanwhile."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Of mode 0600, and of a name that nothing had (O_EXCL).
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(f"{new_token()}\n".encode())
            file.flush()
            os.fsync(file.fileno())
        try:
            # Unlike a rename it takes no place that is taken.
            os.link(aside, path)
        except FileExistsError:
            return
    finally:
        Path(aside).unlink(missing_ok=True)
