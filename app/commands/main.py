"""The command `outfitter`. Whatever takes time to import is imported by the command that needs it."""

import sys
from collections.abc import MutableMapping
from typing import Annotated, Any

import typer
import typer.main
from typer.core import TyperGroup

from app.commands.access import policy_app, token_app
from app.commands.audit import audit_app
from app.commands.doctor import doctor
from app.commands.options import (
    AsCaller,
    Categories,
    DataDir,
    ReadOnly,
    Reviewed,
    Servers,
    check_text,
    filters_of,
    word_of,
)
from app.commands.plan import plan
from app.commands.terminal import VisibleErrors, open_console, write_json, write_text, write_traceback
from app.commands.unmet import unmet
from app.commands.why_not import why_not
from app.commands.workflow import app as workflow_app
from app.errors import InvalidInputError
from app.usecases.bounds import (
    MAX_PHRASINGS,
    MAX_PREREQUISITES,
    MAX_TOP_K,
    PREREQUISITES,
    PREREQUISITES_ARE,
    TOP_K,
    TOP_K_IS,
)
from ingest.commands.cli import register as register_ingest

_HELP = """
Which tools fit this request, in which order, with which inputs, and why.

Outfitter keeps what you know about your tools in a graph. Manifests (what
MCP servers answer to tools/list) and OpenAPI documents say which tools there
are; a taxonomy says what people want done and which tools carry it out.

  outfitter demo                                 a small shop, five questions
  outfitter ingest manifest manifests/           tools, one file per server
  outfitter ingest taxonomy taxonomy.yaml        what people want done
  outfitter ingest openapi openapi.yaml          operations of an API
  outfitter sync sources.yaml --watch            all sources of one file
  outfitter query "refund an order" --explain    which tools fit, and why
  outfitter why-not TOOL --request "refund"      why a tool is not found
  outfitter plan "cancel and refund my order"    which calls, in which order
  outfitter serve                                the same over HTTP

Without NEO4J_URI an embedded engine keeps the graph in a folder of yours.

Exit status: 0 done; 1 some items were rejected, the report lists them;
2 wrong usage; 3 the graph database did not answer, or is busy.
"""

_ORDER = (
    *("demo", "ingest", "sync", "changes", "review", "confirm", "sources", "show", "enrich", "remove"),
    *("backup", "restore"),
    *("query", "why-not", "unmet", "doctor", "plan", "workflow"),
    *("serve", "mcp", "token", "policy", "audit", "bench"),
)
"""Commands as `--help` lists them: fill the graph, ask it, serve it."""


class _Commands(VisibleErrors):
    def list_commands(self, ctx: Any) -> list[str]:
        """Every command; one that `_ORDER` forgot comes last."""
        return sorted(super().list_commands(ctx), key=[*_ORDER, *self.commands].index)


