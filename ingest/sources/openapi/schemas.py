"""Schemas of OpenAPI 2.0, 3.0 and later as JSON schema 2020-12 that stands alone."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.adapters.documents.structured_text import JsonValue
from app.domain.schemas.walk import COMPOSED, as_list, as_object, free_name, texts_in
from app.errors import InvalidInputError
from ingest.sources.openapi.dialects import RawSchema, is_sound, set_bounds, set_example, set_null, set_type
from ingest.sources.openapi.references import Notes, References, Target, definition_name

MAX_DEPTH = 60
MAX_VIEW_DEPTH = 4
MAX_MEMBERS = 30
"""How deep and how wide `allOf` is laid together; what goes beyond stays a schema of its own."""
MAX_NESTING = 150
MAX_INLINED = 10
"""Components written inside each other; beyond, they are definitions."""
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
_MANY = {*COMPOSED, "prefixItems"}
_NAMED = {"patternProperties", "dependentSchemas"}
_TEXTS = {"title", "description", "format", "pattern", "contentEncoding", "contentMediaType"}


@dataclass(frozen=True, slots=True)
class SchemaPlace:
    """Where a schema stands: the file that its references are relative to, and words for messages."""

    base: str
    label: str


@dataclass(frozen=True, slots=True)
class ObjectView:
    """An object schema with the members of its `allOf` laid together."""

    properties: Mapping[str, tuple[tuple[JsonValue, str], ...]]
    """By name: every schema that the property has, each with the file that holds it."""
    required: frozenset[str]
    rest: RawSchema
    """Keywords of the object that still hold once its properties stand elsewhere."""
    is_exact: bool
    """False when the object says more than its properties: alternatives, patterns, no properties at all."""


class Schemas:
    """Translates schemas of one document; components are translated once and shared as `$defs`."""

    def __init__(self, references: References, notes: Notes) -> None:
        self._references = references
        self._notes = notes
        self._names: dict[str, str] = {}
        self._bodies: dict[str, RawSchema] = {}
        self._uses: dict[str, Counter[str]] = {}
        self._taken: set[str] = set()
        self._waiting: list[tuple[str, Target, SchemaPlace]] = []

    def translate(self, schema: JsonValue, place: SchemaPlace, depth: int = 0) -> JsonValue:
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

    def self_contained(self, schema: RawSchema) -> RawSchema:
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
        whole: RawSchema = self._inline(schema, kept)
        if kept:
            whole["$defs"] = {name: self._inline(self._bodies[name], kept) for name in sorted(kept)}
        return whole

    def object_view(
        self, schema: JsonValue, place: SchemaPlace, depth: int = 0, seen: frozenset[str] = frozenset()
    ) -> ObjectView | None:
        """The object that a schema describes, or None when it describes no object.

        `seen` are the components around it: one that stands in itself adds nothing.
        """
        value, base = schema, place.base
        if isinstance(schema, dict) and "$ref" in schema:
            target = self._references.lookup(schema["$ref"], base=place.base, place=place.label)
            if target is None or target.key in seen:
                return None
            value, base, seen = target.value, target.base, seen | {target.key}
        if not isinstance(value, dict) or depth > MAX_VIEW_DEPTH:
            return None
        properties = value.get("properties")
        members = value.get("allOf")
        if value.get("type", "object") not in ("object", ["object"], ["object", "null"], ["null", "object"]):
            return None
        if not isinstance(properties, dict) and not isinstance(members, list) and "type" not in value:
            return None
        found: dict[str, tuple[tuple[JsonValue, str], ...]] = {}
        required: set[str] = set()
        rest: RawSchema = {}
        is_exact = True
        for member in _each_once(members):
            view = self.object_view(member, SchemaPlace(base, place.label), depth + 1, seen)
            if view is None:
                if not _only_annotations(member):
                    is_exact = False
                continue
            for name, schemas in view.properties.items():
                found[name] = (*found.get(name, ()), *schemas)
            required |= view.required
            rest |= view.rest
            is_exact = is_exact and (view.is_exact or not view.properties)
        for name, schema_ in as_object(properties).items():
            found[name] = (*found.get(name, ()), (schema_, base))
        required.update(texts_in(value.get("required")))
        for keyword in ("anyOf", "oneOf"):
            if value.get(keyword):
                if _only_required(value[keyword]):
                    rest[keyword] = [{"required": texts_in(item["required"])} for item in value[keyword]]
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

    def is_read_only(self, schema: JsonValue, place: SchemaPlace) -> bool:
        """Whether no request sends a property: it is `readOnly`, or the component is that it refers to."""
        if isinstance(schema, dict) and "readOnly" not in schema and "$ref" in schema:
            schema, _ = self._references.deref(schema, base=place.base, place=place.label)
        return isinstance(schema, dict) and schema.get("readOnly") is True

    def _reference(self, schema: RawSchema, place: SchemaPlace) -> RawSchema:
        target = self._references.lookup(schema["$ref"], base=place.base, place=place.label)
        siblings: RawSchema = {
            key: schema[key] for key in ("description", "default", "deprecated") if key in schema
        }
        if target is None:
            return self._plain(siblings, place, 0)
        name = self._define(target, place)
        reference: RawSchema = {"$ref": f"#/$defs/{name}", **self._plain(siblings, place, 0)}
        if schema.get("nullable") is True:
            return {"anyOf": [reference, {"type": "null"}]}
        return reference

    def _define(self, target: Target, place: SchemaPlace) -> str:
        if target.key in self._names:
            return self._names[target.key]
        name = free_name(definition_name(target.name or target.key.rsplit("/", 1)[-1]), self._taken)
        self._taken.add(name)
        self._names[target.key] = name
        self._waiting.append((name, target, place))
        return name

    def _translate_waiting(self) -> None:
        """Translate the components met so far, and those that they lead to; no recursion across components."""
        while self._waiting:
            name, target, place = self._waiting.pop()
            body = self.translate(target.value, SchemaPlace(target.base, place.label))
            if isinstance(body, bool):
                body = {} if body else {"not": {}}
            if target.name and "title" not in body and "$ref" not in body:
                body = {"title": target.name, **body}
            self._bodies[name] = body
            self._uses[name] = Counter(_definitions_in(body))

    def _plain(self, schema: RawSchema, place: SchemaPlace, depth: int) -> RawSchema:
        out: RawSchema = {}
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
            elif is_sound(key, value):
                out[key] = value
        out.pop("additionalItems", None)
        if isinstance(out.get("properties"), dict) and "required" in out:
            hidden = set(schema["properties"]) - set(out["properties"])
            out["required"] = [name for name in out["required"] if name not in hidden]
        if not out.get("required", True):
            del out["required"]
        if not set_type(schema, out):
            self._notes.warn(
                place.label,
                f"type {schema['type']!r:.60} is not a type of JSON schema; it is read as anything",
            )
        set_bounds(schema, out)
        set_null(schema, out)
        set_example(schema, out)
        return out

    def _properties(
        self, properties: RawSchema, place: SchemaPlace, depth: int
    ) -> Iterator[tuple[str, JsonValue]]:
        for name, schema in properties.items():
            if not self.is_read_only(schema, place):
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

    def _inline(self, value: JsonValue, kept: set[str], depth: int = 0) -> JsonValue:
        if depth > MAX_NESTING:
            raise InvalidInputError(f"its schemas nest deeper than {MAX_NESTING} levels")
        if isinstance(value, list):
            return [self._inline(item, kept, depth + 1) for item in value]
        if not isinstance(value, dict):
            return value
        name = _definition(value)
        if name is None or name in kept:
            return {key: self._inline(item, kept, depth + 1) for key, item in value.items()}
        siblings = {key: item for key, item in value.items() if key != "$ref"}
        return {**self._inline(self._bodies[name], kept, depth + 1), **siblings}


def _each_once(members: JsonValue) -> list[JsonValue]:
    """The members of `allOf`; one that is listed twice says nothing new."""
    found: list[JsonValue] = []
    for member in as_list(members)[:MAX_MEMBERS]:
        if member not in found:
            found.append(member)
    return found


def _definition(value: RawSchema) -> str | None:
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
