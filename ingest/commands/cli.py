"""The commands that fill the graph: reports on stdout, progress and messages on stderr.

Exit status: 0 done; 1 some items were rejected, the report lists them; 2 wrong usage; 3 the engine did not
answer, or another writer holds it.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from app.commands.options import DataDir
from app.commands.terminal import VisibleErrors
from app.errors import InvalidInputError
from ingest.commands.backup import backup, restore
from ingest.commands.confirm import confirm
from ingest.commands.enrich import enrich_app
from ingest.commands.graph import remove, show, sources
from ingest.commands.review import review_app
from ingest.commands.runs import AllowShrink, AsJson, DryRun, run_request
from ingest.commands.sync import changes, sync
from ingest.commands.taxonomy import taxonomy_app

if TYPE_CHECKING:
    from ingest.run.request import IngestRequest
    from ingest.sources.files import IngestInput

FileName: TypeAlias = Annotated[
    str | None, typer.Option(help="Name of the source (default: the file's, without its ending).")
]
Prune: TypeAlias = Annotated[
    bool, typer.Option("--prune", help="Remove servers whose file is gone from a given folder.")
]

Trusted: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--trust",
        help="full, baseline or review: what is served without review. Default: as before, or OUTFITTER_TRUST.",
    ),
]

ingest_app = typer.Typer(
    name="ingest",
    help="Bring the graph to what documents say. Running it again writes only what has changed.",
    cls=VisibleErrors,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@ingest_app.callback()
def _start() -> None:
    """As `python -m ingest` a process begins here; as a part of `outfitter` this changes nothing."""
    from app.roots.lexicon import use_lexicon

    use_lexicon()


def _ingests(request_of: "Callable[..., IngestRequest]") -> Callable[..., None]:
    """The command that runs what `request_of` asks for, with its options and those that all such commands have."""

    def command(
        *,
        allow_shrink: AllowShrink = False,
        dry_run: DryRun = False,
        as_json: AsJson = False,
        data_dir: DataDir = None,
        **own: Any,
    ) -> None:
        request = replace(request_of(**own), allow_shrink=allow_shrink, dry_run=dry_run)
        run_request(request, as_json=as_json, data_dir=data_dir)

    shared = [one for one in inspect.signature(command).parameters.values() if one.kind is one.KEYWORD_ONLY]
    parameters = [*inspect.signature(request_of).parameters.values(), *shared]
    # From here typer reads the options.
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    command.__doc__ = request_of.__doc__
    return command


@ingest_app.command("taxonomy")
@_ingests
def ingest_taxonomy(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="YAML or JSON files.")],
    name: FileName = None,
) -> "IngestRequest":
    """Ingest taxonomies: what people want done, and which tools do it."""
    return _named("taxonomy", files, name)


@ingest_app.command("manifest")
@_ingests
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
    trust: Trusted = None,
    prune: Prune = False,
) -> "IngestRequest":
    """Ingest the tools of MCP servers."""
    from ingest.run.request import IngestRequest
    from ingest.sources.files import manifest_inputs

    inputs = _trusted(manifest_inputs(paths, server=server), trust)
    return IngestRequest(inputs, folders=[path for path in paths if path.is_dir()], prune=prune)


@ingest_app.command("openapi")
@_ingests
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
    trust: Trusted = None,
    prune: Prune = False,
) -> "IngestRequest":
    """Ingest the operations of APIs, and infer which of them gives what another needs."""
    from app.settings import Settings
    from ingest.run.request import IngestRequest
    from ingest.sources.files import openapi_inputs
    from ingest.sources.openapi.reader import Selection

    found = openapi_inputs(
        places,
        server=server,
        max_file_bytes=Settings().max_file_bytes,
        selection=Selection(tuple(include_tag or ()), tuple(exclude_path or ()), skip_deprecated),
        allow_private=allow_private,
    )
    folders = [Path(place) for place in places if Path(place).is_dir()]
    return IngestRequest(
        _trusted(found.inputs, trust), folders=folders, prune=prune, passed_over=found.passed_over
    )


@ingest_app.command("arazzo")
@_ingests
def ingest_arazzo(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Arazzo 1.0 documents, JSON or YAML.")
    ],
    name: FileName = None,
) -> "IngestRequest":
    """Ingest workflows: which calls are made in which order, with which inputs."""
    return _named("arazzo", files, name)


@ingest_app.command("mcp")
@_ingests
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
    trust: Trusted = None,
) -> "IngestRequest":
    """Ingest the tools of live MCP servers, as they list them now."""
    from app.settings import environment
    from ingest.commands.endpoint_arguments import mcp_endpoints
    from ingest.run.request import IngestRequest
    from ingest.sources.files import mcp_input

    endpoints = mcp_endpoints(
        servers,
        server=server,
        headers=header_env or (),
        variables=env or (),
        environ=environment(),
        allow_private=allow_private,
        plain_http=plain_http,
    )
    return IngestRequest(_trusted([mcp_input(one) for one in endpoints], trust))


def _trusted(inputs: "Sequence[IngestInput]", word: str | None) -> "list[IngestInput]":
    from app.commands.options import word_of
    from app.domain.nodes.models import Trust

    trust = word_of(Trust, word, option="--trust") if word is not None else None
    return [replace(one, trust=trust) for one in inputs]


def register(app: typer.Typer) -> None:
    """Mount these commands, and those about what is in the graph, on the command `outfitter`."""
    app.add_typer(ingest_app, name="ingest")
    app.add_typer(taxonomy_app, name="taxonomy")
    app.add_typer(enrich_app, name="enrich")
    app.add_typer(review_app)
    for command in (remove, sources, show, sync, changes, confirm, backup, restore):
        app.command()(command)


def _named(kind: str, files: Sequence[Path], name: str | None) -> "IngestRequest":
    """Ingest documents of a kind of which one file is one source."""
    from ingest.run.request import IngestRequest
    from ingest.sources.files import file_input

    if name is not None and len(files) > 1:
        raise InvalidInputError(
            f"--name {name!r} would name {len(files)} files; accepted: one file with --name"
        )
    return IngestRequest([file_input(kind, path, name=name) for path in files])


def main() -> None:
    """`python -m ingest`."""
    ingest_app(prog_name="ingest")
