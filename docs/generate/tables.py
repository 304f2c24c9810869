"""Markdown tables."""

import re
from collections.abc import Iterable, Sequence

NOTE = "<!-- Generated from {source} by `make docs`; a test fails when it is stale. -->"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, or nothing where it has no rows."""
    body = [_row(row) for row in rows]
    return "\n".join([_row(columns), "|---" * len(columns) + "|", *body]) if body else ""


def code(text: str) -> str:
    """As code; nothing where there is nothing."""
    return f"`{text}`" if text else ""


def prose(text: str) -> str:
    """Text of help or a description on one line, with its asterisks and angle brackets shown, not obeyed."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else re.sub(r"([*<])", r"\\\1", part) for part in parts)


def page(*parts: str) -> str:
    """Parts of a page, those that are empty left out, a blank line between them."""
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "|" + "".join(f" {_escaped(cell)} |" if cell else " |" for cell in cells)


def _escaped(cell: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", cell)
