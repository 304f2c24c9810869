"""Which requests belong together."""

import random

from hypothesis import given
from hypothesis import strategies as st

from app.domain.unmet.entries import UnmetEntry, UnmetKind, total
from app.domain.unmet.groups import grouped

WORDS = ["flight", "train", "paris", "rome", "book", "cancel", "hotel", "the", "please"]


def entry(text: str, number: int, *, count: int = 1, near: tuple[str, ...] = ()) -> UnmetEntry:
    return UnmetEntry(
        id=f"{number:032x}",
        kind=UnmetKind.REQUEST,
        text=text,
        near=near,
        count=count,
        first_at="2026-03-01T00:00:00Z",
        last_at="2026-03-01T00:00:00Z",
    )


def test_requests_that_share_a_rare_word_are_one_group() -> None:
    """Under that word as one of them writes it; who shares none stands alone; the most frequent group first."""
    texts = ["Book a flight to Paris", "flights tomorrow", "cancel the flight", "a table for two"]

    groups = grouped([entry(text, at) for at, text in enumerate(texts, 1)])

    assert [(group.word.casefold(), group.count) for group in groups] == [("flight", 3), ("", 1)]
    assert [one.text for one in groups[1].entries] == ["a table for two"]


def test_a_word_that_everybody_says_joins_nobody() -> None:
    """Else one group would hold all."""
    asked = [entry(f"robot {name}", at) for at, name in enumerate(WORDS[:7] * 5, 1)]

    assert "robot" not in {group.word for group in grouped(asked)}


def test_numbers_are_grouped_by_the_near_tool() -> None:
    """There are no words."""
    days = [entry("", 1, near=("a/x",)), entry("", 2, near=("a/x",)), entry("", 3)]

    assert [(group.count, [one.near for one in group.entries]) for group in grouped(days)] == [
        (2, [("a/x",), ("a/x",)]),
        (1, [()]),
    ]


@given(
    st.lists(st.tuples(st.lists(st.sampled_from(WORDS), max_size=4), st.integers(1, 9)), max_size=12),
    st.randoms(use_true_random=False),
)
def test_every_request_is_in_one_group_whatever_their_order(
    asked: list[tuple[list[str], int]], chance: random.Random
) -> None:
    """Nothing is lost, nothing counts twice."""
    entries = [entry(" ".join(words), at, count=count) for at, (words, count) in enumerate(asked, 1)]
    mixed = list(entries)
    chance.shuffle(mixed)

    groups = grouped(entries)

    assert grouped(mixed) == groups
    assert sorted(one.id for group in groups for one in group.entries) == sorted(one.id for one in entries)
    assert sum(group.count for group in groups) == total(entries)
    assert len({group.key for group in groups}) == len(groups)
