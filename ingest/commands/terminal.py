"""A progress bar on stderr, where that is a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from app.commands.terminal import open_console
from ingest.run.progress import NoProgress, Progress


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


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Shown while open; no output at all where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield NoProgress()
        return
    columns = (TextColumn("{task.description:9}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=open_console(stderr=True), transient=True) as bars:
        yield _Bar(bars)
