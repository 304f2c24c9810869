"""How much a caller may ask for: a burst, then so much a second, and a number at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.access import buckets
from app.domain.access.buckets import CallerBounds, CallerUse, GroupBounds, most_generous

BOUNDS = CallerBounds(requests_s=2.0, burst=4, calls_s=1.0, at_once=3)


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def asked(use: CallerUse, times: int, *, calls: int = 0, caller: str = "a") -> list[bool]:
    """Whether each of some requests, one after another, was let in."""
    found = []
    for _ in range(times):
        found.append(use.enter(caller, calls=calls, listens=False) is None)
        if found[-1]:
            use.leave(caller)
    return found


def test_after_a_burst_there_is_a_rate() -> None:
    """And after a pause a burst again; the answer says how long to wait."""
    clock = Clock()
    use = CallerUse(BOUNDS, now=clock)

    assert asked(use, 6) == [True] * 4 + [False] * 2
    slow = use.enter("a", calls=0, listens=False)
    assert slow is not None
    assert (slow.wait_s, "OUTFITTER_CALLER_REQUESTS_S" in slow.reason) == (0.5, True)
    clock.now += slow.wait_s
    assert asked(use, 2) == [True, False]
    clock.now += 100
    assert asked(use, 6) == [True] * 4 + [False] * 2


def test_calls_have_a_rate_of_their_own() -> None:
    """Other requests go on meanwhile; what is refused takes nothing."""
    clock = Clock()
    use = CallerUse(BOUNDS, now=clock)

    assert asked(use, 2, calls=1) == [True, False]
    assert asked(use, 3) == [True] * 3
    clock.now += 10
    # A batch that is larger than the bucket is let in once, and paid for afterwards.
    assert asked(use, 1, calls=5) == [True]
    clock.now += 4
    assert asked(use, 1, calls=1) == [False]
    clock.now += 1
    assert asked(use, 1, calls=1) == [True]


def test_a_number_is_answered_at_once() -> None:
    """Streams that listen do not count; callers do not count for each other."""
    use = CallerUse(BOUNDS, now=Clock())

    assert [use.enter("a", calls=0, listens=False) is None for _ in range(4)] == [True] * 3 + [False]
    assert use.enter("a", calls=0, listens=True) is None
    assert use.enter("b", calls=0, listens=False) is None
    use.leave("a")
    use.leave("nobody")
    slow = use.enter("b", calls=0, listens=False)
    assert slow is None


@given(st.lists(st.floats(0, 3), max_size=60))
def test_no_second_has_more_than_the_burst_and_the_rate(pauses: list[float]) -> None:
    """However the requests come."""
    clock = Clock()
    use = CallerUse(BOUNDS, now=clock)
    begin, let_in = clock.now, 0

    for pause in pauses:
        clock.now += pause
        let_in += asked(use, 1)[0]

        assert let_in <= BOUNDS.burst + (clock.now - begin) * BOUNDS.requests_s + 1e-6


def test_those_who_asked_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for those whose requests are being answered."""
    monkeypatch.setattr(buckets, "MOST_CALLERS", 2)
    use = CallerUse(BOUNDS, now=Clock())
    use.enter("held", calls=0, listens=False)
    asked(use, 4, caller="a")

    for other in ("b", "c", "d"):
        asked(use, 1, caller=other)

    assert asked(use, 5, caller="a") == [True] * 4 + [False]
    assert [use.enter("held", calls=0, listens=False) is None for _ in range(3)] == [True, True, False]


def test_each_bound_is_that_of_the_most_generous_group() -> None:
    """Also where it is less than the usual one; what no group states stays."""
    slow, large = GroupBounds(requests_s=1.0, at_once=2), GroupBounds(requests_s=0.5, burst=9)

    assert most_generous(BOUNDS, []) == BOUNDS
    assert most_generous(BOUNDS, [slow, large]) == CallerBounds(
        requests_s=1.0,
        burst=9,
        calls_s=1.0,
        at_once=2,
        of_groups=frozenset({"requests_s", "burst", "at_once"}),
    )


def test_bounds_that_change_count_from_the_next_request_on() -> None:
    """What was used up stays used up; a refusal says that a group states the bound."""
    clock = Clock()
    use = CallerUse(BOUNDS, now=clock)
    assert asked(use, 5) == [True] * 4 + [False]

    group = most_generous(BOUNDS, [GroupBounds(requests_s=10.0, burst=2)])
    clock.now += 0.1
    assert use.enter("a", calls=0, listens=False, bounds=group) is None
    slow = use.enter("a", calls=0, listens=False, bounds=group)
    assert slow is not None
    assert "(limits of a group)" in slow.reason
    clock.now += 100
    assert [use.enter("a", calls=0, listens=False, bounds=group) is None for _ in range(3)] == [
        True,
        True,
        False,
    ]
