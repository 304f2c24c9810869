"""Where kept snapshots are opened, what names the release that they are of, and the process that makes one.

`python -m app.roots.snapshots` keeps the index of the graph that the environment names; with `--background`, others on
the machine go first.
"""

import gc
import logging
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import numpy as np

import app
from app import logs
from app.adapters.snapshot_files.folder import SnapshotFolder
from app.errors import NotReadyError, OutfitterError
from app.ports.snapshots import SnapshotMaker, SnapshotStore
from app.roots.encoders import open_encoder
from app.roots.graph import open_graph, read_settings
from app.roots.lexicon import use_lexicon
from app.settings import OFF, Settings

_log = logging.getLogger(__name__)
_LOOK_S = 0.1
_BACKGROUND = "--background"
_PATIENCE_S = 60.0
"""So long it waits for ingests that are at work, one after the other."""
_NICENESS = 10
"""Of a process that nobody waits for. Source: what nice(1) adds by default."""
_Found = TypeVar("_Found")


def open_snapshots(settings: Settings) -> SnapshotStore | None:
    """The folder of the settings; None where snapshots are off, or the system has no owners and locks of files."""
    if settings.snapshot_dir == OFF or os.name != "posix":
        return None
    return SnapshotFolder(
        settings.snapshot_dir or settings.data_dir / "snapshots", release=release_mark(settings)
    )


class SnapshotProcess:
    """Fits `SnapshotMaker`: a process that ends when the snapshot is kept, and whose memory goes with it.

    Building takes several times what the index does, and a C library gives little of that back.

    Args:
        settings: Of the service.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def make(self, *, goes_on: Callable[[], bool], in_background: bool = False) -> bool:
        """Keep the index of the graph as it is now; whether it is kept."""
        begin = time.perf_counter()
        settings = self._settings
        environment = settings.for_child(os.environ)  # noqa: TID251 - passed on, not read
        search_path = [str(Path(app.__file__).parents[1]), environment.get("PYTHONPATH", "")]
        environment |= {
            "PYTHONPATH": os.pathsep.join(filter(None, search_path)),
            "OUTFITTER_LOG_LEVEL": settings.log_level,
            "OUTFITTER_LOG_FORMAT": settings.log_format,
        }
        command = [sys.executable, "-P", "-m", "app.roots.snapshots"]
        if in_background:
            command.append(_BACKGROUND)
        try:
            process = subprocess.Popen(  # noqa: S603 - ours
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=environment,
            )
        except OSError as error:
            _log.warning("no process makes the snapshot", extra={"problem": str(error)})
            return False
        with process:
            while True:
                try:
                    status = process.wait(_LOOK_S)
                    break
                except subprocess.TimeoutExpired:
                    if not goes_on():
                        process.kill()
        made_s = round(time.perf_counter() - begin, 3)
        _log.info("snapshot made by a process of its own", extra={"status": status, "made_s": made_s})
        return status == 0


def snapshot_maker(settings: Settings) -> SnapshotMaker | None:
    """What makes the snapshots of `open_snapshots`; None where none are kept."""
    return None if open_snapshots(settings) is None else SnapshotProcess(settings)


def main() -> int:
    """Keep the index of the graph as it is now; the exit status."""
    in_background = _BACKGROUND in sys.argv[1:]
    if in_background:
        os.nice(_NICENESS)
    # Everything that is read stays until the end: the collector would walk it again and again.
    gc.disable()
    use_lexicon()
    settings = read_settings()
    logs.configure(level=settings.log_level, form=settings.log_format)
    store = open_snapshots(settings)
    if store is None:
        return 1
    from app.usecases.index.kept import keep_index

    try:
        with open_graph(settings) as graph:
            encoder = open_encoder(settings)
            end = time.monotonic() + _PATIENCE_S
            while True:
                try:
                    return 0 if keep_index(graph, store, in_fork, encoder=encoder) else 1
                except NotReadyError:
                    if time.monotonic() > end:
                        raise
                    time.sleep(_LOOK_S)
    except OutfitterError as error:
        _log.warning("snapshot not made", extra={"problem": str(error)})
        return 1


def in_fork(work: Callable[[], _Found]) -> Callable[[], _Found]:
    """Begin a work on another core, in a fork that has what is read already; on a machine with one core, do it when asked."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) == 1:
        return work
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)

    def send() -> None:
        # Else nobody would ever tell that whoever waits has been killed: this end would still be read.
        ours.close()
        theirs.send(work())

    process = context.Process(target=send, daemon=True)
    process.start()
    theirs.close()

    def result() -> _Found:
        try:
            found: _Found = ours.recv()
        except EOFError:
            _log.warning(
                "the other half of a snapshot was not made beside", extra={"status": process.exitcode}
            )
            return work()
        process.join()
        return found

    return result


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


if __name__ == "__main__":
    sys.exit(main())
