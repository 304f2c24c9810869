"""OpenAPI documents become tools, categories and stated dependencies."""

import pytest

from app.domain.nodes.models import EdgeKind, NodeKind
from app.errors import SourceRefusedError
from ingest.sources.openapi.reader import Selection
from tests.unit.ingest.openapi.documents import document, get, inputs, read, tools

OK = {"responses": {}}


@pytest.mark.parametrize("version", ["2.0", "3.0.0", "3.0.4", "3.1.1", "3.2.0"])
def test_versions_that_are_read(version):
    parsed = read(document({"/a": {"get": {"operationId": "a", **OK}}}, version))

    assert list(tools(parsed)) == ["a"]
    assert (parsed.source.id, parsed.source.kind, parsed.source.version) == ("openapi:shop", "openapi", "7")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"null", r"shop\.json: #: the document is empty"),
        (b"[]", r"shop\.json: #: \[\] is a list"),
        (b'{"type": "object"}', r"shop\.json: #: an object with 'type' and without 'openapi' or 'swagger'"),
        (b'{"swagger": "1.2", "paths": {}}', r"shop\.json: #/swagger: version '1\.2' is not read; accepted"),
        (b'{"openapi": "4.0.0", "paths": {}}', r"shop\.json: #/openapi: version '4\.0\.0'"),
        (b'{"openapi": "3.0.0"}', r"shop\.json: #/paths: missing"),
        (b'{"openapi": "3.1.0", "paths": []}', r"shop\.json: #/paths: \[\] is a list"),
        (b'{"openapi": ', r"shop\.json:1:\d+: not JSON"),
    ],
)
def test_what_is_no_openapi_document_is_refused_with_file_and_place(data, message):
    with pytest.raises(SourceRefusedError, match=message):
        read(data)


def test_a_document_without_operations_is_read_and_says_so():
    parsed = read({"openapi": "3.1.0", "info": {}, "components": {}})

    assert parsed.cards == ()
    assert "no operations in here" in parsed.warnings[0]


def test_an_operation_without_an_id_is_called_by_method_and_path():
    assert list(tools(read(document({"/pets/{id}": {"get": OK}})))) == ["GET_/pets/{id}"]


def test_a_second_operation_of_one_id_is_called_by_method_and_path_with_a_warning():
    parsed = read(
        document({"/a": {"get": {"operationId": "x", **OK}}, "/b": {"put": {"operationId": "x", **OK}}})
    )

    assert list(tools(parsed)) == ["x", "PUT_/b"]
    assert parsed.warnings == ("shop.json: PUT /b: operationId 'x' comes twice; the name is 'PUT_/b'",)


@pytest.mark.parametrize("stated", [7, "", " x", "a\nb", "x" * 300])
def test_an_id_that_is_no_name_is_replaced_with_a_warning(stated):
    parsed = read(document({"/a": {"get": {"operationId": stated, **OK}}}))

    assert list(tools(parsed)) == ["GET_/a"]
    assert "operationId" in parsed.warnings[0]


def test_an_operation_that_is_none_is_rejected_and_the_rest_is_read():
    parsed = read(document({"/a": {"get": None, "put": OK}, "/b": 5, "/c": {"get": OK}}))

    assert list(tools(parsed)) == ["PUT_/a", "GET_/c"]
    assert [item.item for item in parsed.rejected] == ["operation 'GET /a'", "path '/b'"]


@pytest.mark.parametrize(
    ("method", "read_only", "destructive", "idempotent"),
    [
        ("get", True, False, True),
        ("head", True, False, True),
        ("put", False, None, True),
        ("delete", False, True, True),
        ("post", False, None, None),
        ("patch", False, None, None),
    ],
)
def test_the_method_says_what_a_call_does(method, read_only, destructive, idempotent):
    properties = tools(read(document({"/a": {method: OK}})))[f"{method.upper()}_/a"].properties

    assert (properties["method"], properties["path"]) == (method.upper(), "/a")
    assert properties["read_only"] is read_only
    assert (properties.get("destructive"), properties.get("idempotent")) == (destructive, idempotent)


def test_methods_of_3_2_are_read():
    item = {"query": {"operationId": "q", **OK}, "additionalOperations": {"LINK": {"operationId": "l", **OK}}}

    found = tools(read(document({"/a": item}, "3.2.0")))

    assert [found[name].properties["method"] for name in ("q", "l")] == ["QUERY", "LINK"]
    assert found["q"].properties["read_only"] is True


def test_webhooks_and_callbacks_are_no_tools_and_are_counted():
    hook = {"post": OK}
    parsed = read(
        document(
            {
                "/a": {
                    "post": {"operationId": "a", "callbacks": {"done": {"{$request.body#/url}": hook}}, **OK}
                }
            },
            webhooks={"created": hook, "gone": hook},
        )
    )

    assert list(tools(parsed)) == ["a"]
    assert parsed.warnings == (
        "shop.json: webhooks: 2 calls that the server makes; they are not tools",
        "shop.json: callbacks: 1 calls that the server makes; they are not tools",
    )


