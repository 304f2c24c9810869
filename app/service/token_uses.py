"""When tokens of the file of callers were used last: one line of the audit for each token and day."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from app.domain.access.callers import CallerEntry

_DAY_S: Final = 86_400


class TokenUses:
    """Notes the first use of each token on each day, in UTC, without keeping whoever asks waiting.

    Args:
        note: Writes one down; is called in a thread of its own.
        now: Seconds since 1970.
    """

    def __init__(self, note: Callable[[CallerEntry], None], *, now: Callable[[], float] = time.time) -> None:
        self._note = note
        self._now = now
        self._days: dict[str, int] = {}
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="token uses")

    def used(self, entry: CallerEntry) -> None:
        """The entry's token let somebody in; returns at once."""
        today = int(self._now() // _DAY_S)
        if self._days.get(entry.sha256) != today:
            self._days[entry.sha256] = today
            self._writer.submit(self._note, entry)

    def close(self) -> None:
        """Wait until all is written down."""
        self._writer.shutdown()
