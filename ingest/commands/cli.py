"""The commands that fill the graph: reports on stdout, progress and messages on stderr.

Exit status: 0 done; 1 some items were rejected, the report lists them; 2 wrong usage; 3 the engine did not
answer, or another writer holds it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.terminal import VisibleErrors
from app.errors import InvalidInputError
from ingest.commands.confirm import register as register_confirm
from ingest.commands.graph import register as register_graph
from ingest.commands.runs import AllowShrink, AsJson, DataDir, DryRun, messages, run_request
from ingest.commands.sync import register as register_sync

if TYPE_CHECKING:
    from ingest.sources.files import Input

ingest_app = typer.Typer(
    name="ingest",
    help="Bring the graph to what documents say. Running it again writes only what has changed.",
    cls=VisibleErrors,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@ingest_app.command("taxonomy")
def ingest_taxonomy(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="YAML or JSON files.")],
    name: Annotated[
        str | None, typer.Option(help="Name of the source (default: the file's, without its ending).")
    ] = None,
    allow_shrink: AllowShrink = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Ingest taxonomies: what people want done, and which tools do it."""
    from ingest.run.request import IngestRequest

    with messages():
        request = IngestRequest(_named("taxonomy", files, name), allow_shrink=allow_shrink, dry_run=dry_run)
        run_request(request, as_json=as_json, data_dir=data_dir)


@ingest_app.command("manifest")
def ingest_manifest(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE-OR-FOLDER...", help="Answers to tools/list, one JSON file for each server."
        ),
    ],
    server: Annotated[
        str | None, typer.Option(help="Name of the server (default: the file's, without its ending).")
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove servers whose file is gone from a given folder.")
    ] = False,
    allow_shrink: AllowShrink = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Ingest the tools of MCP servers."""
    from ingest.run.request import IngestRequest
    from ingest.sources.files import manifest_inputs

    with messages():
        request = IngestRequest(
            manifest_inputs(paths, server=server),
            folders=[path for path in paths if path.is_dir()],
            prune=prune,
            allow_shrink=allow_shrink,
            dry_run=dry_run,
        )
        run_request(request, as_json=as_json, data_dir=data_dir)


@ingest_app.command("openapi")
def ingest_openapi(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE-FOLDER-OR-URL...", help="OpenAPI 3.0 to 3.2 or Swagger 2.0 documents, JSON or YAML."
        ),
    ],
    server: Annotated[
        str | None,
        typer.Option(help="Name of the server (default: the file's, without its ending, or the host)."),
    ] = None,
    include_tag: Annotated[
        list[str] | None, typer.Option(help="Only operations with this tag; may be given again.")
    ] = None,
    exclude_path: Annotated[
        list[str] | None, typer.Option(help="Leave out paths like this, * is any text; may be given again.")
    ] = None,
    skip_deprecated: Annotated[
        bool, typer.Option("--skip-deprecated", help="Leave out deprecated operations.")
    ] = False,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also fetch from loopback and private addresses.")
    ] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove servers whose file is gone from a given folder.")
    ] = False,
    allow_shrink: AllowShrink = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Ingest the operations of APIs, and infer which of them gives what another needs."""
    from app.settings import Settings
    from ingest.run.request import IngestRequest
    from ingest.sources.files import openapi_inputs
    from ingest.sources.openapi.reader import Selection

    with messages():
        found = openapi_inputs(
            places,
            server=server,
            max_file_bytes=Settings().max_file_bytes,
            selection=Selection(tuple(include_tag or ()), tuple(exclude_path or ()), skip_deprecated),
            allow_private=allow_private,
        )
        request = IngestRequest(
            found.inputs,
            folders=[Path(place) for place in places if Path(place).is_dir()],
            prune=prune,
            allow_shrink=allow_shrink,
            passed_over=found.passed_over,
            dry_run=dry_run,
        )
        run_request(request, as_json=as_json, data_dir=data_dir)


@ingest_app.command("arazzo")
def ingest_arazzo(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Arazzo 1.0 documents, JSON or YAML.")
    ],
    name: Annotated[
        str | None, typer.Option(help="Name of the source (default: the file's, without its ending).")
    ] = None,
    allow_shrink: AllowShrink = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Ingest workflows: which calls are made in which order, with which inputs."""
    from ingest.run.request import IngestRequest

    with messages():
        request = IngestRequest(_named("arazzo", files, name), allow_shrink=allow_shrink, dry_run=dry_run)
        run_request(request, as_json=as_json, data_dir=data_dir)


@ingest_app.command("mcp")
def ingest_mcp(
    servers: Annotated[
        list[str],
        typer.Argument(
            metavar="URL... | -- COMMAND [ARGUMENT...]",
            help="Servers by their http or https addresses, or the command that is one.",
        ),
    ],
    server: Annotated[
        str | None,
        typer.Option(help="Name of the server (default: its host, or what the command calls itself)."),
    ] = None,
    header_env: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEADER=VARIABLE",
            help="Send a header with the value of an environment variable; may be given again.",
        ),
    ] = None,
    env: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=VARIABLE]",
            help="Give the command an environment variable, of this name or another's value; may be given again.",
        ),
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also ask loopback and private addresses.")
    ] = False,
    plain_http: Annotated[
        bool, typer.Option("--plain-http", help="Send headers unencrypted to hosts of other networks, too.")
    ] = False,
    allow_shrink: AllowShrink = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Ingest the tools of live MCP servers, as they list them now."""
    from app.settings import environment
    from ingest.commands.endpoint_arguments import mcp_endpoints
    from ingest.run.request import IngestRequest
    from ingest.sources.files import mcp_input

    with messages():
        endpoints = mcp_endpoints(
            servers,
            server=server,
            headers=header_env or (),
            variables=env or (),
            environ=environment(),
            allow_private=allow_private,
            plain_http=plain_http,
        )
        request = IngestRequest(
            [mcp_input(one) for one in endpoints], allow_shrink=allow_shrink, dry_run=dry_run
        )
        run_request(request, as_json=as_json, data_dir=data_dir)


def register(app: typer.Typer) -> None:
    """Mount these commands, and those about what is in the graph, on the command `outfitter`."""
    app.add_typer(ingest_app, name="ingest")
    register_graph(app)
    register_sync(app)
    register_confirm(app)


def _named(kind: str, files: Sequence[Path], name: str | None) -> "list[Input]":
    """Inputs of a kind of which one file is one source."""
    from ingest.sources.files import file_input

    if name is not None and len(files) > 1:
        raise InvalidInputError(
            f"--name {name!r} would name {len(files)} files; accepted: one file with --name"
        )
    return [file_input(kind, path, name=name) for path in files]


def main() -> None:
    """`python -m ingest`."""
    ingest_app(prog_name="ingest")
