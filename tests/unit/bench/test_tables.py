"""Tables of figures where there is little room: nothing of them is lost."""

import re
from io import StringIO

import pytest
from rich.console import Console

from app.commands.terminal import print_whole
from bench.commands.tables import retrieval_table
from bench.sets import retrieval

NARROW = 80


def test_a_narrow_terminal_cuts_no_figure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a pipe: lines are as long as they are."""
    monkeypatch.setenv("COLUMNS", "30")
    results = [retrieval.SetResult("livemcpbench", 17_570, 500, (0.123,) * 5, 99.99, 999.99, 9999.99)]

    print_whole(retrieval_table(results, {"TUNE": (0.456,) * 5}))

    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[2:]] == [
        ["livemcpbench", "17570", "500", *[".123"] * 5, "99.99", "999.99", "9999.99"],
        ["TUNE", *[".456"] * 5],
    ]


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
