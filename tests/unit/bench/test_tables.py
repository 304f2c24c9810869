"""Tables of figures where there is little room: nothing of them is lost."""

import re
from io import StringIO

from rich.console import Console

from bench.commands.tables import retrieval_table
from bench.sets import retrieval

NARROW = 80


def test_retrieval_fits_into_eighty_columns() -> None:
    """The widest figures that the sets have, each whole and in one line."""
    results = [
        retrieval.SetResult(name, 99_999, 99_999, (1.0, 0.999, 0.5, 0.123, 0.25), 99.99, 999.99, 9999.99)
        for name in retrieval.SETS
    ]
    out = StringIO()

    Console(file=out, width=NARROW).print(retrieval_table(results, retrieval.means(results)))

    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= NARROW
    rows = [line for line in lines if line.split()[:1] and line.split()[0] in retrieval.SETS]
    assert [re.findall(r"[\d.]+", line.split(maxsplit=1)[1]) for line in rows] == [
        ["99999", "99999", "1.000", ".999", ".500", ".123", ".250", "99.99", "999.99", "9999.99"]
    ] * len(retrieval.SETS)
