"""Limits that are settings, and so stand in no schema."""

from collections.abc import Mapping
from typing import Any

from app.errors import InvalidInputError

MAX_DEPTH = 100
"""Levels of lists and objects in arguments. pydantic writes 255; an answer has about ten around what it repeats."""


def check_depth(arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that answers could not repeat.

    Raises:
        InvalidInputError: they are nested too deeply.
    """
    level: list[Any] = [arguments]
    for _ in range(MAX_DEPTH):
        inside = [
            inner for value in level for inner in (value.values() if isinstance(value, dict) else value)
        ]
        level = [inner for inner in inside if isinstance(inner, (dict, list))]
        if not level:
            return
    raise InvalidInputError(
        f"arguments are nested more than {MAX_DEPTH} levels deep; accepted: at most {MAX_DEPTH}"
    )
