"""The chapter of a report on what plans bind: goals judged by their labels, bindings against labelled workflows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from app.errors import InvalidInputError
from bench.commands.table_data import TableData
from bench.judged.bindings import BINDING_COLUMNS, BINDING_NOTES, binding_result, measure_bindings
from bench.judged.figures import (
    GOAL_COLUMNS,
    GOAL_NOTES,
    QUESTION_COLUMNS,
    FigureRow,
    goal_facts,
    goal_rows,
    goal_times,
    question_rows,
)
from bench.judged.goals import catalogue_of_goals, goals_fingerprint, measure_goals
from bench.measure.cells import CellKey, CellStore
from bench.report.section import Section
from bench.sets.goals import read_goals

_QUICK_VENDORS = 40
"""Of Jentic's 159, in a quick report."""


@dataclass(frozen=True)
class JudgedPlans:
    """What was measured, as the JSON file has it."""

    tables: tuple[TableData, ...] = ()
    facts: tuple[str, ...] = ()
    sets: Mapping[str, Any] = field(default_factory=dict)
    """By name of the set: its fingerprint, and scores by metric, one per goal; None where a goal has none."""
    times: Mapping[str, Any] = field(default_factory=dict)
    """Milliseconds, by set."""
    missing: tuple[str, ...] = ()

    def section(self) -> Section:
        """The chapter."""
        text = (
            "What a plan does is in its bindings: the goals of people with the labels of those who wrote them, and "
            "the labelled workflows of public sets. No planner sees a label."
        )
        return Section("What plans bind", (text, *self.facts), tables=self.tables)


def measure_judged(
    data: Path, store: CellStore, *, code: str, quick: bool, say: Callable[[str], None]
) -> JudgedPlans:
    """Goals and bindings; what the folder has no set for is a line in `missing`, kept rows are taken as they are."""
    tables: list[TableData] = []
    facts: list[str] = []
    sets: dict[str, Any] = {}
    times: dict[str, Any] = {}
    missing: list[str] = []
    for name, measure in (("goals", _goals), ("bindings", _bindings)):
        try:
            found = measure(data, store, code, quick)
        except InvalidInputError as error:
            missing.append(f"plans, {name}: {error}")
            continue
        say(f"plans, {name}: {len(found.sets)} sets")
        tables += found.tables
        facts += found.facts
        sets |= found.sets
        times |= found.times
    return JudgedPlans(tuple(tables), tuple(facts), sets, times, tuple(missing))


def _goals(data: Path, store: CellStore, code: str, _: bool) -> JudgedPlans:
    found = read_goals(data)
    of = goals_fingerprint(found)

    def measured() -> dict[str, Any]:
        results = measure_goals(found, catalogue_of_goals(found))
        return {
            "goals": [asdict(row) for row in goal_rows(results)],
            "questions": [asdict(row) for row in question_rows(results)],
            "facts": goal_facts(results),
            "cases": results.cases(),
            "times": goal_times(results),
        }

    values = _kept(store, CellKey("plans", "goals", f"{of[:16]} {code}"), measured)
    tables = (
        _table("Goals as people type them", GOAL_COLUMNS, values["goals"], GOAL_NOTES),
        _table("Questions beside them, each in its document", QUESTION_COLUMNS, values["questions"]),
    )
    sets = {name: {"fingerprint": of, "cases": cases} for name, cases in values["cases"].items()}
    return JudgedPlans(tables, tuple(values["facts"]), sets, values["times"])


def _bindings(data: Path, store: CellStore, code: str, quick: bool) -> JudgedPlans:
    vendors = _QUICK_VENDORS if quick else None
    key = CellKey("plans", "bindings", f"{vendors or 'all'} {code}")
    values = _kept(
        store, key, lambda: {"rows": [asdict(row) for row in measure_bindings(data, vendors=vendors)]}
    )
    rows = [binding_result(row) for row in values["rows"]]
    shown = [asdict(FigureRow(row.set, row.goals, tuple(row.texts()))) for row in rows]
    sets = {f"bindings {row.set}": {"fingerprint": row.fingerprint, "cases": row.cases()} for row in rows}
    times = {f"bindings {row.set}": {"p50_ms": round(row.p50_ms, 3)} for row in rows}
    return JudgedPlans(
        (_table("Bindings from earlier calls", BINDING_COLUMNS, shown, BINDING_NOTES),), (), sets, times
    )


def _kept(store: CellStore, key: CellKey, measured: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    values = store.read_values(key)
    if values is None:
        values = measured()
        store.write_values(key, values)
    return values


def _table(
    title: str, columns: Sequence[str], rows: Sequence[Mapping[str, Any]], notes: Sequence[str] = ()
) -> TableData:
    texts = tuple((row["name"], str(row["n"]), *row["texts"]) for row in rows)
    return TableData(title, ("set", "n", *columns), texts, tuple(notes))
