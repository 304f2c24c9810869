"""Arguments against schemas that strangers wrote: what is said of misfits, and that no schema takes for ever."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.calling.arguments import MAX_PROBLEMS, problems_of
from app.errors import InvalidInputError
from tests.cpu import cpu_within

ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "count": {"type": "integer", "minimum": 1},
        "status": {"enum": ["open", "closed"]},
        "code": {"type": "string", "pattern": "^[A-Z]{2}$"},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "maxItems": 3},
        "address": {"type": "object", "properties": {"street": {"type": "string"}}, "required": ["street"]},
        "api_key": {"type": "string", "maxLength": 3},
        "pin": {"type": "integer", "format": "password"},
    },
    "required": ["id"],
    "additionalProperties": False,
}


def problems(schema: dict[str, Any], arguments: dict[str, Any]) -> tuple[str, ...]:
    return problems_of(json.dumps(schema), arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "argument 'id' is missing"),
        ({"id": ""}, "argument 'id' = \"\": accepted: 1 characters or more"),
        ({"id": "a", "count": 0}, "argument 'count' = 0: accepted: 1 or more"),
        ({"id": "a", "count": True}, "argument 'count' = true: accepted: integer"),
        ({"id": "a", "status": "shut"}, "argument 'status' = \"shut\": accepted: \"open\", \"closed\""),
        ({"id": "a", "code": "abc"}, "argument 'code' = \"abc\": accepted: a text with the pattern \"^[A-Z]{2}$\""),
        ({"id": "a", "tags": ["x", "x"]}, "argument 'tags' = a list of 2 items: accepted: items that differ"),
        ({"id": "a", "tags": ["x", 1]}, "argument 'tags' at /1 = 1: accepted: string"),
        ({"id": "a", "address": {}}, "argument 'address' at /street is missing"),
        ({"id": "a", "address": "x"}, "argument 'address' = \"x\": accepted: object"),
        ({"id": "a", "other": 1}, "argument 'other' is not known; accepted: 'id', 'count', 'status', 'code', 'tags',"
         " 'address', 'api_key', 'pin'"),
    ],
)  # fmt: skip
def test_a_misfit_names_the_argument_its_value_and_what_is_accepted(
    arguments: dict[str, Any], said: str
) -> None:
    """One sentence that a model can act on."""
    assert problems(ORDER, arguments) == (said,)


def test_values_that_may_be_secret_are_not_shown() -> None:
    """By the argument's name, and by what its schema says of it."""
    said = " ".join(problems(ORDER, {"id": "a", "api_key": "s3cret-value", "pin": "12345"}))

    assert "s3cret" not in said
    assert "12345" not in said
    assert said.count("(not shown)") == 2


def test_what_fits_has_no_problems() -> None:
    """No schema accepts everything; what the schema does not speak of is free."""
    assert problems(ORDER, {"id": "a", "count": 2, "tags": ["x"], "address": {"street": "y"}}) == ()
    assert problems_of("", {"anything": 1}) == ()
    assert problems({"type": "object"}, {"anything": 1}) == ()


def test_older_dialects_are_read_as_what_they_are() -> None:
    """`items` as a list is a tuple in draft 7, and `definitions` are reached by their pointers."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"pair": {"items": [{"type": "string"}, {"$ref": "#/definitions/n"}]}},
        "definitions": {"n": {"type": "number"}},
    }

    assert problems(schema, {"pair": ["a", 1]}) == ()
    assert problems(schema, {"pair": ["a", "b"]}) == ("argument 'pair' at /1 = \"b\": accepted: number",)


def test_nothing_is_fetched() -> None:
    """A reference that leads out of the schema is left to the server."""
    remote = {"properties": {"a": {"$ref": "http://127.0.0.1:9/schema.json"}, "b": {"type": "string"}}}

    assert problems(remote, {"a": 1, "b": "x"}) == ()
    assert len(problems(remote, {"a": 1, "b": 1})) == 1


@pytest.mark.parametrize("pattern", ["^(a|aa)+$", "^(a+)+$", "^(.*a){20}$", "^(?=a).*$", "(", "a{1,9999}"])
def test_no_pattern_takes_long(pattern: str) -> None:
    """Linear time, or not tried here; a pattern that cannot be read is left to the server."""
    with cpu_within(2):
        for schema in (
            {"properties": {"a": {"type": "string", "pattern": pattern}}},
            {"patternProperties": {pattern: {"type": "integer"}}, "additionalProperties": {"type": "string"}},
        ):
            problems(schema, {"a": "a" * 50_000 + "!", "a" * 5_000 + "!": "x"})


def test_a_pattern_that_a_reference_leads_to_is_tried_in_linear_time_too() -> None:
    """Beside `unevaluatedProperties`, where the library has Python's own expressions look for names."""
    schema = {
        "$defs": {"named": {"patternProperties": {"^(a+)+$": {}}}},
        "properties": {"a": {"$ref": "#/$defs/named", "unevaluatedProperties": False}},
    }
    with cpu_within(1):
        assert problems(schema, {"a": {"a" * 27 + "!": 1}}) == ()


