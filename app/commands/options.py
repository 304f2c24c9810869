"""Options that several commands have, and what is made of them."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

if TYPE_CHECKING:
    from app.settings import Settings
    from app.usecases.questions import Filters

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
Reviewed: TypeAlias = Annotated[
    bool, typer.Option("--reviewed", help="Without tools that a baseline alone accepted.")
]
AsCaller: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--as",
        help="Answer as this caller of OUTFITTER_CALLERS is answered, or, with group:NAME, whoever is in this group alone.",
        show_default=False,
    ),
]
Word = TypeVar("Word", bound=StrEnum)


def filters_of(
    servers: Sequence[str] | None,
    categories: Sequence[str] | None,
    *,
    read_only: bool,
    reviewed: bool,
) -> "Filters":
    """Which tools an answer may consist of."""
    from app.usecases.questions import Filters

    return Filters(
        servers=tuple(servers or ()),
        categories=tuple(categories or ()),
        read_only=read_only or None,
        reviewed=reviewed or None,
    )


def check_text(text: str, settings: "Settings", *, hint: str = "TEXT") -> None:
    """Refuse a question that the service would refuse."""
    if not 1 <= len(text) <= settings.max_query_chars:
        raise typer.BadParameter(
            f"{len(text)} characters; accepted: 1 to {settings.max_query_chars}", param_hint=hint
        )


def word_of(words: type[Word], text: str, *, option: str) -> Word:
    """What an option says, of the words that it accepts."""
    try:
        return words(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r}; accepted: {', '.join(words)}", param_hint=option) from error
