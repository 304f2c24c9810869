"""A report as Markdown."""

from collections.abc import Iterator, Sequence

from bench.commands.table_data import TableData
from bench.report.section import Section

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_[]<>#|"})


def markdown(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """The whole text; plots are on the page only."""
    parts = [f"# {_plain(title)}", *map(_plain, lead)]
    for section in sections:
        parts.append(f"## {_plain(section.title)}")
        parts += map(_plain, section.paragraphs)
        for table in (*section.tables, *section.folded):
            parts.append("\n".join(_table(table)))
            parts += map(_plain, table.notes)
    return "\n\n".join(parts) + "\n"


def _table(table: TableData) -> Iterator[str]:
    yield f"**{_plain(table.title)}**"
    yield ""
    yield _line(table.columns)
    yield _line(["---"] * len(table.columns), plain=False)
    yield from map(_line, table.rows)


def _line(cells: Sequence[str], *, plain: bool = True) -> str:
    return f"| {' | '.join(map(_plain, cells) if plain else cells)} |"


def _plain(text: str) -> str:
    """The text as it is, whatever it holds."""
    return " ".join(text.split()).translate(_SPECIAL)
