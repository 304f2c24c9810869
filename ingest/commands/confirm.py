"""`outfitter confirm`: agree to changed definitions of tools, whose calls are refused until then."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import DataDir
from app.commands.terminal import open_console
from app.errors import InvalidInputError, NotFoundError
from ingest.commands.runs import AsJson, opened_graph, print_json

if TYPE_CHECKING:
    from app.domain.calling.definitions import WaitingTool


def confirm(
    tools: Annotated[
        list[str] | None, typer.Argument(metavar="[TOOL-ID]...", help="Tools; none: list what waits.")
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="ID", help="All tools of this source that wait.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Confirm what changed in the definitions of tools, so that they may be called again.

    A sync that sends the calls of a tool to another server, by another method or path or with other credentials, or
    brings a hint that makes the tool look more harmless than before, leaves its calls refused until this.
    """
    from app.adapters.graph.lease import lease_owner
    from app.usecases.confirm import confirm_tools

    with opened_graph(data_dir) as (graph, settings):
        waiting = graph.waiting_tools()
        if not tools and source is None:
            _tell(waiting, as_json=as_json, is_confirmed=False)
            return
        if source is not None and source not in {one.id for one in graph.sources()}:
            raise NotFoundError(f"no source {source!r}; `outfitter sources` lists all")
        chosen = _chosen(waiting, tools or (), source)
        if as_json and not yes:
            raise InvalidInputError("--json asks no questions; accepted: --json with --yes")
        shown = graph.definitions([one.id for one in chosen])
        if chosen and not yes:
            _tell(chosen, as_json=False, is_confirmed=False)
            typer.confirm(f"Confirm {len(chosen)} of them?", abort=True)
        if chosen:
            confirm_tools(graph, shown, owner=lease_owner(), lease_wait_s=settings.lease_wait_s)
        _tell(chosen, as_json=as_json, is_confirmed=True)


def _chosen(
    waiting: "Sequence[WaitingTool]", tools: Sequence[str], source: str | None
) -> "list[WaitingTool]":
    """Those that are named or come from the source.

    Raises:
        InvalidInputError: a tool that is named does not wait.
    """
    there = {one.id for one in waiting}
    if others := [tool for tool in tools if tool not in there]:
        raise InvalidInputError(
            f"{', '.join(map(repr, others[:3]))}: nothing to confirm; accepted: ids that `outfitter confirm` lists"
        )
    return [one for one in waiting if one.id in tools or one.source == source]


def _tell(tools: "Sequence[WaitingTool]", *, as_json: bool, is_confirmed: bool) -> None:
    from ingest.commands.tables import print_waiting

    if as_json:
        print_json([{**one.model_dump(mode="json"), "confirmed": is_confirmed} for one in tools])
    else:
        print_waiting(open_console(), tools, is_confirmed=is_confirmed)
