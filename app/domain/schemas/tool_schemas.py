"""Inputs and outputs of a tool, read from its JSON schemas: flat, bounded, with their place in the schema."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.nodes.models import Tool
from app.domain.schemas.walk import (
    MAX_DEPTH,
    Schema,
    as_list,
    as_object,
    as_text,
    followed,
    json_pointer,
    members,
    parsed_schema,
    pointer_segments,
    texts_in,
)

MAX_FIELDS = 600
MAX_ENUM = 100
MAX_EXAMPLES = 5
MAX_EXAMPLE_CHARS = 200
_INPUT_DEPTH = 2
_REQUIRED_DEPTH = 3
"""The same for what has to be there: envelopes put an amount at `data/payment/amount/value`."""
_SCALARS = ("string", "integer", "number", "boolean")
REQUIRED_IN_BODY = "x-required-in-body"
"""Mark of a property that has to be there when the body is sent, where the document lets the body be left out.

Most documents do not say that a body is required, and mean it: such an input counts as required.
"""
_FORMATS = {"datetime": "date-time", "guid": "uuid", "email": "email"}
"""Ways in which documents write formats, without marks -> as JSON Schema does (Validation, section 7.3)."""
ITEM = "*"
"""Segment of a pointer that stands for any item of a list, or any value of a map."""


@dataclass(frozen=True, slots=True)
class Input:
    """One value that a call takes."""

    name: str
    pointer: tuple[str, ...]
    """Where it stands in the input schema; one segment for a property of the top level."""
    location: str
    """path, query, header, cookie or body; `body` where the schema does not say."""
    required: bool
    type: str
    """JSON schema type; empty when not known."""
    has_enum: bool
    format: str
    """As JSON Schema writes it, where documents write it otherwise (`dateTime`)."""
    description: str
    is_list: bool
    is_container: bool
    """Its parts are inputs of their own, where they are not too deep; it is `required` when it has to be there."""
    has_default: bool
    enum: tuple[str | int | float | bool, ...] = ()
    """Scalars that are accepted, of a list those of its items, at most `MAX_ENUM`."""
    examples: tuple[str, ...] = ()
    """Scalar examples that the document gives, as texts."""
    pattern: str = ""
    item_type: str = ""
    """Of a list: the type of its items."""

    @property
    def parameter(self) -> str:
        """The name that edges and bindings use: the property's, or a JSON pointer when it is nested."""
        return self.name if len(self.pointer) == 1 else json_pointer(self.pointer)


@dataclass(frozen=True, slots=True)
class Output:
    """One scalar that an answer holds."""

    name: str
    """Name of the nearest property; empty for a bare item of a top-level list."""
    pointer: tuple[str, ...]
    owner: str
    """Title of the object schema that has it; empty when it has none."""
    type: str
    enum: tuple[str | int | float | bool, ...] = ()
    """Scalars that it may be, at most `MAX_ENUM`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call gives back."""

    fields: tuple[Output, ...]
    title: str
    """Title of the answer's schema, or of its items."""
    is_list: bool


def inputs_of(tool: Tool) -> tuple[Input, ...]:
    """The inputs of a tool, parts of nested bodies included down to two levels, in the order of the schema."""
    root = parsed_schema(tool.input_schema)
    required = set(texts_in(root.get("required")))
    return tuple(
        item
        for name, schema in _properties(root, root, 0)[0].items()
        for item in _inputs(
            root,
            schema,
            (name,),
            location=as_text(schema.get("x-in")) or "body",
            required=name in required or schema.get(REQUIRED_IN_BODY) is True,
        )
    )


def answer_of(tool: Tool) -> Answer:
    """The scalars of a tool's answer, shallow ones first kept when there are more than `MAX_FIELDS`."""
    root = parsed_schema(tool.output_schema)
    fields = [field for field, _ in zip(_outputs(root, root, "", (), 0), range(4 * MAX_FIELDS), strict=False)]
    if len(fields) > MAX_FIELDS:
        fields = sorted(fields, key=lambda field: len(field.pointer))[:MAX_FIELDS]
    items = _items(root, root, 0)
    title = _title(root) or (_title(followed(root, items)) if items is not None else "")
    return Answer(tuple(fields), title, items is not None)


