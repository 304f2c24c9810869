"""What the example of a request shows of objects that its schema leaves open."""

import pytest

from tests.unit.ingest.openapi.documents import document, inputs, read

STRING = {"type": "string"}
ISSUE = {
    "type": "object",
    "properties": {
        "summary": STRING,
        "labels": {"type": "array"},
        "project": {"type": "object"},
        "id": STRING,
    },
}
FIELDS = {"summary": "It is broken", "labels": ["bug"], "project": {"id": "100"}, "customfield_1": "x"}


def fields_of(example, fields=None, **media):
    """The schema of `fields` in a body, beside an example of one."""
    schema = {"type": "object", "properties": {"fields": fields or {"type": "object"}}}
    body = {"content": {"application/json": {"schema": schema, "example": example, **media}}}
    operation = {"operationId": "create", "requestBody": body, "responses": {}}
    whole = document({"/issues": {"post": operation}}, components={"schemas": {"Issue": ISSUE}})
    return inputs(read(whole), "create")["properties"]["fields"]


def test_an_open_object_has_the_properties_of_its_example():
    found = fields_of({"fields": FIELDS})["properties"]

    assert found["summary"] == {"type": "string", "examples": ["It is broken"]}
    assert found["labels"] == {"type": "array", "items": {"type": "string", "examples": ["bug"]}}
    assert found["project"]["properties"] == {"id": {"type": "string", "examples": ["100"]}}


def test_names_that_no_schema_has_are_keys_of_a_map():
    assert "customfield_1" not in fields_of({"fields": FIELDS})["properties"]
    assert "properties" not in fields_of({"fields": {"summary": "a", "id": "b"}})


def test_a_named_example_counts_as_well():
    examples = {"first": {"value": {"fields": FIELDS}}}
    assert "summary" in fields_of(None, examples=examples)["properties"]


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "object", "properties": {"key": STRING}},
        {"type": "object", "additionalProperties": STRING},
        {"type": "object", "additionalProperties": False},
        {"type": "string"},
    ],
)
def test_a_schema_that_says_what_it_holds_is_left_as_it_is(fields):
    assert fields_of({"fields": FIELDS}, fields) == {**fields, "x-in": "body"}


@pytest.mark.parametrize("example", [None, [], "text", {"fields": None}, {"fields": [FIELDS]}, {"other": 1}])
def test_an_example_of_another_form_says_nothing(example):
    assert fields_of(example) == {"type": "object", "x-in": "body"}


def test_bodies_of_one_schema_share_their_examples():
    """A change shows a part of a thing, its creation the whole."""
    body = {"schema": {"$ref": "#/components/schemas/Change"}}

    def operation(name, example):
        return {
            "operationId": name,
            "requestBody": {"content": {"application/json": {**body, "example": example}}},
            "responses": {},
        }

    whole = document(
        {
            "/issues": {"post": operation("create", {"fields": FIELDS})},
            "/issues/{id}": {"put": operation("edit", {"fields": {"summary": "Later"}})},
        },
        components={
            "schemas": {
                "Issue": ISSUE,
                "Change": {"type": "object", "properties": {"fields": {"type": "object"}}},
            }
        },
    )
    for name in ("create", "edit"):
        fields = inputs(read(whole), name)["properties"]["fields"]
        assert fields["properties"].keys() == {"summary", "labels", "project"}
