"""Leaves an endpoint alone that fails again and again, so that nobody waits for it."""

import threading
import time
from typing import Final

_FAILURES: Final = 3
_REST_S: Final = 10.0


class Rest:
    """Counts failures in a row; three of them make a rest of 10 s. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failures = 0
        self._until = 0.0

    @property
    def is_on(self) -> bool:
        """Whether the endpoint is left alone now."""
        return time.monotonic() < self._until

    def failed(self) -> None:
        """It failed."""
        with self._lock:
            self._failures += 1
            if self._failures >= _FAILURES:
                self._failures, self._until = 0, time.monotonic() + _REST_S

    def worked(self) -> None:
        """It answered."""
        with self._lock:
            self._failures = 0
