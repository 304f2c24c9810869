"""`outfitter bench`: how good the rankings are on public sets."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from app.usecases.search_index import SearchIndex
from app.usecases.search_values import SearchMethod
from app.wiring import lexical_factory, read_settings
from bench import retrieval, toolbench
from bench.datasets import toolbench_questions
from bench.tables import retrieval_json, retrieval_table, toolbench_json, toolbench_table
from bench.toolbench_graph import Engine, toolbench_graph

app = typer.Typer(name="bench", help="Measure the rankings on public sets.", no_args_is_help=True)

DataFolder = Annotated[
    Path, typer.Option("--data", help="Folder with the public sets; none of them comes with Outfitter.")
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]


@app.command("toolbench")
def toolbench_command(
    data: DataFolder,
    engine: Annotated[
        Engine,
        typer.Option(help="What ranks in the graph; neo4j is that of NEO4J_URI and must be empty."),
    ] = Engine.EMBEDDED,
    queries_limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first cases.", show_default="all")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """PinePaper-ToolBench: bm25, kg_hybrid and auto on its 582 cases, by tier."""
    questions = toolbench_questions(data)[:queries_limit]
    with toolbench_graph(data, engine) as (catalogue, graph):
        index = SearchIndex.build(catalogue, lexical=lexical_factory(read_settings()))
        methods = (SearchMethod.BM25, SearchMethod.KG_HYBRID, SearchMethod.AUTO)
        results = toolbench.run(questions, methods, index=index, graph=graph)
    tools = len(catalogue.tools)
    if as_json:
        typer.echo(toolbench_json(results, engine=engine.value, tools=tools))
    else:
        title = f"ToolBench, {tools} tools, graph: {engine.value}"
        Console().print(toolbench_table(results, title=title))


@app.command("retrieval")
def retrieval_command(
    data: DataFolder,
    sets: Annotated[
        list[str] | None,
        typer.Option(help=f"One of {', '.join(retrieval.SETS)}; may be repeated.", show_default="all"),
    ] = None,
    method: Annotated[SearchMethod, typer.Option(help="The ranking.")] = SearchMethod.AUTO,
    as_json: AsJson = False,
) -> None:
    """The development sets of auto, without a graph: TUNE chose its settings, CHECK did not."""
    names = sets or retrieval.SETS
    results = retrieval.evaluate(data, names, method=method, lexical=lexical_factory(read_settings()))
    means = retrieval.means(results)
    if as_json:
        typer.echo(retrieval_json(results, means))
    else:
        Console().print(retrieval_table(results, means))
