"""What an operation takes, as one JSON schema: path, query, header, cookie, then the body's properties."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from app.adapters.documents.structured_text import JsonValue
from app.domain.schemas.tool_schemas import REQUIRED_IN_BODY
from app.domain.schemas.walk import as_object, as_text, texts_in
from ingest.sources.openapi.dialects import RawSchema
from ingest.sources.openapi.references import Notes, References, preferred_media_type
from ingest.sources.openapi.schemas import ObjectView, SchemaPlace, Schemas
from ingest.sources.openapi.shown import request_example, show_parameter, with_shown

LOCATIONS = ("path", "query", "header", "cookie")
_UNSENT = {"accept", "content-type", "authorization"}
"""Header parameters that OpenAPI 3 says to ignore: media types and security schemes speak of them."""
_SCHEMA_KEYS = (
    "type", "format", "items", "enum", "default", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum",
    "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf",
)  # fmt: skip
"""Swagger 2.0 writes a parameter's schema into the parameter."""


@dataclass(frozen=True, slots=True)
class DeclaredParameter:
    """One parameter, its `$ref` followed."""

    name: str
    location: str
    """path, query, header, cookie, querystring, body or formData."""
    value: RawSchema
    base: str


@dataclass(frozen=True, slots=True)
class RequestBody:
    """A request's body."""

    schema: JsonValue
    base: str
    media_type: str
    required: bool
    description: str
    marks: Mapping[str, RawSchema]
    """By property: how it is written into a form, where the document says it."""
    example: RawSchema
    """What the document gives as one; empty where it gives none, or no object."""


