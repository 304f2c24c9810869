"""What a change of a JSON schema breaks.

One question, asked both ways: is every value of the schema `wide` still one of the schema `narrow`? For what a tool
takes, `wide` is the schema before and `narrow` the one after: what was accepted must be accepted. For what it gives,
the other way round: what comes now must be what was promised. Where that cannot be shown, the change counts as
breaking. Beyond validation, a parameter that is gone breaks a caller who gives it, and a field that is gone one who
reads it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from app.domain.schemas.walk import NAMED, BoundedSchema, Schema, as_object, followed, parsed_schema, texts_in

FoundChange: TypeAlias = tuple[str, str]
"""Place and reason."""

_MAX_DEPTH = 12
_MAX_BRANCHES = 16
_MAX_VISITS = 200_000
"""Parts of a schema that are compared: a second. Schemas that refer to themselves are compared 12 levels deep."""
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_OPAQUE = (
    *("pattern", "multipleOf", "uniqueItems", "not", "if", "then", "else", "prefixItems", "contains"),
    *("patternProperties", "propertyNames", "dependentRequired", "dependentSchemas"),
)
"""Keywords that are only compared for being the same."""
_TEXTS = {"title", "description", "examples", "example", "$comment", "deprecated"}


def broken_inputs(before: str, after: str) -> list[str]:
    """Why a call that was right before may be wrong now, each with its place; schemas as JSON text, empty: anything."""
    return _texts(_Comparison(_root(before), _root(after), is_answer=False))


def broken_answers(before: str, after: str) -> list[str]:
    """Why an answer may not be what was promised before, each with its place."""
    if before and not after:
        return ["the answer is no longer described"]
    return _texts(_Comparison(_root(after), _root(before), is_answer=True)) if before else []


def same_but_for_texts(before: str, after: str) -> bool:
    """Whether two schemas differ in titles, descriptions and examples only."""
    return bool(_bare(parsed_schema(before)) == _bare(parsed_schema(after)))


def _texts(comparison: "_Comparison") -> list[str]:
    found = list(comparison.narrowed(comparison.wide, comparison.narrow, "", 0))
    if comparison.wide.is_exhausted or comparison.narrow.is_exhausted:
        found.append(
            ("", f"has more than {_MAX_VISITS:,} parts: whether that breaks a caller cannot be determined")
        )
    return list(dict.fromkeys(f"{place}: {reason}" if place else reason for place, reason in found))


def _root(text: str) -> BoundedSchema:
    return BoundedSchema({"type": "object", **parsed_schema(text)}, max_visits=_MAX_VISITS)


def _bare(value: Any, *, is_names: bool = False) -> Any:
    if isinstance(value, dict):
        return {
            key: _bare(child, is_names=key in NAMED and not is_names)
            for key, child in value.items()
            if is_names or key not in _TEXTS
        }
    return [_bare(child) for child in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Two whole schemas, whose parts are compared."""

    wide: BoundedSchema
    narrow: BoundedSchema
    is_answer: bool

    def narrowed(self, wide: Any, narrow: Any, place: str, depth: int) -> Iterator[FoundChange]:
        """Why a value of `wide` may be none of `narrow`."""
        if narrow is True or narrow == {} or depth > _MAX_DEPTH or not self.wide.visit():
            return
        ways, others = _branches(self.wide, wide), _branches(self.narrow, narrow)
        if len(ways) == len(others) == 1:
            yield from self._simple(ways[0], others[0], place, depth)
            return
        for way in ways:
            if not any(not list(self._simple(way, other, place, depth)) for other in others):
                yield place, f"{'may be' if self.is_answer else 'is no longer accepted:'} {_shown(way)}"

    def _simple(self, wide: Schema, narrow: Schema, place: str, depth: int) -> Iterator[FoundChange]:
        """The same for schemas without alternatives."""
        yield from self._types(wide, narrow, place)
        yield from self._values(wide, narrow, place)
        yield from self._bounds(wide, narrow, place)
        yield from self._properties(wide, narrow, place, depth)
        wide_items, narrow_items = wide.get("items"), narrow.get("items")
        if narrow_items not in (None, True) and (wide_items is not None or "array" in _types_of(wide)):
            yield from self.narrowed(wide_items or {}, narrow_items, f"{place}[]", depth + 1)

    def _types(self, wide: Schema, narrow: Schema, place: str) -> Iterator[FoundChange]:
        known, wanted = _types_of(wide), _types_of(narrow)
        if not wanted:
            return
        if "number" in wanted:
            wanted = wanted | {"integer"}
        if not known or known - wanted:
            before, after = _either(known) or "any type", _either(_types_of(narrow))
            if self.is_answer:
                before, after = after, before
            yield place, f"type {before} is now {after}"

    def _values(self, wide: Schema, narrow: Schema, place: str) -> Iterator[FoundChange]:
        wanted = _enum(narrow)
        if wanted is None:
            return
        known = _enum(wide)
        if known is None:
            yield place, "may be any value now" if self.is_answer else "only some values are accepted now"
        elif missing := [value for value in known if value not in wanted]:
            what = "new value" if self.is_answer else "value no longer accepted:"
            yield place, f"{what} {', '.join(missing[:5])}"

    def _bounds(self, wide: Schema, narrow: Schema, place: str) -> Iterator[FoundChange]:
        for key in (*_LOWER, *_UPPER):
            known, wanted = wide.get(key), narrow.get(key)
            if not isinstance(wanted, (int, float)):
                continue
            sign = 1 if key in _LOWER else -1
            if not isinstance(known, (int, float)) or sign * known < sign * wanted:
                yield place, self._change(key, known, wanted)
        for key in _OPAQUE:
            if key in narrow and narrow[key] not in (False, None) and wide.get(key) != narrow[key]:
                yield place, self._change(key, wide.get(key), narrow[key])

    def _change(self, key: str, wide: object, narrow: object) -> str:
        before, after = (narrow, wide) if self.is_answer else (wide, narrow)
        was = "was not there" if before is None else f"was {_shown(before)}"
        return f"{key} {was}, {'is gone' if after is None else f'is {_shown(after)} now'}"

    def _properties(self, wide: Schema, narrow: Schema, place: str, depth: int) -> Iterator[FoundChange]:
        known, wanted = as_object(wide.get("properties")), as_object(narrow.get("properties"))
        there = f"{place}." if place else ""
        for name, schema in known.items():
            if name in wanted:
                yield from self.narrowed(schema, wanted[name], f"{there}{name}", depth + 1)
            elif not self.is_answer:
                yield f"{there}{name}", "is gone"
        if self.is_answer:
            for name in sorted(wanted.keys() - known.keys()):
                yield f"{there}{name}", "is gone"
        optional = _names(narrow) - _names(wide)
        for name in sorted(optional if not self.is_answer else optional & known.keys()):
            yield f"{there}{name}", "may be missing now" if self.is_answer else "is required now"
        rest, accepted = wide.get("additionalProperties"), narrow.get("additionalProperties")
        if isinstance(rest, dict) and isinstance(accepted, dict):
            yield from self.narrowed(rest, accepted, f"{there}*", depth + 1)
        elif accepted is False and not self.is_answer and (rest is True or isinstance(rest, dict)):
            yield place, "other properties are no longer accepted"


