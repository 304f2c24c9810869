"""What a call is, read from its name, path and schemas."""

import json

import pytest

from app.domain.language.identifiers import words
from app.domain.language.operation_words import OperationKind
from app.domain.planning.operations import read_operation
from app.domain.schemas.tool_schemas import MAX_FIELDS, answer_of, inputs_of
from app.domain.schemas.walk import json_pointer
from tests.calls import call, page, record


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("petIds", ("pet", "id")),
        ("repository_IDs", ("repository", "id")),
        ("HTTPStatus-addresses", ("http", "status", "address")),
        ("categories", ("category",)),
        ("bus", ("bus",)),
    ],
)
def test_a_name_is_its_words_in_the_singular(name: str, expected: tuple[str, ...]) -> None:
    assert words(name) == expected


@pytest.mark.parametrize(
    ("line", "name", "kind"),
    [
        ("GET /orders", "orders", OperationKind.LIST),
        ("GET /orders/{id}", "order", OperationKind.GET),
        ("GET /orders/search", "findOrders", OperationKind.SEARCH),
        ("POST /orders/search", "searchOrders", OperationKind.SEARCH),
        ("POST /orders", "orders_post", OperationKind.CREATE),
        ("POST /orders/{id}/cancel", "cancel", OperationKind.ACTION),
        ("PUT /orders/{id}", "put", OperationKind.UPDATE),
        ("DELETE /orders/{id}", "x", OperationKind.DELETE),
        ("POST /auth/login", "login", OperationKind.AUTH),
        ("", "delete_ticket", OperationKind.DELETE),
        ("", "list_tickets", OperationKind.LIST),
    ],
)
def test_the_kind_of_a_call(line: str, name: str, kind: OperationKind) -> None:
    assert read_operation(call(line, name, "")).kind is kind


def test_a_plural_of_two_words_is_made_though_the_first_is_a_verb() -> None:
    made = call("POST /projects/{id}/merge_requests", "postMergeRequests", "Create a merge request")
    assert read_operation(made).kind is OperationKind.CREATE


@pytest.mark.parametrize(
    ("path", "resource"),
    [
        ("/workspaces/{workspaceId}/invites/{inviteCode}", ("invite",)),
        ("/charges/{chargeId}/refunds", ("refund",)),
        ("/shows/{showId}", ("show",)),
        ("/contacts/lists/{listId}", ("contact", "list")),
        ("/batches/{batchId}/remove", ("batch",)),
        ("/servers/{serverId}/cancel", ("server",)),
    ],
)
def test_a_plural_is_what_a_call_is_about_though_it_is_a_verb_too(
    path: str, resource: tuple[str, ...]
) -> None:
    assert read_operation(call(f"GET {path}", "x", "")).resource == resource


def test_a_post_that_searches_is_safe_and_a_create_is_mutating() -> None:
    search, create = (
        read_operation(call("POST /orders/search", "searchOrders", "")),
        read_operation(call("POST /orders", "createOrder", "")),
    )
    assert (search.safe, search.mutating) == (True, False)
    assert (create.safe, create.mutating) == (False, True)


@pytest.mark.parametrize(
    ("line", "name", "resource"),
    [
        ("GET /v1/line-items/{id}", "x", ("line", "item")),
        ("POST /orders/{id}/cancel", "x", ("order",)),
        ("GET /contacts/lists/{id}", "x", ("contact", "list")),
        ("", "close_ticket", ("ticket",)),
    ],
)
def test_the_resource_of_a_call(line: str, name: str, resource: tuple[str, ...]) -> None:
    assert read_operation(call(line, name, "")).resource == resource


def test_answers_are_flat_with_pointers_and_owners() -> None:
    tool = call("GET /pets", "pets", "", answer=page("pets", record("Pet", "id", "age:integer")))
    fields = answer_of(tool).fields
    assert [(json_pointer(f.pointer), f.owner, f.type) for f in fields] == [
        ("/pets/*/id", "Pet", "string"),
        ("/pets/*/age", "Pet", "integer"),
    ]


def test_a_schema_that_holds_itself_ends() -> None:
    node = {"type": "object", "properties": {"id": {"type": "string"}, "next": {"$ref": "#/$defs/Node"}}}
    tool = call("GET /nodes", "nodes", "").model_copy(
        update={"output_schema": json.dumps({"$ref": "#/$defs/Node", "$defs": {"Node": node}})}
    )
    fields = answer_of(tool).fields
    assert fields[0].pointer == ("id",)
    assert fields[0].owner == "Node"
    assert 1 < len(fields) <= MAX_FIELDS


def test_a_later_member_of_all_of_overrides() -> None:
    base = {"properties": {"items": {"type": "array", "items": {"type": "object"}}}}
    own = {"properties": {"items": {"type": "array", "items": dict(record("Pet", "id"))}}}
    tool = call("GET /pets", "pets", "", answer={"allOf": [base, own]})
    assert [json_pointer(field.pointer) for field in answer_of(tool).fields] == ["/items/*/id"]


def test_a_part_of_a_body_is_required_only_with_all_that_holds_it() -> None:
    inner = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    optional = {"type": "object", "properties": {"address": inner}}
    tool = call("POST /users", "createUser", "", body={"address": inner, "profile": optional})
    found = {item.parameter: item.required for item in inputs_of(tool)}
    assert found["/address/city"] is True
    assert found["/profile/address/city"] is False


def test_what_a_body_requires_that_is_not_marked_required_counts_as_required() -> None:
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "x-in": "body", "x-required-in-body": True}},
    }
    tool = call("POST /users", "createUser", "").model_copy(update={"input_schema": json.dumps(schema)})
    assert [item.required for item in inputs_of(tool)] == [True]
