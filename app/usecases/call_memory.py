"""Which callers were lately given what somebody else wrote: kept in memory, and bounded."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from app.domain.flows.labels import counting, labels_of
from app.domain.nodes.models import Label, Tool

KEPT_S = 1800.0
"""How long an answer counts."""
MOST_CALLERS = 10_000
"""Callers that are remembered; of more, those that were given something lately."""
_GUARDED = frozenset({Label.EXTERNAL_SINK, Label.DESTRUCTIVE})


class CallMemory:
    """Remembers per caller the last tool whose answer others wrote; safe to share between threads.

    Args:
        clock: Seconds that only rise.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._given: OrderedDict[str, tuple[float, str]] = OrderedDict()

    def answered(self, who: str, tool: Tool) -> None:
        """A caller was given an answer of a tool."""
        if Label.UNTRUSTED_CONTENT not in counting(labels_of(tool)):
            return
        with self._lock:
            self._given[who] = (self._clock(), str(tool.id))
            self._given.move_to_end(who)
            while len(self._given) > MOST_CALLERS:
                self._given.popitem(last=False)

    def objection(self, who: str, tool: Tool) -> str:
        """Why a caller should not call a tool that sends out or destroys; empty where nothing speaks against it."""
        with self._lock:
            moment, source = self._given.get(who, (0.0, ""))
            if not source or self._clock() - moment > KEPT_S:
                return ""
        found = sorted(counting(labels_of(tool)) & _GUARDED)
        if not found:
            return ""
        said = " and ".join(label.replace("_", " ") for label in found)
        return f"it is {said}, and this caller was given what others wrote by {source!r} in the last {KEPT_S / 60:.0f} minutes"
