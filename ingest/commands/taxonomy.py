"""`outfitter taxonomy lint`: what is wrong with taxonomies, before they are ingested."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.terminal import VisibleErrors, open_console
from app.errors import InvalidInputError
from ingest.commands.runs import REJECTED, AsJson, print_json

taxonomy_app = typer.Typer(
    name="taxonomy",
    help="Look at taxonomies before they are ingested.",
    cls=VisibleErrors,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@taxonomy_app.callback()
def _start() -> None:
    """With a callback `lint` stays a command of its own."""


@taxonomy_app.command("lint")
def lint_taxonomies(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="YAML or JSON files, seen together.")
    ] = None,
    common: Annotated[
        bool, typer.Option("--common", help="Also the common taxonomy, which comes with Outfitter.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check taxonomies: broken items, ids and requests that come twice, links to nothing, methods without requests,
    requests that say the method's name, hidden characters. Exit status 1 when something was found.
    """
    from app.settings import Settings
    from ingest.commands.tables import print_findings
    from ingest.sources.files import file_input, read_file
    from ingest.sources.taxonomy.lint import lint, read_taxonomy, shipped_files

    if not files and not common:
        raise InvalidInputError("nothing to check; accepted: files, --common, or both")
    settings = Settings()
    read = shipped_files() if common else []
    for path in dict.fromkeys(files or ()):
        data = read_file(file_input("taxonomy", path, name="lint"), max_bytes=settings.max_file_bytes)
        read.append(read_taxonomy(data, str(path), text_bytes=settings.max_description_bytes))
    found = lint(read)
    if as_json:
        print_json([one.as_row() for one in found])
    else:
        print_findings(open_console(), found, files=len(read), methods=sum(len(one.methods) for one in read))
    if found:
        raise typer.Exit(REJECTED)
