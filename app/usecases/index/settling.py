"""Work that may wait until nothing changes for a while: in a thread of its own, at most once at a time."""

import logging
import threading
import time
from collections.abc import Callable

from app.usecases.index.search_index import SearchIndex

_log = logging.getLogger(__name__)
_QUIET_S = 1.0
_LATEST_S = 10.0
"""Changes that never pause are waited for no longer."""
PATIENT_S = 10.0
_SHARE = 0.2
"""Of the time, at most, goes to work that nothing presses for."""
_MOST_MOVED = 1e-3
"""By which share mean lengths of fields may have moved: no worth of a word in a tool is then further off (BM25 divides by them).
Of 17,570 tools, that is after .1 % of their words have gone."""
_MOST_COUNTED = 500
"""Tools that are counted again at each change: 10 ms."""


def is_pressing(index: SearchIndex) -> bool:
    """Whether all tools of an index are to be counted together soon: its weights or the next change suffer by what changed."""
    _, *later = index.whole.tools.segments
    counted = sum(segment.counts.documents for segment in later)
    return counted > _MOST_COUNTED or index.whole.tools.moved > _MOST_MOVED


class Settling:
    """Does the work once after a pause, however often it was wished for.

    Args:
        work: What it is.
        quiet_s: How long nobody wishes for it before it begins.
        patient_s: The same where all who wished for it can wait.
    """

    def __init__(
        self, work: Callable[[], None], *, quiet_s: float = _QUIET_S, patient_s: float = PATIENT_S
    ) -> None:
        self._work = work
        self._quiet_s = quiet_s
        self._patient_s = patient_s
        self._news = threading.Condition()
        self._wished: float | None = None
        """When somebody did last."""
        self._pressed: float | None = None
        """When somebody did first who cannot wait."""
        self._stopping = False
        self._thread: threading.Thread | None = None

    def wish(self, *, pressing: bool = True) -> None:
        """Begin after a pause, a long one unless this is pressing; returns at once."""
        with self._news:
            self._wished = time.monotonic()
            if pressing and self._pressed is None:
                self._pressed = self._wished
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="settling", daemon=True)
                self._thread.start()
            self._news.notify()

    def stop(self, timeout_s: float) -> bool:
        """End the thread; False when it is still at work. Safe to call twice."""
        with self._news:
            self._stopping = True
            self._news.notify()
        if self._thread is not None:
            self._thread.join(timeout_s)
        return self._thread is None or not self._thread.is_alive()

    def _run(self) -> None:
        while self._begins():
            begin = time.monotonic()
            try:
                self._work()
            except Exception:  # noqa: BLE001 - answers go on from what there is, and it is tried again
                _log.exception("weights are not brought up to date: a defect")
                with self._news:
                    if self._news.wait_for(lambda: self._stopping, _LATEST_S):
                        return
                self.wish()
            self._patient_s = max(self._patient_s, (time.monotonic() - begin) / _SHARE)

    def _begins(self) -> bool:
        """Wait until the work is to be done; False where it ends instead."""
        with self._news:
            while not self._stopping:
                wait_s = self._wait_s()
                if wait_s is not None and wait_s <= 0:
                    self._wished = self._pressed = None
                    return True
                self._news.wait(wait_s)
        return False

    def _wait_s(self) -> float | None:
        """Until the work begins if nobody wishes for it again; None where nobody has."""
        if self._wished is None:
            return None
        begins = self._wished + self._patient_s
        if self._pressed is not None:
            begins = min(self._wished + self._quiet_s, self._pressed + _LATEST_S)
        return begins - time.monotonic()
