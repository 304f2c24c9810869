"""Names and input schemas as model providers take them.

A schema has an object at the root, and nothing beside its properties that decides.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

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
MAX_NAME = 60
"""Of a tool. Below the 64 characters that providers accept: some clients put a prefix in front."""
MAX_ARGUMENT = 64
_DIGITS = 8
_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_OTHER_IN_ARGUMENTS = re.compile(r"[^A-Za-z0-9_.-]")


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


def provider_names(ids: Iterable[str]) -> dict[str, str]:
    """A name for each id that every provider accepts; no two ids have the same.

    A character outside `[A-Za-z0-9_-]` becomes `_`. A name over 60 characters, or one that several ids would
    have, becomes its first 51 characters, `_`, and 8 hexadecimal digits of SHA-256(id). So a name depends on its
    own id, and on no other unless their names collide: given all ids of a catalogue, it is the same in every
    answer, whatever else was found.
    """
    return _unique({one: _OTHER.sub("_", one) for one in dict.fromkeys(ids)}, MAX_NAME)


def argument_names(properties: Iterable[str]) -> dict[str, str]:
    """The same for the arguments of one tool: 64 characters, and a dot is accepted."""
    return _unique(
        {one: _OTHER_IN_ARGUMENTS.sub("_", one) for one in dict.fromkeys(properties)}, MAX_ARGUMENT
    )


def _unique(plain: dict[str, str], longest: int) -> dict[str, str]:
    counts = Counter(plain.values())
    names = {
        one: name if name and len(name) <= longest and counts[name] == 1 else _hashed(one, name, longest)
        for one, name in plain.items()
    }
    # One may look like another's hashed name; then it is hashed too.
    while clashes := {name for name, count in Counter(names.values()).items() if count > 1}:
        again = [one for one, name in names.items() if name in clashes and name == plain[one]]
        if not again:
            break
        names |= {one: _hashed(one, plain[one], longest) for one in again}
    return names


def _hashed(one: str, name: str, longest: int) -> str:
    digits = hashlib.sha256(one.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{name[: longest - _DIGITS - 1]}_{digits}"
