"""What the example of a request shows of objects that the schema of its body leaves open."""

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from app.adapters.documents.structured_text import JsonValue
from app.domain.schemas.walk import COMPOSED, as_object, type_of_value
from ingest.sources.openapi.dialects import RawSchema, set_example

_DEEPEST = 4
"""Objects inside each other that are looked through."""
_MOST = 60
"""Properties of an example that are read; Jira's longest names 26."""
_MOST_TOGETHER = 8
"""Examples that are read together; Jira's issues have three."""
_KINDS = 2
"""Kinds of values that an object has and a map has not: `{"name": "Mona", "home": "Oakland"}` may be one."""


def property_names(document: JsonValue) -> frozenset[str]:
    """All names of properties in a document."""
    found: set[str] = set()
    waiting = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            found.update(as_object(item.get("properties")))
            waiting.extend(item.values())
    return frozenset(found)


def shared_examples(document: JsonValue) -> Mapping[str, RawSchema]:
    """What all examples of bodies show that refer to one schema, by the reference: edits of a thing say little, its creation much."""
    found: dict[str, RawSchema] = {}
    read = Counter[str]()
    waiting = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(reversed(item))
        elif isinstance(item, dict):
            for media in as_object(as_object(item.get("requestBody")).get("content")).values():
                reference = as_object(as_object(media).get("schema")).get("$ref")
                example = request_example(as_object(media))
                if isinstance(reference, str) and example and read[reference] < _MOST_TOGETHER:
                    read[reference] += 1
                    found[reference] = _together(found.get(reference, {}), example)
            waiting.extend(reversed(item.values()))
    return found


def _together(first: RawSchema, other: RawSchema, depth: int = 0) -> RawSchema:
    """One example with what another has beside it."""
    more = {
        name: _together(first[name], value, depth + 1)
        for name, value in other.items()
        if isinstance(first.get(name), dict) and isinstance(value, dict) and depth < _DEEPEST
    }
    return {**other, **first, **more}


def request_example(media: RawSchema) -> RawSchema:
    """The first example of a body that is an object; empty without one."""
    return next((one for one in _examples_of(media) if isinstance(one, dict) and one), {})


def show_parameter(parameter: RawSchema, schema: RawSchema) -> None:
    """Give the translated schema of a parameter the example that stands beside it, where it has none and it is of its type."""
    stated = next((one for one in _examples_of(parameter) if one is not None), None)
    types = schema.get("type")
    accepted = {types} if isinstance(types, str) else {*(types or ())}
    if "number" in accepted:
        accepted.add("integer")
    if "examples" not in schema and (not accepted or type_of_value(stated) in accepted):
        set_example({"example": stated}, schema)


def _examples_of(stated: RawSchema) -> list[JsonValue]:
    """What a body or a parameter gives as examples, in its order. Swagger has none of a parameter, but tools write `x-example`."""
    named = as_object(stated.get("examples")).values()
    return [stated.get("example", stated.get("x-example")), *(as_object(one).get("value") for one in named)]


def with_shown(schema: RawSchema, example: JsonValue, known: AbstractSet[str], depth: int = 0) -> RawSchema:
    """A schema whose objects without properties have those of an example.

    Names that no schema of the document has are keys of a map. So are all names where the values are of one kind.

    Args:
        schema: As translated; what it refers to is left as it is.
        example: What the document gives as one.
        known: The names of properties in the document.
        depth: How many objects it stands in.
    """
    shown = as_object(example)
    if not shown or depth > _DEEPEST:
        return schema
    stated = schema.get("properties")
    if isinstance(stated, dict):
        inner = {
            name: with_shown(as_object(one), shown[name], known, depth + 1)
            if name in shown and isinstance(one, dict)
            else one
            for name, one in stated.items()
        }
        return {**schema, "properties": inner}
    names = [name for name in shown if name in known][:_MOST]
    if not _is_open(schema) or len({_kind_of(shown[name]) for name in names} - {"null"}) < _KINDS:
        return schema
    return {**schema, "properties": {name: _shape_of(shown[name], known) for name in names}}


def _kind_of(value: JsonValue) -> str:
    """The type of a value, whole numbers and others being one."""
    return type_of_value(value).replace("integer", "number")


def _is_open(schema: RawSchema) -> bool:
    """Whether a schema speaks of an object, and says nothing of what it holds."""
    extra = schema.get("additionalProperties", True)
    return (
        schema.get("type") in ("object", ["object"], ["object", "null"], ["null", "object"])
        and extra in (True, {})
        and not any(word in schema for word in (*COMPOSED, "$ref", "patternProperties"))
    )


def _shape_of(value: JsonValue, known: AbstractSet[str]) -> RawSchema:
    """The schema of a value of an example: an object only where it holds no others."""
    if isinstance(value, dict):
        is_flat = all(not isinstance(one, dict | list) for one in value.values())
        names = {name: _shape_of(one, known) for name, one in value.items() if is_flat and name in known}
        return {"type": "object", **({"properties": names} if names else {})}
    if isinstance(value, list):
        return {"type": "array", **({"items": _shape_of(value[0], known)} if value else {})}
    out: RawSchema = {} if value is None else {"type": type_of_value(value)}
    set_example({"example": value}, out)
    return out
