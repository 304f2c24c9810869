"""The terminal as every command writes to it, and as it ends them."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


def open_console(*, stderr: bool = False) -> Console:
    """A console that shows texts as they are: `manifest:man:` holds no emoji."""
    return Console(stderr=stderr, emoji=False)


@contextmanager
def closed_by_sigterm() -> Iterator[None]:
    """SIGTERM ends what runs inside as Ctrl-C does: everything that was opened is closed, commands are ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, kept)


def _exit(number: int, _: object) -> None:
    raise SystemExit(128 + number)
