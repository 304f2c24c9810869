"""`outfitter bench`: how good the rankings are on public sets."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.terminal import print_whole, write_json, write_text
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchMethod
from bench.commands.agent import agent_command
from bench.commands.backup import backup_command
from bench.commands.confidence import confidence_command
from bench.commands.goals import goals_command
from bench.commands.leaks import leaks_acl_command, leaks_command
from bench.commands.plan_tables import (
    bindings_table,
    edges_table,
    linked_table,
    peer_table,
    plans_table,
    sample_table,
    stripped_table,
)
from bench.commands.report import compare_command, query_command, report_command
from bench.commands.security import findings_command, flows_command, poison_command
from bench.commands.table_data import TableData
from bench.commands.tables import (
    data_json,
    data_table,
    facts_table,
    retrieval_json,
    retrieval_table,
    toolbench_json,
    toolbench_table,
)
from bench.commands.training import train_encoder_command
from bench.generated.grown import MOST_TOOLS
from bench.judged import bindings
from bench.literature import scalemcp, toolbench
from bench.literature.tracks import Track, measure_hgmf, measure_scalemcp, measure_track_a, measure_track_b
from bench.measure import edge_sample, edges, linked_tools, plans
from bench.methods.words import Tokens
from bench.peer import plans as peer_plans
from bench.peer.process import peer_python
from bench.served.interfaces import Interface
from bench.sets import retrieval
from bench.sets.datasets import toolbench_questions
from bench.sets.suggested import with_vectors
from bench.sets.toolbench_graph import Engine, toolbench_graph

if TYPE_CHECKING:
    from bench.served.callers import CallersCost
    from bench.served.latency import Latency
    from bench.served.load import Load
    from bench.served.plan_latency import PlanLatency
    from bench.served.soak import Soak
    from bench.served.web import WebLoad

app = typer.Typer(name="bench", help="Measure rankings and latency on your data.", no_args_is_help=True)

app.command("report")(report_command)
app.command("compare")(compare_command)
app.command("query")(query_command)
app.command("goals")(goals_command)
app.command("confidence")(confidence_command)
app.command("flows")(flows_command)
app.command("findings")(findings_command)
app.command("poison")(poison_command)
app.command("leaks")(leaks_command)
app.command("train-encoder")(train_encoder_command)
app.command("leaks-acl")(leaks_acl_command)
app.command("backup")(backup_command)
app.command("agent")(agent_command)

DataFolder = Annotated[
    Path, typer.Option("--data", help="Folder with the public sets; none of them comes with Outfitter.")
]
EngineOption = Annotated[
    Engine, typer.Option(help="embedded, or neo4j: that of NEO4J_URI, which must be empty.")
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
        int | None, typer.Option(min=1, help="Only the first cases; not of track b.", show_default="all")
    ] = None,
    track: Annotated[
        Track, typer.Option(help="service: its rankings by tier. a and b: the publication's tables.")
    ] = Track.SERVICE,
    tokens: Annotated[
        list[Tokens] | None,
        typer.Option(
            help="With tracks a and b: how texts become words, as published or as the reference rankings do; may be given again.",
            show_default="both",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """PinePaper-ToolBench: the service's rankings on its 582 cases, or the publication's tables 2 to 9."""
    if track is not Track.SERVICE:
        words = tokens or list(Tokens)
        whole = track is Track.B
        found = measure_track_b(data, words) if whole else measure_track_a(data, words, limit=queries_limit)
        _print_tables(found, as_json=as_json)
        return
    questions = toolbench_questions(data)[:queries_limit]
    with toolbench_graph(data, engine) as (catalogue, graph):
        index = with_vectors(SearchIndex.build(catalogue))
        methods = (SearchMethod.BM25, SearchMethod.KG_HYBRID, SearchMethod.AUTO)
        results = toolbench.run(questions, methods, index=index, graph=graph)
    tools = len(catalogue.tools)
    if as_json:
        write_json(toolbench_json(results, engine=engine.value, tools=tools))
    else:
        title = f"ToolBench, {tools} tools, graph: {engine.value}"
        print_whole(toolbench_table(results, title=title))


@app.command("scalemcp")
def scalemcp_command(
    seed: Annotated[int, typer.Option(help="Seed of the generated set.")] = scalemcp.SEED,
    as_json: AsJson = False,
) -> None:
    """5,000 generated financial tools with 0, 5 and 10 synthetic questions each: bm25, kg_hybrid, auto."""
    _print_tables(measure_scalemcp(seed=seed), as_json=as_json)


@app.command("hgmf")
def hgmf_command(data: DataFolder, as_json: AsJson = False) -> None:
    """HGMF and its baselines beside auto: servers and tools left out by groups of vectors, on LiveMCPBench and Toucan."""
    _print_tables(measure_hgmf(data), as_json=as_json)


@app.command("edges")
def edges_command(
    data: DataFolder,
    sample: Annotated[
        int | None,
        typer.Option(min=2, help="Print this many of the surest edges to read, and measure nothing."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Inferred dependencies against the labelled pairs of the 159 Jentic documents."""
    if sample is not None:
        rows = edge_sample.sample_edges(data, count=sample, seed=seed)
        if as_json:
            write_json(json.dumps([asdict(row) for row in rows], indent=2))
        else:
            print_whole(sample_table(rows))
        return
    report = edges.measure_edges(data)
    if as_json:
        write_json(json.dumps({"columns": edges.COLUMNS, **asdict(report)}, indent=2))
    else:
        print_whole(edges_table(report))


