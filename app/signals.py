"""What a signal does while something is open."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def handled(handler: Callable[[int, FrameType | None], Any], *numbers: signal.Signals) -> Iterator[None]:
    """Let `handler` have these signals, and give them back; only the main thread may."""
    kept = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, before in kept.items():
            signal.signal(number, before)
