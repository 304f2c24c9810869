"""Where a page ended, as the next one is asked for."""

import base64

from app.errors import InvalidInputError


def encoded(place: str) -> str:
    """A place as a cursor."""
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def decoded(cursor: str) -> str:
    """The place of a cursor.

    Raises:
        InvalidInputError: it is not one of a page.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True).decode()
    except ValueError as error:
        raise InvalidInputError(
            f"cursor {cursor!r} is not valid; pass the `next_cursor` of a page"
        ) from error
