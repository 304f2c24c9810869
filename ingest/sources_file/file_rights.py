"""Whether a file that names commands to run is only its owner's to write."""

import os
import stat
import sys
from pathlib import Path

from app.errors import InvalidInputError


def check_rights(path: Path, found: os.stat_result) -> None:
    """Refuse a file that every user of this machine may write, or put another in the place of.

    As with the engine's data folder, rights of a group are the owner's to give. On a file system that is mounted
    read-only nobody here writes; on Windows nothing is looked at.

    Args:
        path: of the file, which may be a link.
        found: the file itself, opened.

    Raises:
        InvalidInputError: they may; the message says what to take away.
    """
    if sys.platform == "win32" or os.statvfs(path).f_flag & os.ST_RDONLY:
        return
    if found.st_mode & stat.S_IWOTH:
        raise InvalidInputError(
            f"{path} may be written by every user of this machine, and it names commands to run; take that right"
            " away (chmod o-w)"
        )
    for folder in {path.parent, path.resolve().parent}:
        mode = folder.stat().st_mode
        if not mode & stat.S_IWOTH:
            continue
        if not mode & stat.S_ISVTX:
            raise InvalidInputError(
                f"{path} names commands to run, and every user of this machine may put another file in its place:"
                f" take the right to write away from {folder} (chmod o-w), or choose another folder"
            )
        if found.st_uid not in (os.geteuid(), 0):
            raise InvalidInputError(
                f"{path} names commands to run and belongs to another user, in the folder {folder} in which"
                " everybody may make files; accepted: a file of your own or of root"
            )