@app.command("plans")
def plans_command(
    data: DataFolder,
    peer: Annotated[
        Path | None,
        typer.Option(
            metavar="PYTHON",
            help="A Python that has graph-tool-call, which is then measured as well (default: this one, with the extra bench).",
        ),
    ] = None,
    peer_seconds: Annotated[
        float, typer.Option(min=1, help="Time limit of graph-tool-call for each set.")
    ] = 600.0,
    as_json: AsJson = False,
) -> None:
    """Plans for RestBench, Jentic, NESTFUL and the 15 stripped cases without any gold, and what they bind; blocks on ToolLinkOS."""
    linked = linked_tools.measure_linked(data)
    results = plans.measure_plans(data)
    bound_by = bindings.measure_bindings(data)
    stripped = [plans.measure_stripped(data, language=language) for language in plans.LANGUAGES]
    python = peer_python(peer)
    others = peer_plans.measure_peer(data, python=python, seconds=peer_seconds) if python else []
    if as_json:
        sets = [asdict(result) for result in results]
        cases = [asdict(result) for result in stripped]
        blocks = {"columns": linked_tools.COLUMNS, "rows": [asdict(result) for result in linked]}
        bound = [asdict(row) | {"total": asdict(row.total), "texts": row.texts()} for row in bound_by]
        found = {"columns": plans.COLUMNS, "sets": sets, "stripped": cases, "toollinkos": blocks}
        found["bindings"] = {"columns": bindings.BINDING_COLUMNS, "sets": bound}
        found["graph-tool-call"] = {
            "columns": peer_plans.COLUMNS,
            "sets": [asdict(result) for result in others],
        }
        write_json(json.dumps(found, indent=2))
    else:
        print_whole(plans_table(results))
        print_whole(bindings_table(bound_by))
        for note in bindings.BINDING_NOTES:
            write_text(note)
        print_whole(stripped_table(stripped))
        print_whole(linked_table(linked))
        if others:
            print_whole(peer_table(others))


@app.command("retrieval")
def retrieval_command(
    data: DataFolder,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            help=f"One of {', '.join(retrieval.SETS)}; may be given again.", show_default="TUNE and CHECK"
        ),
    ] = None,
    method: Annotated[SearchMethod, typer.Option(help="The ranking.")] = SearchMethod.AUTO,
    as_json: AsJson = False,
) -> None:
    """The development sets of auto, without a graph: TUNE chose its settings, CHECK did not."""
    names = sets or retrieval.DEFAULT
    results = retrieval.evaluate(data, names, method=method)
    means = retrieval.means(results)
    if as_json:
        write_json(retrieval_json(results, means))
    else:
        print_whole(retrieval_table(results, means))


@app.command("latency")
def latency_command(
    data: DataFolder,
    tools: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            help="51 is the taxonomy, else the first of Toucan and of copies of it in other words; may be given again.",
            show_default="51",
        ),
    ] = None,
    engine: EngineOption = Engine.EMBEDDED,
    interface: Annotated[
        list[Interface] | None,
        typer.Option(
            help="rest, mcp or mcp-2025 (an older client); may be given again: each query by all in turn.",
            show_default="rest",
        ),
    ] = None,
    clients: Annotated[int, typer.Option(min=1, help="How many ask at once in the second part.")] = 8,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long the second part takes.")] = 5.0,
    as_json: AsJson = False,
) -> None:
    """A query over HTTP on loopback, by REST or MCP: queries one by one, then several clients at once."""
    from bench.served.latency import measure

    for count in tools or [51]:
        found = measure(
            data,
            tools=count,
            engine=engine,
            interfaces=list(dict.fromkeys(interface or [Interface.REST])),
            clients=clients,
            seconds=seconds,
            say=_say,
        )
        for one in found:
            _print_facts(one, as_json=as_json)


