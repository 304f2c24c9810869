"""Keeps the graph at what the sources of a file say, for as long as it runs."""

import logging
import queue
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from app.adapters.sources_file.file import SourcesFile, read_sources_file
from app.domain.calling.mcp_endpoints import McpChange, McpFailure, McpListing
from app.errors import InvalidInputError, OutfitterError
from app.ports.servers import McpListener, McpLister
from app.ports.watching import FollowedSource
from ingest.diff.changes import Status
from ingest.run.report import Report
from ingest.run.request import IngestRequest
from ingest.sources.listed_inputs import Listed, listed_inputs
from ingest.watch.fetch import RepeatedAnswers, Threads, WatchedAnswer, fetch
from ingest.watch.schedule import Followed, Pace

Ingest: TypeAlias = Callable[[IngestRequest, McpLister], Report]
"""Runs a request with what servers have answered."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Told:
    source: Followed
    change: McpChange


@dataclass(frozen=True, slots=True)
class _Read:
    source: Followed
    found: WatchedAnswer


class _Stop:
    """The watcher is to end."""


_Message: TypeAlias = _Told | _Read | _Stop


class Watcher:
    """Reads each source when it changes and syncs what arrives together.

    A server that reports changes is read when it does, others when what they said runs out (`ttlMs`) or after an
    interval, files when they are written. A source that fails is tried again, later each time, and keeps none
    of the others waiting. The sources file is followed too; while it is broken, the last good one counts.

    Args:
        path: the sources file.
        ingest: runs a request; in the watcher's thread.
        servers: asks and listens to live servers; from many threads.
        environ: the environment, for the variables that entries name.
        max_file_bytes: of a document.
        prune: remove sources that the file no longer names.
        on_report: called after each sync that changed something or found something wrong.
        pace: how often and how soon.
    """

    def __init__(
        self,
        path: Path,
        *,
        ingest: Ingest,
        servers: McpListener,
        environ: Mapping[str, str],
        max_file_bytes: int,
        prune: bool = False,
        on_report: Callable[[Report], None] = lambda _: None,
        pace: Pace | None = None,
    ) -> None:
        self._path = path
        self._ingest = ingest
        self._servers = servers
        self._environ = environ
        self._max_file_bytes = max_file_bytes
        self._prune = prune
        self._on_report = on_report
        self._pace = pace or Pace()
        # Not for secrets.
        self._chance = random.Random()  # noqa: S311
        self._inbox: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self._threads = Threads()
        self._followed: dict[str, Followed] = {}
        self._ready: list[_Read] = []
        self._ready_since = 0.0
        self._reading = 0
        self._news: tuple[SourcesFile, Listed] | None = None
        """The file with what it lists, from its loading until the next sync."""
        self._graph_failures = 0
        self._graph_due = 0.0
        """When to try the graph again."""
        self._stamp: object = None
        self._next_look = 0.0
        self._load(read_sources_file(path))

    def stop(self) -> None:
        """End `run` once what it does is done; from any thread and from a handler of signals."""
        self._inbox.put(_Stop())

    def followed(self) -> tuple[FollowedSource, ...]:
        """What is followed, by id, and when each is looked at next; from any thread."""
        now = time.monotonic()
        found = (one.as_seen(now) for one in tuple(self._followed.values()))
        return tuple(sorted(found, key=lambda one: one.source))

    def run(self) -> None:
        """Watch until stopped."""
        try:
            while self._receive():
                now = time.monotonic()
                if now >= self._next_look:
                    self._next_look = now + self._pace.poll_s
                    self._look(now)
                self._begin(now)
                if (self._ready or self._news) and now >= self._sync_at():
                    self._sync()
        finally:
            for one in self._followed.values():
                self._forget(one)

    def _receive(self) -> bool:
        """Take what was reported; false when it is time to end."""
        now = time.monotonic()
        times = [one.due for one in self._followed.values() if not one.busy]
        if self._ready or self._news:
            times.append(self._sync_at())
        wait = max(0.0, min([self._next_look, *times]) - now)
        try:
            message = self._inbox.get(timeout=wait) if wait else self._inbox.get_nowait()
            while True:
                if isinstance(message, _Stop):
                    return False
                self._take(message)
                message = self._inbox.get_nowait()
        except queue.Empty:
            return True

    def _take(self, message: _Told | _Read) -> None:
        now, source = time.monotonic(), message.source
        if isinstance(message, _Read):
            self._reading -= 1
            self._settle(message, now)
        elif not source.gone:
            if message.change is McpChange.LOST:
                source.lose(now)
            else:
                source.notify(now)

    def _settle(self, message: _Read, now: float) -> None:
        source, found = message.source, message.found
        if found.subscription is not None:
            source.subscription, source.listening_since = found.subscription, now
        if source.gone:
            self._forget(source)
            return
        source.can_listen = source.can_listen and found.can_listen
        if isinstance(found.answer, McpListing):
            ttl = found.answer.ttl_ms
            source.ttl_s = ttl / 1000 if ttl else None
        self._add(message, now)

    def _add(self, message: _Read, now: float) -> None:
        if not self._ready:
            self._ready_since = now
        self._ready.append(message)

    def _begin(self, now: float) -> None:
        """Read what is due."""
        for source in self._followed.values():
            if source.busy or source.due > now:
                continue
            source.busy, source.changed = True, False
            if source.one.endpoint is None and not source.one.url:
                self._add(_Read(source, WatchedAnswer(source.one)), now)
            else:
                self._reading += 1
                self._threads.submit(lambda source=source: self._fetch(source))  # type: ignore[misc]

    def _fetch(self, source: Followed) -> None:
        """In a thread of its own: what a source says now."""

        def on_change(change: McpChange) -> None:
            self._inbox.put(_Told(source, change))

        try:
            found = fetch(
                source.one,
                self._servers,
                max_bytes=self._max_file_bytes,
                listen=source.can_listen and source.subscription is None,
                on_change=on_change,
            )
        except Exception as error:  # noqa: BLE001 - a source whose reading ends unseen would never be read again
            _log.exception("reading a source: a defect", extra={"source": source.one.source})
            reason = f"could not be read: {type(error).__name__}"
            if source.one.endpoint:
                found = WatchedAnswer(source.one, McpFailure(reason))
            else:
                found = WatchedAnswer(replace(source.one, problem=f"{source.one.label}: {reason}"))
        self._inbox.put(_Read(source, found))

    def _sync_at(self) -> float:
        """When to sync what is there."""
        wait = self._pace.patience_s if self._reading else self._pace.together_s
        return max(self._ready_since + wait, self._graph_due)

    def _sync(self) -> None:
        """Bring the graph to what was read."""
        batch, news = self._ready, self._news
        file, listed = news or (None, None)
        request = IngestRequest(
            [*(one.found.one for one in batch), *(listed.unusable if listed else ())],
            refused=listed.refused if listed else {},
            listed_in=file,
            prune=self._prune,
        )
        try:
            report = self._ingest(request, RepeatedAnswers([one.found for one in batch]))
        except OutfitterError as error:
            # The graph is away or somebody else writes: what was read waits.
            _log.warning("not synced, will be tried again", extra={"problem": str(error)})
            self._fail()
            return
        except Exception:  # noqa: BLE001 - a watch that ends unseen would leave old tools for ever
            _log.exception("not synced, will be tried again: a defect")
            self._fail()
            return
        self._ready, self._news, self._graph_failures = [], None, 0
        now = time.monotonic()
        statuses = {one.source: one.status for one in report.outcomes}
        for one in batch:
            failed = statuses.get(str(one.source.one.source), Status.REFUSED) is Status.REFUSED
            one.source.end(now, failed=failed)
        changed = any(status is not Status.UNCHANGED for status in statuses.values())
        if changed or report.rejected or report.kept:
            self._on_report(report)

    def _fail(self) -> None:
        self._graph_failures += 1
        self._graph_due = time.monotonic() + self._pace.retry_s(self._graph_failures, self._chance)

    def _look(self, now: float) -> None:
        """See which files were written."""
        stamp = _stamp(self._path)
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._load(read_sources_file(self._path))
            except InvalidInputError as error:
                _log.error(
                    "the sources file is broken, the last good one counts", extra={"problem": str(error)}
                )
        for source in self._followed.values():
            if source.one.endpoint is None and not source.one.url:
                read, before = source.stamps
                stamp = _stamp(source.one.path)
                if stamp != read and stamp == before:
                    source.stamps[0] = stamp
                    source.notify(now)
                source.stamps[1] = stamp

    def _load(self, file: SourcesFile) -> None:
        """Follow what the file names now, and forget what it no longer names."""
        self._stamp = _stamp(self._path)
        listed: Listed = listed_inputs(file, environ=self._environ)
        intervals = {entry.id: entry.interval for entry in file.entries}
        before, followed = dict(self._followed), dict[str, Followed]()
        for name, one in listed.inputs.items():
            known = before.get(name)
            if known is not None and (known.one, known.interval_s) == (one, intervals[name]):
                followed[name] = before.pop(name)
            else:
                stamp = _stamp(one.path)
                source = Followed(one, intervals[name], self._pace, self._chance, stamps=[stamp, stamp])
                followed[name] = source
        # As a whole: others look at it meanwhile.
        self._followed = followed
        for one_gone in before.values():
            self._forget(one_gone)
        self._ready = [one for one in self._ready if not one.source.gone]
        self._news, self._ready_since = (file, listed), time.monotonic()

    def _forget(self, source: Followed) -> None:
        source.gone = True
        if source.subscription is not None:
            source.subscription.close()
            source.subscription = None


def _stamp(path: Path) -> object:
    """What changes when a file is written; None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
