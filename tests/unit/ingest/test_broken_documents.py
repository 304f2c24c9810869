"""Whatever stands where in a document, it is read or refused; nothing else is ever raised."""

import copy
import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import SourceRefusedError
from ingest.cards import Origin
from ingest.sources.arazzo.reader import parse_arazzo
from tests.unit.ingest.openapi.documents import LIMITS, read

ORIGIN = Origin("arazzo", "f", "f.json", "t", LIMITS)

SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "string", "enum": ["a"]}, "tree": {"$ref": "#/components/schemas/Tree"}},
    "required": ["id"],
    "allOf": [{"$ref": "#/components/schemas/Tree"}],
    "anyOf": [{"required": ["id"]}],
    "additionalProperties": {"type": "string"},
}
OPENAPI = {
    "openapi": "3.1.0",
    "info": {"title": "T", "version": "1"},
    "servers": [{"url": "https://{h}/", "variables": {"h": {"default": "x"}}}],
    "tags": [{"name": "t", "description": "d"}],
    "security": [{"key": []}],
    "paths": {
        "/a/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "post": {
                "operationId": "a",
                "summary": "s",
                "description": "d",
                "tags": ["t"],
                "servers": [{"url": "/v1"}],
                "parameters": [
                    {"$ref": "#/components/parameters/Q"},
                    {
                        "name": "c",
                        "in": "cookie",
                        "content": {"application/json": {"schema": {"type": "string"}}},
                    },
                ],
                "requestBody": {"required": True, "content": {"application/json": {"schema": SCHEMA}}},
                "responses": {
                    "200": {
                        "content": {"application/json": {"schema": {"type": "array", "items": SCHEMA}}},
                        "links": {"n": {"operationId": "a", "parameters": {"id": "$response.body#/id"}}},
                    }
                },
                "callbacks": {"done": {"{$request.body#/url}": {"post": {"responses": {}}}}},
            },
        }
    },
    "webhooks": {"w": {"post": {"responses": {}}}},
    "components": {
        "schemas": {"Tree": {"type": "object", "properties": {"up": {"$ref": "#/components/schemas/Tree"}}}},
        "parameters": {"Q": {"name": "q", "in": "query", "schema": {"type": "integer", "minimum": 1}}},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X"}},
    },
}
SWAGGER = {
    "swagger": "2.0",
    "info": {"version": "1"},
    "host": "x",
    "basePath": "/v1",
    "schemes": ["https"],
    "consumes": ["application/json"],
    "paths": {
        "/a": {
            "post": {
                "consumes": ["application/json"],
                "parameters": [
                    {"name": "b", "in": "body", "schema": {"$ref": "#/definitions/T"}},
                    {"name": "f", "in": "formData", "type": "file"},
                    {"name": "q", "in": "query", "type": "array", "items": {"type": "string"}},
                ],
                "responses": {"default": {"schema": {"$ref": "#/definitions/T"}}},
            }
        }
    },
    "definitions": {
        "T": {"type": "object", "x-nullable": True, "properties": {"t": {"$ref": "#/definitions/T"}}}
    },
    "securityDefinitions": {"b": {"type": "basic"}},
}
ARAZZO = {
    "arazzo": "1.0.1",
    "info": {"title": "T", "version": "1"},
    "sourceDescriptions": [{"name": "s", "url": "./s.json", "type": "openapi"}],
    "workflows": [
        {
            "workflowId": "w",
            "summary": "s",
            "inputs": {"type": "object", "properties": {"i": {"type": "string"}}, "required": ["i"]},
            "parameters": [{"name": "p", "in": "query", "value": "$inputs.i"}],
            "steps": [
                {
                    "stepId": "a",
                    "operationId": "o",
                    "outputs": {"x": "$response.body#/0/id", "h": "$response.header.X"},
                },
                {
                    "stepId": "b",
                    "operationPath": "{$sourceDescriptions.s.url}#/paths/~1a/post",
                    "parameters": [{"reference": "$components.parameters.r"}],
                    "requestBody": {
                        "payload": {"a": "$steps.a.outputs.x", "b": "x {$inputs.i}"},
                        "replacements": [{"target": "/a", "value": 1}],
                    },
                    "onSuccess": [{"type": "goto"}],
                    "x-outfitter-outputs": {
                        "x": {"path": "/*", "select": {"by": "match", "field": "f", "value": 1}}
                    },
                    "x-outfitter-alternatives": ["s/t"],
                    "x-outfitter-literal": ["a"],
                },
                {"stepId": "c", "workflowId": "w", "outputs": {"y": "$outputs.z"}},
            ],
            "outputs": {"o": "$steps.a.outputs.x"},
            "x-outfitter-warnings": [{"code": "c", "message": "m", "step": 1}],
        }
    ],
    "components": {"parameters": {"r": {"name": "r", "in": "query", "value": 1}}},
}
junk = st.sampled_from(
    [
        *(
            None,
            True,
            0,
            -1.5,
            "",
            "x",
            "$ref",
            "$inputs.i",
            "$steps.a.outputs.x[",
            "{$inputs.}",
            [],
            {},
            [[]],
            [None],
            [{}],
        ),
        *(
            {"$ref": "#"},
            {"$ref": "#/components"},
            {"$ref": "x.yaml#/%"},
            {"$ref": 1},
            {"$ref": "//["},
            {"": {"": ""}},
        ),
        *(
            {"$ref": "#/components/schemas/Tree"},
            ["$ref"],
            {"type": ["array", 5]},
            {"properties": []},
            "\0",
            "é" * 300,
        ),
    ]
)


def places(value, path=()):
    """The path of every value in a document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def spoilt(value, changes):
    value = copy.deepcopy(value)
    for path, new in changes:
        inner = value
        try:
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = copy.deepcopy(new)
        except (KeyError, IndexError, TypeError):
            continue
    return value


def changes(value):
    return st.lists(
        st.tuples(st.sampled_from([path for path in places(value) if path]), junk), min_size=1, max_size=4
    )


@settings(max_examples=250)
@given(changes(OPENAPI))
def test_a_spoilt_openapi_document_is_read_or_refused(spoils):
    with suppress(SourceRefusedError):
        read(spoilt(OPENAPI, spoils))


@settings(max_examples=150)
@given(changes(SWAGGER))
def test_a_spoilt_swagger_document_is_read_or_refused(spoils):
    with suppress(SourceRefusedError):
        read(spoilt(SWAGGER, spoils))


class Nowhere:
    def operations(self, address):
        return None


@settings(max_examples=250)
@given(changes(ARAZZO))
def test_a_spoilt_arazzo_document_is_read_or_refused(spoils):
    data = json.dumps(spoilt(ARAZZO, spoils)).encode()
    with suppress(SourceRefusedError):
        parse_arazzo(data, ORIGIN, sources=Nowhere())


def test_the_documents_before_they_are_spoilt_are_read_without_a_warning_of_theirs():
    assert not read(OPENAPI).rejected
    assert not read(SWAGGER).rejected
    parsed = parse_arazzo(json.dumps(ARAZZO).encode(), ORIGIN, sources=Nowhere())
    assert not parsed.rejected
