"""Ingest for people: reports, sources and records as tables on stdout."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.answers.sources import ChangesAnswer
from app.domain.calling.definitions import WaitingTool
from app.domain.nodes.graph_views import GraphEdge, NodeRef, SourceCounts, ToolDetails
from app.domain.nodes.models import EdgeKind, NodeKind, Source
from app.domain.nodes.syncs import Severity, SyncRecord, SyncStatus
from ingest.diff.changes import SourceOutcome, Status
from ingest.run.report import Report
from ingest.sources.taxonomy.lint import Finding

_MOST = 20
"""Rows of a list; `--json` has all."""
_MOST_TOOLS = 10
"""Tools of one sync; `--json` has more."""
_COLOURS = {Severity.BREAKING: "red", Severity.COMPATIBLE: "green", Severity.DESCRIPTION: "dim"}


def print_report(console: Console, report: Report) -> None:
    """What a run did, source by source, then everything that was rejected."""
    changed = [one for one in report.outcomes if one.status is not Status.UNCHANGED]
    if changed:
        columns = ("source", "status", "created", "updated", "removed", "unchanged", "rejected")
        rows = [_outcome_row(outcome) for outcome in changed[:_MOST]]
        # Only columns that say something: a terminal of 80 characters has no room for the others.
        used = [i for i in range(len(columns)) if any(row[i] for row in rows)]
        table = _table(*(columns[i] for i in used), whole=columns[1:])
        for row in rows:
            table.add_row(*(row[i] for i in used))
        console.print(table)
    _print_more(console, len(changed), "sources")
    unchanged = len(report.outcomes) - len(changed)
    if unchanged:
        console.print(f"{unchanged} {'source is' if unchanged == 1 else 'sources are'} unchanged.")
    for what, lines in _lists(report).items():
        for line in lines[:_MOST]:
            console.print(line)
        _print_more(console, len(lines), what)
    for workflow in report.workflows.mended[:_MOST]:
        console.print(f"whole again: workflow {escape(workflow)}")
    for workflow in report.workflows.followed[:_MOST]:
        console.print(f"workflow {escape(workflow)} calls renamed tools by their new ids")
    console.print(_summary(report))


def _lists(report: Report) -> dict[str, list[str]]:
    """What a report lists, in this order: lines with markup by what they are."""
    renamed = [
        f"renamed {escape(old)} to {escape(new)}" for one in report.outcomes for old, new in one.renamed
    ]
    rejected = [
        f"[red]rejected[/red] {escape(one.source)}: {escape(entry.item)}: {escape(entry.reason)}{_said(entry.said)}"
        for one in report.outcomes
        for entry in one.rejected
    ]
    warnings = [
        f"[yellow]warning[/yellow] {escape(one.source)}: {escape(text)}"
        for one in report.outcomes
        for text in one.warnings
    ]
    gone = "it is gone from where it was ingested; --prune or `outfitter remove` removes it"
    return {
        "renamed": renamed,
        "rejected": rejected,
        "warnings": warnings,
        "kept": [f"[yellow]kept[/yellow] {escape(source)}: {gone}" for source in report.kept],
        "passed over": [f"passed over {escape(line)}" for line in report.passed_over],
        "tools whose requests went": [
            f"[yellow]removed[/yellow] {count} requests of {escape(tool)}: {why}"
            for tools, why in _requests_gone(report)
            for tool, count in sorted(tools.items())
        ],
        "broken workflows": [
            f"[yellow]broken[/yellow] workflow {escape(workflow)}: {escape(reason)}"
            for workflow, reason in report.workflows.broken
        ],
    }


def _requests_gone(report: Report) -> list[tuple[Mapping[str, int], str]]:
    if report.requests is None:
        return []
    return [
        (
            report.requests.changed,
            "they were written for what it was before; `outfitter enrich requests` writes others",
        ),
        (report.requests.gone, "the tool is gone"),
    ]


def _outcome_row(outcome: SourceOutcome) -> list[str]:
    counts = [(label, one) for label, one in sorted(outcome.nodes.items())]
    return [
        escape(outcome.source),
        outcome.status,
        _cell([(label, len(one.created)) for label, one in counts]),
        _cell([(label, len(one.updated)) for label, one in counts]),
        _cell([(label, len(one.removed)) for label, one in counts]),
        _cell([(label, one.unchanged) for label, one in counts]),
        str(len(outcome.rejected) or ""),
    ]


def _cell(counts: Sequence[tuple[str, int]]) -> str:
    return "\n".join(f"{count} {label}" for label, count in counts if count)


def _summary(report: Report) -> str:
    done = "would write" if report.dry_run else "wrote"
    text = (
        f"{done} {report.nodes_written} nodes and {report.edges_written} edges, {'would remove' if report.dry_run else 'removed'}"
        f" {report.nodes_removed} nodes"
    )
    if report.structure is not None:
        text += f"; {report.structure.edges} edges by structure ({report.structure.created} new, {report.structure.removed} gone)"
    if report.dependencies is not None:
        found = report.dependencies
        text += f"; {found.shown} dependencies between {found.tools} tools ({found.created} edges new, {found.removed} gone)"
    if report.suggestions is not None and (report.suggestions.suggested or report.suggestions.removed):
        linked = report.suggestions
        text += f"; common methods suggest {linked.suggested} of {linked.tools} tools ({linked.created} edges new, {linked.removed} gone)"
    return f"{text[0].upper()}{text[1:]}. Generation {report.generation}, {report.seconds['total']:.1f} s."


def _print_more(console: Console, count: int, what: str) -> None:
    if count > _MOST:
        console.print(f"... and {count - _MOST} more {what} (--json lists all)")


def print_sources(console: Console, sources: Sequence[SourceCounts]) -> None:
    """All sources with what they provide."""
    if not sources:
        console.print("No sources. `outfitter ingest manifest FILE-OR-FOLDER` brings some.")
        return
    table = _table("source", "nodes", "synced", "from", whole=["source"])
    for one in sources:
        nodes = [f"{count} {kind}" for kind, count in sorted(one.nodes.items())]
        if one.declared:
            nodes.append(f"({one.declared} tools only named)")
        table.add_row(
            escape(one.source.id), "\n".join(nodes), one.source.synced_at or "never", escape(one.source.uri)
        )
    console.print(table)
    for one in sources:
        if not one.source.healthy:
            console.print(f"[red]not healthy[/red] {escape(one.source.id)} {_problem(one.source)}")


def _said(said: str) -> str:
    """What a server said, as markup behind our own words."""
    return f" [dim](the server says: {escape(said)})[/dim]" if said else ""


def _problem(source: Source | ChangesAnswer) -> str:
    return f"since {source.problem_at}: {escape(source.problem)}{_said(source.problem_said)}"


def print_tool(console: Console, details: ToolDetails) -> None:
    """A tool's card, and what surrounds it."""
    tool = details.tool
    console.print(f"[bold]{escape(tool.id)}[/bold] {escape(tool.title)}")
    console.print(escape(tool.description) or "(no description)")
    hints = {
        "read only": tool.read_only,
        "destructive": tool.destructive,
        "idempotent": tool.idempotent,
        "open world": tool.open_world,
    }
    stated = [f"{name}: {'yes' if value else 'no'}" for name, value in hints.items() if value is not None]
    if details.former_ids:
        stated.append(f"formerly {', '.join(details.former_ids)}")
    if tool.declared:
        stated.append("declared: no source describes it")
    if stated:
        console.print(escape(", ".join(stated)))
    for change in tool.unconfirmed:
        console.print(f"[yellow]not confirmed[/yellow] {escape(change)}")
    if tool.unconfirmed:
        console.print(f"Calls are refused until `outfitter confirm {escape(tool.id)}`.")
    if tool.input_schema:
        console.print("input", escape(tool.input_schema), soft_wrap=True)
    for request in tool.requests:
        by = f", written by {request.model}" if request.model else ""
        console.print(escape(f"request ({request.language}{by}, {request.at[:10]}): {request.text}"))
    table = _table("edge", "node", "", "says")
    for title, edges in _by_kind(details).items():
        for edge, other in edges:
            sure = f"{edge.weight:.2f}" if edge.weight != 1 else ""
            table.add_row(title, escape(other), sure, escape(edge.reason or edge.evidence))
    for source in details.sources:
        table.add_row("PROVIDED_BY", escape(source.source), "", "only named" if source.declares else "")
    console.print(table)


