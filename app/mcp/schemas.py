"""JSON schemas of pydantic models, as models that call tools read them best."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode

_NAMED = ("properties", "$defs")
"""Keywords whose keys are names, not keywords."""


def plain_schema(model: type, *, mode: JsonSchemaMode = "validation") -> dict[str, Any]:
    """The schema of a model or dataclass, without generated titles, and without `$ref` where nothing is recursive."""
    schema = TypeAdapter(model).json_schema(mode=mode)
    definitions = schema.pop("$defs", {})
    plain: dict[str, Any] = _plain(schema, definitions, ())
    left = {name for name in definitions if f"#/$defs/{name}" in str(plain)}
    if left:
        plain["$defs"] = {name: _plain(definitions[name], definitions, tuple(left)) for name in sorted(left)}
    return plain


def field_names(model: type[BaseModel], path: Sequence[int | str]) -> list[str]:
    """The fields of the model that lies at `path` in `model`; its own where the path leads elsewhere."""
    for part in path:
        field = model.model_fields.get(str(part))
        inner = (
            [kind for kind in (field.annotation, *get_args(field.annotation)) if _is_model(kind)]
            if field
            else []
        )
        if inner:
            model = inner[0]
    return list(model.model_fields)


def _is_model(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _plain(schema: Any, definitions: Mapping[str, Any], kept: tuple[str, ...]) -> Any:
    """A schema; references are replaced by what they mean, except those inside themselves."""
    if isinstance(schema, list):
        return [_plain(item, definitions, kept) for item in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if name in definitions and name not in kept:
        inner = _plain(definitions[name], definitions, (*kept, name))
        return {**inner, **{key: schema[key] for key in schema if key != "$ref"}}
    return {
        key: (
            {one: _plain(value, definitions, kept) for one, value in part.items()}
            if key in _NAMED
            else _plain(part, definitions, kept)
        )
        for key, part in schema.items()
        if key != "title"
    }
