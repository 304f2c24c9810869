"""How OpenAPI writes a value into a path, a query, a header, a cookie or a form: `style` and `explode`."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import quote

TextPairs: TypeAlias = list[tuple[str, str]]
Encode: TypeAlias = Callable[[str], str]

_DELIMITERS = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}
_COLLECTION_STYLES = {
    "csv": ("form", False),
    "ssv": ("spaceDelimited", False),
    "tsv": ("tabDelimited", False),
    "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}
"""What Swagger 2.0 calls `collectionFormat`."""


@dataclass(frozen=True, slots=True)
class Style:
    """How lists and objects are written."""

    name: str
    explode: bool


def style_of(schema: Mapping[str, Any], location: str) -> Style:
    """What the marks of a parameter's schema say, or what OpenAPI takes when they say nothing."""
    collection = _COLLECTION_STYLES.get(str(schema.get("x-collectionFormat")))
    if collection is not None:
        name, explode = collection
        return Style("simple" if location in ("path", "header") and name == "form" else name, explode)
    style = schema.get("x-style")
    usual = "simple" if location in ("path", "header") else "form"
    name = style if isinstance(style, str) else usual
    stated = schema.get("x-explode")
    return Style(name, stated if isinstance(stated, bool) else name in ("form", "deepObject"))


def percent_encoded(text: str) -> str:
    """Every character but letters, digits and `-._~` as `%XX` of its UTF-8 bytes."""
    return quote(text, safe="")


def reserved_kept(text: str) -> str:
    """As `percent_encoded`, with the characters that separate parts of a path left as they are."""
    return quote(text, safe="/:@!$&'()*+,;=")


def form_pairs(name: str, value: Any, style: Style, encode: Encode = percent_encoded) -> TextPairs:
    """A query parameter, or a field of a form, as encoded names and values; none for null."""
    key = encode(name)
    if value is None:
        return []
    if isinstance(value, Mapping):
        if style.name == "deepObject":
            return [(key + brackets, encode(text)) for brackets, text in _brackets(value, encode)]
        if style.explode:
            return [(encode(part), encode(text_of(item))) for part, item in value.items()]
        flat = [text for part, item in value.items() for text in (part, text_of(item))]
        return [(key, _DELIMITERS.get(style.name, ",").join(map(encode, flat)))]
    if isinstance(value, list):
        if style.name == "deepObject":
            return [(key + brackets, encode(text)) for brackets, text in _brackets(value, encode)]
        if style.explode:
            return [(key, encode(text_of(item))) for item in value]
        return [(key, _DELIMITERS.get(style.name, ",").join(encode(text_of(item)) for item in value))]
    return [(key, encode(text_of(value)))]


def path_text(name: str, value: Any, style: Style, encode: Encode) -> str:
    """A path parameter as it stands in the path: styles `simple`, `label` and `matrix`."""
    start, joiner = {"label": (".", "."), "matrix": (";", ";")}.get(style.name, ("", ","))
    key = encode(name)
    if isinstance(value, Mapping):
        if style.explode:
            return start + joiner.join(
                f"{encode(part)}={encode(text_of(item))}" for part, item in value.items()
            )
        text = ",".join(encode(text) for part, item in value.items() for text in (part, text_of(item)))
    elif isinstance(value, list):
        items = [encode(text_of(item)) for item in value]
        if style.explode and style.name == "matrix":
            return start + joiner.join(f"{key}={item}" for item in items)
        text = (joiner if style.explode else ",").join(items)
    else:
        text = encode(text_of(value))
    return f"{start}{key}={text}" if style.name == "matrix" else start + text


def plain_text(value: Any, style: Style) -> str:
    """A header's value: style `simple`, nothing encoded."""
    return path_text("", value, Style("simple", style.explode), str)


def text_of(value: Any) -> str:
    """A scalar as text; lists and objects inside others as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _brackets(value: Any, encode: Encode) -> TextPairs:
    """`[a][0]` and its text, for every scalar inside; names encoded, values not."""
    if isinstance(value, Mapping):
        parts = [(encode(str(key)), item) for key, item in value.items()]
    elif isinstance(value, list):
        parts = [(str(index), item) for index, item in enumerate(value)]
    else:
        return [("", text_of(value))]
    return [(f"[{part}]{rest}", text) for part, item in parts for rest, text in _brackets(item, encode)]
