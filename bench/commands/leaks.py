"""`outfitter bench leaks`: does what ships repeat a benchmark?"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from app.adapters.encoders.onnx import OnnxEncoder
from app.commands.terminal import print_whole, write_json, write_text
from bench.commands.tables import figures_table
from bench.measure.overlap import MOST_ALIKE, RUN, SetOverlap, measure_overlap, set_requests, shipped_texts


def leaks_command(
    data: Annotated[
        Path, typer.Option("--data", help="Folder with the public sets; none of them comes with Outfitter.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Texts of the common taxonomy that say what a request of a public set says; exit status 1 when there are any."""
    results = measure_overlap(shipped_texts(), set_requests(data), OnnxEncoder().encode)
    if as_json:
        write_json(json.dumps([asdict(result) for result in results], indent=2, ensure_ascii=False))
    else:
        print_whole(_table(results))
        for result in results:
            for one in result.found:
                why = f"{RUN} words: {one.run!r}" if one.run else f"cosine {one.cosine:.2f}"
                write_text(f"{one.method}: {one.text!r}; {one.set}: {one.request[:120]!r}; {why}")
    if any(result.found for result in results):
        raise typer.Exit(1)


def _table(results: list[SetOverlap]) -> Table:
    table = figures_table(
        f"{RUN} words in a row, or a cosine above {MOST_ALIKE}",
        ("set",),
        ("requests", "too much alike", "largest cosine"),
    )
    for result in results:
        table.add_row(result.set, str(result.requests), str(len(result.found)), f"{result.closest:.2f}")
    return table


def leaks_acl_command(
    catalogues: Annotated[
        int, typer.Option(min=1, max=1_000, help="Random catalogues, each of up to 8 servers.")
    ] = 2,
    policies: Annotated[int, typer.Option(min=1, max=100, help="Random policies over each catalogue.")] = 3,
    seed: Annotated[int, typer.Option(min=0, max=1_000_000, help="Of the first catalogue.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Answers under random policies against those of graphs without what is hidden; exit status 1 when any differ.

    On the embedded engine: every route that reads, and every tool of the MCP server, about 60 answers a policy. The first
    difference is shown.
    """
    from bench.hidden.compare import compare, embedded_graph

    found = compare(catalogues, policies, seed=seed, empty=embedded_graph)
    if as_json:
        write_json(json.dumps(asdict(found), ensure_ascii=False))
    else:
        for one in found.differences[:1]:
            write_text(one)
        write_text(f"{found.answers} answers compared, {len(found.differences)} differ.")
    if found.differences:
        raise typer.Exit(1)
