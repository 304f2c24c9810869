"""A report as values, before it becomes a page or Markdown."""

from dataclasses import dataclass

from bench.commands.table_data import TableData


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter. Texts are plain; those of data sets may hold anything."""

    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[TableData, ...] = ()
    folded: tuple[TableData, ...] = ()
    """Tables that the page shows when asked; Markdown shows them all."""
    plots: tuple[str, ...] = ()
    """SVG text of `plots`; Markdown leaves them out."""
