"""What plans bind, as a chapter of a report."""

from pathlib import Path

import pytest

from bench.judged import chapter
from bench.judged.bindings import BindingCounts, BindingResult
from bench.measure.cells import CellStore
from tests.unit.bench.goal_samples import write_goals

RESULT = BindingResult("jentic all", (BindingCounts(1, 2, 3, 4, 5, 6), BindingCounts()), "f", 1.0)


def test_the_chapter_has_goals_and_bindings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures of each goal are there for a comparison; what was measured is kept."""
    data, store, lines = write_goals(tmp_path / "data"), CellStore(tmp_path / "cells"), []
    monkeypatch.setattr(chapter, "measure_bindings", lambda data, vendors: [RESULT])
    first = chapter.measure_judged(data, store, code="c", quick=True, say=lines.append)
    monkeypatch.setattr(chapter, "measure_bindings", None)
    monkeypatch.setattr(chapter, "measure_goals", None)

    again = chapter.measure_judged(data, store, code="c", quick=True, say=lines.append)

    assert again == first
    assert list(first.sets) == ["goals", "goal questions", "bindings jentic all"]
    assert first.sets["bindings jentic all"]["cases"] == {"precision": [0.5, None], "recall": [0.25, None]}
    assert len(first.sets["goals"]["cases"]["signable"]) == 2
    assert [table.rows[0][0] for table in first.section().tables] == [
        "all goals",
        "all questions",
        "jentic all",
    ]
    assert first.missing == ()


def test_sets_that_are_not_there_are_named(tmp_path: Path) -> None:
    """A report is made of what there is."""
    found = chapter.measure_judged(tmp_path, CellStore(tmp_path / "cells"), code="", quick=False, say=print)

    assert [line.split(": ", 1)[0] for line in found.missing] == ["plans, goals", "plans, bindings"]
    assert found.tables == ()
