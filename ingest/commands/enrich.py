"""`outfitter enrich requests`: what people would type who need a tool, written down for each."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import DataDir
from app.commands.terminal import VisibleErrors, open_console
from app.errors import InvalidInputError
from ingest.commands.runs import REJECTED, AsJson, DryRun, opened_graph, print_json

if TYPE_CHECKING:
    from app.adapters.graph.store import GraphStore
    from app.settings import Settings
    from ingest.requests.run import RequestReport, Writer

_ANSWERS = "requests.jsonl"
"""The file of what a model has answered, in the data folder."""

enrich_app = typer.Typer(
    name="enrich",
    help="Write down more of tools than their publishers say.",
    cls=VisibleErrors,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@enrich_app.callback()
def _start() -> None:
    """With a callback `requests` stays a command of its own."""


@enrich_app.command("requests")
def enrich_requests(
    tools: Annotated[
        list[str] | None, typer.Argument(metavar="[TOOL-ID]...", help="Only these tools.", show_default="all")
    ] = None,
    *,
    server: Annotated[
        list[str] | None,
        typer.Option(help="Only the tools of this server; may be given again.", show_default="all"),
    ] = None,
    number: Annotated[int, typer.Option(min=1, max=8, help="Requests for each tool and language.")] = 4,
    language: Annotated[
        list[str] | None,
        typer.Option(help="Code of a language, such as de; may be given again.", show_default="en"),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Requests that are written already; no model is asked."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Name of the model.", show_default="OUTFITTER_LLM_MODEL")
    ] = None,
    price: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="IN OUT", help="What a million tokens cost, sent and answered: shows the sum."),
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, max=32, help="Tools that are asked about at a time.")] = 4,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before a model is.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Have a language model write what people would type who need a tool, and rank by that too.

    Asked about are the tools that have no requests, or changed since. What it costs is shown first. Whatever ends a
    run, the next one goes on from there. Example: outfitter enrich requests --server billing --language en
    --language de --dry-run
    """
    from app.adapters.graph.lease import lease_owner
    from ingest.requests.run import Writer

    with opened_graph(data_dir) as (graph, settings):
        writer = Writer(graph, lease_owner(), settings.lease_wait_s)
        if file is not None:
            if tools or server or language or model:
                raise InvalidInputError("--from FILE says which tools and languages; accepted: it alone")
            report = _from_file(writer, file, settings, dry_run=dry_run)
        else:
            found = _from_model(
                *(graph, settings, writer, _Wish(tuple(tools or ()), tuple(server or ()), number, language)),
                model=model,
                price=price,
                at_once=at_once,
                yes=yes,
                dry_run=dry_run,
                as_json=as_json,
            )
            if found is None:
                return
            report = found
    _tell(report, as_json=as_json, dry_run=dry_run)


class _Wish:
    """What is asked for, as it was typed."""

    def __init__(
        self, tools: tuple[str, ...], servers: tuple[str, ...], number: int, languages: list[str] | None
    ) -> None:
        self.tools = tools
        self.servers = servers
        self.number = number
        self.languages = languages or ["en"]


def _from_file(writer: "Writer", file: Path, settings: "Settings", *, dry_run: bool) -> "RequestReport":
    from ingest.requests.file import read_request_file
    from ingest.requests.run import keep_file
    from ingest.sources.files import file_input, read_file

    data = read_file(file_input("requests", file), max_bytes=settings.max_file_bytes)
    return keep_file(writer, read_request_file(data, name=file.name), dry_run=dry_run)


def _from_model(
    graph: "GraphStore",
    settings: "Settings",
    writer: "Writer",
    asked: _Wish,
    *,
    model: str | None,
    price: tuple[float, float] | None,
    at_once: int,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> "RequestReport | None":
    """What became of it; None where the plan alone was asked for."""
    from app.commands.terminal import closed_by_sigterm
    from app.domain.requests.answer import languages_of
    from app.domain.requests.prompt import RequestWish
    from app.roots.reading import opened_author
    from ingest.commands.enrich_tables import plan_json, print_plan
    from ingest.commands.progress import progress_shown
    from ingest.requests.cache import AnswerCache
    from ingest.requests.run import plan_requests, write_requests

    try:
        wish = RequestWish(asked.number, languages_of(asked.languages))
    except ValueError as error:
        raise InvalidInputError(f"--language: {error}") from error
    if price is not None and not all(0 <= one < 1_000_000 for one in price):
        raise InvalidInputError(
            f"--price: {price[0]:g} {price[1]:g}; accepted: 0 or more for a million tokens"
        )
    if as_json and not (yes or dry_run):
        raise InvalidInputError("--json asks no questions; accepted: --json with --yes or --dry-run")
    cache = AnswerCache(settings.data_dir / _ANSWERS)
    with opened_author(settings, model=model) as author:
        plan = plan_requests(
            graph, wish, model=author.model, cache=cache, servers=asked.servers, tools=asked.tools
        )
        if dry_run and as_json:
            print_json(plan_json(plan, model=author.model, price=price))
            return None
        if not as_json:
            print_plan(open_console(), plan, model=author.model, price=price)
        if dry_run or not (plan.ask or plan.cached):
            return None
        if plan.ask and not yes:
            typer.confirm("Send that to the model?", abort=True)
        with closed_by_sigterm(), progress_shown(as_json=as_json) as progress:
            return write_requests(writer, author, plan, cache=cache, at_once=at_once, progress=progress)


def _tell(report: "RequestReport", *, as_json: bool, dry_run: bool) -> None:
    from ingest.commands.enrich_tables import print_requests, report_values

    if as_json:
        print_json(report_values(report, dry_run=dry_run))
    else:
        print_requests(open_console(), report, dry_run=dry_run)
    if report.rejected or report.stopped:
        raise typer.Exit(REJECTED)
