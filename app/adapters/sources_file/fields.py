"""The values of a sources file's fields: checked where they are read, and never shown where they may be secret."""

import re
from collections.abc import Mapping
from typing import Annotated, TypeAlias
from urllib.parse import urlsplit

from pydantic import BeforeValidator

from app.domain.calling.wire_names import is_token, is_variable_name
from app.domain.language.accepted_text import check_name, kind_of, shown

SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S = 1.0, 7 * 86_400.0
_INTERVAL = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)\s*(s|m|h|d)?")
_SECONDS = {None: 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}


def _id(value: object) -> object:
    name = check_name(value, field="id")
    if "/" in name or ":" in name:
        raise ValueError(f"{shown(name)} holds '/' or ':'; accepted: a name such as 'github'")
    return name


def _interval(value: object) -> object:
    """Seconds, of a number or of a text such as `5m`."""
    text = str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
    found = _INTERVAL.fullmatch(text) if isinstance(text, str) else None
    seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    if not SHORTEST_INTERVAL_S <= seconds <= LONGEST_INTERVAL_S:
        raise ValueError(
            f"{shown(value)}; accepted: seconds, or a number with s, m, h or d (30s, 5m), 1 second to 7 days"
        )
    return seconds


def _variable(value: object) -> object:
    # Not shown: it may be the secret itself, written where its name belongs.
    if not isinstance(value, str) or not is_variable_name(value):
        raise ValueError(
            "this is not a name of an environment variable; accepted: the name of the variable that holds the"
            " value (letters, digits, _), never the value itself"
        )
    return value


def _names(value: object) -> object:
    if not isinstance(value, dict):
        raise ValueError(  # noqa: TRY004 - pydantic collects ValueError only
            f"is {kind_of(value)}; accepted: an object of name: name of an environment variable"
        )
    return value


def _header(value: object) -> object:
    if not isinstance(value, str) or not is_token(value):
        raise ValueError(f"{shown(value)} is not a valid HTTP header name; accepted: letters, digits, -")
    return value


def _web_address(value: str) -> str:
    try:
        parts = urlsplit(value)
        host, user = parts.hostname, parts.username
    except ValueError as error:
        raise ValueError(f"no address: {error}; accepted: http://HOST/... or https://HOST/...") from error
    if user is not None or parts.password is not None:
        raise ValueError("holds a user name or a password; accepted: an address without")
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError(f"{shown(value)}; accepted: http://HOST/... or https://HOST/...")
    return value


def _place(value: object) -> object:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError(f"{shown(value)} is {kind_of(value)}; accepted: a path or an http(s) address")
    return _web_address(value) if "://" in value else value


def _path(value: object) -> object:
    if not isinstance(value, str) or not value or "://" in value or "\0" in value:
        raise ValueError(f"{shown(value)}; accepted: a path, relative to the sources file")
    return value


def _address(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError(  # noqa: TRY004 - pydantic collects ValueError only
            f"{shown(value)} is {kind_of(value)}; accepted: an http(s) address"
        )
    return _web_address(value)


Variable: TypeAlias = Annotated[str, BeforeValidator(_variable)]
"""The name of an environment variable."""
Header: TypeAlias = Annotated[str, BeforeValidator(_header)]
HeaderVariables: TypeAlias = Annotated[Mapping[Header, Variable], BeforeValidator(_names)]
Variables: TypeAlias = Annotated[Mapping[Variable, Variable], BeforeValidator(_names)]
PlaceField: TypeAlias = Annotated[str, BeforeValidator(_place)]
"""A path relative to the file, or an http(s) address."""
EntryId: TypeAlias = Annotated[str, BeforeValidator(_id)]
IntervalField: TypeAlias = Annotated[float, BeforeValidator(_interval)]
"""Seconds; written as a number or as `5m`."""
FilePath: TypeAlias = Annotated[str, BeforeValidator(_path)]
WebAddress: TypeAlias = Annotated[str, BeforeValidator(_address)]
