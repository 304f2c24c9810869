"""Pointers and references within a schema; schemas that lead to millions of parts are read within a bound."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.schemas.changes import broken_inputs
from app.domain.schemas.provider_schemas import provider_schema
from app.domain.schemas.tool_schemas import answer_of, inputs_of
from app.domain.schemas.walk import (
    MAX_VISITS,
    BoundedSchema,
    composition,
    followed,
    free_name,
    json_pointer,
    local_target,
    parameters,
    parsed_schema,
    pointer_segments,
    with_texts,
)
from app.usecases.index.search_index import SearchIndex
from tests.cpu import cpu_within
from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest, manifest, tool


def branching(width: int, levels: int = 6) -> dict[str, Any]:
    """Each level has a choice of `width` references to the next."""
    steps = {f"d{level}": {"anyOf": [{"$ref": f"#/$defs/d{level + 1}"}] * width} for level in range(levels)}
    return {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}, "b": {"type": "string", "description": "The b."}},
        "$defs": {**steps, f"d{levels}": {"type": "string", "description": "The end."}},
    }


def nesting(width: int) -> dict[str, Any]:
    """An object of objects like itself."""
    return {"type": "object", "properties": {f"p{number}": {"$ref": "#"} for number in range(width)}}


def circle(width: int) -> dict[str, Any]:
    """A choice of itself."""
    return {**branching(1), "$defs": {"d0": {"anyOf": [{"$ref": "#/$defs/d0"}] * width}}}


@dataclass
class Schemas:
    """As much of a tool as its schemas."""

    input_schema: str
    output_schema: str


@pytest.mark.parametrize("schema", [branching(10), branching(30), nesting(50), circle(30)], ids=len)
def test_every_reading_of_a_schema_is_bounded(schema: dict[str, Any]) -> None:
    """What stands before the bound is read: the input that comes first is there in each."""
    text = json.dumps(schema)
    with cpu_within(10):
        named = [one.name for one in parameters(text, nested=1)]
        inputs = [one.name for one in inputs_of(Schemas(text, ""))]  # type: ignore[arg-type]
        answer_of(Schemas("", text))  # type: ignore[arg-type]
        given = provider_schema(text)["properties"]
        broken_inputs(text, text.replace("The ", "A "))
    first = next(iter(schema["properties"]))
    assert first in named
    assert first in inputs
    assert first in given


def test_a_change_that_cannot_be_looked_through_counts_as_breaking() -> None:
    """Nobody can say that callers are safe."""
    before = json.dumps(nesting(50))

    assert broken_inputs(before, before.replace('"p49"', '"q49"'))[-1].startswith(
        "has more than 200,000 parts"
    )


@given(st.lists(st.text("ab~/01", max_size=4), max_size=4))
def test_a_pointer_leads_back_to_its_segments(segments: list[str]) -> None:
    """RFC 6901: `~` and `/` of a name are escaped, in this order."""
    assert pointer_segments(json_pointer(segments)) == segments


@pytest.mark.parametrize(
    ("reference", "title"),
    [
        ("#/$defs/a~1b", "by slash"),
        ("#/$defs/a~01b", "by tilde"),
        ("#/$defs/absent", None),
        ("#/$defs/text", None),
        ("#", None),
        ("other.json#/$defs/a~1b", None),
        (7, None),
    ],
)
def test_a_local_reference_leads_to_a_schema_or_nowhere(reference: object, title: str | None) -> None:
    """Other documents are not looked for."""
    root = {"$defs": {"a/b": {"title": "by slash"}, "a~1b": {"title": "by tilde"}, "text": "no schema"}}

    target = local_target(root, reference)

    assert (target["title"] if target else None) == title


def test_what_a_reference_leads_to_has_its_name_as_title() -> None:
    """So that `#/$defs/Pet` is a Pet. The root itself can be meant, too; a circle of references is empty."""
    root = {"$defs": {"Pet": {"type": "object"}, "circle": {"$ref": "#/$defs/circle"}}}

    assert followed(root, {"$ref": "#/$defs/Pet"}) == {"type": "object", "title": "Pet"}
    assert followed(root, {"$ref": "#"})["$defs"] == root["$defs"]
    assert followed(root, {"$ref": "#/$defs/circle"}) == {}


def test_a_composition_says_which_parts_always_hold() -> None:
    """What stands in `allOf` does, also behind a reference; what stands in a choice does not."""
    schema = {
        "$ref": "#/$defs/base",
        "allOf": [{"title": "both"}],
        "anyOf": [{"title": "either", "allOf": [{"title": "then"}]}],
        "$defs": {"base": {"title": "base"}},
    }
    walks = [
        composition(BoundedSchema(schema), schema, max_depth=6, beside_references=beside)
        for beside in (True, False)
    ]

    assert [[(part.get("title"), always) for part, always in walk] for walk in walks] == [
        [(None, True), ("base", True), ("both", True), ("either", False), ("then", False)],
        [("base", True)],
    ]


@pytest.mark.parametrize("text", ["", "3", "[]", "{", "[" * 100_000])
def test_a_text_that_holds_no_object_is_an_empty_schema(text: str) -> None:
    """Readers of one tool need not know what another wrote."""
    assert parsed_schema(text) == {}


def test_parts_after_the_bound_are_empty() -> None:
    """For the walk that reached it; another one begins at zero."""
    walk = BoundedSchema({"type": "object"}, max_visits=2)

    assert [walk.visit(), walk.visit(), walk.is_exhausted, walk.visit(), walk.is_exhausted] == [
        *(True, True, False, False, True)
    ]
    assert BoundedSchema({"type": "object"}).visit()
    assert MAX_VISITS > 5 * 3_708


@pytest.mark.parametrize(
    "hostile",
    [
        tool("shout", "A" * 100_000),
        tool("mark", "<" * 100_000),
        tool("quote", "(" * 100_000),
        tool("spaces", "see" + " " * 99_000 + "it"),
        tool("branches", inputSchema=branching(10), outputSchema=branching(10)),
        tool("capitals", inputSchema={"type": "object", "properties": {"a": {"description": "A" * 100_000}}}),
    ],
    ids=lambda one: str(one["name"]),
)
def test_a_hostile_tool_holds_up_no_start(hostile: dict[str, object], tmp_path: Path) -> None:
    """Ingest it, index it, make the planner: about as fast as any other tool, since every start repeats it."""
    graph = InMemoryGraph()
    with cpu_within(2):
        report = ingest(graph, manifest(tmp_path, "evil", hostile, tool("innocent")))
        index = SearchIndex.build(graph.catalogue())
        tools = len(index.plan_index)

        assert (report.rejected, tools) == (0, 2)


def test_a_taken_name_gets_the_first_free_number() -> None:
    assert free_name("a", ()) == "a"
    assert free_name("a", {"a", "a_2", "a_4"}) == "a_3"
    assert free_name("a", ["a"], joint="-") == "a-2"


def test_texts_within_a_json_value_are_replaced_and_keys_stay() -> None:
    value = {"a": ["a", 1, None, {"b": "b"}]}

    assert with_texts(value, str.upper) == {"a": ["A", 1, None, {"b": "B"}]}
