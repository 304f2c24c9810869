"""`outfitter backup` and `outfitter restore`: the whole graph as a file, and an empty graph filled from one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import DataDir
from app.commands.terminal import closed_by_sigterm, write_text
from app.errors import InvalidInputError
from ingest.commands.runs import AsJson, opened_graph, print_json

if TYPE_CHECKING:
    from app.usecases.backup.taking import BackupReport


def backup(
    file: Annotated[Path, typer.Argument(help="Written aside and renamed; compressed where it ends in .gz.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Write the whole graph into a file that only you can read.

    Nobody else writes to the graph meanwhile; the service goes on answering. Not in it: vectors, snapshots, the audit,
    unmet requests, callers and policies. Example: outfitter backup outfitter.jsonl.gz
    """
    from app.adapters.backup_file import written_backup
    from app.adapters.graph.lease import lease_owner
    from app.domain.backup.lines import LEFT_OUT
    from app.usecases.backup.taking import take_backup
    from ingest.commands.progress import progress_shown

    with (
        opened_graph(data_dir) as (graph, settings),
        closed_by_sigterm(),
        progress_shown(as_json=as_json) as progress,
        written_backup(file) as put,
    ):
        report = take_backup(
            graph, put, owner=lease_owner(), lease_wait_s=settings.lease_wait_s, progress=progress
        )
    _tell(report, f"{file} holds", as_json=as_json, file=file)
    if not as_json:
        write_text(f"Left out: {', '.join(LEFT_OUT)}.")


def restore(
    file: Annotated[Path, typer.Argument(help="As `outfitter backup` wrote it, on either engine.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Fill an empty graph from a backup, of whichever engine.

    The whole file is checked first. A restore that is killed leaves the graph refused to every other writer; the same
    command removes what is there and fills it again. Example: outfitter restore outfitter.jsonl.gz --data-dir new
    """
    from app.adapters.backup_file import read_backup
    from app.adapters.graph.lease import lease_owner
    from app.usecases.backup.restoring import restore_backup
    from ingest.commands.progress import progress_shown

    with (
        opened_graph(data_dir) as (graph, settings),
        closed_by_sigterm(),
        progress_shown(as_json=as_json) as progress,
    ):
        try:
            report = restore_backup(
                graph,
                lambda: read_backup(file),
                owner=lease_owner(),
                lease_wait_s=settings.lease_wait_s,
                progress=progress,
            )
        except InvalidInputError as error:
            raise InvalidInputError(f"{file}: {str(error).removeprefix(f'{file}: ')}") from error
    _tell(report, "The graph has", as_json=as_json, file=file)


def _tell(report: "BackupReport", begins: str, *, as_json: bool, file: Path) -> None:
    if as_json:
        print_json(
            {
                "file": str(file),
                "generation": report.generation,
                "schema_version": report.schema_version,
                "nodes": dict(report.nodes),
                "lines": dict(report.lines),
                "sha256": report.sha256,
            }
        )
        return
    nodes = ", ".join(f"{count:,} {kind}" for kind, count in report.nodes.items())
    parts = ", ".join(f"{count:,} {part}" for part, count in report.lines.items() if part != "nodes")
    write_text(f"{begins} generation {report.generation}: {nodes}; {parts}.")
    write_text(f"SHA-256 {report.sha256}")
