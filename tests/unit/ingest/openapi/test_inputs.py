"""One input schema per operation: exact, and standing alone."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from app.domain.language.accepted_text import TextLimits
from tests.unit.ingest.openapi.documents import document, inputs, post, read, tools

STRING = {"type": "string"}


def parameter(name, place, **more):
    return {"name": name, "in": place, "schema": STRING, **more}


def body_of(operation, version="3.1.0", **more):
    return inputs(read(document({"/a": {"post": operation}}, version, **more)), "post")


def test_inputs_come_in_order_path_query_header_cookie_body_with_their_place():
    operation = post({"type": "object", "properties": {"b": STRING, "a": STRING}, "required": ["a"]})
    operation["parameters"] = [
        parameter("c", "cookie"),
        parameter("h", "header", required=True),
        parameter("q", "query", description="How"),
        parameter("p", "path"),
    ]

    schema = inputs(read(document({"/x/{p}": {"post": operation}})), "post")

    assert {name: value["x-in"] for name, value in schema["properties"].items()} == {
        "p": "path", "q": "query", "h": "header", "c": "cookie", "b": "body", "a": "body",
    }  # fmt: skip
    assert sorted(schema["required"]) == ["a", "h", "p"]
    assert schema["properties"]["q"]["description"] == "How"
    assert schema["x-media-type"] == "application/json"


def test_an_operations_parameter_overrides_the_paths():
    item = {
        "parameters": [parameter("q", "query", required=True), parameter("r", "query")],
        "get": {
            "operationId": "a",
            "parameters": [{"name": "q", "in": "query", "schema": {"type": "integer"}}],
        },
    }

    schema = inputs(read(document({"/a": {**item}})), "a")

    assert schema["properties"]["q"]["type"] == "integer"
    assert "required" not in schema
    assert set(schema["properties"]) == {"q", "r"}


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"example": "ord_7Kd2"}, ["ord_7Kd2"]),
        (
            {"examples": {"none": {}, "plain": {"value": "ord_7Kd2"}, "other": {"value": "ord_1"}}},
            ["ord_7Kd2"],
        ),
        ({"schema": {"type": "string", "example": "ord_1"}, "example": "ord_7Kd2"}, ["ord_1"]),
        ({"schema": {"type": "number"}, "example": 3}, [3]),
        ({"schema": {"type": "integer"}, "example": "3"}, None),
        ({"schema": {}, "example": "anything"}, ["anything"]),
        ({"example": ["ord_7Kd2"]}, None),
        ({"example": "x" * 81}, None),
        ({"examples": ["ord_7Kd2"]}, None),
        ({"example": None}, None),
    ],
)
def test_the_example_beside_the_schema_of_a_parameter_is_one_of_its_schema(stated, expected):
    """Where the schema has none, the example is short, and of its type."""
    operation = {"operationId": "a", "parameters": [{**parameter("id", "path"), **stated}]}
    schema = inputs(read(document({"/a/{id}": {"get": operation}})), "a")
    assert schema["properties"]["id"].get("examples") == expected


def test_swagger_2_has_examples_of_parameters_as_tools_write_them():
    shown = {"name": "id", "in": "path", "required": True, "type": "string", "x-example": "ord_7Kd2"}
    schema = inputs(
        read(document({"/a/{id}": {"get": {"operationId": "a", "parameters": [shown]}}}, "2.0")), "a"
    )
    assert schema["properties"]["id"]["examples"] == ["ord_7Kd2"]


def test_two_parameters_of_one_name_are_both_there():
    operation = {"operationId": "a", "parameters": [parameter("id", "path"), parameter("id", "query")]}
    parsed = read(document({"/a/{id}": {"get": operation}}))

    properties = inputs(parsed, "a")["properties"]

    assert properties["id"]["x-in"] == "path"
    assert (properties["query_id"]["x-in"], properties["query_id"]["x-name"]) == ("query", "id")
    assert "two parameters are called 'id'" in parsed.warnings[0]


def test_headers_that_other_parts_speak_of_are_left_out():
    operation = {
        "operationId": "a",
        "parameters": [parameter(name, "header") for name in ("Accept", "Authorization", "X-A")],
    }

    assert set(inputs(read(document({"/a": {"get": operation}})), "a")["properties"]) == {"X-A"}


def test_a_placeholder_that_no_parameter_describes_is_an_input_all_the_same():
    parsed = read(document({"/a/{id}/{+rest*}": {"get": {"operationId": "a"}}}))

    assert inputs(parsed, "a")["required"] == ["id", "rest"]
    assert len(parsed.warnings) == 2


def test_a_clash_keeps_the_body_under_body():
    operation = post({"type": "object", "properties": {"id": STRING}}, parameters=[parameter("id", "query")])

    schema = body_of(operation)

    assert schema["properties"]["id"]["x-in"] == "query"
    assert schema["properties"]["body"]["properties"] == {"id": STRING}
    assert (schema["x-body"], schema["required"]) == ("body", ["body"])


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": STRING},
        STRING,
        {"oneOf": [{"type": "object"}, STRING]},
        {},
        {"type": "object"},
    ],
)
def test_a_body_that_is_no_plain_object_stays_under_body(schema):
    found = body_of(post(schema))

    assert set(found["properties"]) == {"body"}
    assert found["required"] == ["body"]


def test_a_body_that_may_be_missing_requires_nothing():
    assert "required" not in body_of(
        post({"type": "object", "properties": {"a": STRING}, "required": ["a"]}, required=False)
    )


def test_members_of_all_of_are_laid_together():
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/Base"},
            {"type": "object", "properties": {"b": {"minLength": 2}, "c": STRING}, "required": ["c"]},
        ]
    }
    base = {"type": "object", "properties": {"a": STRING, "b": STRING}, "required": ["a"]}

    found = body_of(post(schema), components={"schemas": {"Base": base}})

    assert sorted(found["required"]) == ["a", "c"]
    assert found["properties"]["b"] == {"allOf": [STRING, {"minLength": 2}], "x-in": "body"}


def test_alternatives_that_only_name_required_properties_stand_at_the_root():
    schema = {
        "type": "object",
        "properties": {"a": STRING, "b": STRING},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }

    found = body_of(post(schema))

    assert found["anyOf"] == [{"required": ["a"]}, {"required": ["b"]}]
    assert not Draft202012Validator(found).is_valid({})
    assert Draft202012Validator(found).is_valid({"b": "x"})


@pytest.mark.parametrize(
    ("types", "chosen"),
    [
        (
            ["text/csv", "multipart/form-data", "application/x-www-form-urlencoded", "application/json"],
            "application/json",
        ),
        (["multipart/form-data", "application/x-www-form-urlencoded"], "application/x-www-form-urlencoded"),
        (["text/csv", "multipart/form-data"], "multipart/form-data"),
        (["text/csv", "application/vnd.x+json; v=1"], "application/vnd.x+json; v=1"),
        (["text/csv", "text/plain"], "text/csv"),
    ],
)
def test_media_types_are_preferred_json_then_form_then_multipart(types, chosen):
    content = {name: {"schema": {"type": "object", "properties": {name: STRING}}} for name in types}

    found = body_of({"operationId": "post", "requestBody": {"content": content}})

    assert found["x-media-type"] == chosen
    assert set(found["properties"]) == {chosen}


def test_what_a_server_writes_is_no_input():
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "readOnly": True},
            "inner": {"type": "object", "properties": {"at": {"readOnly": True}}, "required": ["at"]},
        },
        "required": ["id"],
    }

    found = body_of(post(schema))

    assert set(found["properties"]) == {"inner"}
    assert found["properties"]["inner"] == {"type": "object", "properties": {}, "x-in": "body"}


def test_what_a_component_says_a_server_writes_is_no_input():
    written = {"$ref": "#/components/schemas/Written"}
    schema = {
        "type": "object",
        "properties": {
            "id": written,
            "inner": {"type": "object", "properties": {"at": written, "by": STRING}},
        },
    }

    found = body_of(post(schema), components={"schemas": {"Written": {"type": "string", "readOnly": True}}})

    assert set(found["properties"]) == {"inner"}
    assert set(found["properties"]["inner"]["properties"]) == {"by"}


def test_swagger_2_bodies_forms_and_files_are_read():
    form = [
        {"name": "file", "in": "formData", "type": "file", "required": True},
        {"name": "note", "in": "formData", "type": "string"},
    ]
    body = [{"name": "pet", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Pet"}}]
    paths = {
        "/form": {"post": {"operationId": "form", "parameters": form, "responses": {}}},
        "/body": {"post": {"operationId": "body", "parameters": body, "responses": {}}},
    }
    pet = {"type": "object", "properties": {"name": STRING}, "required": ["name"]}

    parsed = read(document(paths, "2.0", definitions={"Pet": pet}))

    assert inputs(parsed, "form")["properties"]["file"] == {
        "type": "string",
        "format": "binary",
        "x-in": "body",
    }
    assert inputs(parsed, "form")["x-media-type"] == "multipart/form-data"
    assert inputs(parsed, "form")["required"] == ["file"]
    assert inputs(parsed, "body")["properties"] == {"name": {**STRING, "x-in": "body"}}


def test_older_dialects_become_json_schema_2020_12():
    properties = {
        "a": {"type": "integer", "minimum": 3, "exclusiveMinimum": True, "nullable": True},
        "b": {"type": "string", "enum": ["x"], "nullable": True, "example": "x", "xml": {"name": "y"}},
        "c": {"type": "int"},
        "d": {"type": "object", "required": True, "properties": {"e": {"pattern": 5, "minLength": -1}}},
    }

    found = body_of(post({"type": "object", "properties": properties}), "3.0.0")["properties"]

    assert found["a"] == {"type": ["integer", "null"], "exclusiveMinimum": 3, "x-in": "body"}
    assert found["b"] == {"type": ["string", "null"], "enum": ["x", None], "examples": ["x"], "x-in": "body"}
    assert found["c"]["type"] == "integer"
    assert found["d"] == {"type": "object", "properties": {"e": {}}, "x-in": "body"}


def test_components_used_once_are_written_in_place_and_others_are_definitions():
    schemas = {
        "Once": {"type": "object", "properties": {"x": STRING}},
        "Twice": {"type": "string", "format": "uuid"},
        "Tree": {
            "type": "object",
            "properties": {"children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}},
        },
    }
    refs = {name: {"$ref": f"#/components/schemas/{name}"} for name in schemas}
    body = {
        "type": "object",
        "properties": {
            "once": refs["Once"],
            "a": refs["Twice"],
            "b": {**refs["Twice"], "description": "B"},
            "tree": refs["Tree"],
        },
    }

    found = body_of(post(body), components={"schemas": schemas})

    assert found["properties"]["once"] == {"title": "Once", **schemas["Once"], "x-in": "body"}
    assert found["properties"]["b"] == {"$ref": "#/$defs/Twice", "description": "B", "x-in": "body"}
    assert set(found["$defs"]) == {"Twice", "Tree"}
    assert Draft202012Validator(found).is_valid({"tree": {"children": [{"children": []}]}})
    assert not Draft202012Validator(found).is_valid({"tree": {"children": [{"children": 5}]}})


def test_components_of_one_name_in_two_files_are_told_apart(tmp_path):
    (tmp_path / "b.yaml").write_text("components: {schemas: {Id: {type: integer}}}")
    schema = {
        "type": "object",
        "properties": {
            name: {"type": "array", "items": {"$ref": f"{file}#/components/schemas/Id"}}
            for name, file in (("a", ""), ("a2", ""), ("b", "b.yaml"), ("b2", "b.yaml"))
        },
    }
    value = document({"/a": {"post": post(schema)}}, components={"schemas": {"Id": {"type": "string"}}})

    found = inputs(read(value, uri=tmp_path / "shop.json"), "post")

    assert Draft202012Validator(found).is_valid({"a": ["x"], "b": [1]})
    assert not Draft202012Validator(found).is_valid({"a": [1]})
    assert not Draft202012Validator(found).is_valid({"b2": ["x"]})


def test_a_chain_of_thousands_of_components_is_read():
    schemas = {
        f"S{i}": {"type": "object", "properties": {"next": {"$ref": f"#/components/schemas/S{i + 1}"}}}
        for i in range(3_000)
    }
    schemas["S3000"] = STRING

    parsed = read(
        document({"/a": {"post": post({"$ref": "#/components/schemas/S0"})}}, components={"schemas": schemas})
    )

    Draft202012Validator.check_schema(inputs(parsed, "post"))


def test_references_in_a_circle_are_read_as_anything():
    schemas = {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}

    parsed = read(
        document({"/a": {"post": post({"$ref": "#/components/schemas/A"})}}, components={"schemas": schemas})
    )

    assert "leads to references only" in parsed.warnings[0]
    assert inputs(parsed, "post")["properties"]["body"] == {"x-in": "body"}


def test_a_schema_beyond_the_limit_is_kept_in_part_with_a_warning():
    deep = {
        "type": "object",
        "properties": {
            f"p{i}": {
                "type": "object",
                "properties": {f"q{j}": {**STRING, "description": "d" * 50} for j in range(20)},
            }
            for i in range(20)
        },
    }

    parsed = read(
        document({"/a": {"post": post(deep)}}), limits=TextLimits(text_bytes=1_000, schema_bytes=6_000)
    )

    text = tools(parsed)["post"].properties["input_schema"]
    assert len(text) <= 6_000
    assert len(json.loads(text)["properties"]) == 20
    assert "is kept in part" in parsed.warnings[0]


schemas = st.recursive(
    st.sampled_from(
        [
            {"type": "string"},
            {"type": "file"},
            {},
            True,
            None,
            5,
            {"$ref": "#/components/schemas/A"},
            {"enum": []},
            {"type": "string", "nullable": True},
        ]
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", ["object", "null"], "unknown", 7]),
            "properties": st.dictionaries(st.sampled_from(["a", "b", "$ref"]), inner, max_size=3),
            "allOf": st.lists(inner, max_size=3),
            "oneOf": st.lists(inner, max_size=3),
            "items": inner,
            "additionalProperties": inner,
            "required": st.sampled_from([["a"], True, [5], []]),
            "exclusiveMinimum": st.sampled_from([True, 3, "x"]),
            "minimum": st.sampled_from([1, "1", None]),
            "nullable": st.booleans(),
        },
    ),
    max_leaves=15,
)


@settings(max_examples=150)
@given(body=schemas, component=schemas, version=st.sampled_from(["3.0.0", "3.1.0"]))
def test_whatever_a_document_holds_the_schemas_are_json_schema(body, component, version):
    operation = post(body)
    operation["responses"] = {"200": {"content": {"application/json": {"schema": body}}}}
    value = document({"/a": {"post": operation}}, version, components={"schemas": {"A": component}})

    properties = tools(read(value))["post"].properties

    for name in ("input_schema", "output_schema"):
        if name in properties:
            Draft202012Validator.check_schema(json.loads(properties[name]))


def test_members_of_all_of_that_multiply_are_read_in_no_time():
    names = [f"S{i}" for i in range(12)]
    components = {
        name: {
            "allOf": [
                ref
                for _ in range(30)
                for ref in ({"$ref": f"#/components/schemas/{other}"} for other in names)
            ]
        }
        for name in names
    }

    parsed = read(
        document(
            {"/a": {"post": post({"$ref": "#/components/schemas/S0"})}}, components={"schemas": components}
        )
    )

    assert set(inputs(parsed, "post")["properties"]) == {"body"}


def test_an_operation_whose_schemas_nest_too_deeply_is_rejected_by_name():
    schemas = {}
    for i in range(9):
        inner = {"$ref": f"#/components/schemas/S{i + 1}"} if i < 8 else STRING
        for _ in range(25):
            inner = {"type": "array", "items": inner}
        schemas[f"S{i}"] = inner

    parsed = read(
        document({"/a": {"post": post({"$ref": "#/components/schemas/S0"})}}, components={"schemas": schemas})
    )

    assert [(item.item, item.reason) for item in parsed.rejected] == [
        ("operation 'POST /a'", "its schemas nest deeper than 150 levels")
    ]


def test_a_link_names_the_place_of_a_parameter_that_two_places_have():
    make = {
        "operationId": "make",
        "responses": {
            "201": {"links": {"n": {"operationId": "show", "parameters": {"query.id": "$response.body#/id"}}}}
        },
    }
    show = {"operationId": "show", "parameters": [parameter("id", "path"), parameter("id", "query")]}

    (edge,) = tools(read(document({"/a": {"post": make}, "/a/{id}": {"get": show}})))["show"].edges

    assert edge.properties["parameter"] == "query_id"
