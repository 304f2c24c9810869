"""What tests need from outside: fetched once for each machine, then found in a folder."""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from app.adapters.engine.folder import FileLock

FETCH_S = 900


class MissingError(Exception):
    """Something that tests need is not here and cannot be had; the message says what to install."""


def cache_folder() -> Path:
    """`OUTFITTER_TEST_CACHE`, else in the user's cache folder."""
    root = os.environ.get("OUTFITTER_TEST_CACHE")
    return Path(root) if root else Path.home() / ".cache" / "outfitter-tests"


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of this name, filled by `make` when it is not there yet.

    Several processes may ask at once: one of them fetches, and what it has is seen whole or not at all.

    Raises:
        MissingError: `make` does, or another process takes too long.
    """
    folder = cache_folder() / name
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f"{folder.name}.lock")) as lock:
        deadline = time.monotonic() + FETCH_S
        while not lock.try_exclusive():
            if time.monotonic() > deadline:
                raise MissingError(f"{lock.path} was held for {FETCH_S} s")
            time.sleep(0.2)
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f"{folder.name}.") as draft:
                make(Path(draft, "whole"))
                Path(draft, "whole").rename(folder)
    return folder


def fetch(
    command: Sequence[str], what: str, *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> None:
    """Run a command that fetches something.

    Raises:
        MissingError: it fails.
    """
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=FETCH_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise MissingError(f"{what} could not be fetched within {FETCH_S} s") from error
    if done.returncode:
        raise MissingError(f"{what} could not be fetched: {tail(done.stdout)}")


def tail(text: str) -> str:
    """The end of what a program said, in one line."""
    return " | ".join(text.strip().splitlines()[-6:])
