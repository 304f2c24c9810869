"""Where kept snapshots are opened, and what names the release that they are of."""

import os
import sys
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

import numpy as np

import app
from app.adapters.snapshot_files.folder import SnapshotFolder
from app.ports.snapshots import SnapshotStore
from app.settings import OFF, Settings


def open_snapshots(settings: Settings) -> SnapshotStore | None:
    """The folder of the settings; None where snapshots are off, or the system has no owners and locks of files."""
    if settings.snapshot_dir == OFF or os.name != "posix":
        return None
    return SnapshotFolder(
        settings.snapshot_dir or settings.data_dir / "snapshots", release=release_mark(settings)
    )


def release_mark(settings: Settings) -> str:
    """Names all that decides what an index holds: version, code and words of the service, the user's words, stemmer.

    The same sources and words have the same mark on every machine of a kind.
    """
    digest = blake2b(digest_size=12)
    root = Path(app.__file__).parent
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
        digest.update(f"{path.relative_to(root)}\0".encode())
        digest.update(blake2b(path.read_bytes(), digest_size=16).digest())
    if settings.lexicon is not None:
        digest.update(settings.lexicon.read_bytes())
    digest.update(repr((sys.byteorder, np.dtype(np.intp).str, version("PyStemmer"))).encode())
    return f"{version('outfitter')} {digest.hexdigest()}"
