"""Each form of a found tool as it is sent, and names that providers accept."""

import hashlib
import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from app.domain.nodes.models import Tool
from app.domain.schemas.provider_schemas import (
    argument_names,
    provider_names,
    provider_schema,
    renamed_arguments,
)
from app.domain.schemas.tool_formats import ToolFormat, anthropic_definition, tool_document
from app.usecases.formats import formatted_json
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.fakes import InMemoryGraph
from tests.unit.catalogues import catalogue, tool

SCHEMA = {
    "type": "object",
    "properties": {"order_id": {"type": "string", "default": None}},
    "required": ["order_id"],
}
CANCEL = tool(
    "shop/orders.cancel",
    "Cancels an order.",
    title="Cancel",
    input_schema=json.dumps(SCHEMA),
    output_schema='{"type":"object"}',
    read_only=False,
    destructive=True,
)
NAME = "shop_orders_cancel"
GOLDEN = {
    ToolFormat.MCP: {
        "name": "orders.cancel",
        "title": "Cancel",
        "description": "Cancels an order.",
        "inputSchema": SCHEMA,
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": False, "destructiveHint": True},
        "_meta": {"outfitter/id": "shop/orders.cancel"},
    },
    ToolFormat.OPENAI: {
        "type": "function",
        "name": NAME,
        "description": "Cancels an order.",
        "parameters": SCHEMA,
        "strict": False,
    },
    ToolFormat.OPENAI_TOOL_SEARCH: {
        "type": "function",
        "name": NAME,
        "description": "Cancels an order.",
        "parameters": SCHEMA,
        "strict": False,
        "defer_loading": True,
    },
    ToolFormat.ANTHROPIC: {"name": NAME, "description": "Cancels an order.", "input_schema": SCHEMA},
    ToolFormat.ANTHROPIC_TOOL_REFERENCE: {"type": "tool_reference", "tool_name": NAME},
    ToolFormat.LANGCHAIN: {
        "name": NAME,
        "description": "Cancels an order.",
        "args_schema": SCHEMA,
        "metadata": {
            "id": "shop/orders.cancel",
            "server": "shop",
            "annotations": {"readOnlyHint": False, "destructiveHint": True},
        },
    },
}


@pytest.mark.parametrize("form", GOLDEN)
def test_a_tool_is_given_as_the_form_wants_it(form: ToolFormat) -> None:
    """Field by field, in the form's own words."""
    names = provider_names([CANCEL.id])

    assert tool_document(CANCEL, form, name=names[CANCEL.id]) == GOLDEN[form]


def test_every_form_but_the_own_one_has_its_golden_test() -> None:
    assert set(GOLDEN) == set(ToolFormat) - {ToolFormat.OUTFITTER}


def test_what_a_reference_names_is_defined_and_deferred() -> None:
    """The Messages API refuses a reference to a tool that the request does not define as deferred."""
    reference = tool_document(CANCEL, ToolFormat.ANTHROPIC_TOOL_REFERENCE, name=NAME)

    definition = anthropic_definition(CANCEL, name=NAME, deferred=True)

    assert definition == {**GOLDEN[ToolFormat.ANTHROPIC], "defer_loading": True}
    assert reference["tool_name"] == definition["name"]


def test_a_tool_of_which_only_the_name_is_known_takes_no_arguments() -> None:
    """A declared tool has no schema; providers want one, and a description."""
    declared = tool("draw", declared=True)

    assert tool_document(declared, ToolFormat.ANTHROPIC, name="draw") == {
        "name": "draw",
        "description": "draw",
        "input_schema": {"type": "object", "properties": {}},
    }


def test_names_by_hand() -> None:
    """Odd characters, a name of 60 and one of 61, two that would be the same, one like another's hashed form."""
    fits, long = "s/" + "a" * 58, "s/" + "b" * 59
    twin = f"x_y_{_digits('x/y')}"
    names = provider_names(["shop/get.order", fits, long, "x/y", "x.y", twin])

    assert names == {
        "shop/get.order": "shop_get_order",
        fits: "s_" + "a" * 58,
        long: "s_" + "b" * 49 + "_" + _digits(long),
        "x/y": f"x_y_{_digits('x/y')}",
        "x.y": f"x_y_{_digits('x.y')}",
        twin: f"{twin[:51]}_{_digits(twin)}",
    }


@given(st.lists(st.text(max_size=80), max_size=30, unique=True))
@example(["a/b", "a.b", "a_b", "日本/語", "☃/☃", "", "\ud800", "a" * 61, "a" * 62])
def test_names_are_unique_valid_and_lead_back(ids: list[str]) -> None:
    """For any ids: what every provider accepts, one for each, the same in any order."""
    names = provider_names(ids)

    assert list(names) == ids
    assert len(set(names.values())) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,60}", name) for name in names.values())
    assert {name: one for one, name in names.items()} == {names[one]: one for one in ids}
    assert provider_names(reversed(ids)) == names


