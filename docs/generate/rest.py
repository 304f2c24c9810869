"""docs/reference/rest.md from the service's OpenAPI document."""

from collections.abc import Iterator, Mapping
from typing import Any

from app.roots.http import create_app, policy_of
from app.roots.service import service_components
from app.service.metrics import Metrics
from app.settings import Settings
from docs.generate.tables import NOTE, code, page, prose, table

_HEAD = """
# REST

The running service shows the same with forms to try it at `/docs`, and as a document at `/openapi.json`. `POST /mcp` is
where MCP clients connect; it is not part of that document (see [agents.md](../agents.md)).
"""

_ERRORS = """
## Errors

Errors are problem documents (RFC 9457, `application/problem+json`) that name the thing, its value and what is accepted.
With a token set, every call but `/healthz`, `/readyz` and the page at `/docs` needs it.
"""


def rest_page() -> str:
    """Every call with its parameters, body and statuses."""
    document = openapi()
    models = document["components"]["schemas"]
    calls = [
        (f"{method.upper()} {path}", call)
        for path, methods in document["paths"].items()
        for method, call in methods.items()
    ]
    rows = [(code(name), prose(call["summary"])) for name, call in calls]
    sections = [_section(name, call, models) for name, call in calls]
    return page(
        NOTE.format(source="the service's OpenAPI document"), _HEAD, table(["call", "what it does"], rows), _ERRORS,
        *sections,
    )  # fmt: skip


def openapi() -> dict[str, Any]:
    """The service's own document. Nothing is opened for it: no graph, no connection."""
    # Not what this machine's environment says.
    settings, metrics = Settings.model_construct(), Metrics()
    app = create_app(
        lambda _: service_components(settings, metrics),
        policy=policy_of(settings),
        max_body_bytes=settings.max_body_bytes,
    )
    return dict(app.openapi())


def _section(name: str, call: Mapping[str, Any], models: Mapping[str, Any]) -> str:
    rows = [
        (code(field), where, code(_default(schema)), _said(schema, description))
        for field, where, schema, description in _fields(call, models)
    ]
    return page(
        f"## {name}",
        " ".join(call.get("description", "").split()),
        table(["field", "in", "default", "what it says"], rows),
        "Statuses: " + ", ".join(f"{status} {_meaning(answer)}" for status, answer in sorted(call["responses"].items())) + ".",
    )  # fmt: skip


def _fields(
    call: Mapping[str, Any], models: Mapping[str, Any]
) -> Iterator[tuple[str, str, Mapping[str, Any], str]]:
    for parameter in call.get("parameters", ()):
        yield parameter["name"], parameter["in"], parameter["schema"], parameter.get("description", "")
    body = call.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    yield from _properties(_model(body, models), models, "")


def _properties(
    model: Mapping[str, Any], models: Mapping[str, Any], prefix: str
) -> Iterator[tuple[str, str, Mapping[str, Any], str]]:
    """The fields of a body, and of the objects in it, by dotted names."""
    for name, schema in model.get("properties", {}).items():
        inner = _model(schema, models)
        required = " (required)" if name in model.get("required", ()) else ""
        # A reference has its own description beside it, or else the model's.
        said = schema.get("description") or inner.get("description", "")
        yield prefix + name, f"body{required}", {**inner, **schema}, said
        # A plan says what it is by itself; /docs has the rest.
        if all("description" in field for field in inner.get("properties", {}).values()):
            yield from _properties(inner, models, f"{prefix}{name}.")


def _model(schema: Mapping[str, Any], models: Mapping[str, Any]) -> Mapping[str, Any]:
    found = models.get(str(schema.get("$ref", "")).rpartition("/")[2], {})
    return found if isinstance(found, Mapping) else {}


def _default(schema: Mapping[str, Any]) -> str:
    value = schema.get("default")
    return (
        ""
        if value is None or isinstance(value, dict | list)
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
    )


def _said(schema: Mapping[str, Any], description: str) -> str:
    """The description, and the bounds of a number or the values of an enumeration that it does not name."""
    parts = [prose(description)]
    values = [str(value) for value in schema.get("enum", ())]
    if values and not all(f"`{value}`" in description for value in values):
        parts.append("One of " + ", ".join(map(code, values)) + ".")
    if "minimum" in schema and "maximum" in schema:
        parts.append(f"Accepted: {schema['minimum']} to {schema['maximum']}.")
    return " ".join(part for part in parts if part)


def _meaning(answer: Mapping[str, Any]) -> str:
    said = str(answer.get("description", ""))
    return {"Successful Response": "done", "Validation Error": "not what is accepted"}.get(
        said, said[:1].lower() + said[1:]
    ).rstrip(".")
