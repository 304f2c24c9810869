"""Places among the first for others than one source that nobody has looked at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.review.places import FIRST, MOST, spread


@pytest.mark.parametrize(
    ("sources", "order"),
    [
        ("aaaaab", [0, 1, 2, 5, 3, 4]),
        ("aaaaabb", [0, 1, 2, 5, 6, 3, 4]),
        ("aaabb", [0, 1, 2, 3, 4]),
        ("-----", [0, 1, 2, 3, 4]),
        ("aaaa", [0, 1, 2, 3]),
        ("aaaabbbbc", [0, 1, 2, 4, 5, 3, 6, 7, 8]),
        ("abcde--", [0, 1, 2, 5, 6, 3, 4]),
        ("ab-cd--", [0, 1, 2, 3, 5, 4, 6]),
        ("abcde-", [0, 1, 2, 5, 3, 4]),
        ("aaaab-", [0, 1, 2, 5, 4, 3]),
        ("abc--d", [0, 1, 2, 3, 4, 5]),
        ("abcdef", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_what_is_passed_over_comes_right_behind(sources: str, order: list[int]) -> None:
    """Letters are sources that nobody has looked at, `-` is what is not limited."""
    assert spread(range(len(sources)), lambda at: sources[at].replace("-", "")) == order


@given(st.text("ab-", max_size=12))
def test_nobody_is_lost_and_nobody_has_too_many(sources: str) -> None:
    """As long as there are others; the bound for all of them is one for each."""
    found = spread(range(len(sources)), lambda at: sources[at].replace("-", ""))

    assert sorted(found) == list(range(len(sources)))
    first = [sources[at] for at in found[:FIRST]]
    others = sources.count("-")
    assert len(first) - first.count("-") <= max(MOST, FIRST - others)
    for one in "ab":
        assert first.count(one) <= max(MOST, FIRST - (len(sources) - sources.count(one)))


@given(st.text("ab-", max_size=12))
def test_what_is_not_limited_never_falls_and_keeps_its_order(sources: str) -> None:
    found = spread(range(len(sources)), lambda at: sources[at].replace("-", ""))

    free = [at for at in found if sources[at] == "-"]
    assert free == sorted(free)
    assert all(found.index(at) <= at for at in free)


@given(st.text("abc", max_size=12))
def test_where_all_are_limited_only_the_bound_for_each_counts(sources: str) -> None:
    """Those of one source are in order still, and whoever needs no bound stays where it was."""
    found = spread(range(len(sources)), lambda at: sources[at])

    if max((sources[:FIRST].count(one) for one in "abc"), default=0) <= MOST:
        assert found == list(range(len(sources)))
