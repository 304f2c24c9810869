"""Composition shared by the commands of ingest and the service: settings in, what runs and watches out."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import Trust
from app.domain.review.records import Decision
from app.errors import InvalidInputError
from app.ports.notices import Notify, notify_nobody
from app.ports.spans import begun
from app.settings import Settings, environment
from ingest.run.pipeline import run_ingest
from ingest.run.report import Report
from ingest.run.request import Bounds, IngestRequest, Progress
from ingest.sources.taxonomy.common import CommonTaxonomy
from ingest.watch.watcher import Watcher

if TYPE_CHECKING:
    from app.ports.graph import GraphWriter
    from app.ports.servers import Audit, McpListener, McpLister
    from app.ports.watching import FollowedSources

_log = logging.getLogger(__name__)
_LAST_SYNC_S = 15.0
"""How long the end of the service waits for a sync that is being written."""


def bounds_of(settings: Settings) -> Bounds:
    """What is accepted, as the settings say."""
    limits = TextLimits(settings.max_description_bytes, settings.max_schema_bytes)
    return Bounds(limits, settings.max_file_bytes, settings.lease_wait_s, Trust(settings.trust))


def ingest_into(
    graph: "GraphWriter",
    settings: Settings,
    request: IngestRequest,
    *,
    progress: Progress | None = None,
    servers: "McpLister | None" = None,
    notify: Notify = notify_nobody,
) -> Report:
    """Run a request as this process, within the bounds of the settings; `notify` gets what it brought."""
    from app.adapters.graph.lease import lease_owner

    with begun("outfitter.sync"):
        report = run_ingest(
            graph,
            request,
            owner=lease_owner(),
            bounds=bounds_of(settings),
            progress=progress,
            servers=servers,
            common=common_of(settings),
        )
    notify(report.notices)
    return report


class Desk:
    """Fits `ReviewDesk`: decisions become a run of ingest, which writes what was agreed to.

    Args:
        graph: where definitions are kept.
        settings: of the service or the command.
        audit: where it is written down what was decided.
        notify: gets what that brings.
    """

    def __init__(
        self,
        graph: "GraphWriter",
        settings: Settings,
        audit: "Audit | None" = None,
        *,
        notify: Notify = notify_nobody,
    ) -> None:
        self._notify = notify
        self._graph = graph
        self._settings = settings
        self._audit = audit

    def decide(self, decisions: Sequence[Decision]) -> int:
        """Carry these out, all or none; the new generation.

        Raises:
            NotFoundError: one is on a tool of which no definition is reviewed.
            ChangedMeanwhileError: one is on another definition than the one that there is now.
        """
        report = ingest_into(
            self._graph, self._settings, IngestRequest(decisions=decisions), notify=self._notify
        )
        if self._audit is not None:
            from app.roots.audit import reviewed

            reviewed(self._audit, decisions)
        return report.generation


def common_of(settings: Settings) -> CommonTaxonomy | None:
    """What of the common taxonomy is in use, as the settings say.

    Raises:
        InvalidInputError: they leave out what is neither a domain nor a source of tools.
    """
    try:
        return CommonTaxonomy(settings.common_without) if settings.common_taxonomy else None
    except InvalidInputError as error:
        raise InvalidInputError(f"OUTFITTER_COMMON_WITHOUT: {error}") from error


def watcher_of(
    settings: Settings,
    graph: "GraphWriter",
    path: Path,
    *,
    servers: "McpListener",
    prune: bool = False,
    on_report: Callable[[Report], None],
    notify: Notify = notify_nobody,
) -> Watcher:
    """A watcher of a sources file; not running yet.

    Raises:
        InvalidInputError: the file is no list of sources.
    """
    return Watcher(
        path,
        ingest=lambda request, answers: ingest_into(graph, settings, request, servers=answers, notify=notify),
        servers=servers,
        environ=environment(),
        max_file_bytes=settings.max_file_bytes,
        prune=prune,
        on_report=on_report,
    )


@contextmanager
def watching(
    settings: Settings,
    graph: "GraphWriter",
    path: Path,
    *,
    servers: "McpListener",
    on_generation: Callable[[int], None],
    notify: Notify = notify_nobody,
) -> Iterator["FollowedSources"]:
    """Watch a sources file in a thread of the service, while open; what it follows.

    Raises:
        InvalidInputError: the file is no list of sources.
    """

    def on_report(report: Report) -> None:
        on_generation(report.generation)
        for outcome in report.outcomes:
            facts: dict[str, object] = {
                "source": outcome.source,
                "status": outcome.status.value,
                "generation": report.generation,
                "seconds": round(report.seconds["total"], 3),
            }
            if outcome.rejected:
                problems = [f"{one.item}: {one.reason}" for one in outcome.rejected[:3]]
                facts |= {"rejected": len(outcome.rejected), "problems": problems}
                if said := [one.said for one in outcome.rejected[:3] if one.said]:
                    facts["said"] = said
                _log.warning("synced", extra=facts)
            elif outcome.changed:
                _log.info("synced", extra=facts)

    watcher = watcher_of(settings, graph, path, servers=servers, on_report=on_report, notify=notify)
    thread = threading.Thread(target=watcher.run, name="watcher", daemon=True)
    thread.start()
    try:
        yield watcher.followed
    finally:
        watcher.stop()
        thread.join(_LAST_SYNC_S)
