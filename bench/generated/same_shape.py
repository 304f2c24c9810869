"""A catalogue of any size in which every resource looks the same: what makes naive matching explode.

Resource = adjective x noun x service; five operations each. All answers share `name`, `status`, `createdAt`.
"""

import json
import random
from collections.abc import Iterator

from app.domain.nodes.models import Tool, ToolId

ADJECTIVES = """primary secondary archived active pending internal external global regional local shared private
public draft final legacy temporary recurring custom default""".split()
NOUNS = """invoice order customer product payment refund shipment warehouse supplier contract employee department
project task ticket comment attachment report dashboard widget campaign audience segment coupon voucher discount
subscription plan license device sensor gateway alert incident runbook policy role permission session token webhook
event message channel template document folder""".split()
SERVICES = """billing sales support inventory logistics marketing finance identity analytics messaging monitoring
catalog hr legal procurement""".split()
PER_RESOURCE = 5
_VERBS = {"list": "GET", "create": "POST", "get": "GET", "update": "PUT", "delete": "DELETE"}
_GOALS = {
    "remove": "delete",
    "show": "get",
    "change": "update",
    "list all": "list",
    "create": "create",
}


def same_shape_tools(operations: int) -> list[Tool]:
    """The first `operations` of the catalogue, at most 70,500."""
    return [_tool(verb, resource) for resource in _resources(operations // PER_RESOURCE) for verb in _VERBS]


def same_shape_goals(operations: int, count: int = 60) -> list[tuple[str, ToolId]]:
    """Goals that one operation each answers, by seed 7: (text, the operation that it ends with)."""
    chance = random.Random(7)  # noqa: S311
    resources = list(_resources(operations // PER_RESOURCE))
    found = []
    for _ in range(count):
        adjective, noun, service = resource = chance.choice(resources)
        said, verb = chance.choice(list(_GOALS.items()))
        thing = f"{adjective} {noun}s" if verb == "list" else f"a {adjective} {noun}"
        found.append((f"{said} {thing} from {service}", _tool(verb, resource).id))
    return found


def _resources(count: int) -> Iterator[tuple[str, str, str]]:
    every = ((a, n, s) for a in ADJECTIVES for n in NOUNS for s in SERVICES)
    yield from (resource for resource, _ in zip(every, range(count), strict=False))


def _tool(verb: str, resource: tuple[str, str, str]) -> Tool:
    adjective, noun, service = resource
    entity = adjective + noun.capitalize()
    name = verb + service.capitalize() + adjective.capitalize() + noun.capitalize()
    collection = f"/{service}/{adjective}-{noun}s"
    key = f"{entity}Id"
    properties: dict[str, dict[str, object]] = {}
    required: list[str] = []
    if verb in ("get", "update", "delete"):
        properties[key] = {"type": "string", "x-in": "path"}
        required.append(key)
    if verb in ("create", "update"):
        properties["name"] = {"type": "string", "x-in": "body"}
        properties["status"] = {"type": "string", "enum": ["active", "closed"], "x-in": "body"}
        required.append("name")
    if verb == "list":
        properties["limit"] = {"type": "integer", "x-in": "query"}
    answer: dict[str, object] = {
        "type": "object",
        "properties": {
            key: {"type": "string"},
            "name": {"type": "string"},
            "status": {"type": "string", "enum": ["active", "closed"]},
            "createdAt": {"type": "string", "format": "date-time"},
        },
    }
    return Tool(
        id=ToolId(f"same-shape/{name}"),
        server="same-shape",
        name=name,
        title=f"{verb.capitalize()} {adjective} {noun}{'s' if verb == 'list' else ''}",
        description="",
        input_schema=json.dumps({"type": "object", "properties": properties, "required": required}),
        output_schema=json.dumps({"type": "array", "items": answer} if verb == "list" else answer),
        method=_VERBS[verb],
        path=f"{collection}/{{{key}}}" if key in properties else collection,
        read_only=_VERBS[verb] == "GET",
        destructive=verb == "delete",
        idempotent=None,
        open_world=None,
        deprecated=False,
        declared=False,
        categories=(f"same-shape/{service}",),
        content_hash="",
    )


def same_shape_document(operations: int) -> dict[str, object]:
    """The same catalogue as an OpenAPI document; `--server same-shape` gives the ids of `same_shape_tools`."""
    paths: dict[str, dict[str, object]] = {}
    for tool in same_shape_tools(operations):
        schema = json.loads(tool.input_schema)
        fields = schema["properties"]
        body = {name: _without_place(field) for name, field in fields.items() if field["x-in"] == "body"}
        operation: dict[str, object] = {
            "operationId": tool.name,
            "summary": tool.title,
            "tags": [category.partition("/")[2] for category in tool.categories],
            "parameters": [
                {
                    "name": name,
                    "in": field["x-in"],
                    "required": field["x-in"] == "path",
                    "schema": _without_place(field),
                }
                for name, field in fields.items()
                if field["x-in"] != "body"
            ],
            "responses": {
                "200": {
                    "description": "Done.",
                    "content": {"application/json": {"schema": json.loads(tool.output_schema)}},
                }
            },
        }
        if body:
            content = {"schema": {"type": "object", "properties": body, "required": ["name"]}}
            operation["requestBody"] = {"required": True, "content": {"application/json": content}}
        paths.setdefault(tool.path, {})[tool.method.lower()] = operation
    return {"openapi": "3.1.0", "info": {"title": "Same shape", "version": "1"}, "paths": paths}


def _without_place(field: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in field.items() if key != "x-in"}
