"""The inputs and outputs that schemas say, however they are composed."""

import json

import pytest

from app.domain.schemas.tool_schemas import answer_of, inputs_of
from tests.unit.catalogues import tool

SIZE = {"title": "size", "type": "string", "enum": ["small", "large"], "description": "A size."}
DEFS = {"size": SIZE}


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [{"$ref": "#/$defs/size"}], "default": "small"},
        {"anyOf": [{"$ref": "#/$defs/size"}, {"type": "null"}]},
        {"allOf": [{"allOf": [{"$ref": "#/$defs/size"}]}]},
    ],
)
def test_a_scalar_says_what_it_is_composed_of(schema: object) -> None:
    root = {"type": "object", "properties": {"size": schema}, "$defs": DEFS}
    (found,) = inputs_of(tool("shop/order", "Orders.", input_schema=json.dumps(root)))
    assert (found.type, found.enum, found.description) == ("string", ("small", "large"), "A size.")
    (field,) = answer_of(tool("shop/order", "Orders.", output_schema=json.dumps(root))).fields
    assert (field.type, field.enum) == ("string", ("small", "large"))


def test_what_stands_beside_a_reference_is_said_of_it() -> None:
    root = {
        "type": "object",
        "properties": {"box": {"$ref": "#/$defs/size", "description": "Of the box."}},
        "$defs": DEFS,
    }
    (found,) = inputs_of(tool("shop/order", "Orders.", input_schema=json.dumps(root)))
    assert (found.enum, found.description) == (("small", "large"), "Of the box.")


def test_alternatives_of_several_types_stay_open() -> None:
    root = {"type": "object", "properties": {"size": {"anyOf": [SIZE, {"type": "integer"}]}}}
    (found,) = inputs_of(tool("shop/order", "Orders.", input_schema=json.dumps(root)))
    assert (found.type, found.enum) == ("", ())
