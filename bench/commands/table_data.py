"""A table before it is shown: on a page, in Markdown or in a terminal."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableData:
    """Texts in rows, as many in each as there are columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    """Sentences below the table."""

    def __post_init__(self) -> None:
        """Refuse rows of another length than the columns have: a bug of the caller."""
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.title!r}: a row of {len(row)} for {len(self.columns)} columns")