app = typer.Typer(
    name="outfitter",
    cls=_Commands,
    help=_HELP,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        write_text(f"outfitter {version('outfitter')}")
        raise typer.Exit


@app.callback()
def outfitter(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """See `_HELP`."""
    from app.roots.lexicon import use_lexicon

    use_lexicon()


class _Bench(TyperGroup):
    """`outfitter bench`, whose commands are imported when somebody asks for them."""

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """Those of bench/commands/cli.py."""
        from bench.commands.cli import app as bench_app

        found = typer.main.get_command(bench_app)
        return found.commands if isinstance(found, TyperGroup) else {}

    @commands.setter
    def commands(self, commands: object) -> None:
        """Typer sets what it found, which is nothing."""


register_ingest(app)
app.add_typer(
    typer.Typer(
        name="bench", cls=_Bench, help="Measure rankings and latency on your data.", no_args_is_help=True
    )
)


app.command(name="why-not")(why_not)
app.command()(unmet)
app.command()(doctor)
app.command()(plan)
app.add_typer(workflow_app)
app.add_typer(token_app)
app.add_typer(policy_app)
app.add_typer(audit_app)


@app.command(name="query")
def ask(
    text: Annotated[str, typer.Argument(help="What is to be done, in your words.")],
    *,
    phrasing: Annotated[
        list[str] | None,
        typer.Option(help="The same wish in other words; may be given again.", show_default="none"),
    ] = None,
    top_k: Annotated[int, typer.Option(min=1, max=MAX_TOP_K, help=TOP_K_IS)] = TOP_K,
    method: Annotated[str, typer.Option(help="auto, kg_hybrid or bm25.")] = "auto",
    server: Servers = None,
    category: Categories = None,
    read_only: ReadOnly = False,
    reviewed: Reviewed = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show which parts add up to each score.")
    ] = False,
    schemas: Annotated[bool, typer.Option("--schemas", help="With --json: include input schemas.")] = False,
    prerequisites: Annotated[
        int, typer.Option(min=0, max=MAX_PREREQUISITES, help=PREREQUISITES_ARE)
    ] = PREREQUISITES,
    order: Annotated[
        str, typer.Option(help="matches: prerequisites behind all matches; blocks: each behind its match.")
    ] = "matches",
    format: Annotated[  # noqa: A002 - the option's name
        str,
        typer.Option(
            help="The tools as JSON for openai, openai_tool_search, anthropic, anthropic_tool_reference, langchain, mcp."
        ),
    ] = "outfitter",
    json: Annotated[bool, typer.Option("--json", help="The answer as the service gives it.")] = False,
    as_caller: AsCaller = None,
    data_dir: DataDir = None,
) -> None:
    """Which tools fit this request?

    Example: outfitter query "Where is my parcel?" --server orders --explain
    """
    import time

    from app.domain.schemas.tool_formats import ToolFormat
    from app.roots.callers import graph_as
    from app.roots.encoders import opened_outside
    from app.roots.graph import open_index, read_settings
    from app.usecases.questions import Order, SearchMethod, SearchRequest
    from app.usecases.search import search

    begin = time.perf_counter()
    settings = read_settings(data_dir=data_dir)
    search_method = word_of(SearchMethod, method, option="--method")
    tool_format = word_of(ToolFormat, format, option="--format")
    tool_order = word_of(Order, order, option="--order")
    phrasings = tuple(phrasing or ())
    if len(phrasings) > MAX_PHRASINGS:
        raise InvalidInputError(f"--phrasing: {len(phrasings)} times; accepted: up to {MAX_PHRASINGS}")
    for one in (text, *phrasings):
        check_text(one, settings)
    request = SearchRequest(
        query=text,
        phrasings=phrasings,
        top_k=top_k,
        filters=filters_of(server, category, read_only=read_only, reviewed=reviewed),
        method=search_method,
        explain=explain,
        schemas=schemas,
        prerequisites=prerequisites,
        order=tool_order,
    )
    with opened_outside(settings) as outside, open_index(settings) as (graph, every):
        seen = graph_as(settings, graph, every, as_caller)
        seen.outside = outside
        index, answer = seen.index, search(request, seen)
    if json or tool_format is not ToolFormat.OUTFITTER:
        from app.usecases.formats import formatted_json

        write_json(formatted_json(answer, tool_format, index=index, begin=begin))
    else:
        from app.commands.answer_tables import print_answer

        print_answer(answer, console=open_console())
        if not index.catalogue.tools:
            write_text("The graph has no tools yet: outfitter ingest --help", stderr=True)


@app.command()
def serve(
    *,
    host: Annotated[
        str | None,
        typer.Option(help="Address, 127.0.0.1 unless given; any but loopback needs OUTFITTER_API_TOKEN."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port, 8000 unless given; 0 takes a free one.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Answer over HTTP until SIGTERM or Ctrl-C.

    The service follows the graph: what another process ingests is answered from within a second. Its page is
    at /docs. Logs go to stderr, without the text of queries. Example: outfitter serve --port 8080
    """
    from app.roots.graph import read_settings
    from app.roots.server import serve as run

    run(read_settings(host=host, port=port, data_dir=data_dir))


@app.command()
def mcp(*, data_dir: DataDir = None) -> None:
    """Answer one MCP client over stdin and stdout: `search_tools` and more.

    Clients start this command themselves; docs/agents.md says how to register it. The service answers the same
    at /mcp. Logs go to stderr.
    """
    from app.roots.graph import read_settings
    from app.roots.mcp import run_stdio

    run_stdio(read_settings(data_dir=data_dir))


@app.command()
def demo() -> None:
    """Ingest a small online shop into a temporary folder and ask it five questions."""
    from app.commands.demo import run

    run()


def main() -> None:
    """Run a command."""
    try:
        app()
    except Exception:
        # Only now: typer has put its own in the place.
        sys.excepthook = write_traceback
        raise


if __name__ == "__main__":
    main()
