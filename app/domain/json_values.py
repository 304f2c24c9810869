"""JSON as every language reads it."""

import math
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, JsonValue


def _finite(value: JsonValue) -> JsonValue:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, float) and not math.isfinite(one):
            raise ValueError("a number is not finite; accepted: numbers of JSON up to about 1.8e308")
        if isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, dict):
            waiting.extend(one.values())
    return value


FiniteJson: TypeAlias = Annotated[JsonValue, AfterValidator(_finite)]
"""A JSON value. `JsonValue` alone takes NaN, and 1e999 as infinity, whatever `allow_inf_nan` says; both would be
written as what is no JSON."""
