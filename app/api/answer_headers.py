"""What every answer tells browsers and caches, unless it says something else itself."""

from collections.abc import Iterable, Sequence

_EVERY: Sequence[tuple[bytes, bytes]] = (
    # What is sent as JSON is not guessed to be something else.
    (b"x-content-type-options", b"nosniff"),
    # Answers are about the catalogue as it is now, and for whoever had the token.
    (b"cache-control", b"no-store"),
    # Were an answer shown as a page, it could load, run and send nothing, and stand in no other page.
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    # Addresses of this service hold ids of tools.
    (b"referrer-policy", b"no-referrer"),
)
_NAMES = frozenset(name for name, _ in _EVERY)


def with_safe_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """These headers of an answer, names in lower case, and those that every answer has."""
    found = list(headers)
    own = _NAMES.intersection([name for name, _ in found])
    return [*found, *(header for header in _EVERY if header[0] not in own)] if own else [*found, *_EVERY]
