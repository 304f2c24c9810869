"""`outfitter sync` and `outfitter changes`: all sources of one file, and what their syncs changed."""

import json
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import DataDir
from app.commands.terminal import closed_by_sigterm, open_console, write_json
from app.errors import InvalidInputError
from app.signals import handled
from ingest.commands.runs import (
    AllowShrink,
    AsJson,
    DryRun,
    opened_graph,
    print_json,
    run_request,
)

if TYPE_CHECKING:
    from ingest.run.report import Report


def sync(
    file: Annotated[Path, typer.Argument(metavar="SOURCES-FILE", help="YAML; every source in one place.")],
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Only this source of the file; may be given again."),
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove sources that the file no longer names.")
    ] = False,
    allow_shrink: AllowShrink = False,
    dry_run: DryRun = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Run until SIGTERM or Ctrl-C, and sync what changes when it does.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Bring the graph to what all sources of a file say now.

    One source that fails stops none of the others, deletes nothing and is marked in `outfitter sources`.
    """
    from app.adapters.sources_file.file import read_sources_file
    from app.settings import environment
    from ingest.run.request import IngestRequest
    from ingest.sources.listed_inputs import listed_inputs

    if watch:
        _check_watch(only=bool(only), allow_shrink=allow_shrink, dry_run=dry_run)
        _watch(file, prune=prune, as_json=as_json, data_dir=data_dir)
        return
    listed_in = read_sources_file(file)
    found = listed_inputs(listed_in, environ=environment(), only=only or ())
    request = IngestRequest(
        [*found.inputs.values(), *found.unusable],
        refused=found.refused,
        listed_in=None if only else listed_in,
        prune=prune,
        allow_shrink=allow_shrink,
        dry_run=dry_run,
    )
    run_request(request, as_json=as_json, data_dir=data_dir)


def _check_watch(**options: bool) -> None:
    """Consent is given once, and not for whatever comes."""
    for name, given in options.items():
        if given:
            raise InvalidInputError(
                f"--{name.replace('_', '-')} and --watch do not go together; accepted: one of them"
            )


def _watch(file: Path, *, prune: bool, as_json: bool, data_dir: Path | None) -> None:
    """Watch until a signal ends it; each sync that changed something or failed is reported."""
    from app import logs
    from app.roots.graph import open_mcp_client
    from app.roots.telemetry.opened import opened_telemetry
    from app.roots.webhook import SERVICE_WAIT_S, opened_webhook
    from ingest.commands.report_json import report_json
    from ingest.commands.tables import print_report
    from ingest.wiring import watcher_of

    def on_report(report: "Report") -> None:
        if as_json:
            write_json(json.dumps(report_json(report)))
        else:
            print_report(open_console(), report)

    with closed_by_sigterm(), opened_graph(data_dir) as (graph, settings):
        logs.configure(level=settings.log_level, form=settings.log_format)
        with (
            opened_telemetry(settings),
            opened_webhook(settings, wait_s=SERVICE_WAIT_S) as notify,
            open_mcp_client(settings) as servers,
        ):
            watcher = watcher_of(
                settings, graph, file, servers=servers, prune=prune, on_report=on_report, notify=notify
            )
            # From here on what is being written is finished first.
            with handled(lambda *_: watcher.stop(), signal.SIGTERM, signal.SIGINT):
                watcher.run()


def changes(
    source_id: Annotated[str, typer.Argument(help="As `outfitter sources` lists it, e.g. mcp:github.")],
    limit: Annotated[
        int, typer.Option(min=1, max=100, help="How many syncs at most, the newest first.")
    ] = 20,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show what the syncs of a source changed, what that breaks, and why some failed."""
    from app.usecases.source_changes import list_changes
    from ingest.commands.tables import print_changes

    with opened_graph(data_dir) as (graph, _):
        page = list_changes(source_id, limit=limit, graph=graph)
        if as_json:
            print_json([record.model_dump(mode="json") for record in page.changes])
        else:
            waiting = [one for one in graph.waiting_tools() if one.source == page.source]
            print_changes(open_console(), page, waiting)
