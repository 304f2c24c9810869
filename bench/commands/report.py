"""The commands that make, compare and complete a report."""

import json
import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.commands.terminal import open_console, print_whole, write_json, write_text
from app.usecases.questions import SearchMethod
from bench.generated.grown import MOST_TOOLS, SIZES
from bench.measure.cells import Cell
from bench.peer.methods import graph_tool_call
from bench.peer.process import peer_python
from bench.report.cells import Task
from bench.report.sets import PEER_SECONDS, Part, read_scope

AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]


def report_command(
    data: Annotated[
        Path, typer.Option("--data", help="Folder with the public sets; none of them comes with Outfitter.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", help="Folder for report.html, report.md, report.json and what is kept between runs."
        ),
    ],
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="ToolBench, RestBench and the peer's sets, 100 questions each; the goals; bindings of 40 vendors.",
        ),
    ] = False,
    part: Annotated[
        list[Part] | None, typer.Option(help="A chapter; may be given again.", show_default="all")
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            max=MOST_TOOLS,
            help="Tools of a catalogue in the chapter on sizes; may be given again.",
            show_default=", ".join(f"{one:,}" for one in SIZES),
        ),
    ] = None,
    peer: Annotated[
        Path | None,
        typer.Option(
            metavar="PYTHON",
            help="A Python that has graph-tool-call, which is then measured as well (default: this one, with the extra bench).",
        ),
    ] = None,
    peer_seconds: Annotated[
        float,
        typer.Option(min=1, help="Time limit of graph-tool-call for each set; --quick waits 160 s for all."),
    ] = PEER_SECONDS,
) -> None:
    """Every figure in one run: a page, Markdown and JSON. A run that was interrupted continues where it stopped."""
    from bench.report.report import write_report

    peers = graph_tool_call(data, peer_python(peer), seconds=peer_seconds)
    scope = read_scope(data, peers, quick=quick, parts=part or (), sizes=size or SIZES)
    for line in scope.missing:
        write_text(f"left out: {line}", stderr=True)
    if not peers:
        write_text(
            "left out: graph-tool-call is not installed; --peer, or pip install 'outfitter[bench]'",
            stderr=True,
        )
    console = open_console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("cells", total=sum(1 for _ in scope.tasks()))

        def done(task: Task, cell: Cell, known: bool) -> None:
            progress.advance(bar)
            if not known:
                said = (
                    cell.note
                    if not cell.finished
                    else f"{cell.times.build_s + sum(cell.times.ms) / 1000:.1f} s"
                )
                progress.console.print(f"{task.label}: {said}", markup=False, highlight=False)

        def say(line: str) -> None:
            progress.console.print(line, markup=False, highlight=False)

        command = shlex.join(["outfitter", *sys.argv[1:]])
        written = write_report(scope, data, out, command=command, progress=done, say=say)
    write_text(
        f"{written.page} ({written.measured} cells measured, {written.kept} kept, {written.seconds:.0f} s)"
    )


def compare_command(
    first: Annotated[Path, typer.Argument(help="report.json before.")],
    second: Annotated[Path, typer.Argument(help="report.json after.")],
    method: Annotated[str, typer.Option(help="The ranking, as reports name it.")] = "auto",
    metric: Annotated[
        list[str] | None,
        typer.Option(help="R@1, R@5, R@10, NDCG@5 or MRR; may be given again.", show_default="R@5, MRR"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Two reports: what became better or worse, set by set; exit status 1 when the second is worse."""
    from bench.commands.compare_tables import changes_table
    from bench.report.compare import compare_reports, read_report
    from bench.report.values import TESTED

    found = compare_reports(
        read_report(first), read_report(second), method=method, metrics=tuple(metric or TESTED)
    )
    if as_json:
        rows = [asdict(row) | {"difference": row.difference, "worse": row.worse} for row in found.changes]
        write_json(
            json.dumps(
                {"method": method, "changes": rows, "left_out": found.left_out, "lost": found.lost}, indent=2
            )
        )
    else:
        print_whole(changes_table(found, method=method))
        for line in found.left_out:
            write_text(f"left out: {line}", stderr=True)
    if found.worse:
        raise typer.Exit(1)


def query_command(
    cases: Annotated[
        Path,
        typer.Option(
            "--cases",
            help='One JSON object per line: {"query": text, "gold": [tool ids], "id": text if wanted}.',
        ),
    ],
    method: Annotated[SearchMethod, typer.Option(help="The ranking.")] = SearchMethod.AUTO,
    worst: Annotated[int, typer.Option(min=0, help="How many of the worst requests are listed.")] = 10,
    data_dir: Annotated[
        Path | None,
        typer.Option(help="Folder of the embedded engine; OUTFITTER_DATA_DIR, else the user's data folder."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Your own requests over your own graph: recall, NDCG, MRR, and the requests that are answered worst."""
    from app.roots.graph import open_graph, read_settings
    from bench.commands.compare_tables import means_table, worst_table
    from bench.sets.query_cases import measure_cases, read_cases

    settings = read_settings(data_dir=data_dir)
    questions = read_cases(cases, max_bytes=settings.max_file_bytes, max_query_chars=settings.max_query_chars)
    with open_graph(settings) as graph:
        found = measure_cases(
            questions,
            catalogue=graph.catalogue(accept_unfinished=True),
            graph=graph,
            method=method,
            worst=worst,
        )
    if as_json:
        write_json(json.dumps(asdict(found), indent=2))
        return
    print_whole(means_table(found))
    if found.worst:
        print_whole(worst_table(found))
