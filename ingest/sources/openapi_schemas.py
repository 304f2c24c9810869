"""Schemas of OpenAPI 2.0, 3.0 and later as JSON schema 2020-12 that stands alone."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ingest.sources.openapi_references import Notes, References, Target, definition_name
from ingest.sources.structured_text import JsonValue

Schema: TypeAlias = dict[str, Any]
MAX_DEPTH = 60
MAX_INLINED = 10
"""Components written inside each other; beyond, they are definitions."""
TYPES = {"string", "number", "integer", "boolean", "array", "object", "null"}
_ONE = {
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalProperties",
    "additionalItems",
}
_MANY = {"allOf", "anyOf", "oneOf", "prefixItems"}
_NAMED = {"patternProperties", "dependentSchemas"}
_NUMBERS = {"multipleOf", "maximum", "minimum"}
_COUNTS = {
    "maxLength",
    "minLength",
    "maxItems",
    "minItems",
    "maxProperties",
    "minProperties",
    "maxContains",
    "minContains",
}
_TEXTS = {"title", "description", "format", "pattern", "contentEncoding", "contentMediaType"}
_FLAGS = {"uniqueItems", "deprecated"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a schema stands: the file that its references are relative to, and words for messages."""

    base: str
    label: str


@dataclass(frozen=True, slots=True)
class ObjectView:
    """An object schema with the members of its `allOf` laid together."""

    properties: Mapping[str, tuple[tuple[JsonValue, str], ...]]
    """By name: every schema that the property has, each with the file that holds it."""
    required: frozenset[str]
    rest: Schema
    """Keywords of the object that still hold once its properties stand elsewhere."""
    is_exact: bool
    """False when the object says more than its properties: alternatives, patterns, no properties at all."""


