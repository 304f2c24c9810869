"""What is wrong with a command's words, as typer says it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from app.domain.language.visible_text import visible


class VisibleErrors(TyperGroup):
    """A group of commands whose usage errors are printed without hidden characters: they quote what was given."""

    def make_context(self, *words: Any, **options: Any) -> Any:
        """Read the words that are the group's own."""
        with _visible():
            return super().make_context(*words, **options)

    def invoke(self, ctx: Any) -> Any:
        """Read the words of the command, and run it."""
        with _visible():
            return super().invoke(ctx)


@contextmanager
def _visible() -> Iterator[None]:
    try:
        yield
    except typer.TyperException as error:
        error.message = visible(error.message)
        raise
