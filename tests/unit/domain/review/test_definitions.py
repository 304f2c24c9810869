"""The hash of a whole definition, and what another one changes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.nodes.models import ToolId
from app.domain.nodes.syncs import Severity
from app.domain.review.definitions import (
    DEFAULT_HINTS,
    DefinedEdge,
    ToolDefinition,
    differences,
    guarded_changes,
    read_definition,
    severity_of,
)

TOOL = ToolId("shop/refund")
WHOLE: dict[str, Any] = {
    "server": "shop",
    "name": "refund",
    "title": "Refund",
    "description": "Pays an order back.",
    "input_schema": '{"properties":{"order":{"type":"string"}},"type":"object"}',
    "output_schema": '{"properties":{"paid":{"type":"number"}},"type":"object"}',
    "method": "POST",
    "path": "/refunds",
    "base_url": "https://shop.example",
    "security": ["bearer"],
    "read_only": True,
    "destructive": False,
    "idempotent": True,
    "open_world": False,
    "deprecated": False,
    "declared": False,
}
OTHERS: dict[str, Any] = {
    **{name: not value for name, value in WHOLE.items() if isinstance(value, bool)},
    **{name: f"{value} " for name, value in WHOLE.items() if isinstance(value, str)},
    "security": ["bearer", "key"],
}
EDGE = DefinedEdge("BELONGS_TO", "Category", "shop/money", {})
values = st.none() | st.booleans() | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=2)


@pytest.mark.parametrize("field", WHOLE)
def test_every_field_changes_the_hash(field: str) -> None:
    """By another value, and by its absence unless that says the same."""
    definition = ToolDefinition(WHOLE, (EDGE,))
    without = {name: value for name, value in WHOLE.items() if name != field}

    assert ToolDefinition({**WHOLE, field: OTHERS[field]}, (EDGE,)).hash != definition.hash
    assert ToolDefinition(without, (EDGE,)).hash != definition.hash


def test_every_part_of_an_edge_changes_the_hash() -> None:
    edges = [
        (),
        (EDGE,),
        (EDGE, EDGE),
        *(
            (DefinedEdge(kind, target_kind, target, properties),)
            for kind, target_kind, target, properties in (
                ("REQUIRES", "Category", "shop/money", {}),
                ("BELONGS_TO", "Tool", "shop/money", {}),
                ("BELONGS_TO", "Category", "shop/other", {}),
                ("BELONGS_TO", "Category", "shop/money", {"rank": 1}),
            )
        ),
    ]

    assert len({ToolDefinition(WHOLE, one).hash for one in edges}) == len(edges)


@pytest.mark.parametrize(("hint", "default"), DEFAULT_HINTS.items())
def test_a_hint_that_is_absent_says_what_its_default_says(hint: str, default: bool) -> None:
    """Some servers send them now and then."""
    without = {name: value for name, value in WHOLE.items() if name != hint}

    assert ToolDefinition({**without, hint: default}).hash == ToolDefinition(without).hash
    assert ToolDefinition({**without, hint: not default}).hash != ToolDefinition(without).hash


@given(properties=st.dictionaries(st.text(max_size=6), values, max_size=6), data=st.data())
def test_the_order_of_keys_changes_nothing_and_any_value_does(
    properties: dict[str, Any], data: st.DataObject
) -> None:
    names = data.draw(st.permutations(list(properties)))
    definition = ToolDefinition(properties)

    assert ToolDefinition({name: properties[name] for name in names}).hash == definition.hash
    assert read_definition(definition.text) == definition
    if properties:
        name, value = data.draw(st.sampled_from(list(properties))), data.draw(values)
        other = ToolDefinition({**properties, name: value})
        assert (other.hash == definition.hash) == (
            value == properties[name] and type(value) is type(properties[name])
        )


def test_a_change_has_the_class_of_its_gravest_field() -> None:
    before = ToolDefinition(WHOLE)
    schema = json.loads(WHOLE["input_schema"])
    optional = json.dumps({**schema, "properties": {**schema["properties"], "note": {"type": "string"}}})
    needed = json.dumps({**schema, "required": ["order"]})
    cases = {
        Severity.DESCRIPTION: {"description": "Pays back.", "title": "Pay back"},
        Severity.COMPATIBLE: {"description": "Pays back.", "input_schema": optional},
        Severity.BREAKING: {"title": "Pay back", "input_schema": needed},
    }
    for severity, changed in cases.items():
        after = ToolDefinition({**WHOLE, **changed})
        assert severity_of(before, after, tool_id=TOOL) is severity
        found = differences(before, after, tool_id=TOOL)
        assert {one.field for one in found} == set(changed)
        assert found[0].severity is severity


@pytest.mark.parametrize(
    "field",
    ["method", "path", "base_url", "security", "read_only", "destructive", "idempotent", "open_world"],
)
def test_what_decides_where_calls_go_and_what_a_tool_promises_is_always_breaking(field: str) -> None:
    """In either direction: a promise that is made as one that is taken back."""
    before, after = ToolDefinition(WHOLE), ToolDefinition({**WHOLE, field: OTHERS[field]})

    for old, new in ((before, after), (after, before)):
        assert severity_of(old, new, tool_id=TOOL) is Severity.BREAKING
        assert guarded_changes(old, new) == [field]
        assert [one.severity for one in differences(old, new, tool_id=TOOL)] == [Severity.BREAKING]


def test_another_category_is_compatible_and_all_is_new_where_there_was_nothing() -> None:
    before, after = ToolDefinition(WHOLE), ToolDefinition(WHOLE, (EDGE,))

    assert severity_of(before, after, tool_id=TOOL) is Severity.COMPATIBLE
    (found,) = differences(before, after, tool_id=TOOL)
    assert (found.field, found.before, found.after) == ("BELONGS_TO shop/money", "", "true")
    every = {one.field for one in differences(None, before, tool_id=TOOL)}
    assert every == WHOLE.keys()
