"""When a source that is watched is looked at next."""

import random
from dataclasses import dataclass, field

from app.ports.servers import McpSubscription
from app.ports.watching import FollowedSource
from ingest.sources.files import IngestInput


@dataclass(frozen=True, slots=True)
class Pace:
    """How often and how soon."""

    poll_s: float = 0.25
    """Between two looks at files; a file is read once it is the same at two of them."""
    together_s: float = 0.05
    """Changes that arrive within this time are synced together."""
    patience_s: float = 0.4
    """For sources that are being read already; what is there is not kept longer for one that hangs."""
    gap_s: float = 0.25
    """At least between two readings of one source, however often it reports changes."""
    interval_s: float = 300.0
    """Between two readings of a source that reports nothing, where its entry says no interval."""
    shortest_ttl_s: float = 5.0
    """A server that says that its tools stay true for less is asked every so often."""
    first_retry_s: float = 1.0
    """After the first failure; twice as long after each further one."""
    longest_retry_s: float = 300.0
    steady_s: float = 60.0
    """A subscription that lasted this long was a good one."""
    jitter: float = 0.1
    """Each time is longer or shorter by up to this share, so that many sources do not keep step."""

    def retry_s(self, times: int, chance: random.Random) -> float:
        """How long to wait after this number of failures in a row."""
        # 2 ** 30 is beyond every bound; a larger exponent is no better.
        seconds = self.first_retry_s * 2 ** min(times - 1, 30)
        return self.jittered(min(seconds, self.longest_retry_s), chance)

    def jittered(self, seconds: float, chance: random.Random) -> float:
        """About this many seconds."""
        return seconds * (1 + self.jitter * chance.uniform(-1, 1))


@dataclass(eq=False, slots=True)
class Followed:
    """A source that is watched; used by the watcher's thread only, but for what `fetch` says."""

    one: IngestInput
    interval_s: float | None
    """What its entry says."""
    pace: Pace
    chance: random.Random
    due: float = 0.0
    """When to read it next."""
    busy: bool = False
    """Being read or written."""
    changed: bool = False
    """Notified of a change while busy."""
    gone: bool = False
    """No longer in the file."""
    failures: int = 0
    """In a row."""
    ended: float = float("-inf")
    """When it was read last."""
    ttl_s: float | None = None
    """How long its server says that its tools stay true."""
    subscription: McpSubscription | None = None
    can_listen: bool = True
    listening_since: float = 0.0
    losses: int = 0
    """Subscriptions in a row that did not last."""
    stamps: list[object] = field(default_factory=list)
    """What its file looked like when it was read, and at the last look."""

    def notify(self, now: float) -> None:
        """Something of it changed."""
        if self.busy:
            self.changed = True
        else:
            self.due = min(self.due, max(now, self.ended + self.pace.gap_s))

    def lose(self, now: float) -> None:
        """Its subscription ended: listen and read again, later each time that happens soon."""
        self.subscription = None
        self.losses = 0 if now - self.listening_since >= self.pace.steady_s else self.losses + 1
        wait = self.pace.retry_s(self.losses, self.chance) if self.losses else 0.0
        if self.busy:
            self.changed = True
        self.due = min(self.due, now + wait)

    def end(self, now: float, *, failed: bool) -> None:
        """It was read and written, or could not be."""
        self.busy, self.ended = False, now
        self.failures = self.failures + 1 if failed else 0
        wait = self.pace.retry_s(self.failures, self.chance) if failed else self._rest()
        self.due = now + wait
        if self.changed and not failed:
            self.changed = False
            self.notify(now)

    def as_seen(self, now: float) -> FollowedSource:
        """How it stands, for others."""
        notifies = self.subscription is not None and self.subscription.declared
        return FollowedSource(
            source=self.one.source,
            due_s=None if self.busy else max(0.0, self.due - now),
            failures=self.failures,
            reports_changes=notifies or (self.one.endpoint is None and not self.one.url),
        )

    def _rest(self) -> float:
        notifies = self.subscription is not None and self.subscription.declared
        if self.interval_s is not None:
            seconds = self.interval_s
        elif self.ttl_s is None or notifies:
            seconds = self.pace.interval_s
        else:
            seconds = max(self.ttl_s, self.pace.shortest_ttl_s)
        return self.pace.jittered(seconds, self.chance)