def answer_has(tool: Tool, pointer: str) -> bool:
    """Whether a tool's answer may hold something at a JSON pointer, in which `*` is any item of a list.

    True where the schema does not say what is there.
    """
    root = parsed_schema(tool.output_schema)
    schema: Schema = root
    for key in pointer_segments(pointer):
        schema = followed(root, schema)
        items = _items(root, schema, 0)
        if items is not None:
            if key != ITEM and not key.isdigit():
                return False
            schema = items
            continue
        properties = _properties(root, schema, 0)[0]
        if key in properties:
            schema = properties[key]
            continue
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            schema = values
        else:
            return not properties and type_of(schema) in ("", "object") and values is not False
    return True


def _title(schema: Schema) -> str:
    title = schema.get("title")
    if isinstance(title, str):
        return title
    return next((found for _, part in members(schema, ("allOf",)) if (found := _title(part))), "")


def type_of(schema: Schema) -> str:
    """The type of a schema, null left out; empty when it names none."""
    named = schema.get("type")
    if isinstance(named, list):
        named = next((name for name in named if name != "null"), None)
    return as_text(named)


_MOST_PARTS = 4
"""Parts of a scalar, and how deep they are composed themselves; where a schema contains itself there is no end."""


def _laid_together(root: Schema, schema: Schema, depth: int = 0) -> Schema:
    """What a schema says with all that it is composed of, where that is one scalar: `{"allOf": [{"$ref": "#/.../Format"}]}`.

    Documents write so what they say beside a reference, and as alternatives of it and null what may be left out.
    """
    said = {key: value for key, value in schema.items() if key != "$ref"} if "$ref" in schema else {}
    schema = {**followed(root, schema), **said}
    alternatives = [part for _, part in members(schema, ("oneOf", "anyOf")) if part.get("type") != "null"]
    parts = [part for _, part in members(schema, ("allOf",))]
    parts += alternatives if len(alternatives) == 1 else []
    if not 0 < len(parts) <= _MOST_PARTS or "enum" in schema or depth > _MOST_PARTS:
        return schema
    found: dict[str, object] = {}
    for part in parts:
        laid = _laid_together(root, part, depth + 1)
        if type_of(laid) not in _SCALARS:
            return schema
        found.update(laid)
    return {**found, **schema}


def _properties(root: Schema, schema: Schema, depth: int) -> tuple[dict[str, Schema], set[str]]:
    """Properties of an object schema and of its members, and the required ones. Later members override."""
    schema = followed(root, schema)
    found: dict[str, Schema] = {}
    required: set[str] = set()
    if depth > MAX_DEPTH:
        return found, required
    for _, part in members(schema, ("allOf",)):
        properties, needed = _properties(root, part, depth + 1)
        found.update(properties)
        required |= needed
    for _, part in members(schema, ("oneOf", "anyOf")):
        for name, property_schema in _properties(root, part, depth + 1)[0].items():
            found.setdefault(name, property_schema)
    own = schema.get("properties")
    if isinstance(own, dict):
        found.update({name: value for name, value in own.items() if isinstance(value, dict)})
    return found, required | set(texts_in(schema.get("required")))


def _items(root: Schema, schema: Schema, depth: int) -> Schema | None:
    """The schema of a list's items; None when it is no list."""
    schema = followed(root, schema)
    if type_of(schema) == "array" or "items" in schema:
        return as_object(schema.get("items"))
    if depth > MAX_DEPTH:
        return None
    return next(
        (items for _, part in members(schema) if (items := _items(root, part, depth + 1)) is not None), None
    )


