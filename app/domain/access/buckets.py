"""How much each caller may ask for: buckets that fill again, and a count of what is under way."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

MOST_CALLERS: Final = 10_000
"""Of whom it is known what they asked for lately; one who is forgotten begins with full buckets. A few megabytes."""


@dataclass(frozen=True, slots=True)
class CallerBounds:
    """What one caller may ask of one process."""

    requests_s: float
    burst: int
    """Requests that may come at once after a pause."""
    calls_s: float
    at_once: int
    """Requests that are being answered; streams that listen do not count."""
    of_groups: frozenset[str] = frozenset()
    """Those of these that groups of the caller state; the settings state the others."""

    def source_of(self, name: str) -> str:
        """What has to be changed for another bound."""
        return "limits of a group" if name in self.of_groups else f"OUTFITTER_CALLER_{name.upper()}"


@dataclass(frozen=True, slots=True)
class GroupBounds:
    """What a group says of its callers; None: nothing."""

    requests_s: float | None = None
    burst: int | None = None
    calls_s: float | None = None
    at_once: int | None = None


def most_generous(bounds: CallerBounds, groups: Sequence[GroupBounds]) -> CallerBounds:
    """Each bound as the most generous group has it, also where that is less; as it is where no group states it."""
    if not groups:
        return bounds
    stated = {
        one.name: max(values)
        for one in fields(GroupBounds)
        if (values := [value for group in groups if (value := getattr(group, one.name)) is not None])
    }
    return replace(bounds, **stated, of_groups=frozenset(stated))


@dataclass(slots=True)
class _Bucket:
    """Holds up to `size` and gets `rate` a second."""

    rate: float
    size: float
    level: float
    at: float

    def missing_s(self, now: float, count: int) -> float:
        """Seconds until it holds as much."""
        self.level = min(self.size, self.level + (now - self.at) * self.rate)
        self.at = now
        # More than it ever holds comes out of a full one, which is in debt then.
        return max(0.0, min(count, self.size) - self.level) / self.rate

    def resize(self, rate: float, size: float) -> None:
        """Let it hold and get as much from now on; what is in it stays."""
        self.rate, self.size = rate, size
        self.level = min(size, self.level)

    def take(self, count: int) -> None:
        """What `missing_s` found to be there."""
        self.level -= count


@dataclass(slots=True)
class _Use:
    bounds: CallerBounds
    requests: _Bucket
    calls: _Bucket
    under_way: int = 0


@dataclass(frozen=True, slots=True)
class TooMuch:
    """Why a request has to wait."""

    reason: str
    wait_s: float


class CallerUse:
    """What each caller asks for. To be used by one thread.

    Args:
        bounds: Of every caller of whom `enter` is not given others.
        now: Seconds, from anywhere.
    """

    def __init__(self, bounds: CallerBounds, *, now: Callable[[], float]) -> None:
        self.usual = bounds
        self._now = now
        self._uses: OrderedDict[str, _Use] = OrderedDict()

    def enter(
        self, caller: str, *, calls: int, listens: bool, bounds: CallerBounds | None = None
    ) -> TooMuch | None:
        """Take what a request takes, until `leave` where it does not listen; why it has to wait, and nothing is taken.

        Args:
            caller: Id.
            calls: Calls of tools that it makes.
            listens: Whether it is answered by a stream that stays open.
            bounds: What this caller may ask for now.
        """
        bounds = bounds or self.usual
        now, use = self._now(), self._of(caller, bounds)
        if not listens and use.under_way >= bounds.at_once:
            return TooMuch(
                f"{use.under_way} requests of this caller are being answered; accepted: {bounds.at_once} at once"
                f" ({bounds.source_of('at_once')})",
                1.0,
            )
        if (wait_s := use.requests.missing_s(now, 1)) > 0:
            return TooMuch(
                f"more than {bounds.requests_s:g} requests a second of this caller, after {bounds.burst} at once"
                f" ({bounds.source_of('requests_s')})",
                wait_s,
            )
        if calls and (wait_s := use.calls.missing_s(now, calls)) > 0:
            return TooMuch(
                f"more than {bounds.calls_s:g} calls a second of this caller ({bounds.source_of('calls_s')})",
                wait_s,
            )
        use.requests.take(1)
        use.calls.take(calls)
        use.under_way += not listens
        return None

    def leave(self, caller: str) -> None:
        """A request that entered and does not listen is answered."""
        use = self._uses.get(caller)
        if use is not None and use.under_way:
            use.under_way -= 1

    def _of(self, caller: str, bounds: CallerBounds) -> _Use:
        use = self._uses.get(caller)
        calls = max(1.0, bounds.calls_s)
        if use is None:
            now = self._now()
            use = self._uses[caller] = _Use(
                bounds,
                _Bucket(bounds.requests_s, bounds.burst, bounds.burst, now),
                _Bucket(bounds.calls_s, calls, calls, now),
            )
            self._forget()
        elif use.bounds != bounds:
            # The file has changed, or the groups of a token.
            use.bounds = bounds
            use.requests.resize(bounds.requests_s, bounds.burst)
            use.calls.resize(bounds.calls_s, calls)
        self._uses.move_to_end(caller)
        return use

    def _forget(self) -> None:
        """Those who asked longest ago, but for those whose requests are being answered."""
        for caller, use in list(self._uses.items())[: max(0, len(self._uses) - MOST_CALLERS)]:
            if not use.under_way:
                del self._uses[caller]