def test_texts_of_an_operation_are_kept():
    operation = {
        "operationId": "a",
        "summary": "Find pets",
        "description": "By tag.",
        "deprecated": True,
        **OK,
    }

    properties = tools(read(document({"/a": {"get": operation}})))["a"].properties

    assert (properties["title"], properties["description"]) == ("Find pets", "Find pets\n\nBy tag.")
    assert properties["deprecated"] is True


def test_tags_become_categories_that_the_tools_belong_to():
    parsed = read(
        document(
            {"/a": {"get": {"operationId": "a", "tags": ["pets", "pets", 5], **OK}}},
            tags=[{"name": "pets", "description": "All pets"}, {"name": "unused"}],
        )
    )

    categories = [card for card in parsed.cards if card.kind is NodeKind.CATEGORY]
    assert [(card.id, dict(card.properties)) for card in categories] == [
        ("shop/pets", {"name": "pets", "description": "All pets"})
    ]
    assert [(edge.kind, edge.target.text) for edge in tools(parsed)["a"].edges] == [
        (EdgeKind.BELONGS_TO, "shop/pets")
    ]


def test_selection_leaves_operations_out_and_says_how_many():
    paths = {
        "/pets": {"get": {"operationId": "pets", "tags": ["pets"], **OK}},
        "/pets/old": {"get": {"operationId": "old", "tags": ["pets"], "deprecated": True, **OK}},
        "/admin/pets": {"get": {"operationId": "admin", "tags": ["pets"], **OK}},
        "/users": {"get": {"operationId": "users", "tags": ["users"], **OK}},
    }

    parsed = read(
        document(paths),
        selection=Selection(include_tags=("pets",), exclude_paths=("/admin/*",), skip_deprecated=True),
    )

    assert list(tools(parsed)) == ["pets"]
    assert parsed.warnings == (
        "shop.json: paths: 1 operations left out by --skip-deprecated",
        "shop.json: paths: 1 operations left out by --exclude-path",
        "shop.json: paths: 1 operations left out by --include-tag",
    )


def test_the_selection_is_part_of_the_source_hash():
    value = document({"/a": {"get": OK}})

    assert read(value).source.content_hash == read(value).source.content_hash
    assert (
        read(value).source.content_hash
        != read(value, selection=Selection(skip_deprecated=True)).source.content_hash
    )


def test_servers_and_security_schemes_are_kept_without_secrets():
    value = document(
        {"/a": {"get": {"operationId": "a", **OK}, "put": {"operationId": "b", "security": [{}], **OK}}},
        servers=[{"url": "https://me:pw@{host}/v1/", "variables": {"host": {"default": "api.example"}}}],
        components={
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
                "token": {"type": "http", "scheme": "bearer", "x-example": "s3cret"},
            }
        },
        security=[{"key": [], "token": []}],
    )

    found = tools(read(value))

    assert found["a"].properties["base_url"] == "https://api.example/v1"
    assert found["a"].properties["security"] == ["key (apiKey in header X-Key) + token (http bearer)"]
    assert found["b"].properties["security"] == ["none"]


def test_security_schemes_that_are_too_long_or_too_many_reject_their_operation():
    """Every call reads the names again; without the requirement it would be sent without credentials."""
    long, most = "s" * 201, {f"s{number}": [] for number in range(100)}
    value = document(
        {
            "/a": {
                "get": {"operationId": "long", "security": [{long: []}], **OK},
                "put": {"operationId": "many", "security": [most, {"one": []}], **OK},
                "post": {"operationId": "fits", "security": [{**most}, {}], **OK},
                "delete": {"operationId": "longest", "security": [{"s" * 200: []}], **OK},
            }
        }
    )

    found = read(value)

    assert sorted(tools(found)) == ["fits", "longest"]
    assert [(one.item, one.reason) for one in found.rejected] == [
        (
            "operation 'GET /a'",
            f"security: the scheme '{'s' * 27}...{'s' * 28}' has 201 characters; accepted: up to 200",
        ),
        ("operation 'PUT /a'", "security: names 101 schemes; accepted: up to 100"),
    ]


def test_swagger_2_servers_are_put_together():
    value = document({"/a": {"get": OK}}, "2.0", host="api.example", basePath="/v2", schemes=["http"])

    assert tools(read(value))["GET_/a"].properties["base_url"] == "http://api.example/v2"


