"""Which tools a pattern of the operator's means."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.calling.calls import matches
from tests.cpu import cpu_within


@pytest.mark.parametrize(
    ("pattern", "accepted", "refused"),
    [
        ("shop/pay", ["shop/pay"], ["shop/pays", "a/shop/pay", ""]),
        ("shop/*", ["shop/", "shop/pay"], ["shop", "ashop/pay"]),
        ("*", ["", "shop/pay"], []),
        ("*_get", ["a_get", "_get_get"], ["a_gets"]),
        ("a*b*a", ["aba", "a-b-b-a"], ["ab", "aa"]),
        ("ab*ba", ["abba"], ["aba"]),
        ("[a]?*", ["[a]?", "[a]?x"], ["a1"]),
    ],
)
def test_a_star_stands_for_any_text(pattern: str, accepted: list[str], refused: list[str]) -> None:
    """And every other character for itself."""
    assert [text for text in (*accepted, *refused) if matches(text, [pattern])] == accepted


@given(st.text("ab*\n", max_size=8), st.text("ab\n", max_size=10))
def test_it_fits_as_the_expression_would(pattern: str, text: str) -> None:
    """What `re` says of the same pattern."""
    expected = re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL)

    assert matches(text, [pattern]) == bool(expected)


def test_many_stars_take_no_longer() -> None:
    """A tool's name comes from its server: it must not be able to stall the check."""
    with cpu_within(0.05):
        assert not matches("a" * 10_000, ["a*" * 20 + "b", "*a*" * 20 + "*b*"])
