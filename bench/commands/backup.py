"""`outfitter bench backup`: how long a backup of a large graph takes, each way."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from app.commands.terminal import print_whole, write_json, write_text
from bench.commands.tables import facts_table
from bench.generated.grown import MOST_TOOLS
from bench.sets.toolbench_graph import Engine


def backup_command(
    data: Annotated[
        Path, typer.Option("--data", help="Folder with the public sets; none of them comes with Outfitter.")
    ],
    tools: Annotated[
        int,
        typer.Option(min=100, max=MOST_TOOLS, help="The first of Toucan and of copies of it in other words."),
    ] = 50_000,
    engine: Annotated[
        Engine,
        typer.Option(help="What is filled: embedded, or neo4j: that of NEO4J_URI, which must be empty."),
    ] = Engine.EMBEDDED,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Back up a large graph of the embedded engine and fill an empty one from it; exit status 1 where they differ."""
    from bench.backup.measure import measure_backup

    found = measure_backup(data, tools=tools, engine=engine, say=lambda line: write_text(line, stderr=True))
    if as_json:
        write_json(json.dumps(asdict(found)))
    else:
        print_whole(facts_table(asdict(found)))
    if not found.same:
        raise typer.Exit(1)
