"""JSON and YAML as plain values, and what is refused."""

import json
from itertools import pairwise

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.documents.structured_text import MAX_DEPTH, parse_text
from app.errors import SourceRefusedError

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"))),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcdefg <", min_size=1, max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text("abc", min_size=1), values, max_size=3))
def test_json_is_read_as_it_was_written(value):
    assert parse_text(json.dumps(value).encode(), name="x.json") == value


@given(st.dictionaries(st.sampled_from(["a", "b c", "200", "yes"]), values, max_size=3))
def test_quoted_yaml_is_read_as_it_was_written(value):
    text = yaml.safe_dump(value, default_style='"', allow_unicode=True)

    assert json.loads(json.dumps(parse_text(text.encode(), name="x.yaml"))) == json.loads(
        json.dumps(yaml.safe_load(text))
    )


def test_yaml_is_read_as_json_values():
    """No dates, no words for true and false but these two, no base 60, and keys are text."""
    text = b"200: ok\nday: 2026-11-21\nyes: no\nat: 12:30\nn: 1_000\nf: 1.5\ni: -3\ngone: ~\nbig: 1e999\nt: true\n"

    assert parse_text(text, name="x.yaml") == {
        "200": "ok", "day": "2026-11-21", "yes": "no", "at": "12:30", "n": "1_000", "f": 1.5, "i": -3,
        "gone": None, "big": "1e999", "t": True,
    }  # fmt: skip


def test_tags_that_json_does_not_have_are_left_out():
    assert parse_text(b"a: !!int abc\nb: !own [1]\nc: !!binary eA==\n", name="x.yaml") == {
        "a": "abc",
        "b": [1],
        "c": "eA==",
    }


def test_merged_keys_are_overridden_by_the_mappings_own():
    assert parse_text(b"a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n", name="x.yaml")["b"] == {"x": 1, "y": 3}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_understood(encoding):
    assert parse_text('{"a": "ü"}'.encode(encoding), name="x.json") == {"a": "ü"}


def test_yaml_in_flow_style_is_read_though_it_begins_like_json():
    assert parse_text(b"{openapi: 3.1.0, paths: {}}", name="x.yaml") == {"openapi": "3.1.0", "paths": {}}


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b'{"a": 1,}', "x.json", r"x\.json:1:8: not JSON"),
        (b'{"a": "\\ud800"}', "x.json", r"x\.json:1:\d+: not JSON"),
        (b"a: b: c", "x.yaml", r"x\.yaml:1:5: not YAML"),
        (b"a: 1\n---\nb: 2", "x.yaml", r"x\.yaml:2:1: a second YAML document"),
        (b"a: 1\nb: 2\na: 3", "x.yaml", r"x\.yaml:3:1: .*'a' comes twice"),
        (b"? [1]\n: 2", "x.yaml", r"x\.yaml:1:3: .*a key must be text"),
        (b"a: &a [*a]", "x.yaml", r"x\.yaml:1:8: alias \*a contains itself"),
        (b"a: *b", "x.yaml", r"x\.yaml:1:4: alias \*b"),
        (b"a: \xff", "x.yaml", r"x\.yaml:1:4: byte 3 is 0xff, which is not UTF-8"),
        (b"\xff\xfea", "x.yaml", r"x\.yaml:1:3: byte 2 is 0x61, which is not UTF-16"),
        (b'{"a": "\xff"}', "x.json", r"x\.json:1:8: byte 7 is 0xff, which is not UTF-8"),
        (b"a: b\nc: \x01", "x.yaml", r"x\.yaml:\d+:1"),
        (b"<<: 5", "x.yaml", r"x\.yaml:1:5"),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_and_place(data, name, message):
    with pytest.raises(SourceRefusedError, match=message):
        parse_text(data, name=name)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "- " * 100_000, "{a: " * 100_000, '{"a":' * 900 + "1" + "}" * 900]
)
def test_deep_nesting_is_refused_before_anything_is_built(text):
    with pytest.raises(SourceRefusedError):
        parse_text(text.encode(), name="x.yaml")


def test_nesting_up_to_the_bound_is_read():
    depth = MAX_DEPTH - 1
    assert parse_text(b"[" * depth + b"]" * depth, name="x.yaml") is not None


@pytest.mark.parametrize("line", ["{0}: &{0} [{1}]\n", "{0}: &{0} {{<<: [{1}]}}\n"])
def test_aliases_that_stand_for_too_much_are_refused(line):
    names = "abcdefghij"
    text = "a: &a {x: 1}\n" + "".join(
        line.format(name, ",".join([f"*{before}"] * 10)) for before, name in pairwise(names)
    )

    with pytest.raises(SourceRefusedError, match=r"more than 1,000,000 values, aliases"):
        parse_text(text.encode(), name="x.yaml")
