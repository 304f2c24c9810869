"""From an operation and its arguments to the HTTP request that calls it; nothing is sent here."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from app.domain.calling.argument_messages import listed
from app.domain.calling.http_bodies import Body, body_of, required_in_body
from app.domain.calling.http_values import (
    Style,
    form_pairs,
    path_text,
    percent_encoded,
    plain_text,
    reserved_kept,
    style_of,
    text_of,
)
from app.domain.calling.wire_names import LONGEST_ARGUMENT_NAME, is_token
from app.domain.schemas.walk import as_object
from app.errors import InvalidInputError

_PLACEHOLDER = re.compile(r"\{([+#./;?&]?)([^{}*]+)(\*?)\}")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_METHOD = re.compile(r"[A-Z][A-Z-]{0,30}")
_OURS = {
    *("host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "keep-alive"),
    *("expect", "via", "forwarded", "content-type", "accept-encoding", "cookie"),
}
"""Headers that say how a request travels; no argument sets them."""
_PATH_STYLES = {".": "label", "/": "simple", ";": "matrix"}


@dataclass(frozen=True, slots=True)
class HttpCall:
    """What a call sends, without the address of the server and without credentials."""

    method: str
    path: str = field(repr=False)
    """Percent-encoded, begins with `/`; appended to the server's."""
    query: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Names and values, percent-encoded."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: Body | None = field(default=None, repr=False)


def http_call(*, method: str, path: str, schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> HttpCall:
    """The request that an operation's arguments make.

    Args:
        method: in upper case.
        path: of the operation, with `{name}` for its parameters.
        schema: the tool's input schema with its marks (`x-in`, `x-style`, `x-media-type`, ...).
        arguments: that fit the schema.

    Raises:
        InvalidInputError: an argument that the operation does not have, a value that cannot be sent where
            it belongs, a body of a kind that is not built here. The message names argument and place.
    """
    if not _METHOD.fullmatch(method):
        raise InvalidInputError(
            f"method {method!r:.60} cannot be sent; accepted: an HTTP method in upper case"
        )
    properties = _properties(schema)
    unknown = [name for name in arguments if name not in properties]
    if unknown:
        raise InvalidInputError(
            f"argument {unknown[0]!r:.100} is not known; accepted: {listed(properties) or 'nothing'}"
        )
    required_in_body(properties, arguments)
    sent = {name: value for name, value in arguments.items() if _location(properties[name]) != "body"}
    expanded, extra = _expanded(path, properties, sent)
    query = [*extra]
    headers: list[tuple[str, str]] = []
    cookies: list[tuple[str, str]] = []
    for name, value in sent.items():
        marks = properties[name]
        wire, location = _wire_name(name, marks), _location(marks)
        if location == "query":
            query.extend(_query(wire, value, marks))
        elif location == "querystring":
            query.extend(_whole_query(value))
        elif location == "header" and value is not None:
            headers.append(checked_header(wire, plain_text(value, style_of(marks, "header")), argument=name))
        elif location == "cookie":
            cookies.extend(form_pairs(wire, value, Style("form", explode=False)))
    return HttpCall(
        method=method,
        path=expanded,
        query=tuple(query),
        headers=tuple(headers),
        cookies=tuple(cookies),
        body=body_of(method, schema, properties, arguments),
    )


def checked_header(name: str, value: str, *, argument: str) -> tuple[str, str]:
    """A header that may be sent.

    Raises:
        InvalidInputError: a name that cannot be sent or that no argument sets, or a value with a line end or a
            character outside ASCII; the value is not shown.
    """
    if (
        len(name) > LONGEST_ARGUMENT_NAME
        or not is_token(name)
        or name.lower() in _OURS
        or name.lower().startswith("proxy-")
    ):
        raise InvalidInputError(
            f"argument {argument!r:.100}: header {name!r:.100} is not one that a call sets"
        )
    if not _HEADER_VALUE.fullmatch(value):
        raise InvalidInputError(
            f"argument {argument!r:.100}: its value cannot be sent as header {name!r}; accepted: printable ASCII in"
            " one line"
        )
    return name, value


def _properties(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {name: as_object(value) for name, value in as_object(schema.get("properties")).items()}


def _location(marks: Mapping[str, Any]) -> str:
    location = marks.get("x-in")
    return location if isinstance(location, str) else "body"


def _wire_name(name: str, marks: Mapping[str, Any]) -> str:
    wire = marks.get("x-name")
    return wire if isinstance(wire, str) else name


def _query(name: str, value: Any, marks: Mapping[str, Any]) -> list[tuple[str, str]]:
    if "x-content-type" in marks:
        return [] if value is None else [(percent_encoded(name), percent_encoded(_json(value)))]
    return form_pairs(name, value, style_of(marks, "query"))


def _whole_query(value: Any) -> Iterable[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from form_pairs(str(name), item, Style("form", explode=True))
    elif value is not None:
        yield from map(_pair, filter(None, text_of(value).lstrip("?").split("&")))


def _expanded(
    template: str, properties: Mapping[str, Mapping[str, Any]], arguments: Mapping[str, Any]
) -> tuple[str, list[tuple[str, str]]]:
    """The path with its parameters in it, and what of it belongs to the query."""
    by_wire = {
        _wire_name(name, marks): name for name, marks in properties.items() if _location(marks) == "path"
    }
    path, _, fixed = template.partition("#")[0].partition("?")
    query = [_pair(text) for text in fixed.split("&") if text and "{" not in text]

    def value_of(match: re.Match[str]) -> str:
        operator, wire, star = match.groups()
        name = by_wire.get(wire, wire)
        value = arguments.get(name)
        if value is None or value in ("", [], {}):
            raise InvalidInputError(
                f"argument {name!r:.100} is empty; accepted: a value for {{{wire}}} of the path"
            )
        marks = properties.get(name, {})
        if "x-content-type" in marks:
            return percent_encoded(_json(value))
        if operator in ("?", "&"):
            query.extend(form_pairs(wire, value, Style("form", explode=bool(star))))
            return ""
        style = style_of(marks, "path")
        if operator in _PATH_STYLES:
            style = Style(_PATH_STYLES[operator], explode=bool(star))
        text = path_text(wire, value, style, reserved_kept if operator == "+" else percent_encoded)
        return f"/{text}" if operator == "/" else text

    found = _encoded_literals(path, value_of)
    _refuse_dots(found)
    return found if found.startswith("/") else f"/{found}", query


def _encoded_literals(path: str, value_of: Any) -> str:
    parts: list[str] = []
    end = 0
    for match in _PLACEHOLDER.finditer(path):
        parts += [_literal(path[end : match.start()]), value_of(match)]
        end = match.end()
    return "".join([*parts, _literal(path[end:])])


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return percent_encoded(unquote(name)), percent_encoded(unquote(value))


def _literal(text: str) -> str:
    return reserved_kept(unquote(text))


def _refuse_dots(path: str) -> None:
    """`.` and `..` as a whole segment lead to another path, whoever resolves them first."""
    for segment in unquote(path).replace("\\", "/").split("/"):
        if segment.split(";")[0] in (".", ".."):
            raise InvalidInputError("a path parameter makes a segment '.' or '..'; accepted: any other value")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
