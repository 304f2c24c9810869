"""The terminal as every command writes to it, and as it ends them.

All output goes through here: texts of servers, documents and other users may hold what steers a terminal.
"""

import argparse
import signal
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NoReturn

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.segment import Segment
from rich.text import Text
from typer.core import TyperGroup

from app.domain.language.visible_text import visible, visible_json
from app.errors import (
    ChangedMeanwhileError,
    LeaseHeldError,
    LeaseLostError,
    NotReadyError,
    OutfitterError,
    SchemaVersionError,
    StoreUnavailableError,
)
from app.signals import handled

USAGE, NO_ANSWER = 2, 3
_TRY_LATER = (
    StoreUnavailableError,
    SchemaVersionError,
    LeaseHeldError,
    LeaseLostError,
    ChangedMeanwhileError,
    NotReadyError,
)
"""What may be otherwise another time, or with another version: nothing is wrong with the command."""
_WIDEST = 10_000
"""Columns; wider than any table of ours."""


class _VisibleConsole(Console):
    """A console whose texts hold nothing that a terminal acts on; its own styles and cursor moves stay."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Before the width of a cell is known."""
        return super().render_str(visible(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Whatever is printed comes by here: tables and their cells, markup, progress, tracebacks."""
        for segment in super().render(renderable, options):
            shown = segment.text if segment.control else visible(segment.text)
            yield segment if shown == segment.text else Segment(shown, segment.style)


def plain_text(text: str, *, style: str = "") -> Text:
    """A text without markup for a cell, visible before the cell's width is known."""
    return Text(visible(text), style=style)


def open_console(*, stderr: bool = False) -> Console:
    """A console that shows texts as they are: `manifest:man:` holds no emoji, and an escape is shown as one."""
    return _VisibleConsole(stderr=stderr, emoji=False)


def print_whole(*tables: RenderableType) -> None:
    """Tables of figures as wide as they are: where the terminal is narrower it breaks their lines, and no figure is cut."""
    console = open_console()
    room = console.width
    for table in tables:
        needed = Measurement.get(console, console.options.update(max_width=_WIDEST), table).maximum
        console.width = max(room, needed)
        console.print(table)


def write_text(text: str, *, stderr: bool = False, end: str = "\n") -> None:
    """A text as it is, without styles and not wrapped."""
    _write(visible(text) + end, stderr=stderr)


def write_json(document: str | bytes, *, end: str = "\n") -> None:
    """A JSON document: the same values, hidden characters as JSON's own escapes."""
    text = document if isinstance(document, str) else document.decode("utf-8", "surrogatepass")
    _write(visible_json(text) + end, stderr=False)


def _write(text: str, *, stderr: bool) -> None:
    stream = sys.stderr if stderr else sys.stdout
    stream.write(text)
    stream.flush()


class VisibleArguments(argparse.ArgumentParser):
    """Reads the words of a script; its usage errors quote them without hidden characters."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        super().error(visible(message))


class VisibleErrors(TyperGroup):
    """A group of commands whose errors are printed without hidden characters: they quote what was given.

    The one place that turns an error into a message and an exit status.
    """

    def make_context(self, *words: Any, **options: Any) -> Any:
        """Read the words that are the group's own."""
        with _visible_usage_errors():
            return super().make_context(*words, **options)

    def invoke(self, ctx: Any) -> Any:
        """Read the words of the command, and run it."""
        with _visible_usage_errors():
            try:
                return super().invoke(ctx)
            except OutfitterError as error:
                write_text(f"outfitter: {error}", stderr=True)
                raise typer.Exit(NO_ANSWER if isinstance(error, _TRY_LATER) else USAGE) from error


@contextmanager
def _visible_usage_errors() -> Iterator[None]:
    try:
        yield
    except typer.TyperException as error:
        error.message = visible(error.message)
        raise


def write_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None, /) -> None:
    """Fits `sys.excepthook`: what a bug says of itself may quote anybody."""
    write_text("".join(traceback.format_exception(kind, error, trace)), stderr=True, end="")


@contextmanager
def closed_by_sigterm() -> Iterator[None]:
    """SIGTERM ends what runs inside as Ctrl-C does: everything that was opened is closed, commands are ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with handled(_exit, signal.SIGTERM):
        yield


def _exit(number: int, _: object) -> None:
    raise SystemExit(128 + number)
