"""What the syncs of all sources changed, or those that touched one tool, page by page."""

from collections.abc import Iterable
from datetime import UTC, datetime

from app.answers.sources import AllChangesAnswer
from app.domain.moments import utc_text
from app.domain.nodes.models import SERVER_SOURCES, source_id
from app.domain.nodes.syncs import (
    LAST_MOMENT,
    Severity,
    SyncPage,
    SyncRecord,
    SyncStatus,
    record_id,
    record_severity,
)
from app.errors import InvalidInputError
from app.ports.graph import GraphExplorer
from app.usecases.browse.cursors import decoded, encoded

SEVERITIES = (*(one.value for one in Severity), SyncStatus.FAILED.value)
"""What changes are filtered by."""


def list_all_changes(
    *,
    tool: str = "",
    severities: Iterable[str] = (),
    since: str = "",
    cursor: str | None,
    limit: int,
    graph: GraphExplorer,
) -> AllChangesAnswer:
    """The newest records of all sources that the filters allow, behind the page whose `next_cursor` is given.

    With a tool, of each record only what became of it, under the id that it had then.

    Raises:
        InvalidInputError: the cursor is not one of a page, or `since` is no time.
    """
    before, _, after_id = decoded(cursor).partition(" ") if cursor else (LAST_MOMENT, "", "")
    page = SyncPage(limit + 1, _moment(since) if since else "", before, after_id, tuple(severities))
    found = _of_tool(tool, page, graph) if tool else graph.all_syncs(page)
    last = found[limit - 1] if len(found) > limit else None
    return AllChangesAnswer(
        changes=tuple(found[:limit]),
        definition=next(iter(graph.definitions([tool])), None) if tool else None,
        next_cursor=None if last is None else encoded(f"{last.at} {record_id(last)}"),
    )


def _of_tool(tool: str, page: SyncPage, graph: GraphExplorer) -> list[SyncRecord]:
    """The page of one tool: the records of its sources, and of those that bring its server, are few enough to be read."""
    origin = graph.tool_origin(tool)
    ids = {tool, *origin.former_ids}
    servers = {one.partition("/")[0] for one in ids if "/" in one}
    sources = {str(one.source) for one in origin.sources}
    bringing = [source_id(kind, server) for kind in SERVER_SOURCES for server in servers]
    sources |= {str(one.id) for one in graph.sources(bringing)}
    found = (_narrowed(record, ids) for source in sources for record in graph.syncs(source))
    kept = [one for one in found if one is not None and _is_on(one, page)]
    # Twice, because the later sort keeps the order of equals.
    kept.sort(key=record_id)
    kept.sort(key=lambda record: record.at, reverse=True)
    return kept[: page.limit]


def _narrowed(record: SyncRecord, ids: set[str]) -> SyncRecord | None:
    """What a record says of a tool; None when it names it nowhere."""
    tools = tuple(one for one in record.tools if one.id in ids or (one.former_id and one.former_id in ids))
    return record.model_copy(update={"tools": tools, "severity": tools[0].severity}) if tools else None


def _is_on(record: SyncRecord, page: SyncPage) -> bool:
    return (
        record.at >= page.since
        and (record.at < page.before or (record.at == page.before and record_id(record) > page.after_id))
        and (not page.severities or record_severity(record) in page.severities)
    )


def _moment(text: str) -> str:
    try:
        found = datetime.fromisoformat(text)
        return utc_text(found if found.tzinfo else found.replace(tzinfo=UTC))
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(
            f"since {text!r:.100}; accepted: a day or a time in ISO 8601, such as 2026-03-01 or 2026-03-01T09:00:00Z"
        ) from error