@pytest.mark.parametrize("pattern", ["(?:a[ab]{1,30}){30}c", "(?:a?[ab]{900}b?){1}c", "[ab]*a[ab]{300}c"])
def test_patterns_take_a_bounded_time_together(pattern: str) -> None:
    """Linear is not enough where a pattern has 1,000 states and an argument a million characters."""
    text = ("ab" * 7 + "ba" * 5) * 41_000
    with cpu_within(3), pytest.raises(InvalidInputError, match="accepted: what takes"):
        problems({"additionalProperties": {"pattern": pattern}}, {"a": text[:50_000], "b": text})


def test_a_schema_is_checked_up_to_a_bound() -> None:
    """A pod of Kubernetes is; a megabyte, which takes seconds to be held to its dialect, is refused by size."""
    pod = {"properties": {"p": {"type": "integer", "description": "x" * 199_000}}}
    larger = {**pod, "description": "x" * 51_000}

    assert problems(pod, {"p": "b"}) == ("argument 'p' = \"b\": accepted: integer",)
    with pytest.raises(InvalidInputError, match=r"has 250,\d+ characters; accepted for calls: up to 250,000"):
        problems(larger, {"p": "b"})


def test_a_keyword_is_looked_for_once() -> None:
    """Not in each item of a list, however much else the schema says."""
    item = {
        "type": "object",
        "properties": {"x": {}},
        "unevaluatedProperties": False,
        "description": "d" * 200_000,
    }
    schema = {"properties": {"items": {"type": "array", "items": item}}}
    with cpu_within(2):
        assert problems(schema, {"items": [{"x": 1}] * 3_000}) == ()
        assert len(problems(schema, {"items": [{"y": 1}]})) == 1


def test_names_that_a_pattern_allows_are_no_others() -> None:
    """`additionalProperties` speaks of names that neither `properties` nor a pattern has."""
    schema = {"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False}

    assert problems(schema, {"x-a": 1}) == ()
    assert problems(schema, {"x-a": "1"}) == ("argument 'x-a' = \"1\": accepted: integer",)
    assert problems(schema, {"y": 1}) == ("argument 'y' is not known; accepted: nothing",)


def _branching(depth: int) -> dict[str, Any]:
    definitions: dict[str, Any] = {
        f"d{level}": {"anyOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(depth)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{depth}": {"type": "null"}}}


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"$ref": "#/$defs/x"}}},
        _branching(40),
    ],
)
def test_an_endless_schema_is_given_up(schema: dict[str, Any]) -> None:
    """Within seconds, with an error that says so."""
    with cpu_within(10), pytest.raises(InvalidInputError, match="too deep or too wide"):
        problems(schema, {"a": 1})


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "strnig"}',
        '{"properties": {"a": 5}}',
        '{"properties": {"a": {"minimum": "5"}}}',
        '{"required": "a"}',
        '{"$schema": []}',
        "[]",
        "5",
        "{",
        '{"$id": "http://[", "properties": {"a": {"$ref": "x"}}}',
    ],
)
def test_a_broken_schema_is_refused_and_says_so(text: str) -> None:
    """The call cannot be checked, so it is not made."""
    with pytest.raises(InvalidInputError, match="the tool's input schema"):
        problems_of(text, {"a": 1})


def test_many_different_items_are_compared_in_time() -> None:
    """`uniqueItems` on a long list of objects is no reason to wait."""
    with cpu_within(5):
        items = [{"a": number} for number in range(50_000)]

        assert problems({"properties": {"a": {"uniqueItems": True}}}, {"a": items}) == ()
        assert len(problems({"properties": {"a": {"uniqueItems": True}}}, {"a": [*items, items[0]]})) == 1


def test_problems_are_few() -> None:
    """Enough to go on with."""
    schema = {"properties": {f"p{n}": {"type": "string"} for n in range(20)}}

    assert len(problems(schema, {f"p{n}": n for n in range(20)})) == MAX_PROBLEMS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYWORDS = st.sampled_from(
    ["type", "properties", "items", "anyOf", "$ref", "$id", "pattern", "patternProperties", "required", "enum", "not",
     "minimum", "uniqueItems", "additionalProperties", "unevaluatedProperties", "$defs", "$schema", "if", "contains"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.dictionaries(KEYWORDS, JSON | st.just("#") | st.just({"a": {"$ref": "#"}}), max_size=4), JSON)
def test_any_schema_gives_problems_or_one_kind_of_error(schema: dict[str, Any], value: Any) -> None:
    """What a server publishes never ends a call with another exception."""
    try:
        found = problems(schema, {"a": value})
    except InvalidInputError:
        return

    assert all(isinstance(text, str) and text for text in found)