def _by_kind(details: ToolDetails) -> dict[str, list[tuple[GraphEdge, str]]]:
    found: defaultdict[str, list[tuple[GraphEdge, str]]] = defaultdict(list)
    nodes = {node.key: node for node in details.nodes}
    own = NodeRef(NodeKind.TOOL, details.tool.id).key
    for edge in details.edges:
        is_source = edge.source == own
        if edge.kind is EdgeKind.HAS_EXAMPLE:
            # Requests, which stand above with who wrote them when.
            continue
        other = nodes[edge.target if is_source else edge.source]
        title = f"{edge.kind} {'->' if is_source else '<-'} {other.kind}"
        found[title].append((edge, f"{other.id}  {other.name}" if other.name != other.id else other.id))
    return dict(sorted(found.items()))


def _table(*columns: str, whole: Collection[str] = ()) -> Table:
    """A table whose long cells go on in the next line, but for those of columns that are kept whole."""
    table = Table(box=box.SIMPLE, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column in whole)
    return table


def print_changes(console: Console, page: ChangesAnswer, waiting: Sequence[WaitingTool] = ()) -> None:
    """Each sync with what it changed, the gravest first; then the tools that wait to be confirmed."""
    if not page.healthy:
        console.print(f"[red]not healthy[/red] {_problem(page)}")
    if not page.changes:
        console.print(f"No sync of {escape(page.source)} has changed anything yet.")
        return
    table = _table("when", "generation", "what", "means", whole=["when"])
    for record in page.changes:
        colour = _COLOURS[record.severity] if record.severity else "none"
        meaning = f"[{colour}]{record.severity}[/{colour}]" if record.severity else ""
        table.add_row(record.at, str(record.generation), "\n".join(_lines(record)), meaning)
    console.print(table)
    if page.next_cursor:
        console.print("Older ones: --limit")
    if waiting:
        print_waiting(console, waiting, is_confirmed=False)


