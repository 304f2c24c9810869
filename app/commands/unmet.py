"""`outfitter unmet`: what was asked for and not found."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import DataDir
from app.commands.terminal import open_console, plain_text, write_json, write_text

if TYPE_CHECKING:
    from rich.console import Console

    from app.answers.unmet import UnmetAnswer


def unmet(
    *,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many groups at most.")] = 20,
    remove: Annotated[
        list[str] | None, typer.Option(help="Forget the request with this id; may be given again.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Forget all of them.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The answer as the service gives it.")] = False,
    data_dir: DataDir = None,
) -> None:
    """What was asked for and not found, and what would help?

    A service keeps it where OUTFITTER_UNMET is counts or texts. Example: outfitter unmet --limit 5
    """
    from app.adapters.graph.lease import lease_owner
    from app.answers.unmet import unmet_json
    from app.domain.unmet.entries import UnmetMode
    from app.roots.graph import open_graph, read_index, read_settings
    from app.usecases.unmet.reading import list_unmet
    from app.usecases.unmet.store import UnmetStore

    if remove and clear:
        raise typer.BadParameter("accepted: one of --remove and --clear", param_hint="--clear")
    settings = read_settings(data_dir=data_dir)
    with open_graph(settings) as graph:
        store = UnmetStore(graph, owner=lease_owner, lease_wait_s=settings.lease_wait_s)
        if clear:
            write_text(f"Forgot {store.clear()}.")
            return
        if remove:
            store.remove(remove)
            write_text(f"Forgot {len(set(remove))}.")
            return
        mode = UnmetMode(settings.unmet)
        answer = list_unmet(
            store.entries(), mode=mode, cursor=None, limit=limit, index=read_index(graph, settings)
        )
    if json:
        write_json(unmet_json(answer))
    else:
        _print(answer, open_console())


def _print(answer: "UnmetAnswer", console: "Console") -> None:
    if not answer.groups:
        console.print("Nothing is kept of requests that were not met.")
        if answer.mode.value == "off":
            console.print("OUTFITTER_UNMET=counts or texts lets a service keep them.")
    for group in answer.groups:
        word = f", with {group.word!r}" if group.word else ""
        console.print(
            plain_text(
                f"{group.count} {'time' if group.count == 1 else 'times'}{word}, last {group.last_at}",
                style="bold",
            )
        )
        for one in group.requests:
            said = repr(one.text) if one.text else f"{one.kind.value}s of {one.first_at[:10]}"
            console.print(plain_text(f"  {one.count} x {said}  {one.id}"))
        if group.requests_total > len(group.requests):
            console.print(f"  ... and {group.requests_total - len(group.requests)} more")
        if group.near:
            console.print(plain_text(f"  near: {', '.join(group.near)}"))
        for remedy in group.remedies:
            console.print(plain_text(f"  would help: {remedy.text}"))
            if remedy.taxonomy:
                console.print(plain_text(remedy.taxonomy, style="cyan"))
    if answer.next_cursor:
        console.print(f"{answer.groups_total - len(answer.groups)} more groups: --limit")
