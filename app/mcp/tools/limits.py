"""Limits that are settings, and so stand in no schema."""

from collections.abc import Mapping
from typing import Any

from app.errors import InvalidInputError

MAX_DEPTH = 100
"""Levels of lists and objects in arguments. pydantic writes 255; an answer has about ten around what it repeats."""


def check_length(name: str, text: str, limit: int) -> None:
    """Refuse a text that is longer than the setting.

    Raises:
        InvalidInputError: it is.
    """
    if len(text) > limit:
        raise InvalidInputError(
            f"{name}: {len(text)} characters; accepted: at most {limit} (OUTFITTER_MAX_QUERY_CHARS)"
        )


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