class Schemas:
    """Translates schemas of one document; components are translated once and shared as `$defs`."""

    def __init__(self, references: References, notes: Notes) -> None:
        self._references = references
        self._notes = notes
        self._names: dict[str, str] = {}
        self._bodies: dict[str, Schema] = {}
        self._uses: dict[str, Counter[str]] = {}
        self._taken: set[str] = set()
        self._waiting: list[tuple[str, Target, Place]] = []

    def translate(self, schema: JsonValue, place: Place, depth: int = 0) -> JsonValue:
        """The schema with references to components as `#/$defs/NAME`; see `self_contained`."""
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            if schema is not None:
                self._notes.warn(place.label, f"a schema is {schema!r:.60}; it is read as anything")
            return {}
        if depth > MAX_DEPTH:
            self._notes.warn(
                place.label, f"a schema nests deeper than {MAX_DEPTH} levels; the rest is read as anything"
            )
            return {}
        if "$ref" in schema:
            return self._reference(schema, place)
        return self._plain(schema, place, depth)

    def self_contained(self, schema: Schema) -> Schema:
        """The translated schema with `$defs` for what is used more than once or contains itself; the rest
        is written in place.
        """
        self._translate_waiting()
        uses = Counter(_definitions_in(schema))
        distance = dict.fromkeys(uses, 1)
        level = list(uses)
        while level:
            found: dict[str, None] = {}
            for name in level:
                uses.update(self._uses[name])
                found |= dict.fromkeys(inner for inner in self._uses[name] if inner not in distance)
            level = list(found)
            distance |= dict.fromkeys(level, max(distance.values()) + 1)
        kept = {
            name
            for name, steps in distance.items()
            if uses[name] > 1 or steps % MAX_INLINED == 0 or self._contains_itself(name)
        }
        whole: Schema = self._inline(schema, kept)
        if kept:
            whole["$defs"] = {name: self._inline(self._bodies[name], kept) for name in sorted(kept)}
        return whole

    def object_view(self, schema: JsonValue, place: Place, depth: int = 0) -> ObjectView | None:
        """The object that a schema describes, or None when it describes no object."""
        value, base = self._references.deref(schema, base=place.base, place=place.label)
        if not isinstance(value, dict) or depth > 10:
            return None
        properties = value.get("properties")
        members = value.get("allOf")
        if value.get("type", "object") not in ("object", ["object"], ["object", "null"], ["null", "object"]):
            return None
        if not isinstance(properties, dict) and not isinstance(members, list) and "type" not in value:
            return None
        found: dict[str, tuple[tuple[JsonValue, str], ...]] = {}
        required: set[str] = set()
        rest: Schema = {}
        is_exact = True
        for member in members if isinstance(members, list) else ():
            view = self.object_view(member, Place(base, place.label), depth + 1)
            if view is None:
                if not _only_annotations(member):
                    is_exact = False
                continue
            for name, schemas in view.properties.items():
                found[name] = (*found.get(name, ()), *schemas)
            required |= view.required
            rest |= view.rest
            is_exact = is_exact and (view.is_exact or not view.properties)
        for name, schema_ in (properties if isinstance(properties, dict) else {}).items():
            found[name] = (*found.get(name, ()), (schema_, base))
        required.update(_texts(value.get("required")))
        for keyword in ("anyOf", "oneOf"):
            if value.get(keyword):
                if _only_required(value[keyword]):
                    rest[keyword] = [{"required": _texts(item["required"])} for item in value[keyword]]
                else:
                    is_exact = False
        if any(word in value for word in ("not", "if", "patternProperties", "$dynamicRef")):
            is_exact = False
        extra = value.get("additionalProperties")
        if extra is False:
            rest["additionalProperties"] = False
        elif isinstance(extra, dict) and extra:
            is_exact = False
        return ObjectView(found, frozenset(required), rest, is_exact and bool(found))

    def _reference(self, schema: Schema, place: Place) -> Schema:
        target = self._references.lookup(schema["$ref"], base=place.base, place=place.label)
        siblings: Schema = {
            key: schema[key] for key in ("description", "default", "deprecated") if key in schema
        }
        if target is None:
            return self._plain(siblings, place, 0)
        name = self._define(target, place)
        reference: Schema = {"$ref": f"#/$defs/{name}", **self._plain(siblings, place, 0)}
        if schema.get("nullable") is True:
            return {"anyOf": [reference, {"type": "null"}]}
        return reference

    def _define(self, target: Target, place: Place) -> str:
        if target.key in self._names:
            return self._names[target.key]
        plain = name = definition_name(target.name or target.key.rsplit("/", 1)[-1])
        number = 1
        while name in self._taken:
            number += 1
            name = f"{plain}_{number}"
        self._taken.add(name)
        self._names[target.key] = name
        self._waiting.append((name, target, place))
        return name

    def _translate_waiting(self) -> None:
        """Translate the components met so far, and those that they lead to; no recursion across components."""
        while self._waiting:
            name, target, place = self._waiting.pop()
            body = self.translate(target.value, Place(target.base, place.label))
            if isinstance(body, bool):
                body = {} if body else {"not": {}}
            if target.name and "title" not in body and "$ref" not in body:
                body = {"title": target.name, **body}
            self._bodies[name] = body
            self._uses[name] = Counter(_definitions_in(body))

    def _plain(self, schema: Schema, place: Place, depth: int) -> Schema:
        out: Schema = {}
        for key, value in schema.items():
            if key in _TEXTS:
                if isinstance(value, str):
                    out[key] = value
            elif key in _ONE or (key == "items" and not isinstance(value, list)):
                out[key] = self.translate(value, place, depth + 1)
            elif key in _MANY or key == "items":
                if isinstance(value, list) and value:
                    word = "prefixItems" if key == "items" else key
                    out[word] = [self.translate(item, place, depth + 1) for item in value]
            elif key in _NAMED and isinstance(value, dict):
                out[key] = {name: self.translate(item, place, depth + 1) for name, item in value.items()}
            elif key == "properties" and isinstance(value, dict):
                out[key] = dict(self._properties(value, place, depth))
            elif _is_sound(key, value):
                out[key] = value
        out.pop("additionalItems", None)
        if isinstance(out.get("properties"), dict) and "required" in out:
            hidden = set(schema["properties"]) - set(out["properties"])
            out["required"] = [name for name in out["required"] if name not in hidden]
        if not out.get("required", True):
            del out["required"]
        _set_type(schema, out, self._notes, place)
        _set_bounds(schema, out)
        _set_null(schema, out)
        _set_example(schema, out)
        return out

    def _properties(self, properties: Schema, place: Place, depth: int) -> Iterator[tuple[str, JsonValue]]:
        for name, schema in properties.items():
            if isinstance(schema, dict) and schema.get("readOnly") is True:
                continue
            yield name, self.translate(schema, place, depth + 1)

    def _contains_itself(self, name: str) -> bool:
        seen: set[str] = set()
        waiting = list(self._uses[name])
        while waiting:
            inner = waiting.pop()
            if inner == name:
                return True
            if inner not in seen:
                seen.add(inner)
                waiting.extend(self._uses[inner])
        return False

    def _inline(self, value: JsonValue, kept: set[str]) -> JsonValue:
        if isinstance(value, list):
            return [self._inline(item, kept) for item in value]
        if not isinstance(value, dict):
            return value
        name = _definition(value)
        if name is None or name in kept:
            return {key: self._inline(item, kept) for key, item in value.items()}
        siblings = {key: item for key, item in value.items() if key != "$ref"}
        return {**self._inline(self._bodies[name], kept), **siblings}


