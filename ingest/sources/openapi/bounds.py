"""Texts and schemas that stay below the limits: cut, with a warning, rather than refused."""

from typing import Any

from app.adapters.documents.structured_text import JsonValue
from ingest.cards import canonical_json
from ingest.sources.openapi.dialects import Schema
from ingest.sources.openapi.references import Notes

_CHILDREN = ("properties", "patternProperties", "dependentSchemas", "$defs")


def bounded_text(text: str, max_bytes: int, notes: Notes, label: str) -> str:
    """The text, cut to `max_bytes` of UTF-8."""
    if len(text) * 4 <= max_bytes or len(text.encode()) <= max_bytes:
        return text
    notes.warn(label, f"a text of {len(text.encode()):,} bytes is cut; kept: {max_bytes:,}")
    return text.encode()[:max_bytes].decode(errors="ignore")


def bounded_schema(schema: Schema, max_bytes: int, notes: Notes, label: str) -> str:
    """The schema as canonical JSON of at most `max_bytes`.

    What does not fit goes in this order: texts below the first level, then what lies deeper than 6, 4 and 2
    levels (any value is accepted there), then the texts of the first level, then everything but names.
    """
    text = canonical_json(schema)
    size = len(text.encode())
    if size <= max_bytes:
        return text
    for depth, described in ((99, 1), (6, 1), (4, 1), (2, 1), (2, 0), (1, 0)):
        text = canonical_json(_cut(schema, depth=depth, described=described))
        if len(text.encode()) <= max_bytes:
            notes.warn(label, f"a schema of {size:,} bytes is kept in part, as {len(text.encode()):,}")
            return text
    notes.warn(label, f"a schema of {size:,} bytes is left out; accepted: up to {max_bytes:,}")
    return canonical_json({"type": schema.get("type", "object")})


def _cut(schema: JsonValue, *, depth: int, described: int) -> Any:
    if not isinstance(schema, dict):
        return schema
    out: Schema = {}
    for key, value in schema.items():
        if key in ("description", "examples") and described < 0:
            continue
        if key in _CHILDREN and isinstance(value, dict):
            out[key] = {
                name: _cut(item, depth=depth - 1, described=described - 1) if depth > 0 else {}
                for name, item in value.items()
            }
        elif key in ("allOf", "anyOf", "oneOf", "prefixItems") and isinstance(value, list):
            out[key] = [
                _cut(item, depth=depth - 1, described=described - 1) if depth > 0 else {} for item in value
            ]
        elif key in ("items", "additionalProperties", "not", "if", "then", "else") and isinstance(
            value, dict
        ):
            out[key] = _cut(value, depth=depth - 1, described=described - 1) if depth > 0 else {}
        else:
            out[key] = value
    return out
