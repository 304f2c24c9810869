"""What found tools need, behind them or in blocks."""

from itertools import pairwise

from app.domain.nodes.dependencies import LEVELS, Evidence, Requirement, prerequisites
from app.domain.nodes.models import ToolId
from app.domain.ranking.prerequisite_blocks import BlockPlace, blocks


def edge(
    consumer: str,
    producer: str,
    parameter: str = "",
    *,
    evidence: Evidence = Evidence.MANUAL,
    rank: int = 1,
    required: bool = True,
    confidence: float = 1.0,
) -> Requirement:
    return Requirement(
        ToolId(consumer), ToolId(producer), parameter, required, "", confidence, evidence, rank
    )


def order(matches: str, *edges: Requirement, limit: int = 20, changing: str = "") -> str:
    """Tools in blocks, as letters; matches in upper case."""
    edges_of: dict[str, list[Requirement]] = {}
    for one in edges:
        edges_of.setdefault(one.consumer, []).append(one)
    places = blocks(
        [ToolId(match) for match in matches],
        edges_of,
        limit=limit,
        changes=lambda tool: tool in changing,
    )
    return "".join(shown(place, matches) for place in places)


def shown(place: BlockPlace, matches: str) -> str:
    return place.tool.upper() if place.tool in matches else place.tool


def test_blocks_go_into_the_depth_first() -> None:
    """What a prerequisite needs comes before the next prerequisite."""
    assert order("ax", edge("a", "b", "p"), edge("b", "c", "p"), edge("a", "d", "q")) == "AbcdX"


def test_inputs_come_before_what_merely_comes_first() -> None:
    """Edges with a parameter, by its name, then edges without."""
    assert order("a", edge("a", "z"), edge("a", "c", "q"), edge("a", "b", "p")) == "Abcz"


def test_each_tool_comes_once_and_circles_end() -> None:
    """A circle, and two that need the same."""
    assert order("ax", edge("a", "b"), edge("b", "a"), edge("x", "b"), edge("x", "y")) == "AbXy"


def test_a_match_that_another_needs_stands_in_its_block_and_uses_no_room() -> None:
    """The limit counts only what is no match."""
    assert order("axb", edge("a", "b"), edge("b", "c"), limit=1) == "ABcX"
    assert order("axb", edge("a", "b"), edge("b", "c"), limit=0) == "ABX"


def test_the_limit_is_for_the_whole_answer() -> None:
    """Later matches are still there."""
    assert order("ax", edge("a", "b"), edge("a", "c"), edge("x", "y"), limit=2) == "AbcX"


def test_of_inferred_producers_the_best_that_changes_nothing_is_shown() -> None:
    """A stated one goes before them all; an optional input's and an unsure one are left out."""
    inferred = {"evidence": Evidence.SCHEMA, "confidence": 0.9}
    three = [edge("a", tool, "p", rank=rank, **inferred) for rank, tool in enumerate("bcd", 1)]  # type: ignore[arg-type]

    assert order("a", *three) == "Ab"
    assert order("a", *three, changing="b") == "Ac"
    assert order("a", *three, edge("a", "s", "p")) == "As"
    assert order("a", edge("a", "b", "p", required=False, evidence=Evidence.NAME)) == "A"
    assert order("a", edge("a", "b", "p", confidence=0.4, evidence=Evidence.NAME)) == "A"
    assert order("a", edge("a", "b", "p", required=False)) == "Ab"


def test_a_producer_that_needs_the_input_itself_comes_last() -> None:
    """Reading a payment by its id gives no id that is not known; listing payments does."""
    inferred = {"evidence": Evidence.SCHEMA, "confidence": 0.9}
    read = edge("a", "r", "p", rank=1, **inferred)  # type: ignore[arg-type]
    listed = edge("a", "l", "p", rank=2, **inferred)  # type: ignore[arg-type]
    again = edge("r", "l", "p", **inferred)  # type: ignore[arg-type]

    assert order("a", read, listed, again) == "Al"
    assert order("a", read, again) == "Arl"


def test_prerequisites_end_four_calls_deep() -> None:
    """As deep as the graph is asked."""
    chain = [edge(one, other) for one, other in zip("abcdef", "bcdefg", strict=True)]

    assert order("a", *chain) == "Abcde"


def needed(tools: str, *edges: Requirement, sure: float = 0.0, optional: bool = True) -> str:
    """The producers of the edges that are followed, by consumer, as letters."""
    edges_of: dict[str, list[Requirement]] = {}
    for one in edges:
        edges_of.setdefault(one.consumer, []).append(one)
    found = prerequisites(edges_of, tools, min_confidence=sure, optional=optional)
    return "".join(one.consumer + one.producer for one in found)


def test_what_is_needed_is_followed_four_edges_deep() -> None:
    """Each edge once, however often its consumer is asked for; who is not known needs nothing."""
    chain = [edge(one, other) for one, other in pairwise("abcdef")]
    assert LEVELS == 4
    assert needed("a", *chain) == "abbccdde"
    assert needed("caxc", *chain) == "abbccddeef"
    assert needed("", *chain) == ""


def test_circles_of_what_is_needed_end() -> None:
    """A tool that needs itself, and two that need each other."""
    assert needed("a", edge("a", "a", "p"), edge("a", "b", "q"), edge("b", "a")) == "aaabba"


def test_unsure_and_optional_edges_are_neither_given_nor_followed() -> None:
    """What is behind them is not needed either."""
    edges = [
        edge("a", "b", confidence=0.5),
        edge("b", "c"),
        edge("a", "d", "p", required=False),
        edge("d", "e"),
    ]
    assert needed("a", *edges) == "abadbcde"
    assert needed("a", *edges, sure=0.6) == "adde"
    assert needed("a", *edges, optional=False) == "abbc"