@given(st.lists(st.text(min_size=1, max_size=70), min_size=1, max_size=20, unique=True))
def test_a_name_changes_only_with_what_collides(ids: list[str]) -> None:
    """Another tool in the catalogue leaves a name as it is, unless it would have the same."""
    names, fewer = provider_names(ids), provider_names(ids[:-1])
    new = re.sub(r"[^A-Za-z0-9_-]", "_", ids[-1])

    assert all(names[one] == name or name == new for one, name in fewer.items())


def _digits(one: str) -> str:
    return hashlib.sha256(one.encode()).hexdigest()[:8]


@pytest.mark.parametrize(
    ("given_schema", "taken"),
    [
        ({}, {"type": "object", "properties": {}}),
        ({"type": "object"}, {"type": "object", "properties": {}}),
        (
            {
                "oneOf": [
                    {"properties": {"a": {"type": "string"}}, "required": ["a"]},
                    {"properties": {"b": {"type": "string"}}},
                ]
            },
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
        ),
        (
            {"$ref": "#/$defs/X", "$defs": {"X": {"properties": {"a": {}}, "required": ["a"]}}},
            {
                "type": "object",
                "properties": {"a": {}},
                "required": ["a"],
                "$defs": {"X": {"properties": {"a": {}}, "required": ["a"]}},
            },
        ),
        (
            {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
                "allOf": [{"required": ["a"]}],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
                "required": ["a"],
                "additionalProperties": False,
            },
        ),
        ({"$ref": "#"}, {"type": "object", "properties": {}}),
        ({"$ref": "#/$defs/X", "$defs": {"X": {"$ref": "#/$defs/X"}}}, None),
        ([], {"type": "object", "properties": {}}),
    ],
)
def test_the_root_of_a_schema_is_an_object_without_choices(given_schema: object, taken: object) -> None:
    """Providers refuse anything else there; properties of the choices are kept, below the root nothing changes."""
    found = provider_schema(json.dumps(given_schema))

    assert (found["type"], "$ref" in found) == ("object", False)
    Draft202012Validator.check_schema(found)
    if taken is not None:
        assert found == taken


def test_arguments_have_names_that_providers_accept() -> None:
    """Anthropic refuses a request in which one of a tool's arguments is called `filter[status]`."""
    names = ["filter[status]", "filter(status)", "x.y", "$top", "n" * 70, ""]
    schema = json.dumps(
        {
            "type": "object",
            "properties": {name: {"type": "string", "title": name} for name in names},
            "required": ["$top", "x.y"],
            "dependentRequired": {"$top": ["x.y", "filter[status]"]},
        }
    )

    found, renamed = provider_schema(schema), renamed_arguments(schema)

    assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name) for name in found["properties"])
    assert {renamed.get(name, name): one["title"] for name, one in found["properties"].items()} == {
        name: name for name in names
    }
    assert found["required"] == ["_top", "x.y"]
    assert [renamed.get(one, one) for one in found["dependentRequired"]["_top"]] == ["x.y", "filter[status]"]
    assert "x.y" not in renamed


@given(st.lists(st.text("ab[]()_", max_size=4) | st.text("x[", min_size=60, max_size=70), unique=True))
def test_no_two_arguments_have_the_same_name(names: list[str]) -> None:
    found = argument_names(names)

    assert (set(found), len(set(found.values()))) == (set(names), len(names))
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name) for name in found.values())


_schemas = st.recursive(
    st.just({"type": "string"}),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "required": st.lists(st.sampled_from("abc"), unique=True),
        },
    ),
    max_leaves=8,
)


@given(_schemas)
def test_no_argument_gets_lost(schema: dict[str, object]) -> None:
    """Every property that the root or one of its parts names is there, and required ones are properties or named."""
    found = provider_schema(json.dumps(schema))

    assert set(found["properties"]) >= _names(schema)
    Draft202012Validator.check_schema(found)


def _names(schema: dict[str, object], depth: int = 0) -> set[str]:
    own = schema.get("properties", {})
    parts = [part for key in ("anyOf", "allOf") for part in schema.get(key, [])]  # type: ignore[attr-defined]
    return set(own) | {name for part in parts if depth < 6 for name in _names(part, depth + 1)}  # type: ignore[call-overload]


def test_declared_and_described_tools_give_valid_schemas() -> None:
    """What a provider is sent is a JSON schema."""
    for one in (CANCEL, tool("draw", declared=True)):
        assert isinstance(one, Tool)
        Draft202012Validator.check_schema(provider_schema(one.input_schema))


def test_an_answer_says_which_arguments_were_renamed() -> None:
    """By the provider's name of the tool; a tool whose arguments are as they were is not there."""
    filtered = json.dumps(
        {"type": "object", "properties": {"filter[status]": {"type": "string"}, "page": {}}}
    )
    tools = [tool("shop/list", "Lists orders.", input_schema=filtered), tool("shop/read", "Reads orders.")]
    index = SearchIndex.build(catalogue(tools))
    answer = search(SearchRequest(query="orders"), ConsistentGraph(index, InMemoryGraph()))

    found = json.loads(formatted_json(answer, ToolFormat.ANTHROPIC, index=index, begin=0.0))

    assert {*found["names"]} == {"shop_list", "shop_read"}
    assert found["arguments"] == {"shop_list": {"filter_status_": "filter[status]"}}
