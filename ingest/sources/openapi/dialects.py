"""Where OpenAPI 2.0 and 3.0 say in their own words what JSON schema 2020-12 says otherwise."""

from typing import Any, TypeAlias

from app.adapters.documents.structured_text import JsonValue
from app.domain.schemas.walk import COMPOSED

RawSchema: TypeAlias = dict[str, Any]
TYPES = {"string", "number", "integer", "boolean", "array", "object", "null"}
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
_FLAGS = {"uniqueItems", "deprecated"}
_SPOKEN = {"int": "integer", "long": "integer", "float": "number", "double": "number", "bool": "boolean"}
"""Types that documents write though JSON schema has another word."""


def is_sound(key: str, value: JsonValue) -> bool:
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


def set_type(schema: RawSchema, out: RawSchema) -> bool:
    """Write the type; false when what is stated is no type, so that nothing is written."""
    stated = schema.get("type")
    if stated is None:
        return True
    if stated == "file":
        out["type"] = "string"
        out["format"] = "binary"
        return True
    names = stated if isinstance(stated, list) else [stated]
    plain = [_SPOKEN.get(name, name) if isinstance(name, str) else name for name in names]
    known = [name for name in plain if isinstance(name, str) and name in TYPES]
    if len(known) < len(names) or not known:
        return False
    out["type"] = list(dict.fromkeys(known)) if isinstance(stated, list) else known[0]
    return True


def set_bounds(schema: RawSchema, out: RawSchema) -> None:
    """Before 3.1 `exclusiveMinimum: true` says how `minimum` is meant."""
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if schema.get(exclusive) is True and bound in out:
            out[exclusive] = out.pop(bound)


def set_null(schema: RawSchema, out: RawSchema) -> None:
    """`nullable: true`, and `x-nullable` of Swagger 2.0, as one more type."""
    if schema.get("nullable") is not True and schema.get("x-nullable") is not True:
        return
    if isinstance(out.get("type"), str):
        out["type"] = [out["type"], "null"]
    elif "type" not in out and any(word in out for word in COMPOSED):
        inner = dict(out)
        out.clear()
        out["anyOf"] = [inner, {"type": "null"}]
    if "enum" in out and None not in out["enum"]:
        out["enum"] = [*out["enum"], None]


def set_example(schema: RawSchema, out: RawSchema) -> None:
    """One short example says more than a pattern; long ones are data of their own."""
    example = schema.get("example")
    if isinstance(example, str | int | float) and not isinstance(example, bool) and len(str(example)) <= 80:
        out["examples"] = [example]
