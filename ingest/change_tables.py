"""Records of syncs for people: tables on stdout."""

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.domain.syncs import Severity, SyncRecord, SyncStatus
from app.usecases.source_changes import ChangesPage
from ingest.tables import said_words

_MOST = 10
"""Tools of one sync; `--json` has more."""
_COLOURS = {Severity.BREAKING: "red", Severity.COMPATIBLE: "green", Severity.DESCRIPTION: "dim"}


def print_changes(console: Console, page: ChangesPage) -> None:
    """Each sync with what it changed, the gravest first."""
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
