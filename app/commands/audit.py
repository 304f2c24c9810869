"""`outfitter audit`: whether what was written down of calls is still what was written."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands.options import DataDir
from app.commands.terminal import VisibleErrors, write_json, write_text

audit_app = typer.Typer(
    name="audit",
    help="What was written down of calls, and of who may make them.",
    cls=VisibleErrors,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
_CHANGED = 1


@audit_app.callback()
def _start() -> None:
    """With a callback `verify` stays a command of its own."""


@audit_app.command("verify")
def verify(
    file: Annotated[
        Path | None,
        typer.Argument(help="The newest file (default: that of the settings).", show_default=False),
    ] = None,
    *,
    head: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SHA256",
            help="A head that was kept elsewhere, as in a log; may be given again.",
            show_default="the graph's",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Is every line there, as it was written, in its order?

    Each line holds the one before it; a head that is kept elsewhere, in the graph and in the log each minute, holds all up
    to it. What stands behind the last head can be cut off unseen. Exit status 1: a line was removed, changed or swapped.
    """
    import json

    from app.adapters.audit_file import read_audit
    from app.domain.audit.chain import check_chain, read_end
    from app.roots.audit import audit_path
    from app.roots.graph import open_graph, read_settings

    settings = read_settings(data_dir=data_dir)
    files = read_audit(file or audit_path(settings))
    heads, source, others = list(head or ()), "given", 0
    if not heads:
        with open_graph(settings) as graph:
            kept = graph.audit_heads()
        # Other chains are those of other replicas.
        chains = {end.chain for _, lines in files for line in lines if (end := read_end(line)) is not None}
        heads, source = [one.head for one in kept if one.chain in chains], "in the graph"
        others = len(kept) - len(heads)
    found = check_chain(files, heads=heads)
    if as_json:
        write_json(
            json.dumps(
                {
                    "files": found.files,
                    "lines": found.lines,
                    "before_chain": found.before_chain,
                    "chain": found.end.chain if found.end else None,
                    "head": found.end.head if found.end else None,
                    "covered": found.covered,
                    "problems": found.problems,
                },
                indent=2,
            )
        )
    else:
        for problem in found.problems:
            write_text(problem)
        write_text(
            f"{found.lines:,} lines in {found.files} files, {found.before_chain:,} of them before the chain;"
            f" {found.covered:,} up to a head {source}."
        )
        if others:
            write_text(
                f"{others} chains in the graph are not here: those of other replicas, or their files are gone."
            )
        write_text(f"Head {found.end.head}" if found.end else "No chain.")
    if found.problems:
        raise typer.Exit(_CHANGED)
