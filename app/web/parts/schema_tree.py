"""Inputs and answers of tools as trees that can be read: bounded, whatever their schemas refer to."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from app.domain.schemas.walk import BoundedSchema, as_list, as_object, as_text, composition, texts_in

MAX_ROWS = 150
"""Rows of one tree; with fewer than 250 bytes each, two trees stay within half of what a page may weigh."""
_MAX_LEVELS = 5
_MAX_VALUES = 12


@dataclass(frozen=True, slots=True)
class SchemaRow:
    """One property."""

    level: int
    """From 0: how deep it lies."""
    name: str
    type: str
    """As JSON schema has it; `array of string`; empty where the schema says none."""
    required: bool
    text: str
    values: tuple[str, ...]
    """What it may be, as JSON; the first 12."""
    default: str
    """As JSON; empty where it has none."""


@dataclass(frozen=True, slots=True)
class SchemaTree:
    """The properties of a schema, each before those that lie in it."""

    rows: tuple[SchemaRow, ...]
    cut: bool
    """There are more."""
    type: str
    """Of the whole, where it is no object: `array of string`."""


def schema_tree(schema: Mapping[str, Any] | None) -> SchemaTree | None:
    """The tree of a schema; None where there is no schema."""
    if schema is None:
        return None
    root = BoundedSchema(schema)
    rows = list(islice(_rows(root, root, 0), MAX_ROWS + 1))
    whole = _type(root, _parts(root, root))
    return SchemaTree(
        tuple(rows[:MAX_ROWS]), len(rows) > MAX_ROWS or root.is_exhausted, "" if whole == "object" else whole
    )


def _rows(root: BoundedSchema, schema: Mapping[str, Any], level: int) -> Iterator[SchemaRow]:
    if level > _MAX_LEVELS:
        return
    parts = _parts(root, schema)
    required = {name for part in parts for name in texts_in(part.get("required"))}
    seen: set[str] = set()
    for part in parts:
        for name, value in as_object(part.get("properties")).items():
            if name in seen or not isinstance(value, dict):
                continue
            seen.add(name)
            found = _parts(root, value)
            yield SchemaRow(
                level=level,
                name=name,
                type=_type(root, found),
                required=name in required,
                text=_first(as_text(each.get("description")) for each in found),
                values=_values(found),
                default=_first(_json(each["default"]) for each in found if "default" in each),
            )
            for each in found:
                yield from _rows(root, each, level + 1) if "properties" in each else ()
                items = each.get("items")
                if isinstance(items, dict):
                    yield from _rows(root, items, level + 1)
    # Of a list, what its members are.
    if level == 0:
        for part in parts:
            items = part.get("items")
            if isinstance(items, dict):
                yield from _rows(root, items, level)


def _parts(root: BoundedSchema, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [part for part, _ in composition(root, schema, max_depth=6, beside_references=True)]


def _type(root: BoundedSchema, parts: list[Mapping[str, Any]]) -> str:
    named = dict.fromkeys(
        one
        for part in parts
        for one in ([part["type"]] if isinstance(part.get("type"), str) else texts_in(part.get("type")))
    )
    shown = []
    for one in named:
        items = next((part["items"] for part in parts if isinstance(part.get("items"), dict)), None)
        inner = _type(root, _parts(root, items)) if one == "array" and items is not None else ""
        shown.append(f"array of {inner}" if inner else one)
    form = _first(as_text(part.get("format")) for part in parts)
    return " or ".join(shown) + (f" ({form})" if form and shown else "")


def _values(parts: list[Mapping[str, Any]]) -> tuple[str, ...]:
    for part in parts:
        if "const" in part:
            return (_json(part["const"]),)
        if values := as_list(part.get("enum")):
            return tuple(_json(value) for value in values[:_MAX_VALUES])
    return ()


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}..."