def print_findings(console: Console, findings: Sequence[Finding], *, files: int, methods: int) -> None:
    """What is wrong with taxonomies, and how much of them was looked at."""
    table = _table("file", "item", "problem")
    for one in findings:
        table.add_row(escape(one.file), escape(one.item), escape(one.problem))
    if findings:
        console.print(table)
    looked_at = f"{methods} methods in {files} {'file' if files == 1 else 'files'}"
    console.print(f"{len(findings) or 'Nothing'} found in {looked_at}.")


def print_waiting(console: Console, tools: Sequence[WaitingTool], *, is_confirmed: bool) -> None:
    """Tools whose calls wait, or waited, with what changed."""
    if not tools:
        console.print("Nothing waits to be confirmed.")
        return
    table = _table("tool", "source", "changed")
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
        yield f"[red]failed[/red] {escape(record.problem)}{_said(record.problem_said)}"
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
    for tool in record.tools[:_MOST_TOOLS]:
        before = f" (was {tool.former_id})" if tool.former_id else ""
        reasons = f": {'; '.join(tool.reasons)}" if tool.reasons and not tool.former_id else ""
        yield escape(f"{tool.change} {tool.id}{before}{reasons}")
    if record.tools_changed > _MOST_TOOLS:
        yield f"... and {record.tools_changed - _MOST_TOOLS} more tools (--json lists {len(record.tools)})"
    for broken in record.workflows_broken:
        yield f"[yellow]breaks[/yellow] workflow {escape(broken.id)}: {escape(broken.reason)}"
