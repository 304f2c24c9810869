"""`outfitter bench report`: every figure in one run, as a page, as Markdown and as JSON."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.errors import InvalidInputError
from bench.judged.chapter import JudgedPlans, measure_judged
from bench.measure.cells import Cell, CellStore, code_fingerprint
from bench.report.cells import Task, measure_cells
from bench.report.compare import FORMAT
from bench.report.machine import machine, versions
from bench.report.markdown import markdown
from bench.report.overview import overview, set_by_set
from bench.report.page import page
from bench.report.plans import PlanRows, measure_all_plans, plan_times, plans_section, plans_without_times
from bench.report.scale import scale_section
from bench.report.section import Section
from bench.report.sets import Part, ReportScope
from bench.report.times import how_measured, times_section, without_times
from bench.report.values import differences, set_figures, set_times
from bench.served.scale import GrowthRow, ScaleRow, measure_scale, measure_start_of_sizes, vocabulary_rows
from bench.served.starts import Starts

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
    scope: ReportScope,
    data: Path,
    out: Path,
    *,
    command: str,
    progress: Callable[[Task, Cell, bool], None],
    say: Callable[[str], None],
) -> Written:
    """Measure what is not kept in `out/cells`, and write the page, the text and the values.

    Args:
        scope: What to measure.
        data: Folder with the public sets.
        out: Folder; made when it is not there.
        command: As it was typed, for the report.
        progress: Called from any thread after each cell; the last argument says whether it was kept.
        say: Called with what is not a cell: plans, sizes.
    """
    begin = time.perf_counter()
    started = datetime.now(UTC)
    kept: list[bool] = []

    def done(task: Task, cell: Cell, known: bool) -> None:
        kept.append(known)
        progress(task, cell, known)

    store = CellStore(out / "cells")
    cells = measure_cells(scope.tasks(), store, done=done, peers_end_s=scope.peers_end_s)
    rest = _measure_rest(scope, data, store, say)
    found = _found(scope, data, cells, rest)
    seconds = round(time.perf_counter() - begin, 1)
    about = {
        "command": command,
        "started": started.isoformat(timespec="seconds"),
        "seconds": seconds,
        "machine": machine(),
        "versions": versions(scope.peers[0].version if scope.peers else ""),
    }
    sections = [*found.sections, how_measured(scope, about)]
    lead = _lead(scope, about)
    values = {"format": FORMAT, "figures": found.figures, "times": about | found.times}
    return Written(
        _write(out / PAGE, page(TITLE, lead, sections)),
        _write(out / TEXT, markdown(TITLE, lead, sections)),
        _write(out / VALUES, json.dumps(values, indent=1, sort_keys=True) + "\n"),
        seconds,
        sum(kept),
        len(kept) - sum(kept),
    )


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is no cell."""

    plans: Mapping[str, PlanRows] = field(default_factory=dict)
    missing: Sequence[str] = ()
    scale: Sequence[ScaleRow] = ()
    vocabulary: Sequence[GrowthRow] = ()
    starts: Sequence[Starts] = ()
    judged: JudgedPlans = field(default_factory=JudgedPlans)


@dataclass(frozen=True, slots=True)
class _Found:
    sections: list[Section]
    figures: dict[str, Any]
    times: dict[str, Any]


def _measure_rest(scope: ReportScope, data: Path, store: CellStore, say: Callable[[str], None]) -> _Rest:
    code = code_fingerprint(own=True)
    peer = scope.peers[0] if scope.peers else None
    plans: dict[str, PlanRows] = {}
    missing: list[str] = []
    if Part.PLANS in scope.parts:
        plans, missing = measure_all_plans(data, peer, store, code=code, say=say)
    judged = JudgedPlans()
    if Part.GOALS in scope.parts:
        judged = measure_judged(data, store, code=code, quick=scope.quick, say=say)
        missing = [*missing, *judged.missing]
    if Part.SIZES not in scope.parts:
        return _Rest(plans, missing, judged=judged)
    try:
        scale = measure_scale(data, scope.peers, store, sizes=scope.sizes, code=code, say=say)
        vocabulary = vocabulary_rows(data, scope.sizes)
        starts = measure_start_of_sizes(data, store, sizes=scope.sizes, code=code, say=say)
    except InvalidInputError as error:
        return _Rest(plans, [*missing, f"sizes: {error}"], judged=judged)
    return _Rest(plans, missing, scale, vocabulary, starts, judged)


def _found(scope: ReportScope, data: Path, cells: Mapping[tuple[str, str], Cell], rest: _Rest) -> _Found:
    by_set = _by_set(cells)
    compared = {of.name: set_figures(of, by_set[of.name]) for of in scope.sets}
    more = {of.name: set_figures(of, by_set[of.name]) for of in (*scope.large, *scope.tracks.datasets)}
    gaps = differences(compared, scope.methods)
    times = {of.name: set_times(by_set[of.name]) for of in (*scope.sets, *scope.large)}
    large = {of.name: more[of.name] for of in scope.large}
    missing = [*scope.missing, *rest.missing]
    tracks = scope.tracks.sections(cells, data)
    sections = [
        overview(compared, times, gaps, scope.methods),
        set_by_set(compared, large, missing, gaps, scope.methods),
        *tracks,
    ]
    sections += [plans_section(rest.plans)] if rest.plans else []
    sections += [rest.judged.section()] if rest.judged.tables else []
    sections += [scale_section(rest.scale, rest.vocabulary, rest.starts)] if rest.scale else []
    sections.append(times_section(times, scope.methods))
    figures = {
        "sets": compared | more,
        "differences": [asdict(row) for row in gaps],
        "tables": [
            asdict(without_times(table)) for section in tracks for table in (*section.tables, *section.folded)
        ],
        "plans": plans_without_times(rest.plans),
        "judged": dict(rest.judged.sets),
        "judged_tables": [asdict(table) for table in rest.judged.tables],
        "missing": missing,
    }
    spent = {
        "sets": {name: set_times(of) for name, of in by_set.items()},
        "plans": plan_times(rest.plans),
        "judged": dict(rest.judged.times),
        "scale": [asdict(row) for row in rest.scale],
        "vocabulary": [asdict(row) for row in rest.vocabulary],
    }
    return _Found(sections, figures, spent)


def _lead(scope: ReportScope, about: Mapping[str, Any]) -> list[str]:
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