class Parameters:
    """Reads what operations of one document take."""

    def __init__(
        self,
        references: References,
        schemas: Schemas,
        notes: Notes,
        *,
        is_swagger: bool,
        names: AbstractSet[str],
        examples: Mapping[str, RawSchema],
    ) -> None:
        """`names`: of the properties in the document; other names in an example are keys of a map. `examples`: of bodies, by
        the reference to their schema."""
        self._references = references
        self._schemas = schemas
        self._notes = notes
        self._is_swagger = is_swagger
        self._names = names
        self._examples = examples

    def input_schema(
        self, operation: RawSchema, item: RawSchema, place: SchemaPlace, *, path: str
    ) -> RawSchema:
        """The operation's input schema: each property has `x-in`, and `x-name` where it is sent by another
        name; `x-media-type` says how the body is sent, `x-body` which property is the body as a whole.
        `x-style`, `x-explode`, `x-collectionFormat` and `x-content-type` say how a value is written.
        """
        given = self._merged(item.get("parameters"), operation.get("parameters"), place)
        root: RawSchema = {"type": "object", "properties": {}}
        required: list[str] = []
        for location in (*LOCATIONS, "querystring"):
            for parameter in given:
                if parameter.location == location:
                    self._add_parameter(parameter, root, required, place)
            if location == "path":
                self._add_placeholders(path, given, root, required, place)
        body = self._body(operation, given, place)
        if body is not None:
            self._add_body(body, root, required, place)
        if required:
            root["required"] = required
        whole = self._schemas.self_contained(root)
        return self._with_shown(whole, body.example) if body is not None and body.example else whole

    def _with_shown(self, root: RawSchema, example: RawSchema) -> RawSchema:
        """The inputs, where the body leaves objects open with what the example of one shows."""
        properties = root["properties"]
        whole = root.get("x-body")
        shown = {whole: example} if whole else example
        found = {
            name: with_shown(stated, shown[name], self._names)
            for name, stated in properties.items()
            if stated.get("x-in") == "body" and name in shown
        }
        return {**root, "properties": {**properties, **found}}

    def _merged(self, shared: JsonValue, own: JsonValue, place: SchemaPlace) -> list[DeclaredParameter]:
        """The path's parameters and the operation's; the operation's override by name and location."""
        found: dict[tuple[str, str], DeclaredParameter] = {}
        for listed, whose in ((shared, "path parameters"), (own, "parameters")):
            if listed is not None and not isinstance(listed, list):
                self._notes.warn(place.label, f"{whose}: {listed!r:.60} is not a list; left out")
                continue
            seen: set[tuple[str, str]] = set()
            for index, item in enumerate(listed or []):
                parameter = self._parameter(item, SchemaPlace(place.base, f"{place.label}: {whose}[{index}]"))
                if parameter is None:
                    continue
                key = (parameter.name, parameter.location)
                if key in seen:
                    self._notes.warn(
                        place.label,
                        f"{parameter.location} parameter {parameter.name!r} comes twice; the first is kept",
                    )
                    continue
                seen.add(key)
                found[key] = parameter
        return list(found.values())

    def _parameter(self, item: JsonValue, place: SchemaPlace) -> DeclaredParameter | None:
        value, base = self._references.deref(item, base=place.base, place=place.label)
        if value is None and isinstance(item, dict):
            self._notes.warn(place.label, "the parameter cannot be read; left out")
            return None
        name, location = as_object(value).get("name"), as_object(value).get("in")
        accepted = (*LOCATIONS, "body", "formData") if self._is_swagger else (*LOCATIONS, "querystring")
        if not isinstance(name, str) or not name or location not in accepted:
            self._notes.warn(
                place.label,
                f"name {name!r:.60} in {location!r:.60}; left out; accepted: a name in {', '.join(accepted)}",
            )
            return None
        return DeclaredParameter(name, str(location), value, base)

    def _add_parameter(
        self, parameter: DeclaredParameter, root: RawSchema, required: list[str], place: SchemaPlace
    ) -> None:
        if parameter.location == "header" and parameter.name.lower() in _UNSENT and not self._is_swagger:
            return
        value = parameter.value
        stated, media_type = self._stated(value)
        inside = SchemaPlace(parameter.base, f"{place.label}: parameter {parameter.name!r}")
        schema = dict(as_object(self._schemas.translate(stated, inside)))
        if description := as_text(value.get("description")):
            schema["description"] = description
        if value.get("deprecated") is True:
            schema["deprecated"] = True
        show_parameter(value, schema)
        schema |= _marks(value, "style", "explode", "collectionFormat")
        if self._is_swagger and schema.get("type") == "array":
            schema.setdefault("x-collectionFormat", "csv")
        if media_type:
            schema["x-content-type"] = media_type
        key = parameter.name
        if key in root["properties"]:
            key = f"{parameter.location}_{parameter.name}"
            self._notes.warn(
                place.label,
                f"two parameters are called {parameter.name!r}; the one in {parameter.location} becomes {key!r}",
            )
            schema["x-name"] = parameter.name
        schema["x-in"] = parameter.location
        root["properties"][key] = schema
        if says_true(value.get("required")) or parameter.location == "path":
            required.append(key)

    def _add_placeholders(
        self,
        path: str,
        given: list[DeclaredParameter],
        root: RawSchema,
        required: list[str],
        place: SchemaPlace,
    ) -> None:
        """A call needs a value for every `{name}` in the path, whether a parameter describes it or not."""
        described = {parameter.name for parameter in given if parameter.location == "path"}
        wanted = dict.fromkeys(re.findall(r"\{[+#./;?&]?([^{}*]+)\*?\}", path))
        for name in wanted:
            if name not in described:
                self._notes.warn(place.label, f"no parameter describes {{{name}}} of the path; it takes text")
                root["properties"][name] = {"type": "string", "x-in": "path"}
                required.append(name)
        for name in described - set(wanted):
            self._notes.warn(place.label, f"the path has no {{{name}}} for the path parameter {name!r}")

    def _stated(self, value: RawSchema) -> tuple[JsonValue, str]:
        """The schema that a parameter states, and the media type that it stands below, if any."""
        content = value.get("content")
        if self._is_swagger:
            return {key: value[key] for key in _SCHEMA_KEYS if key in value}, ""
        if "schema" in value or not isinstance(content, dict) or not content:
            return value.get("schema"), ""
        media_type, media = next(iter(content.items()))
        return as_object(media).get("schema"), str(media_type)

    def _body(
        self, operation: RawSchema, given: list[DeclaredParameter], place: SchemaPlace
    ) -> RequestBody | None:
        if self._is_swagger:
            return self._swagger_body(operation, given, place)
        if "requestBody" not in operation:
            return None
        label = f"{place.label}: requestBody"
        value, base = self._references.deref(operation["requestBody"], base=place.base, place=label)
        if not isinstance(value, dict):
            self._notes.warn(label, "cannot be read; left out")
            return None
        media_type, media, base = self._references.media(value.get("content"), base=base, place=label)
        if not media_type:
            self._notes.warn(label, "has no content; it is read as anything")
        schema = media.get("schema", media.get("itemSchema"))
        if schema is None and not media_type.endswith("json"):
            schema = {"type": "string", "format": "binary"}
        return RequestBody(
            schema=schema,
            base=base,
            media_type=media_type,
            required=says_true(value.get("required")),
            description=as_text(value.get("description")),
            marks=_encoding_marks(media.get("encoding")),
            example=self._examples.get(str(as_object(schema).get("$ref")), {}) or request_example(media),
        )

    def _swagger_body(
        self, operation: RawSchema, given: list[DeclaredParameter], place: SchemaPlace
    ) -> RequestBody | None:
        media_types: dict[str, RawSchema] = {item: {} for item in texts_in(operation.get("consumes"))}
        bodies = [parameter for parameter in given if parameter.location == "body"]
        fields = [parameter for parameter in given if parameter.location == "formData"]
        if len(bodies) + bool(fields) > 1:
            self._notes.warn(place.label, "has more than one body; the last is kept")
        whole = bodies[-1] if bodies else None
        if whole is not None:
            return RequestBody(
                schema=whole.value.get("schema"),
                base=whole.base,
                media_type=preferred_media_type(media_types) or "application/json",
                required=says_true(whole.value.get("required")),
                description=as_text(whole.value.get("description")),
                marks={},
                example={},
            )
        if not fields:
            return None
        has_file = any(parameter.value.get("type") == "file" for parameter in fields)
        schema = {
            "type": "object",
            "properties": {
                parameter.name: {
                    key: parameter.value[key]
                    for key in (*_SCHEMA_KEYS, "description")
                    if key in parameter.value
                }
                for parameter in fields
            },
            "required": [
                parameter.name for parameter in fields if says_true(parameter.value.get("required"))
            ],
        }
        media_type = (
            "multipart/form-data"
            if has_file or "multipart/form-data" in media_types
            else "application/x-www-form-urlencoded"
        )
        marks = {
            parameter.name: {"x-collectionFormat": parameter.value.get("collectionFormat", "csv")}
            for parameter in fields
            if parameter.value.get("type") == "array"
        }
        return RequestBody(
            schema,
            fields[0].base,
            media_type,
            required=bool(schema["required"]),
            description="",
            marks=marks,
            example={},
        )

    def _add_body(self, body: RequestBody, root: RawSchema, required: list[str], place: SchemaPlace) -> None:
        inside = SchemaPlace(body.base, f"{place.label}: body")
        if body.media_type:
            root["x-media-type"] = body.media_type
        view = self._schemas.object_view(body.schema, inside)
        if view is not None and view.is_exact and not set(view.properties) & set(root["properties"]):
            self._add_properties(view, root, required, inside, is_required=body.required)
            for name in set(body.marks) & set(view.properties) & set(root["properties"]):
                root["properties"][name].update(body.marks[name])
            return
        key = "body" if "body" not in root["properties"] else "request_body"
        schema = dict(as_object(self._schemas.translate(body.schema, inside)))
        if body.description:
            schema.setdefault("description", body.description)
        root["properties"][key] = {**schema, "x-in": "body"}
        root["x-body"] = key
        if body.required:
            required.append(key)

    def _add_properties(
        self, view: ObjectView, root: RawSchema, required: list[str], place: SchemaPlace, *, is_required: bool
    ) -> None:
        for name, schemas in view.properties.items():
            if any(
                self._schemas.is_read_only(schema, SchemaPlace(base, place.label)) for schema, base in schemas
            ):
                continue
            translated = [
                self._schemas.translate(schema, SchemaPlace(base, place.label)) for schema, base in schemas
            ]
            different = [
                schema for index, schema in enumerate(translated) if schema not in translated[:index]
            ]
            whole = different[0] if len(different) == 1 else {"allOf": different}
            root["properties"][name] = {**as_object(whole), "x-in": "body"}
            if is_required and name in view.required:
                required.append(name)
            elif name in view.required:
                root["properties"][name][REQUIRED_IN_BODY] = True
        if is_required:
            root.update({word: value for word, value in view.rest.items() if word != "additionalProperties"})
        if view.rest.get("additionalProperties") is False:
            root["additionalProperties"] = False


def _marks(stated: RawSchema, *words: str) -> RawSchema:
    """What is said of how a value is written, for a call."""
    return {f"x-{word}": stated[word] for word in words if isinstance(stated.get(word), str | bool)}


def _encoding_marks(encoding: JsonValue) -> dict[str, RawSchema]:
    """What `encoding` says of a form's properties."""
    found: dict[str, RawSchema] = {}
    for name, stated in as_object(encoding).items():
        if isinstance(stated, dict):
            found[name] = _marks(stated, "style", "explode")
            if isinstance(stated.get("contentType"), str):
                found[name]["x-content-type"] = stated["contentType"]
    return found


def says_true(value: JsonValue) -> bool:
    """Whether a flag is set; some documents write it as a text."""
    return value is True or value == "true"
