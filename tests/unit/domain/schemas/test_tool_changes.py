"""Compatible, breaking, or only texts: what a change of a tool means for those who call it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.nodes.models import Tool, ToolId
from app.domain.nodes.syncs import Change, Severity, worst
from app.domain.schemas.changes import broken_answers, broken_inputs
from app.domain.schemas.tool_changes import changed


def _tool(**fields: Any) -> Tool:
    empty: dict[str, Any] = {
        **dict.fromkeys(("title", "description", "input_schema", "output_schema", "method", "path"), ""),
        **dict.fromkeys(("read_only", "destructive", "idempotent", "open_world")),
        "id": ToolId("s/t"),
        "server": "s",
        "name": "t",
        "deprecated": False,
        "declared": False,
        "categories": (),
        "content_hash": "",
    }
    return Tool(**{**empty, **fields})


def _object(properties: dict[str, Any] | None = None, *required: str, **more: Any) -> str:
    return json.dumps({"type": "object", "properties": properties or {}, "required": list(required), **more})


TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


@pytest.mark.parametrize(
    ("before", "after", "reasons"),
    [
        (_object({"a": TEXT}), _object({"a": TEXT, "b": TEXT}), []),
        (_object({"a": TEXT}), _object({"a": TEXT, "b": TEXT}, "b"), ["b: is required now"]),
        (_object({"a": TEXT}), _object({"a": TEXT}, "a"), ["a: is required now"]),
        (_object({"a": TEXT}, "a"), _object({"a": TEXT}), []),
        (_object({"a": TEXT}), _object(), ["a: is gone"]),
        (_object({"a": {"type": "number"}}), _object({"a": WHOLE}), ["a: type number is now integer"]),
        (_object({"a": WHOLE}), _object({"a": {"type": "number"}}), []),
        (_object({"a": {"type": ["string", "null"]}}), _object({"a": TEXT}), ["a: type null or string is now string"]),
        (_object({"a": {}}), _object({"a": TEXT}), ["a: type any type is now string"]),
        (_object({"a": TEXT}), _object({"a": {}}), []),
        (_object({"a": {"enum": ["x", "y"]}}), _object({"a": {"enum": ["x"]}}), ['a: value no longer accepted: "y"']),
        (_object({"a": {"enum": ["x"]}}), _object({"a": {"enum": ["x", "y"]}}), []),
        (_object({"a": TEXT}), _object({"a": {**TEXT, "enum": ["x"]}}), ["a: only some values are accepted now"]),
        (_object({"a": WHOLE}), _object({"a": {**WHOLE, "maximum": 9}}), ["a: maximum was not there, is 9 now"]),
        (_object({"a": {**WHOLE, "minimum": 1}}), _object({"a": {**WHOLE, "minimum": 0}}), []),
        (_object({"a": {**WHOLE, "minimum": 1}}), _object({"a": {**WHOLE, "minimum": 2}}), ["a: minimum was 1, is 2 now"]),
        (_object({"a": TEXT}), _object({"a": {**TEXT, "pattern": "^x"}}), ['a: pattern was not there, is "^x" now']),
        (_object({"a": {**TEXT, "pattern": "^x"}}), _object({"a": TEXT}), []),
        (_object({"a": TEXT}, additionalProperties=True), _object({"a": TEXT}, additionalProperties=False),
         ["other properties are no longer accepted"]),
        (_object({"a": {"type": "array", "items": TEXT}}), _object({"a": {"type": "array", "items": WHOLE}}),
         ["a[]: type string is now integer"]),
        (_object({"a": {"type": "object", "properties": {"b": TEXT}}}), _object({"a": {"type": "object"}}), ["a.b: is gone"]),
        (_object({"a": {"anyOf": [TEXT, {"type": "null"}]}}), _object({"a": TEXT}),
         ['a: is no longer accepted: {"type": "null"}']),
        (_object({"a": TEXT}), _object({"a": {"anyOf": [TEXT, {"type": "null"}]}}), []),
        (_object({"a": {"anyOf": [TEXT, WHOLE]}}), _object({"a": {"type": ["integer", "string"]}}), []),
        (_object({"a": {"$ref": "#/$defs/A"}}, **{"$defs": {"A": TEXT}}), _object({"a": TEXT}), []),
        (_object({"a": {"$ref": "#/$defs/A"}}, **{"$defs": {"A": TEXT}}),
         _object({"a": {"$ref": "#/$defs/A"}}, **{"$defs": {"A": WHOLE}}), ["a: type string is now integer"]),
        ("", _object({"a": TEXT}, "a"), ["a: is required now"]),
        (_object({"a": TEXT}), "", ["a: is gone"]),
    ],
)  # fmt: skip
def test_what_breaks_a_call(before: str, after: str, reasons: list[str]) -> None:
    """A call that was accepted must be accepted; each reason has its place."""
    assert broken_inputs(before, after) == reasons


@pytest.mark.parametrize(
    ("before", "after", "reasons"),
    [
        (_object({"a": TEXT}), _object({"a": TEXT, "b": TEXT}), []),
        (_object({"a": TEXT, "b": TEXT}), _object({"a": TEXT}), ["b: is gone"]),
        (_object({"a": TEXT}, "a"), _object({"a": TEXT}), ["a: may be missing now"]),
        (_object({"a": TEXT}), _object({"a": TEXT}, "a"), []),
        (_object({"a": WHOLE}), _object({"a": {"type": "number"}}), ["a: type integer is now number"]),
        (_object({"a": {"type": "number"}}), _object({"a": WHOLE}), []),
        (_object({"a": {"enum": ["x"]}}), _object({"a": {"enum": ["x", "y"]}}), ['a: new value "y"']),
        (_object({"a": {"enum": ["x", "y"]}}), _object({"a": {"enum": ["x"]}}), []),
        (_object({"a": TEXT}), "", ["the answer is no longer described"]),
        ("", _object({"a": TEXT}, "a"), []),
    ],
)
def test_what_breaks_a_reader(before: str, after: str, reasons: list[str]) -> None:
    """What comes now must be what was promised."""
    assert broken_answers(before, after) == reasons


def test_only_texts() -> None:
    """Titles and descriptions, of the tool and inside its schemas; a parameter called title is no text."""
    before = _tool(description="Old.", input_schema=_object({"title": {**TEXT, "description": "old"}}))
    after = _tool(
        description="New.", title="T", input_schema=_object({"title": {**TEXT, "description": "new"}})
    )

    assert changed(before, after).severity is Severity.DESCRIPTION
    more = _tool(input_schema=_object({"title": TEXT, "description": TEXT}))
    assert changed(before, more).severity is Severity.COMPATIBLE


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        ({"read_only": True}, {"read_only": False}, Severity.BREAKING),
        ({"read_only": True}, {}, Severity.BREAKING),
        ({}, {"read_only": True}, Severity.COMPATIBLE),
        ({"destructive": False}, {"destructive": True}, Severity.BREAKING),
        ({"destructive": True}, {"destructive": False}, Severity.COMPATIBLE),
        ({"method": "GET", "path": "/a"}, {"method": "GET", "path": "/b"}, Severity.BREAKING),
        ({}, {"deprecated": True}, Severity.COMPATIBLE),
    ],
)
def test_promises_that_are_taken_back_break(
    before: dict[str, Any], after: dict[str, Any], severity: Severity
) -> None:
    """Callers skip a question because of them."""
    assert changed(_tool(**before), _tool(**after)).severity is severity


def test_another_id_breaks_those_who_call_by_it() -> None:
    """The graph follows by itself, callers do not."""
    found = changed(_tool(), _tool(id="s/u", name="u"))

    assert (found.change, found.severity, found.former_id) == (Change.RENAMED, Severity.BREAKING, "s/t")


def test_the_worst_counts() -> None:
    """Of all changes of a sync."""
    assert worst([Severity.DESCRIPTION, Severity.BREAKING]) is Severity.BREAKING
    assert worst([]) is None


_SCHEMAS = st.recursive(
    st.sampled_from(
        [{}, True, TEXT, WHOLE, {"enum": [1, "a"]}, {"type": ["string", "null"], "maxLength": 3}]
    ),
    lambda inner: st.one_of(
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
                "required": st.lists(st.sampled_from("abc"), max_size=3, unique=True),
            }
        ),
    ),
    max_leaves=8,
)


@given(schema=_SCHEMAS)
def test_nothing_breaks_where_nothing_changes(schema: Any) -> None:
    """Whatever the schema holds."""
    text = json.dumps({"type": "object", "properties": {"p": schema}})

    assert broken_inputs(text, text) == []
    assert broken_answers(text, text) == []


@given(wide=_SCHEMAS, narrow=_SCHEMAS)
def test_odd_schemas_are_compared_without_fuss(wide: Any, narrow: Any) -> None:
    """A schema may be anything that a server sends."""
    one, other = (json.dumps({"properties": {"p": schema}, "required": "p"}) for schema in (wide, narrow))

    assert isinstance(broken_inputs(one, other), list)
    assert isinstance(broken_answers(one, other), list)


def test_a_schema_that_contains_itself_ends() -> None:
    """References are followed so far and no further."""
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "x": TEXT}}
    before = _object({"n": {"$ref": "#/$defs/Node"}}, **{"$defs": {"Node": node}})
    after = _object({"n": {"$ref": "#/$defs/Node"}}, **{"$defs": {"Node": {**node, "required": ["x"]}}})

    assert broken_inputs(before, before) == []
    assert "n.x: is required now" in broken_inputs(before, after)
