"""Numbers that other languages' JSON has: Python reads `1e999` as infinity, and writes it as a word."""

import math
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, JsonValue


def _not_finite(value: object) -> str:
    """The first number within a JSON value that is not finite, with its place; empty where all are."""
    waiting = [("", value)]
    while waiting:
        place, found = waiting.pop()
        if isinstance(found, float) and not math.isfinite(found):
            name = "NaN" if math.isnan(found) else "Infinity" if found > 0 else "-Infinity"
            return f"{place} is {name}" if place else name
        if isinstance(found, dict):
            waiting += [(f"{place}/{key}", item) for key, item in reversed(found.items())]
        elif isinstance(found, list):
            waiting += [(f"{place}/{at}", item) for at, item in reversed(list(enumerate(found)))]
    return ""


def _checked(value: JsonValue) -> JsonValue:
    if found := _not_finite(value):
        raise ValueError(f"{found:.200}, which is not finite; accepted: numbers up to 1.8e308")
    return value


FiniteJson: TypeAlias = Annotated[JsonValue, AfterValidator(_checked)]
"""A JSON value whose numbers JSON can say; pydantic's own `allow_inf_nan` is not asked when it reads JSON text."""