def _outputs(root: Schema, schema: Schema, name: str, at: tuple[str, ...], depth: int) -> Iterator[Output]:
    schema = followed(root, schema)
    if depth > MAX_DEPTH:
        return
    items = _items(root, schema, 0)
    if items is not None:
        item = _laid_together(root, items)
        if _is_leaf(root, item):
            yield Output(
                name, (*at, ITEM), _title(schema), type_of(item), _scalars(item.get("enum"))[:MAX_ENUM]
            )
        else:
            yield from _outputs(root, items, name, (*at, ITEM), depth + 1)
        return
    owner = _title(schema)
    properties = _properties(root, schema, 0)[0]
    nested: list[tuple[str, Schema]] = []
    for key, value in properties.items():
        value = _laid_together(root, value)
        if _is_leaf(root, value):
            yield Output(key, (*at, key), owner, type_of(value), _scalars(value.get("enum"))[:MAX_ENUM])
        else:
            nested.append((key, value))
    for key, value in nested:
        # A field that is either an id or, expanded, the object itself.
        if any(type_of(followed(root, part)) == "string" for _, part in members(value, ("oneOf", "anyOf"))):
            yield Output(key, (*at, key), owner, "string")
        yield from _outputs(root, value, key, (*at, key), depth + 1)
    values = schema.get("additionalProperties")
    if not properties and isinstance(values, dict) and values:
        yield from _outputs(root, values, name, (*at, ITEM), depth + 1)


def _is_leaf(root: Schema, schema: Schema) -> bool:
    if type_of(schema) in _SCALARS and "properties" not in schema:
        return True
    return type_of(schema) not in ("array", "object") and not (
        _properties(root, schema, 0)[0]
        or _items(root, schema, 0) is not None
        or schema.get("additionalProperties")
    )


def _inputs(
    root: Schema, schema: Schema, pointer: tuple[str, ...], *, location: str, required: bool
) -> Iterator[Input]:
    """The parts of an input that are inputs of their own, then the input itself."""
    schema = _laid_together(root, schema)
    if schema.get("readOnly"):
        return
    items = _items(root, schema, 0)
    inner = schema if items is None else _laid_together(root, items)
    parts, needed = _properties(root, inner, 0) if location == "body" else ({}, set())
    depth = sum(segment != ITEM for segment in pointer[:-1])
    if parts and depth < (_REQUIRED_DEPTH if required else _INPUT_DEPTH):
        ids = [part for part in parts if part.lower().endswith(("id", "ids", "uri", "uuid", "key", "sid"))]
        if required and items is not None and len(parts) <= 2 and len(ids) == 1:
            needed = needed | set(ids)
        above = pointer if items is None else (*pointer, ITEM)
        for part, part_schema in parts.items():
            yield from _inputs(
                root, part_schema, (*above, part), location=location, required=required and part in needed
            )
    yield Input(
        name=pointer[-1],
        pointer=pointer,
        location=location,
        required=required,
        type=type_of(schema) or ("object" if parts else ""),
        has_enum=bool(_allowed(schema) or _allowed(inner)),
        format=_format_of(schema),
        description=as_text(schema.get("description")) or _said_by_title(schema),
        is_list=items is not None,
        is_container=bool(parts),
        has_default="default" in schema,
        enum=_scalars(_allowed(schema) or _allowed(inner))[:MAX_ENUM],
        examples=_examples(schema, inner),
        pattern=as_text(schema.get("pattern")) or as_text(inner.get("pattern")),
        item_type=type_of(inner) or ("object" if parts else "") if items is not None else "",
    )


def _said_by_title(schema: Schema) -> str:
    """The title of an input that has no description, where it is prose: `Memory (MB)`, and no name of a type."""
    title = as_text(schema.get("title"))
    return title if " " in title else ""


def _format_of(schema: Schema) -> str:
    stated = str(schema.get("format") or "")
    return _FORMATS.get(stated.lower().replace("-", "").replace("_", ""), stated)


def _allowed(schema: Schema) -> Sequence[object]:
    """The values that a schema lists; `const` allows one (JSON Schema 2020-12 validation, section 6.1.3)."""
    return as_list(schema.get("enum")) or ([schema["const"]] if "const" in schema else [])


def _scalars(value: object) -> tuple[str | int | float | bool, ...]:
    return tuple(item for item in as_list(value) if isinstance(item, str | int | float | bool))


def _examples(*schemas: Schema) -> tuple[str, ...]:
    """What a document gives as examples, of a list those of its items."""
    found: dict[str, None] = {}
    for schema in schemas:
        for one in (schema.get("example"), *as_list(schema.get("examples"))):
            for item in one if isinstance(one, list) else [one]:
                if isinstance(item, str | int | float) and not isinstance(item, bool):
                    found.setdefault(str(item)[:MAX_EXAMPLE_CHARS])
    return tuple(found)[:MAX_EXAMPLES]
