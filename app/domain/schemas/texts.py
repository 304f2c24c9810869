"""The words of a JSON schema: names, descriptions and allowed values of its parameters."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from app.domain.schemas.visits import BoundedSchema

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

_MAX_PARAMETERS = 500
_MAX_VALUES = 20
_MAX_REFERENCES = 8


@dataclass(frozen=True, slots=True)
class Parameter:
    """One property of a schema."""

    name: str
    description: str
    values: tuple[str, ...]
    """Its `enum`, or that of its items; at most 20."""


def parameters(schema: str, *, nested: int) -> list[Parameter]:
    """Properties of a JSON schema, and those of object and array properties `nested` levels below; at most 500.

    Local references are followed and `allOf`, `anyOf`, `oneOf` are read like the schema itself. An empty
    text, or one that is no JSON object, has none.
    """
    if not schema:
        return []
    try:
        loaded: Json = json.loads(schema)
    except (ValueError, RecursionError):
        return []
    if not isinstance(loaded, dict):
        return []
    root = BoundedSchema(loaded)
    found: list[Parameter] = []
    for parameter in _properties(root, root, nested):
        found.append(parameter)
        if len(found) == _MAX_PARAMETERS:
            break
    return found


def _properties(root: BoundedSchema, schema: Json, nested: int) -> Iterator[Parameter]:
    for part in _parts(root, schema, 0):
        properties = part.get("properties")
        if not isinstance(properties, dict):
            continue
        for name, value in properties.items():
            described = list(_parts(root, value, 0))
            items = [item for piece in described for item in _parts(root, piece.get("items"), 0)]
            yield Parameter(name, _first_text(described), _values([*described, *items]))
            if nested > 0:
                for piece in (*described, *items):
                    yield from _properties(root, piece, nested - 1)


def _parts(root: BoundedSchema, schema: Json, references: int) -> Iterator[dict[str, Json]]:
    """The schema itself with its reference resolved, and the schemas it is composed of."""
    if not isinstance(schema, dict) or references > _MAX_REFERENCES or not root.visit():
        return
    reference = schema.get("$ref")
    if isinstance(reference, str):
        yield from _parts(root, _resolve(root, reference), references + 1)
        return
    yield schema
    for key in ("allOf", "anyOf", "oneOf"):
        composed = schema.get(key)
        for member in composed if isinstance(composed, list) else ():
            yield from _parts(root, member, references + 1)


def _resolve(root: BoundedSchema, reference: str) -> Json:
    if not reference.startswith("#/"):
        return None
    found: Json = root
    for step in reference[2:].split("/"):
        found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
    return found


def _first_text(parts: list[dict[str, Json]]) -> str:
    texts = (part.get("description") for part in parts)
    return next((text for text in texts if isinstance(text, str) and text), "")


def _values(parts: list[dict[str, Json]]) -> tuple[str, ...]:
    for part in parts:
        values = part.get("enum")
        if isinstance(values, list):
            return tuple(str(value) for value in values[:_MAX_VALUES])
    return ()
