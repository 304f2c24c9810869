"""When a watched source is looked at next."""

import random
from dataclasses import dataclass, replace
from pathlib import Path

from ingest.sources.files import IngestInput
from ingest.watch.schedule import Followed, Pace

PACE = Pace(jitter=0.0)


@dataclass
class _Subscription:
    declared: bool

    def close(self) -> None:
        """Nothing to end."""


def _followed(*, interval_s: float | None = None, pace: Pace = PACE) -> Followed:
    return Followed(IngestInput("mcp", "a", Path()), interval_s, pace, random.Random(1))


def _rest(source: Followed) -> float:
    source.end(100.0, failed=False)
    return source.due - 100.0


def test_what_a_server_says_decides_unless_the_operator_does() -> None:
    """Interval of the entry, else a subscription, else ttlMs, else the usual."""
    source = _followed()
    assert _rest(source) == 300.0
    source.ttl_s = 60.0
    assert _rest(source) == 60.0
    source.ttl_s = 0.001
    assert _rest(source) == 5.0
    source.subscription = _Subscription(declared=False)
    assert _rest(source) == 5.0
    source.subscription = _Subscription(declared=True)
    assert _rest(source) == 300.0
    mine = _followed(interval_s=7.0)
    mine.ttl_s = 60.0
    assert _rest(mine) == 7.0


def test_others_see_when_a_source_is_looked_at_next() -> None:
    """Never before now; not while it is being read; and whether its server reports changes."""
    source = _followed()
    source.end(100.0, failed=True)
    waits = source.as_seen(100.0)
    late = source.as_seen(500.0)
    source.busy = True
    source.one = replace(source.one, url="https://x.example/tools.json")
    reading = source.as_seen(500.0)

    assert (waits.source, waits.due_s, waits.failures, waits.reports_changes) == ("mcp:a", 1.0, 1, True)
    assert late.due_s == 0.0
    assert (reading.due_s, reading.reports_changes) == (None, False)


def test_failures_are_tried_again_later_each_time() -> None:
    """1, 2, 4 ... 300 seconds; a success begins anew, and so many failures overflow nothing."""
    source = _followed()
    waits = []
    for _ in range(12):
        source.end(0.0, failed=True)
        waits.append(source.due)

    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    source.failures = 5_000
    source.end(0.0, failed=True)
    assert source.due == 300
    source.end(0.0, failed=False)
    source.end(0.0, failed=True)
    assert source.due == 1


def test_many_sources_do_not_keep_step() -> None:
    """Times differ by up to a tenth either way."""
    waits = set()
    for seed in range(50):
        source = Followed(IngestInput("mcp", "a", Path()), None, Pace(), random.Random(seed))
        waits.add(_rest(source))

    assert len(waits) == 50
    assert min(waits) >= 270
    assert max(waits) <= 330


def test_a_change_is_read_at_once_but_not_all_the_time() -> None:
    """A server that tells a hundred times a second is asked a few times."""
    source = _followed()
    source.end(10.0, failed=False)

    source.notify(10.01)
    assert source.due == 10.0 + PACE.gap_s
    source.due = 300.0
    source.notify(50.0)
    assert source.due == 50.0


def test_a_change_during_a_reading_is_read_afterwards() -> None:
    """What was listed may be from before it."""
    source = _followed()
    source.busy = True

    source.notify(5.0)
    source.end(6.0, failed=False)

    assert source.due == 6.0 + PACE.gap_s


def test_a_subscription_that_never_lasts_is_opened_later_each_time() -> None:
    """One that lasted is opened again at once."""
    source = _followed()
    waits = []
    for _ in range(4):
        source.due = 1_000.0
        source.listening_since = 99.0
        source.lose(100.0)
        waits.append(source.due - 100.0)
    assert waits == [1, 2, 4, 8]

    source.due, source.listening_since = 1_000.0, 0.0
    source.lose(100.0)
    assert source.due == 100.0
