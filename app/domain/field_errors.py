"""What is wrong with the fields of a request, in words: the field, its value, what is accepted."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

MAX_ERRORS = 20
_SHOWN = 100
"""How many characters of a refused value are shown."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one part of the request."""

    field: Annotated[str, Field(examples=["body.top_k"])]
    """With the names of what it lies in, by dots."""
    value: Annotated[str, Field(description="As JSON, shortened.", examples=["500"])]
    message: Annotated[str, Field(examples=["Input should be less than or equal to 100"])]

    def __str__(self) -> str:
        """All three in one line."""
        return f"{self.field} = {self.value}: {self.message}"


def refused_fields(errors: Iterable[Mapping[str, Any]], *, unknown: str) -> list[FieldError]:
    """The first errors of a pydantic `ValidationError`.

    Args:
        errors: What its `errors()` gave.
        unknown: What is said of a field that there is not.
    """
    return [_refused(found, unknown) for found in list(errors)[:MAX_ERRORS]]


def _refused(found: Mapping[str, Any], unknown: str) -> FieldError:
    given = found.get("input")
    if isinstance(given, bytes):
        given = given[:_SHOWN].decode(errors="replace")
    value = "(missing)" if found["type"] == "missing" else json.dumps(given, default=repr)
    return FieldError(
        field=".".join(str(part) for part in found["loc"]),
        value=value if len(value) <= _SHOWN else f"{value[:_SHOWN]}...",
        message=unknown
        if found["type"] == "extra_forbidden"
        else str(found["msg"]).removeprefix("Value error, "),
    )
