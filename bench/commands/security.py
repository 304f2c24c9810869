"""`outfitter bench flows`, `bench findings` and `bench poison`: what checks find, and what review keeps from answers."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from app.commands.terminal import print_whole, write_json, write_text
from bench.commands.table_data import TableData
from bench.commands.tables import data_table


def flows_command(
    folder: Annotated[Path, typer.Argument(help="A checkout of sequrity-ai/agentdojo@357c80dea9af.")],
    python: Annotated[
        Path | None,
        typer.Option(help="An interpreter that has what AgentDojo imports.", show_default="this one"),
    ] = None,
    injecagent: Annotated[
        Path | None,
        typer.Option(
            help="Folder `data` of enkryptai/xInjectAgent@21af27703ad4: its cases as well.",
            show_default="none",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", help="Folder with the public sets, whose labels are compared too.", show_default="none"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Attacked and harmless runs: what the check of flows finds; how well labels are inferred. No model is asked."""
    from bench.flows.injecagent import measure_injecagent
    from bench.flows.measure import measure_flows

    found = measure_flows(folder, python=python or Path(sys.executable), data=data)
    cases = measure_injecagent(injecagent) if injecagent else []
    if as_json:
        write_json(json.dumps({**asdict(found), "injecagent": [asdict(one) for one in cases]}))
        return
    runs = TableData(
        title="flows of AgentDojo's truths",
        columns=("suite", "runs", "n", "high", "any", "own high", "own any"),
        rows=tuple(
            (
                one.suite,
                "attacked" if one.attacked else "harmless",
                str(one.runs),
                *(_share(value) for value in (one.high, one.any)),
                *(_share(value) if one.attacked else "" for value in (one.own_high, one.own_any)),
            )
            for one in found.shares
        ),
        notes=(
            "own: a finding that ends in a call that the attacker wants.",
            f"Left out: {found.without_calls} attacked runs without such a call, {found.failed} that fail.",
        ),
    )
    labels = TableData(
        title="labels against those given by hand",
        columns=("label", "half", "right", "wrong", "missed", "F1"),
        rows=tuple(
            (one.label.value, one.half, str(one.right), str(one.wrong), str(one.missed), _share(one.f1))
            for one in found.labels
        ),
    )
    print_whole(data_table(runs), data_table(labels))
    if cases:
        rows = tuple((one.kind, str(one.cases), _share(one.high), _share(one.any)) for one in cases)
        print_whole(data_table(TableData("InjecAgent", ("kind", "cases", "high", "any"), rows)))
    for error in found.errors:
        write_text(error)


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def findings_command(
    folder: Annotated[
        Path,
        typer.Argument(
            help="With checkouts MCPSafety (xjzzzzzzzz/MCPSafety@7872437b6369), mcpproxy-go"
            " (smart-mcp-proxy/mcpproxy-go@20a3e5094ad6) and mcp-scanner (cisco-ai-defense/mcp-scanner@893327c54d22), or one"
            " of them."
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Folder with the public sets: real tools as well.", show_default="none"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Poisoned descriptions, tricky ones and real ones: in how many signs are found."""
    from bench.findings.measure import measure_findings

    found = measure_findings(folder, data=data)
    if as_json:
        write_json(json.dumps([asdict(one) for one in found]))
        return
    rows = tuple((one.set, str(one.tools), *map(_share, (one.hard, one.held, one.any))) for one in found)
    table = TableData(
        "signs in descriptions",
        ("set", "n", "hard", "held", "any"),
        rows,
        ("held: a hard sign, or two kinds of soft ones.",),
    )
    print_whole(data_table(table))


def poison_command(
    data: Annotated[
        Path, typer.Option("--data", help="Folder with the public sets; none of them comes with Outfitter.")
    ],
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", help="Only this set; may be given again.", show_default="three of them"),
    ] = None,
    questions: Annotated[int, typer.Option(min=1, max=1_000, help="Of each set, for each attack.")] = 30,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables.")] = False,
) -> None:
    """Tools whose texts were written to be found, by the trust of their sources; exit status 1 when a target is missed.

    Each attack goes through ingest and review on the embedded engine; what is served then is ranked and planned with by
    the service's own code. Nothing of a source that is reviewed may be there, and what only a baseline accepted takes
    three of the first five places at most.
    """
    from bench.hidden.databases import opened_database
    from bench.poison.measure import SETS, measure_poison
    from bench.sets.sets import read_set
    from bench.sets.toolbench_graph import Engine

    with opened_database(Engine.EMBEDDED) as empty:
        found = measure_poison(
            (read_set(data, name) for name in sets or SETS),
            empty=empty,
            questions=questions,
            say=lambda line: write_text(line, stderr=True),
        )
    if as_json:
        write_json(json.dumps(asdict(found), ensure_ascii=False))
    else:
        columns = ("set", "attack", "trust", "n", "served", "first", "in five", "most", "in plans")
        rows = tuple(
            (
                one.set,
                one.attack,
                one.trust,
                *map(
                    str,
                    (one.questions, one.served, one.first, one.among_first, one.most, one.planned),
                ),
            )
            for one in found.attacks
        )
        notes = ("most: of the first five places, the most that an attack takes in one answer.",)
        prices = tuple(
            (
                one.set,
                str(one.questions),
                *map(_share, (one.trusted, one.baseline, one.half, one.planned, one.planned_half)),
            )
            for one in found.prices
        )
        titles = ("set", "n", "R@5", "all baselines", "half", "plans", "plans, half")
        print_whole(
            data_table(TableData("poisoned tools", columns, rows, notes)),
            data_table(TableData("where nobody attacks", titles, prices)),
        )
        for line in found.missed:
            write_text(line)
    if found.missed:
        raise typer.Exit(1)
