"""Which callers were lately given what somebody else wrote: kept in memory, and bounded."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from app.domain.flows.labels import counting, labels_of
from app.domain.nodes.models import Label, Tool

KEPT_S = 1800.0
"""How long an answer counts."""
MOST_CALLERS = 10_000
"""Callers that are remembered; of more, those that were given something lately."""
MOST_RUNS = 20
"""Runs of a caller that are kept apart; what older ones were given counts in all runs of the caller."""
_GUARDED = frozenset({Label.EXTERNAL_SINK, Label.DESTRUCTIVE})


@dataclass(frozen=True, slots=True)
class _Answer:
    """When which tool answered."""

    moment: float
    tool: str


@dataclass(slots=True)
class _Given:
    """What one caller was given."""

    last: _Answer
    """In any run, or none."""
    everywhere: _Answer | None = None
    """Without a run, or in one that is no longer kept apart."""
    runs: OrderedDict[str, _Answer] = field(default_factory=OrderedDict)


class CallMemory:
    """Remembers per caller and run the last tool whose answer others wrote; safe to share between threads.

    A caller that names its runs is asked in each of them only about that run, and about answers of no run; one that names
    none about all answers.

    Args:
        clock: Seconds that only rise.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._given: OrderedDict[str, _Given] = OrderedDict()

    def answered(self, who: str, tool: Tool, run: str = "") -> None:
        """A caller was given an answer of a tool, in a run where it names one."""
        if Label.UNTRUSTED_CONTENT not in counting(labels_of(tool)):
            return
        with self._lock:
            answer = _Answer(self._clock(), str(tool.id))
            given = self._given.setdefault(who, _Given(answer))
            given.last = answer
            if run:
                given.runs[run] = answer
                given.runs.move_to_end(run)
            else:
                given.everywhere = answer
            while len(given.runs) > MOST_RUNS:
                oldest = given.runs.popitem(last=False)[1]
                if given.everywhere is None or oldest.moment > given.everywhere.moment:
                    given.everywhere = oldest
            self._given.move_to_end(who)
            while len(self._given) > MOST_CALLERS:
                self._given.popitem(last=False)

    def objection(self, who: str, tool: Tool, run: str = "") -> str:
        """Why a caller should not call a tool that sends out or destroys; empty where nothing speaks against it."""
        with self._lock:
            found = self._counting(who, run)
        if found is None or self._clock() - found.moment > KEPT_S:
            return ""
        labels = sorted(counting(labels_of(tool)) & _GUARDED)
        if not labels:
            return ""
        said = " and ".join(label.replace("_", " ") for label in labels)
        return f"it is {said}, and this caller was given what others wrote by {found.tool!r} in the last {KEPT_S / 60:.0f} minutes"

    def _counting(self, who: str, run: str) -> _Answer | None:
        """The last answer that counts."""
        given = self._given.get(who)
        if given is None:
            return None
        if not run:
            return given.last
        answers = [one for one in (given.runs.get(run), given.everywhere) if one is not None]
        return max(answers, key=lambda one: one.moment, default=None)
