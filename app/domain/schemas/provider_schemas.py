"""Input schemas as model providers take them: an object at the root, nothing beside its properties that decides."""

from typing import Any

from app.domain.schemas.provider_names import argument_names
from app.domain.schemas.walk import COMPOSED, BoundedSchema, as_object, composition, parsed_schema, texts_in

_REFUSED = frozenset(
    {
        *COMPOSED,
        "not",
        "if",
        "then",
        "else",
        "enum",
        "const",
        "$ref",
        "dependentSchemas",
        "$schema",
        "$id",
    }
)
"""Keywords that providers refuse at the root of a tool's schema, or that name a dialect that they ignore."""
_MAX_DEPTH = 6


def provider_schema(text: str) -> dict[str, Any]:
    """A tool's input schema with an object at its root; that of no inputs where `text` is empty.

    Providers refuse a root that is a reference or a choice. Its properties are gathered from all alternatives
    instead; required is what the root and every `allOf` part require. The model sees every argument; which of them
    exclude each other is left to the tool. Arguments have the names that providers accept: `renamed_arguments`
    leads back.
    """
    root = parsed_schema(text)
    properties, required = _gathered(root)
    names = argument_names([*properties, *required])
    kept = {key: value for key, value in root.items() if key not in _REFUSED}
    kept |= {"type": "object", "properties": {names[one]: schema for one, schema in properties.items()}}
    kept.pop("required", None)
    if required:
        kept["required"] = [names[one] for one in required]
    if isinstance(kept.get("dependentRequired"), dict):
        kept["dependentRequired"] = {
            names.get(one, one): [names.get(other, other) for other in others]
            for one, others in kept["dependentRequired"].items()
            if isinstance(others, list)
        }
    return kept


def renamed_arguments(text: str) -> dict[str, str]:
    """The tool's own name of each argument that has another one in `provider_schema`, by that one."""
    properties, required = _gathered(parsed_schema(text))
    names = argument_names([*properties, *required])
    return {name: one for one, name in names.items() if name != one}


def _gathered(root: BoundedSchema) -> tuple[dict[str, Any], list[str]]:
    """All properties, and the names of those that are always required."""
    properties: dict[str, Any] = {}
    required: dict[str, None] = {}
    for part, always in composition(root, root, max_depth=_MAX_DEPTH, beside_references=True):
        for name, schema in as_object(part.get("properties")).items():
            properties.setdefault(name, schema)
        if always:
            required.update(dict.fromkeys(texts_in(part.get("required"))))
    return properties, list(required)