def _definition(value: Schema) -> str | None:
    ref = value.get("$ref")
    return ref[8:] if isinstance(ref, str) and ref.startswith("#/$defs/") else None


def _definitions_in(value: JsonValue) -> Iterator[str]:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            name = _definition(item)
            if name is not None:
                yield name
            waiting.extend(item.values())


def _is_sound(key: str, value: JsonValue) -> bool:
    """Whether a keyword is one that is copied and its value is one that JSON schema allows."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if key in _NUMBERS or key in ("exclusiveMaximum", "exclusiveMinimum"):
        return number and (key != "multipleOf" or value > 0)
    if key in _COUNTS:
        return number and value >= 0 and float(value).is_integer()
    if key in _FLAGS:
        return isinstance(value, bool)
    if key == "enum":
        return isinstance(value, list) and bool(value)
    if key == "required":
        return isinstance(value, list) and all(isinstance(name, str) for name in value)
    return key in ("default", "const", "x-in")


def _set_type(schema: Schema, out: Schema, notes: Notes, place: Place) -> None:
    stated = schema.get("type")
    if stated is None:
        return
    if stated == "file":
        out["type"] = "string"
        out["format"] = "binary"
        return
    names = stated if isinstance(stated, list) else [stated]
    plain = [_SPOKEN.get(name, name) if isinstance(name, str) else name for name in names]
    known = [name for name in plain if isinstance(name, str) and name in TYPES]
    if len(known) < len(names) or not known:
        notes.warn(place.label, f"type {stated!r:.60} is none of JSON schema's; it is read as anything")
    elif isinstance(stated, list):
        out["type"] = list(dict.fromkeys(known))
    else:
        out["type"] = known[0]


_SPOKEN = {"int": "integer", "long": "integer", "float": "number", "double": "number", "bool": "boolean"}
"""Types that documents write though JSON schema has another word."""


def _set_bounds(schema: Schema, out: Schema) -> None:
    """Before 3.1 `exclusiveMinimum: true` says how `minimum` is meant."""
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if schema.get(exclusive) is True and bound in out:
            out[exclusive] = out.pop(bound)


def _set_null(schema: Schema, out: Schema) -> None:
    if schema.get("nullable") is not True and schema.get("x-nullable") is not True:
        return
    if isinstance(out.get("type"), str):
        out["type"] = [out["type"], "null"]
    elif "type" not in out and any(word in out for word in ("allOf", "anyOf", "oneOf")):
        inner = dict(out)
        out.clear()
        out["anyOf"] = [inner, {"type": "null"}]
    if "enum" in out and None not in out["enum"]:
        out["enum"] = [*out["enum"], None]


def _set_example(schema: Schema, out: Schema) -> None:
    """One short example says more than a pattern; long ones are data of their own."""
    example = schema.get("example")
    if isinstance(example, str | int | float) and not isinstance(example, bool) and len(str(example)) <= 80:
        out["examples"] = [example]


def _texts(value: JsonValue) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _only_required(members: JsonValue) -> bool:
    return (
        isinstance(members, list)
        and bool(members)
        and all(
            isinstance(member, dict)
            and set(member) <= {"required", "title", "description"}
            and "required" in member
            for member in members
        )
    )


def _only_annotations(member: JsonValue) -> bool:
    return isinstance(member, dict) and set(member) <= {
        "title",
        "description",
        "example",
        "examples",
        "xml",
        "externalDocs",
        "required",
    }
