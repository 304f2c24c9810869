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
from bench.measure.excluded import excluded, named_vendors, unlisted_servers
from bench.measure.overlap import MOST_ALIKE, RUN, SetOverlap, measure_overlap, set_requests, shipped_texts
from bench.sets.toolbench_graph import Engine
from bench.training.near_texts import remembered
from bench.training.pairs import trained_texts
from ingest.commands.progress import progress_shown


def leaks_command(
    data: Annotated[
        Path, typer.Option("--data", help="Folder with the public sets; none of them comes with Outfitter.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Texts of the common taxonomy, and those that the encoders that come along are trained on, that say what a request of a public
    set says, or name a vendor of one; exit status 1 when there are any, or when a set has a server that is not in the list
    of those.
    """
    encode = remembered(OnnxEncoder().encode)
    texts = shipped_texts()
    trained = trained_texts(data, encode)
    results = measure_overlap([*texts, *trained], set_requests(data), encode)
    named = named_vendors([*texts, *trained], excluded().vendors)
    unlisted = unlisted_servers(data, excluded())
    if as_json:
        facts = {
            "sets": [asdict(result) for result in results],
            "vendors": [asdict(one) for one in named],
            "unlisted_servers": unlisted,
        }
        write_json(json.dumps(facts, indent=2, ensure_ascii=False))
    else:
        print_whole(_table(results))
        for result in results:
            for one in result.found:
                why = f"{RUN} words: {one.run!r}" if one.run else f"cosine {one.cosine:.2f}"
                write_text(f"{one.method}: {one.text!r}; {one.set}: {one.request[:120]!r}; {why}")
        for vendor in named:
            write_text(f"{vendor.method}: {vendor.text!r} names {vendor.vendor}")
        for name, server in unlisted:
            write_text(f"{name}: server {server!r} is not in bench/sets/excluded.toml")
        write_text(
            f"{len(texts)} texts, and {len(trained)} that were trained on; {len(named)} name one of {len(excluded().vendors)} vendors;"
            f" {len(unlisted)} servers of the sets are not listed."
        )
    if named or unlisted or any(result.found for result in results):
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
    answers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000_000,
            help="Compare at least this many, about as many of each route, over as many catalogues as that takes.",
            show_default="everything is asked of --catalogues",
        ),
    ] = None,
    engine: Annotated[
        Engine,
        typer.Option(help="embedded, or neo4j: that of NEO4J_URI, which must be empty, and is emptied."),
    ] = Engine.EMBEDDED,
    seed: Annotated[int, typer.Option(min=0, max=1_000_000, help="Of the first catalogue.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Answers under random policies against those of graphs without what is hidden; exit status 1 when any differ.

    Every route of REST and every tool of the MCP server: about 90 answers a policy, or with `--answers` about two of each
    route. Changes of workflows are refused, or taken back. The first difference is shown.
    """
    from bench.hidden.compare import compare
    from bench.hidden.databases import opened_database

    with opened_database(engine) as empty, progress_shown(as_json=as_json) as progress:
        found = compare(catalogues, policies, seed=seed, empty=empty, answers=answers, progress=progress)
    if as_json:
        write_json(json.dumps({"engine": engine.value, **asdict(found)}, ensure_ascii=False))
    else:
        for one in found.differences[:1]:
            write_text(one)
        write_text(
            f"{found.answers} answers compared, {len(found.differences)} differ: {len(found.of_routes)} routes and MCP methods,"
            f" {found.catalogues} catalogues, {found.graphs} graphs without what is hidden; {found.seconds:.0f} s."
        )
    if found.differences:
        raise typer.Exit(1)
