"""`outfitter bench goals`: plans for goals as people type them, judged."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from app.commands.terminal import print_whole, write_json, write_text
from bench.commands.tables import figures_table
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
from bench.judged.goals import GoalResults, catalogue_of_goals, goals_values, measure_goals
from bench.sets.goals import read_goals


def goals_command(
    data: Annotated[
        Path, typer.Option("--data", help="Folder with the public sets; none of them comes with Outfitter.")
    ],
    goals: Annotated[
        Path | None,
        typer.Option(
            help="Another file in the form of goals/visible/goals.jsonl; NAME_questions.jsonl or questions.jsonl beside it is asked too.",
            show_default="goals/visible/goals.jsonl",
        ),
    ] = None,
    tasks: Annotated[
        Path | None,
        typer.Option(help="JSON, {goal id: [task]}: sent along with the goals, as a caller may."),
    ] = None,
    requests: Annotated[
        Path | None,
        typer.Option(
            help="Requests for operations, as `outfitter enrich requests --from` takes them.",
            show_default="none",
        ),
    ] = None,
    server: Annotated[
        list[str] | None,
        typer.Option(help="Only what is about this document; may be given again.", show_default="all"),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Say of each goal what is wrong with its plan.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables: every goal.")] = False,
) -> None:
    """Goals over six documents: calls found, values bound, plans that a person would let run; questions beside them."""
    found = read_goals(data, goals=goals, tasks=tasks, requests=requests, servers=server or ())
    results = measure_goals(found, catalogue_of_goals(found))
    times = goal_times(results)
    if as_json:
        figures = {
            "goals": [asdict(row) for row in goal_rows(results)],
            "questions": [asdict(row) for row in question_rows(results)],
        }
        columns = {"goals": GOAL_COLUMNS, "questions": QUESTION_COLUMNS}
        write_json(
            json.dumps(
                {"columns": columns, "figures": figures, "times": times, **goals_values(results)}, indent=2
            )
        )
        return
    if verbose:
        for line in _wrong(results):
            write_text(line)
    if results.goals:
        print_whole(_table("goals", GOAL_COLUMNS, goal_rows(results)))
        for note in GOAL_NOTES:
            write_text(note)
    if results.questions:
        print_whole(_table("questions, each in its document", QUESTION_COLUMNS, question_rows(results)))
    for line in goal_facts(results):
        write_text(line)
    for name, of in times.items():
        write_text(f"{name}: p50 {of['p50_ms']:.1f} ms, p95 {of['p95_ms']:.1f} ms")


def _table(title: str, columns: Sequence[str], rows: Sequence[FigureRow]) -> Table:
    table = figures_table(title, ("",), ("n", *columns))
    for row in rows:
        table.add_row(
            row.name, str(row.n), *(text.removeprefix("0") if "." in text else text for text in row.texts)
        )
    return table


def _wrong(results: GoalResults) -> Iterator[str]:
    for row in results.goals:
        verdict = row.verdict
        if verdict.signable:
            continue
        yield f"{row.id}: {row.goal}"
        yield f"  plan: {', '.join(verdict.calls) or 'empty'}; inputs: {', '.join(row.inputs) or 'none'}"
        for word, texts in (
            ("missing", verdict.missing),
            ("other change", verdict.other_changes),
            ("forbidden", verdict.forbidden),
            ("not one thing", verdict.twice),
            ("order", verdict.misplaced),
            ("without condition", verdict.unchecked),
            ("lost", verdict.lost),
            ("binding", verdict.wrong),
        ):
            yield from (f"  {word}: {text}" for text in texts)
    for question in results.questions:
        if not question.answerable and question.planned:
            yield f"{question.id}: {question.query}\n  nothing can answer this; calls planned: {question.planned}"
        elif question.answerable and question.rank != 1:
            yield f"{question.id}: {question.query}\n  first right operation at {question.rank or 'no place'}"
