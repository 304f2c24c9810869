"""Work that may wait until nothing changes for a while: in a thread of its own, at most once at a time."""

import logging
import threading
import time
from collections.abc import Callable

_log = logging.getLogger(__name__)
_QUIET_S = 1.0
_LATEST_S = 10.0
"""Changes that never pause are waited for no longer."""


class Settling:
    """Does the work once after a pause, however often it was wished for.

    Args:
        work: What it is.
        quiet_s: How long nobody wishes for it before it begins.
    """

    def __init__(self, work: Callable[[], None], *, quiet_s: float = _QUIET_S) -> None:
        self._work = work
        self._quiet_s = quiet_s
        self._wished = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def wish(self) -> None:
        """Begin after a pause; returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="settling", daemon=True)
            self._thread.start()
        self._wished.set()

    def stop(self, timeout_s: float) -> bool:
        """End the thread; False when it is still at work. Safe to call twice."""
        self._stopping.set()
        self._wished.set()
        if self._thread is not None:
            self._thread.join(timeout_s)
        return self._thread is None or not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wished.wait()
            begin = time.monotonic()
            while self._wished.is_set() and time.monotonic() - begin < _LATEST_S:
                self._wished.clear()
                if self._stopping.wait(self._quiet_s):
                    return
            self._wished.clear()
            try:
                self._work()
            except Exception:  # noqa: BLE001 - answers go on from what there is, and it is tried again
                _log.exception("weights are not brought up to date: a defect")
                if self._stopping.wait(_LATEST_S):
                    return
                self._wished.set()
