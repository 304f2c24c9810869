"""`outfitter bench report`: every figure in one run, as a page, as Markdown and as JSON."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.cells import Cell, CellStore
from bench.compare import FORMAT
from bench.report_cells import Task, measure_cells
from bench.report_machine import machine, versions
from bench.report_markdown import markdown
from bench.report_overview import overview, set_by_set
from bench.report_page import page
from bench.report_section import Section
from bench.report_sets import TOOLBENCH, Scope
from bench.report_times import how_measured, times_section
from bench.report_tracks import toolbench_section
from bench.report_values import Difference, differences, set_figures, set_times

TITLE = "Outfitter: rankings, plans and times"
PAGE, TEXT, VALUES = "report.html", "report.md", "report.json"


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a report."""

    page: Path
    text: Path
    values: Path
    seconds: float
    kept: int
    """Cells that an earlier run had measured."""
    measured: int


def write_report(
    scope: Scope, out: Path, *, command: str, progress: Callable[[Task, Cell, bool], None]
) -> Written:
    """Measure what is not kept in `out/cells`, and write the page, the text and the values.

    Args:
        scope: What to measure.
        out: Folder; made when it is not there.
        command: As it was typed, for the report.
        progress: Called from any thread after each cell.
    """
    begin = time.perf_counter()
    started = datetime.now(UTC)
    kept: list[bool] = []

    def done(task: Task, cell: Cell, known: bool) -> None:
        kept.append(known)
        progress(task, cell, known)

    store = CellStore(out / "cells")
    cells = measure_cells(scope.tasks(), store, done=done, peers_end_s=scope.peers_end_s)
    by_set = _by_set(cells)
    sets = {of.name: set_figures(of, by_set[of.name]) for of in scope.sets}
    large = {of.name: set_figures(of, by_set[of.name]) for of in scope.large}
    found = differences(sets, scope.methods)
    times = {name: set_times(of) for name, of in by_set.items()}
    seconds = time.perf_counter() - begin
    about = {
        "command": command,
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "machine": machine(),
        "versions": versions(scope.peers[0].version if scope.peers else ""),
    }
    sections = _sections(scope, sets | large, found, times, about)
    values = {
        "format": FORMAT,
        "figures": {
            "sets": sets | large,
            "differences": [asdict(row) for row in found],
            "missing": list(scope.missing),
        },
        "times": about | {"sets": times},
    }
    return Written(
        _write(out / PAGE, page(TITLE, _lead(scope, about), sections)),
        _write(out / TEXT, markdown(TITLE, _lead(scope, about), sections)),
        _write(out / VALUES, json.dumps(values, indent=1, sort_keys=True) + "\n"),
        round(seconds, 1),
        sum(kept),
        len(kept) - sum(kept),
    )


def _sections(
    scope: Scope,
    sets: Mapping[str, Mapping[str, Any]],
    found: Sequence[Difference],
    times: Mapping[str, Any],
    about: Mapping[str, Any],
) -> list[Section]:
    compared = {of.name: sets[of.name] for of in scope.sets}
    sections = [
        overview(compared, times, scope.methods),
        set_by_set(sets, scope.missing, found, scope.methods),
    ]
    toolbench = next((of for of in scope.sets if of.name == TOOLBENCH), None)
    if toolbench:
        sections.append(toolbench_section(toolbench, sets[TOOLBENCH], scope.methods))
    return [*sections, times_section(times, scope.methods), how_measured(scope, about)]


def _lead(scope: Scope, about: Mapping[str, Any]) -> list[str]:
    questions = sum(len(of.questions) for of in scope.sets)
    return [
        f"{len(scope.sets)} public sets, {questions:,} questions, {len(scope.methods)} rankings, one run: "
        f"{about['started'].replace('T', ' ')[:16]} UTC, {about['machine']['processor']}, "
        f"{about['machine']['cores']} cores."
    ]


def _by_set(cells: Mapping[tuple[str, str], Cell]) -> dict[str, dict[str, Cell]]:
    found: defaultdict[str, dict[str, Cell]] = defaultdict(dict)
    for (dataset, method), cell in sorted(cells.items()):
        found[dataset][method] = cell
    return found


def _write(path: Path, text: str) -> Path:
    part = path.with_suffix(path.suffix + ".part")
    part.write_text(text, encoding="utf-8")
    return part.replace(path)
