"""The words of a JSON schema: names, descriptions and allowed values of its parameters."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from app.domain.schemas.walk import BoundedSchema, Schema, composition, parsed_schema

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
    root = parsed_schema(schema)
    return list(islice(_properties(root, root, nested), _MAX_PARAMETERS))


def _properties(root: BoundedSchema, schema: Schema, nested: int) -> Iterator[Parameter]:
    for part in _parts(root, schema):
        properties = part.get("properties")
        if not isinstance(properties, dict):
            continue
        for name, value in properties.items():
            described = list(_parts(root, value))
            items = [item for piece in described for item in _parts(root, piece.get("items"))]
            yield Parameter(name, _first_text(described), _values([*described, *items]))
            if nested > 0:
                for piece in (*described, *items):
                    yield from _properties(root, piece, nested - 1)


def _parts(root: BoundedSchema, schema: object) -> Iterator[Schema]:
    """The schema itself with its reference resolved, and the schemas it is composed of."""
    if isinstance(schema, dict):
        parts = composition(root, schema, max_depth=_MAX_REFERENCES, beside_references=False)
        yield from (part for part, _ in parts)


def _first_text(parts: list[Schema]) -> str:
    texts = (part.get("description") for part in parts)
    return next((text for text in texts if isinstance(text, str) and text), "")


def _values(parts: list[Schema]) -> tuple[str, ...]:
    for part in parts:
        values = part.get("enum")
        if isinstance(values, list):
            return tuple(str(value) for value in values[:_MAX_VALUES])
    return ()
