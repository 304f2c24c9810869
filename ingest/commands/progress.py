"""How far a run is, on stderr while it works: a bar for people, lines of JSON for programs."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from app.commands.terminal import open_console, write_text
from ingest.run.request import NoProgress, Progress

_PAUSE_S = 1.0
"""Between two lines of JSON; a run that takes less prints none."""


@contextmanager
def progress_shown(*, as_json: bool) -> Iterator[Progress]:
    """Shown while open: a bar on a terminal, else lines where JSON is asked for, else nothing."""
    if sys.stderr.isatty():
        columns = (TextColumn("{task.description:9}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Bars(*columns, console=open_console(stderr=True), transient=True) as bars:
            yield _Bar(bars)
    elif as_json:
        yield ProgressLines(lambda line: write_text(line, stderr=True))
    else:
        yield NoProgress()


class _Bar:
    """Fits `Progress`: one line for each step."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._task: TaskID | None = None

    def begin(self, step: str, total: int) -> None:
        """Finish the line of the step before, begin another."""
        if self._task is not None:
            done = self._bars.tasks[-1].total or 1
            self._bars.update(self._task, total=done, completed=done)
        self._task = self._bars.add_task(step, total=total or None)

    def advance(self, units: int) -> None:
        """Move on."""
        if self._task is not None:
            self._bars.advance(self._task, units)


class ProgressLines:
    """Fits `Progress`: a line of JSON with the phase and how much of it is done, at most one a second.

    Args:
        write: prints a line.
        clock: seconds, from anywhere.
    """

    def __init__(self, write: Callable[[str], None], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._clock = clock
        self._last = clock()
        self._phase, self._done, self._total = "", 0, 0

    def begin(self, step: str, total: int) -> None:
        """Another phase; 0 where nobody knows how much it is."""
        self._phase, self._done, self._total = step, 0, total
        self._say()

    def advance(self, units: int) -> None:
        """Move on."""
        self._done += units
        self._say()

    def _say(self) -> None:
        now = self._clock()
        if now - self._last < _PAUSE_S:
            return
        self._last = now
        line: dict[str, str | int] = {"phase": self._phase}
        if self._total:
            line |= {"done": self._done, "total": self._total}
        self._write(json.dumps(line))
