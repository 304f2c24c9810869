"""Answers are written out to a bound, with the names of components as titles."""

import json

from tests.unit.ingest.openapi.documents import answer, document, get, read, tools

STRING = {"type": "string"}


def answer_of(schema, **components):
    return answer(read(document({"/a": {"get": get(schema)}}, components={"schemas": components})), "get")


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def test_components_are_written_out_with_their_name_as_title():
    pet = {"type": "object", "title": "A pet", "properties": {"id": STRING, "owner": ref("Owner")}}
    owner = {"type": "object", "properties": {"id": STRING}}

    found = answer_of({"type": "array", "items": ref("Pet")}, Pet=pet, Owner=owner)

    assert found["items"]["title"] == "Pet"
    assert found["items"]["properties"]["owner"] == {
        "title": "Owner",
        "type": "object",
        "properties": {"id": STRING},
    }


def test_a_component_inside_itself_keeps_its_title_alone():
    tree = {"type": "object", "properties": {"name": STRING, "parent": ref("Tree")}}

    assert answer_of(ref("Tree"), Tree=tree)["properties"]["parent"] == {"title": "Tree"}


def test_a_later_member_of_all_of_overrides_an_earlier_one():
    page = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"type": "object"}}, "total": {"type": "integer"}},
    }
    own = {"properties": {"items": {"type": "array", "items": ref("Pet")}}}

    found = answer_of(
        {"allOf": [ref("Page"), own]}, Page=page, Pet={"type": "object", "properties": {"id": STRING}}
    )

    assert set(found["properties"]) == {"items", "total"}
    assert found["properties"]["items"]["items"]["title"] == "Pet"


def test_alternatives_are_kept_as_alternatives():
    found = answer_of({"oneOf": [ref("Cat"), STRING]}, Cat={"type": "object", "properties": {"meow": STRING}})

    assert [member.get("title", member["type"]) for member in found["anyOf"]] == ["Cat", "string"]


def test_shallow_fields_are_kept_first_and_at_most_600():
    wide = {
        "type": "object",
        "properties": {
            f"f{i}": {"type": "object", "properties": {f"g{j}": STRING for j in range(10)}}
            for i in range(200)
        },
    }
    parsed = read(document({"/a": {"get": get(wide)}}))

    found = answer(parsed, "get")

    fields = len(found["properties"]) + sum(
        len(value.get("properties", {})) for value in found["properties"].values()
    )
    assert (len(found["properties"]), fields) == (200, 600)
    assert parsed.warnings == (
        "shop.json: responses: the answers of 1 operations are kept in part: the shallow fields",
    )


def test_answers_are_at_most_six_levels_deep():
    schema = STRING
    for _ in range(12):
        schema = {"type": "object", "properties": {"x": schema}}

    found, depth = answer_of(schema), 0
    while "properties" in found:
        found, depth = found["properties"]["x"], depth + 1

    assert depth == 6


def test_components_that_multiply_stay_within_the_bound():
    names = [f"N{i}" for i in range(40)]
    components = {
        name: {
            "type": "object",
            "properties": {f"{other}_{k}": ref(other) for other in names for k in range(3)},
        }
        for name in names
    }

    assert len(json.dumps(answer_of(ref("N0"), **components))) < 100_000


def test_the_first_answer_of_success_that_has_a_schema_is_taken():
    operation = {
        "operationId": "get",
        "responses": {
            "404": {"content": {"application/json": {"schema": {"title": "Error"}}}},
            "204": {"description": "nothing"},
            "201": {
                "content": {
                    "application/xml": {"schema": {"title": "Xml"}},
                    "application/json": {"schema": {"title": "Made"}},
                }
            },
            "default": {"content": {"application/json": {"schema": {"title": "Other"}}}},
        },
    }

    assert answer(read(document({"/a": {"get": operation}})), "get")["title"] == "Made"


def test_without_an_answer_of_success_the_default_is_taken():
    operation = {
        "operationId": "get",
        "responses": {"400": {}, "default": {"content": {"application/json": {"schema": STRING}}}},
    }

    assert answer(read(document({"/a": {"get": operation}})), "get") == STRING


def test_swagger_2_answers_are_read_through_references():
    value = document(
        {"/a": {"get": {"operationId": "get", "responses": {"200": {"$ref": "#/responses/Pet"}}}}},
        "2.0",
        responses={"Pet": {"schema": {"$ref": "#/definitions/Pet"}}},
        definitions={"Pet": {"type": "object", "properties": {"id": STRING}}},
    )

    assert answer(read(value), "get") == {"title": "Pet", "type": "object", "properties": {"id": STRING}}


def test_an_operation_without_an_answer_has_no_output_schema():
    assert "output_schema" not in tools(read(document({"/a": {"get": {"operationId": "a"}}})))["a"].properties


def test_items_of_what_is_no_array_are_alternatives():
    found = answer_of(
        {"items": [ref("Cat"), {"type": "null"}]}, Cat={"type": "object", "properties": {"meow": STRING}}
    )

    assert [member.get("title", member["type"]) for member in found["anyOf"]] == ["Cat", "null"]
    assert "items" not in found


def test_listed_items_of_an_array_are_alternatives_of_its_items():
    found = answer_of(
        {"type": "array", "items": [ref("Cat"), STRING]},
        Cat={"type": "object", "properties": {"meow": STRING}},
    )

    assert [member.get("title", member["type"]) for member in found["items"]["anyOf"]] == ["Cat", "string"]
    assert "anyOf" not in found


def test_one_schema_for_items_has_no_alternatives():
    assert answer_of({"type": "array", "items": STRING}) == {"type": "array", "items": STRING}


def test_a_pattern_is_kept_up_to_a_hundred_characters():
    patterns = {"short": "^U[A-Z0-9]+$", "longest": "a" * 100, "too_long": "a" * 101, "no_text": 7}
    found = answer_of(
        {
            "type": "object",
            "properties": {name: {**STRING, "pattern": pattern} for name, pattern in patterns.items()},
        }
    )["properties"]

    assert {name: field.get("pattern") for name, field in found.items()} == {
        "short": "^U[A-Z0-9]+$",
        "longest": "a" * 100,
        "too_long": None,
        "no_text": None,
    }
