"""The body of a request: JSON, forms, files, or one text as it stands."""

import binascii
import json
import re
import secrets
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_plus

from app.domain.calling.argument_messages import listed
from app.domain.calling.http_values import Style, form_pairs, style_of, text_of
from app.domain.schemas.tool_schemas import REQUIRED_IN_BODY
from app.errors import InvalidInputError

_DATA_URI = re.compile(r"data:(?P<type>[^;,]*)(?:;[^;,=]+=[^;,]*)*;base64,(?P<data>.*)", re.DOTALL)
_MEDIA_TYPE = re.compile(r"[\x20-\x7e]{1,200}")
_FIELD_NAME = re.compile(r'[^\x00-\x1f"\x7f]{1,200}')
_SENDS_BODY = ("POST", "PUT", "PATCH")


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes and what they are."""

    content_type: str
    data: bytes = field(repr=False)


def required_in_body(properties: Mapping[str, Mapping[str, Any]], arguments: Mapping[str, Any]) -> None:
    """A body that may be left out has to be whole when it is sent.

    Raises:
        InvalidInputError: something of the body is given, and something that it needs is not.
    """
    if not any(properties[name].get("x-in") == "body" for name in arguments if name in properties):
        return
    missing = [
        name for name, marks in properties.items() if marks.get(REQUIRED_IN_BODY) and name not in arguments
    ]
    if missing:
        raise InvalidInputError(f"arguments missing in the body: {listed(missing)}")


def body_of(
    method: str,
    schema: Mapping[str, Any],
    properties: Mapping[str, Mapping[str, Any]],
    arguments: Mapping[str, Any],
) -> Body | None:
    """The body that the arguments make, or None where nothing of it is given and none has to be.

    A text that stands for bytes may be given as `data:TYPE;base64,...`.

    Raises:
        InvalidInputError: the operation takes a kind of body that is not built here.
    """
    media_type = schema.get("x-media-type")
    media_type = media_type if isinstance(media_type, str) and media_type else ""
    if not _MEDIA_TYPE.fullmatch(media_type or "-"):
        raise InvalidInputError(f"media type {media_type!r:.100} cannot be sent; accepted: printable ASCII")
    plain = media_type.partition(";")[0].strip().lower()
    given = {name: value for name, value in arguments.items() if properties[name].get("x-in") == "body"}
    whole = schema.get("x-body")
    if isinstance(whole, str):
        if whole not in given:
            return None
        value: Any = given[whole]
    elif not given and not (media_type and method in _SENDS_BODY):
        return None
    else:
        value = given
    if plain in ("", "*/*") or "json" in plain:
        return Body(media_type if "json" in plain else "application/json", _json_bytes(value))
    if plain == "application/x-www-form-urlencoded":
        return Body(media_type, _form(_object(value, plain), properties))
    if plain == "multipart/form-data":
        return _multipart(_object(value, plain), properties)
    if isinstance(value, str):
        return Body(media_type, _bytes(value)[0])
    raise InvalidInputError(
        f"a body of type {plain!r:.100} is not built from an object; accepted: JSON, forms, multipart/form-data, or"
        " one text"
    )


def _object(value: Any, media_type: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"the body is sent as {media_type}; accepted: an object")
    return value


def _form(value: Mapping[str, Any], properties: Mapping[str, Mapping[str, Any]]) -> bytes:
    pairs: list[tuple[str, str]] = []
    for name, item in value.items():
        marks = properties.get(name, {})
        if "json" in str(marks.get("x-content-type", "")):
            pairs.append((quote_plus(name), quote_plus(_json_bytes(item).decode())))
            continue
        style = style_of(marks, "body")
        # Forms have no other way for objects and for lists of objects than names with brackets.
        if "x-style" not in marks and _is_deep(item):
            style = Style("deepObject", explode=True)
        pairs += form_pairs(name, item, style, quote_plus)
    return "&".join(f"{name}={text}" for name, text in pairs).encode("ascii")


def _is_deep(value: Any) -> bool:
    if isinstance(value, list):
        return any(isinstance(item, Mapping | list) for item in value)
    return isinstance(value, Mapping)


def _multipart(value: Mapping[str, Any], properties: Mapping[str, Mapping[str, Any]]) -> Body:
    boundary = secrets.token_hex(16)
    data = bytearray()
    for name, item in value.items():
        marks = properties.get(name, {})
        for part in item if isinstance(item, list) else [item]:
            if part is None:
                continue
            content_type, content, is_file = _part(part, marks)
            data += _part_head(boundary, name, content_type, is_file=is_file) + content + b"\r\n"
    data += f"--{boundary}--\r\n".encode()
    return Body(f"multipart/form-data; boundary={boundary}", bytes(data))


def _part(value: Any, marks: Mapping[str, Any]) -> tuple[str, bytes, bool]:
    """Media type (empty: none stated), bytes, whether it is a file."""
    stated = str(marks.get("x-content-type", ""))
    if isinstance(value, str):
        content, media_type = _bytes(value)
        items = marks.get("items")
        inner = items if isinstance(items, Mapping) else {}
        is_file = bool(media_type) or "binary" in (marks.get("format"), inner.get("format"))
        return media_type or stated or ("application/octet-stream" if is_file else ""), content, is_file
    if isinstance(value, Mapping | list):
        return stated or "application/json", _json_bytes(value), False
    return stated, text_of(value).encode(), False


def _part_head(boundary: str, name: str, content_type: str, *, is_file: bool) -> bytes:
    if not _FIELD_NAME.fullmatch(name) or not _MEDIA_TYPE.fullmatch(content_type or "-"):
        raise InvalidInputError(f"argument {name!r:.100} cannot be sent as a part of a multipart body")
    lines = [f"--{boundary}", f'Content-Disposition: form-data; name="{name}"']
    if is_file:
        lines[-1] += f'; filename="{name}"'
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _bytes(text: str) -> tuple[bytes, str]:
    """Bytes that a text stands for, and their media type where it says one."""
    match = _DATA_URI.fullmatch(text)
    if match is None:
        return text.encode(), ""
    try:
        return b64decode(match["data"], validate=True), match["type"] or "application/octet-stream"
    except binascii.Error as error:
        raise InvalidInputError("a data: value is not base64; accepted: data:TYPE;base64,BYTES") from error


def _json_bytes(value: Any) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode()
    except ValueError as error:
        raise InvalidInputError("the body holds a number or a text that JSON does not have") from error
