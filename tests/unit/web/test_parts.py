"""Bars, trees, two rankings, texts of strangers: pure functions of documents."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answers.search import ReasonKind, Why
from app.web.formats import ago, counted, score, signed
from app.web.parts.bars import UNITS, kinds_of, score_bars, why_groups
from app.web.parts.rankings import ranked_pairs, share_in_common
from app.web.parts.schema_tree import MAX_ROWS, schema_tree
from app.web.strangers import bdi

PARTS = st.lists(
    st.builds(
        Why, kind=st.sampled_from(ReasonKind), contribution=st.floats(-2, 5).map(lambda x: round(x, 6))
    ),
    max_size=8,
)


@given(st.lists(PARTS, max_size=5))
def test_bars_are_on_one_scale_and_their_segments_side_by_side(tools: list[list[Why]]) -> None:
    """What is added stands right of zero, what is taken away left of it, nothing on anything else."""
    bars = score_bars(tools)

    widths: set[float] = set()
    for bar, parts in zip(bars, tools, strict=True):
        assert bar.zero == bars[0].zero
        edges = sorted((segment.x, segment.x + segment.width) for segment in bar.segments)
        assert all(left[1] <= right[0] + 1e-6 for left, right in pairwise(edges))
        assert all(begin >= -1e-6 and end <= UNITS + 1e-6 for begin, end in edges)
        for segment in bar.segments:
            total = sum(part.contribution for part in parts if part.kind is segment.kind)
            assert segment.contribution == total
            assert (segment.x + 1e-9 >= bar.zero) == (total > 0) or segment.width < 1e-6
            widths.add(round(segment.width / abs(total), 3))
    # One scale: so many units for each point of a score.
    assert not widths or max(widths) - min(widths) <= 1e-3 * max(widths) + 2e-3


def test_a_bar_of_a_worked_example() -> None:
    """Scores of 3 and 1 with .5 taken away: the scale is 3.5 wide."""
    first = [Why(ReasonKind.METHOD, 2.0), Why(ReasonKind.WORD, 1.0)]
    second = [Why(ReasonKind.WORD, 1.5), Why(ReasonKind.INTENT, -0.5)]

    bars = score_bars([first, second])

    unit = UNITS / 3.5
    assert [(one.kind, round(one.x), round(one.width)) for one in bars[0].segments] == [
        ("word", round(0.5 * unit), round(unit)),
        ("method", round(1.5 * unit), round(2 * unit)),
    ]
    assert [(one.kind, round(one.x)) for one in bars[1].segments] == [
        ("word", round(0.5 * unit)),
        ("intent", 0),
    ]
    assert kinds_of(bars) == [ReasonKind.WORD, ReasonKind.INTENT, ReasonKind.METHOD]


IDS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6)


@given(IDS, IDS)
def test_every_tool_of_two_rankings_is_there_once_with_its_places(a: list[str], b: list[str]) -> None:
    """And moves by the difference of both."""
    pairs = ranked_pairs(a, b)

    assert sorted(pair.id for pair in pairs) == sorted({*a, *b})
    assert [pair.id for pair in pairs][: len(b)] == b
    for pair in pairs:
        assert pair.a == (a.index(pair.id) + 1 if pair.id in a else None)
        assert pair.up == (pair.a - pair.b if pair.a and pair.b else None)
    assert 0 <= share_in_common(a, b) <= 1


def test_a_tree_says_of_each_property_what_it_is_and_what_lies_in_it() -> None:
    """Through references and lists."""
    schema = {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {"type": "string", "description": "Which one.", "format": "uuid"},
            "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
            "state": {"enum": ["open", "sent"], "default": "open"},
        },
        "$defs": {"line": {"type": "object", "properties": {"sku": {"type": ["string", "null"]}}}},
    }

    tree = schema_tree(schema)

    assert tree is not None
    assert [(row.level, row.name, row.type, row.required) for row in tree.rows] == [
        (0, "id", "string (uuid)", True),
        (0, "lines", "array of object", False),
        (1, "sku", "string or null", False),
        (0, "state", "", False),
    ]
    assert tree.rows[3].values == ('"open"', '"sent"')
    assert tree.rows[3].default == '"open"'
    assert not tree.cut


def test_a_tree_ends_whatever_its_schema_refers_to() -> None:
    """A schema that lies in itself, and one of ten thousand properties."""
    itself = {"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}}
    wide = {"properties": {f"p{number}": {} for number in range(10_000)}}

    for schema in (itself, wide):
        tree = schema_tree(schema)
        assert tree is not None
        assert len(tree.rows) <= MAX_ROWS
    assert schema_tree(None) is None
    assert schema_tree({"type": "array", "items": {"type": "string"}}).type == "array of string"  # type: ignore[union-attr]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "items", "required", "enum", "$ref", "allOf", "a"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(
    st.dictionaries(st.sampled_from(["type", "properties", "items", "required", "allOf"]), JSON, max_size=4)
)
def test_any_json_that_stands_where_a_schema_should_is_survived(schema: dict[str, object]) -> None:
    """Documents of strangers hold anything anywhere."""
    tree = schema_tree(schema)

    assert tree is not None
    json.dumps([row.name for row in tree.rows])


def test_a_text_of_a_stranger_is_escaped_apart_and_nothing_in_it_is_unseen() -> None:
    """Elements are text, and what would turn the direction is its name."""
    shown = str(bdi('<img src=x onerror="alert(1)">\u202eevil\x1b'))

    assert shown.startswith("<bdi>&lt;img src=x")
    assert "RIGHT-TO-LEFT OVERRIDE" in shown
    assert "U+001B" in shown
    assert "\u202e" not in shown
    assert len(str(bdi("x" * 500, 100))) < 120


@given(st.text())
def test_no_text_leaves_its_element(text: str) -> None:
    """Whatever it holds."""
    inside = str(bdi(text)).removeprefix("<bdi>").removesuffix("</bdi>")

    assert inside.replace('<span class="unseen">', "").replace("</span>", "").count("<") == 0


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (score(1.412), "1.41"),
        (score(0.0456), "0.046"),
        (signed(0.5), "+0.50"),
        (signed(-0.5), "\u22120.50"),
        (counted(1, "Tool"), "1 tool"),
        (counted(1200, "Category"), "1,200 categories"),
        (ago("never"), "never"),
        (ago("2020-01-01T00:00:00Z")[-8:], "days ago"),
    ],
)
def test_numbers_and_times_are_written_as_people_read_them(said: str, shown: str) -> None:
    """With a true minus, and with as many digits as tell neighbours apart."""
    assert said == shown


def test_where_a_re_ranker_put_a_tool_is_said_though_it_adds_nothing() -> None:
    """In a group of its own, and in no bar."""
    parts = [Why(ReasonKind.WORD, 1.0), Why(ReasonKind.RERANKER, 0.0, detail="place 3 of 20 by its score")]

    assert [group.kind for group in why_groups(parts)] == [ReasonKind.WORD, ReasonKind.RERANKER]
    assert kinds_of(score_bars([parts])) == [ReasonKind.WORD]
