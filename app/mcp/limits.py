"""Limits that are settings, and so stand in no schema."""

from app.errors import InvalidInputError


def check_length(name: str, text: str, limit: int) -> None:
    """Refuse a text that is longer than the setting.

    Raises:
        InvalidInputError: it is.
    """
    if len(text) > limit:
        raise InvalidInputError(
            f"{name}: {len(text)} characters; accepted: at most {limit} (OUTFITTER_MAX_QUERY_CHARS)"
        )