@app.command("web")
def web_command(
    data: DataFolder,
    tools: Annotated[
        int,
        typer.Option(min=10, max=MOST_TOOLS, help="The first of Toucan and of copies of it in other words."),
    ] = 17_570,
    engine: EngineOption = Engine.EMBEDDED,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long each of six rounds takes.")] = 10.0,
    browser: Annotated[
        bool, typer.Option(help="Open the pages in Chromium, which Playwright drives; both have to be there.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """The pages: what five people at them cost the queries of others, and what a browser sees."""
    from bench.served.web import measure_web

    found = measure_web(data, tools=tools, engine=engine, seconds=seconds, browser=browser, say=_say)
    _print_facts(found, as_json=as_json)


@app.command("plan-latency")
def plan_latency_command(
    operations: Annotated[
        list[int] | None,
        typer.Option(
            min=5, help="How many operations the catalogue has; may be given again.", show_default="5000"
        ),
    ] = None,
    engine: EngineOption = Engine.EMBEDDED,
    as_json: AsJson = False,
) -> None:
    """POST /v1/plan over HTTP on loopback: 60 goals on a catalogue in which every resource looks the same."""
    from bench.served.plan_latency import measure_plans

    for count in operations or [5_000]:
        found = measure_plans(operations=count, engine=engine, say=_say)
        _print_facts(found, as_json=as_json)


@app.command("callers")
def callers_command(
    data: DataFolder,
    tools: Annotated[
        int,
        typer.Option(min=100, max=MOST_TOOLS, help="The first of Toucan and of copies of it in other words."),
    ] = 20_000,
    sets: Annotated[
        int, typer.Option(min=10, max=500, help="Distinct sets of two rules, with ten callers each.")
    ] = 100,
    rounds: Annotated[int, typer.Option(min=1, max=100, help="How often all is asked.")] = 10,
    requests: Annotated[int, typer.Option(min=10, max=10_000, help="Of a round, each way.")] = 200,
    against: Annotated[
        Path | None,
        typer.Option(
            help="A checkout of another commit: its service is asked in turn with this one, both without policies, and"
            " answers that differ are counted. To see that a change left answers and latencies as they were; where the other"
            " commit ranks or plans otherwise, answers differ of course.",
            show_default="none",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What callers and policies cost, over HTTP by REST and MCP: the same service with and without them, in turns."""
    from bench.served.callers import measure_callers

    found = measure_callers(
        data, tools=tools, sets=sets, rounds=rounds, requests=requests, against=against, say=_say
    )
    _print_facts(found, as_json=as_json)


@app.command("load")
def load_command(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            help="Folder with the public sets: the tools are Toucan's and copies of these in other words; else made up, 100 a server.",
        ),
    ] = None,
    tools: Annotated[int, typer.Option(min=1, max=MOST_TOOLS, help="Tools.")] = 50_000,
    methods: Annotated[
        int | None,
        typer.Option(min=0, help="Methods of one taxonomy.", show_default="20000; with --data 0"),
    ] = None,
    edges: Annotated[int, typer.Option(min=0, help="Stated edges, shared among the methods.")] = 500_000,
    engine: EngineOption = Engine.EMBEDDED,
    seed: Annotated[int, typer.Option(help="Seed of the generated graph.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Ingest a large generated graph, twice: seconds by phase; with --data also starts, memory and changes of a service."""
    from bench.served.load import measure_load

    if methods is None:
        methods = 0 if data else 20_000
    found = measure_load(
        tools=tools, methods=methods, edges=edges, seed=seed, engine=engine, data=data, say=_say
    )
    _print_facts(found, as_json=as_json)


@app.command("soak")
def soak_command(
    seconds: Annotated[float, typer.Option(min=0.1, help="How long.")] = 60.0,
    engine: EngineOption = Engine.EMBEDDED,
    readers: Annotated[int, typer.Option(min=1, help="Clients that ask without a pause.")] = 8,
    seed: Annotated[int, typer.Option(help="Seed of the writer's random choices.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Readers and a writer that keeps re-ingesting: errors, and answers that are not their generation's."""
    from bench.served.soak import soak

    found = soak(engine=engine, seconds=seconds, readers=readers, seed=seed, say=_say)
    _print_facts(found, as_json=as_json)
    if found.errors or found.wrong:
        raise typer.Exit(1)


def _print_tables(tables: Sequence[TableData], *, as_json: bool) -> None:
    if as_json:
        write_json(data_json(tables))
    else:
        print_whole(*map(data_table, tables))


def _say(line: str) -> None:
    write_text(line, stderr=True)


def _print_facts(
    facts: "CallersCost | Latency | Load | PlanLatency | Soak | WebLoad", *, as_json: bool
) -> None:
    found = asdict(facts)
    found |= found.pop("starts", None) or {}
    found |= found.pop("speed", None) or {}
    if as_json:
        write_json(json.dumps(found))
    else:
        print_whole(facts_table(found))