def test_links_state_which_answer_a_parameter_can_come_from():
    create = get({"type": "object"})
    create["operationId"] = "create"
    create["responses"]["200"]["links"] = {
        "byId": {
            "operationId": "show",
            "parameters": {"path.id": "$response.body#/pet/id", "v": "$request.query.v"},
        },
        "byPath": {
            "operationRef": "#/paths/~1pets~1{id}/delete",
            "parameters": {"id": "$response.body#/pet/id"},
        },
        "gone": {"operationId": "nowhere", "parameters": {"id": "$response.body#/id"}},
        "wrong": {"operationId": "show", "parameters": {"colour": "$response.body#/id"}},
    }
    parameter = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    item = {
        "get": {"operationId": "show", **OK},
        "delete": {"operationId": "drop", **OK},
        "parameters": [parameter],
    }

    parsed = read(document({"/pets": {"post": create}, "/pets/{id}": item}))

    stated = {"parameter": "id", "field": "/pet/id", "confidence": 1.0, "evidence": "link", "rank": 1}
    for name in ("show", "drop"):
        (edge,) = tools(parsed)[name].edges
        assert (edge.kind, edge.target.text, dict(edge.properties)) == (
            EdgeKind.REQUIRES,
            "shop/create",
            stated,
        )
    assert [warning.rpartition(": ")[2] for warning in parsed.warnings] == [
        "the operation 'nowhere' is not in this document; left out",
        "'show' takes no 'colour'; left out",
    ]


def test_a_description_beyond_the_limit_is_cut_with_a_warning():
    from app.domain.language.accepted_text import TextLimits

    value = document({"/a": {"get": {"operationId": "a", "description": "ü" * 600, **OK}}})

    parsed = read(value, limits=TextLimits(text_bytes=1_001, schema_bytes=10_000))

    assert tools(parsed)["a"].properties["description"] == "ü" * 500
    assert parsed.warnings == ("shop.json: GET /a: a text of 1,200 bytes is cut; kept: 1,001",)


def test_path_items_may_be_references_with_parameters_of_their_own(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "pet item.yaml").write_text(
        "get: {operationId: show, parameters: [{$ref: '#/id'}], responses: {}}\n"
        "id: {name: id, in: path, required: true, schema: {$ref: '../shop.json#/components/schemas/Id'}}\n"
    )
    value = document(
        {"/pets/{id}": {"$ref": "parts/pet%20item.yaml"}}, components={"schemas": {"Id": {"type": "integer"}}}
    )

    parsed = read(value, uri=tmp_path / "shop.json")

    assert inputs(parsed, "show")["properties"]["id"]["type"] == "integer"
    assert parsed.warnings == ()


def test_a_referenced_file_is_part_of_the_source_hash(tmp_path):
    value = document({"/a": {"$ref": "a.yaml"}})
    hashes = set()
    for name in ("x", "y"):
        (tmp_path / "a.yaml").write_text(f"get: {{operationId: {name}, responses: {{}}}}")
        hashes.add(read(value, uri=tmp_path / "shop.json").source.content_hash)

    assert len(hashes) == 2


@pytest.mark.parametrize("ref", ["../secret.yaml#/x", "file:///etc/hostname", "link.yaml#/x"])
def test_files_outside_the_documents_folder_are_not_read(tmp_path, ref):
    (tmp_path / "secret.yaml").write_text("x: {type: string, title: SECRET}")
    folder = tmp_path / "api"
    folder.mkdir()
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    value = document({"/a": {"get": get({"$ref": ref})}})

    parsed = read(value, uri=folder / "shop.json")

    assert "lies outside" in parsed.warnings[0]
    assert "SECRET" not in str(tools(parsed)["get"].properties)


def test_a_wider_root_lets_neighbouring_folders_be_read(tmp_path):
    (tmp_path / "common.yaml").write_text("Error: {type: object, properties: {code: {type: integer}}}")
    folder = tmp_path / "api"
    folder.mkdir()
    value = document({"/a": {"get": get({"$ref": "../common.yaml#/Error"})}})

    parsed = read(value, uri=folder / "shop.json", root=tmp_path)

    assert parsed.warnings == ()


@pytest.mark.parametrize(
    "ref", ["https://api.example/x.json#/a", "//api.example/x.json", "http://[bad", "#/nowhere", "x.yaml", 5]
)
def test_a_reference_that_leads_nowhere_is_read_as_anything_with_a_warning(ref):
    parsed = read(document({"/a": {"get": get({"type": "object", "properties": {"a": {"$ref": ref}}})}}))

    assert list(tools(parsed)) == ["get"]
    assert "$ref" in " ".join(parsed.warnings) or ref == 5


def test_a_file_address_names_the_file_in_messages_and_finds_its_neighbours(tmp_path):
    folder = tmp_path / "my api"
    folder.mkdir()
    (folder / "a.yaml").write_text("get: {operationId: a, responses: {}}")
    value = document({"/a": {"$ref": "a.yaml"}, "b": {"get": OK}})

    parsed = read(value, uri=(folder / "shop 1.json").as_uri())

    assert set(tools(parsed)) == {"a", "GET_b"}
    assert parsed.warnings[0].startswith("shop 1.json: ")
