"""Records of syncs for people: tables on stdout."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.domain.calling.definitions import WaitingTool
from app.domain.nodes.syncs import Severity, SyncRecord, SyncStatus
from app.usecases.source_changes import ChangesPage
from ingest.commands.tables import said_words

_MOST = 10
"""Tools of one sync; `--json` has more."""
_COLOURS = {Severity.BREAKING: "red", Severity.COMPATIBLE: "green", Severity.DESCRIPTION: "dim"}


def print_changes(console: Console, page: ChangesPage, waiting: Sequence[WaitingTool] = ()) -> None:
    """Each sync with what it changed, the gravest first; then the tools that wait to be confirmed."""
    if not page.source.healthy:
        console.print(
            f"[red]not healthy[/red] since {page.source.problem_at}: {escape(page.source.problem)}"
            f"{said_words(page.source.problem_said)}"
        )
    if not page.records:
        console.print(f"No sync of {escape(page.source.id)} has changed anything yet.")
        return
    table = Table(box=box.SIMPLE, pad_edge=False)
    for column in ("when", "generation", "what", "means"):
        table.add_column(column, overflow="fold", no_wrap=column == "when")
    for record in page.records:
        colour = _COLOURS[record.severity] if record.severity else "none"
        meaning = f"[{colour}]{record.severity}[/{colour}]" if record.severity else ""
        table.add_row(record.at, str(record.generation), "\n".join(_lines(record)), meaning)
    console.print(table)
    if page.more:
        console.print("Older ones: --limit")
    if waiting:
        print_waiting(console, waiting, is_confirmed=False)


def print_waiting(console: Console, tools: Sequence[WaitingTool], *, is_confirmed: bool) -> None:
    """Tools whose calls wait, or waited, with what changed."""
    if not tools:
        console.print("Nothing waits to be confirmed.")
        return
    table = Table(box=box.SIMPLE, pad_edge=False)
    for column in ("tool", "source", "changed"):
        table.add_column(column, overflow="fold")
    for one in tools:
        table.add_row(escape(one.id), escape(one.source), escape("\n".join(one.changes)))
    console.print(table)
    count = f"{len(tools)} {'tool' if len(tools) == 1 else 'tools'}"
    if is_confirmed:
        console.print(f"Confirmed {count}.")
    else:
        console.print(f"Calls of {count} are refused until confirmed: `outfitter confirm TOOL-ID...`")


def _lines(record: SyncRecord) -> Iterator[str]:
    if record.status is SyncStatus.FAILED:
        yield f"[red]failed[/red] {escape(record.problem)}{said_words(record.problem_said)}"
        return
    for label, one in record.nodes.items():
        counts = {
            "created": one.created,
            "updated": one.updated,
            "renamed": one.renamed,
            "removed": one.removed,
        }
        if said := [f"{count} {what}" for what, count in counts.items() if count]:
            yield f"{label}: {', '.join(said)}"
    for tool in record.tools[:_MOST]:
        before = f" (was {tool.former_id})" if tool.former_id else ""
        reasons = f": {'; '.join(tool.reasons)}" if tool.reasons and not tool.former_id else ""
        yield escape(f"{tool.change} {tool.id}{before}{reasons}")
    if record.tools_changed > _MOST:
        yield f"... and {record.tools_changed - _MOST} more tools (--json lists {len(record.tools)})"
    for broken in record.workflows_broken:
        yield f"[yellow]breaks[/yellow] workflow {escape(broken.id)}: {escape(broken.reason)}"
