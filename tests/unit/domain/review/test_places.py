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
        ("aaaabbbbc", [0, 1, 2, 4, 5, 3]),
    ],
)
def test_what_is_passed_over_comes_right_behind(sources: str, order: list[int]) -> None:
    assert spread(range(len(sources)), lambda at: sources[at].replace("-", "")) == order


@given(st.text("ab-", max_size=12))
def test_nobody_is_lost_and_nobody_has_too_many(sources: str) -> None:
    """As long as there are others."""
    found = spread(range(len(sources)), lambda at: sources[at].replace("-", ""))

    assert sorted(found) == sorted(set(found))
    if sources.count("-") >= FIRST:
        first = [sources[at] for at in found[:FIRST]]
        assert all(first.count(one) <= MOST for one in "ab")
