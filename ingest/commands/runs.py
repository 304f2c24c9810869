"""What the commands of ingest share: options, an open graph, and a run with its report."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from app.commands.terminal import closed_by_sigterm, open_console, write_json

if TYPE_CHECKING:
    from app.adapters.graph.store import GraphStore
    from app.settings import Settings
    from ingest.run.request import IngestRequest

REJECTED = 1

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
DryRun: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="Say what would change; write nothing.")]
AllowShrink: TypeAlias = Annotated[
    bool, typer.Option("--allow-shrink", help="Accept a source that lost more than half of its nodes.")
]


def run_request(request: "IngestRequest", *, as_json: bool, data_dir: Path | None) -> None:
    """Run, print the report; exit status 1 when something was rejected."""
    from app.roots.graph import open_mcp_client
    from app.roots.telemetry.opened import opened_telemetry
    from app.roots.webhook import COMMAND_WAIT_S, opened_webhook
    from ingest.commands.progress import progress_shown
    from ingest.commands.report_json import report_json
    from ingest.commands.tables import print_report
    from ingest.wiring import ingest_into

    with ExitStack() as stack:
        graph, settings = stack.enter_context(opened_graph(data_dir))
        stack.enter_context(opened_telemetry(settings))
        live = any(one.endpoint for one in request.inputs)
        stack.enter_context(closed_by_sigterm())
        servers = stack.enter_context(open_mcp_client(settings)) if live else None
        progress = stack.enter_context(progress_shown(as_json=as_json))
        notify = stack.enter_context(opened_webhook(settings, wait_s=COMMAND_WAIT_S))
        report = ingest_into(graph, settings, request, progress=progress, servers=servers, notify=notify)
    if as_json:
        print_json(report_json(report))
    else:
        print_report(open_console(), report)
    if report.rejected:
        raise typer.Exit(REJECTED)


@contextmanager
def opened_graph(data_dir: Path | None) -> Iterator[tuple["GraphStore", "Settings"]]:
    """The graph of the settings, and these."""
    from app.roots.graph import open_graph, read_settings

    settings = read_settings(data_dir=data_dir)
    with open_graph(settings) as graph:
        yield graph, settings


def print_json(value: Any) -> None:
    """On stdout."""
    write_json(json.dumps(value, indent=2))
