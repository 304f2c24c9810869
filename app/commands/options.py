"""Options that several commands have, and what is made of them."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import typer

DataDir: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the embedded engine (default: OUTFITTER_DATA_DIR, or your data folder).",
        show_default=False,
    ),
]
Servers: TypeAlias = Annotated[
    list[str] | None, typer.Option(help="Only tools of this server; may be given again.")
]
Categories: TypeAlias = Annotated[
    list[str] | None, typer.Option(help="Only tools in this category; may be given again.")
]
ReadOnly: TypeAlias = Annotated[bool, typer.Option("--read-only", help="Only tools that change nothing.")]
Word = TypeVar("Word", bound=StrEnum)


def word_of(words: type[Word], text: str, *, option: str) -> Word:
    """What an option says, of the words that it accepts."""
    try:
        return words(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r}; accepted: {', '.join(words)}", param_hint=option) from error
