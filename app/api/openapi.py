"""What FastAPI's description of the service lacks: bodies that are parsed by hand, and the token."""

from functools import cache
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

_TEMPLATE = "#/components/schemas/{model}"


def json_body(model: type[BaseModel]) -> dict[str, Any]:
    """`openapi_extra` of a route that parses this model itself; `complete` adds the model."""
    reference = {"$ref": _TEMPLATE.format(model=model.__name__)}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": reference}}}}


def complete(app: FastAPI, *bodies: type[BaseModel], token: bool) -> None:
    """Add these models to the OpenAPI document, and that a token is needed, so that the page asks for it."""
    plain = app.openapi

    @cache
    def openapi() -> dict[str, Any]:
        document = plain()
        parts = document.setdefault("components", {})
        _, definitions = models_json_schema([(body, "validation") for body in bodies], ref_template=_TEMPLATE)
        parts.setdefault("schemas", {}).update(definitions["$defs"])
        if token:
            parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            document["security"] = [{"token": []}]
        return document

    app.openapi = openapi  # type: ignore[method-assign]