def _branches(root: Schema, schema: Any, depth: int = 0) -> list[Schema]:
    """The alternatives of a schema, `allOf` merged into each."""
    base = _merged(root, schema if isinstance(schema, dict) else {"enum": []} if schema is False else {}, 0)
    for key in ("anyOf", "oneOf"):
        members = base.get(key)
        if isinstance(members, list) and members and depth <= _MAX_DEPTH:
            rest = {name: value for name, value in base.items() if name != key}
            return [
                branch
                for member in members[:_MAX_BRANCHES]
                for branch in _branches(root, _joined(rest, _merged(root, member, 0)), depth + 1)
            ][:_MAX_BRANCHES]
    return [base]


def _merged(root: Schema, schema: Any, depth: int) -> Schema:
    """A schema with its references followed and the members of `allOf` written into it."""
    if not isinstance(schema, dict):
        return {}
    found: Schema = followed(root, schema)
    if "$ref" in schema:
        # Beside a reference other keywords count as well.
        found = _joined({key: value for key, value in schema.items() if key != "$ref"}, found)
    members = found.get("allOf")
    if not isinstance(members, list) or depth > _MAX_DEPTH:
        return found
    merged: Schema = {key: value for key, value in found.items() if key != "allOf"}
    for member in members:
        merged = _joined(merged, _merged(root, member, depth + 1))
    return merged


def _joined(one: Schema, other: Schema) -> Schema:
    """Both schemas at once: the properties and required names of both, else the second one's keyword."""
    joined: Schema = {**one, **other}
    if "properties" in joined:
        properties = {**as_object(one.get("properties")), **as_object(other.get("properties"))}
        joined = {**joined, "properties": properties}
    return {**joined, "required": sorted(_names(one) | _names(other))} if "required" in joined else joined


def _names(schema: Schema) -> set[str]:
    return set(texts_in(schema.get("required")))


def _types_of(schema: Schema) -> set[str]:
    """The types that a schema names, or that its values have; empty: any."""
    named = schema.get("type")
    if isinstance(named, str):
        return {named}
    if isinstance(named, list):
        return set(texts_in(named))
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return {_type(value) for value in values} if isinstance(values, list) else set()


def _type(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = {int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null")


def _enum(schema: Schema) -> list[str] | None:
    """Values that are accepted, as JSON; None: any."""
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if not isinstance(values, list):
        return ["true", "false"] if schema.get("type") == "boolean" else None
    return [json.dumps(value, sort_keys=True, ensure_ascii=False) for value in values]


def _either(types: set[str]) -> str:
    return " or ".join(sorted(types))


def _shown(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:80]}..."
