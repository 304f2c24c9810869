"""What names and texts may be. Every message says what was found and what is accepted."""

from dataclasses import dataclass
from reprlib import Repr

from app.errors import InvalidInputError

MAX_NAME = 256
MAX_ID = 520
"""Room for `server/name`."""
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class TextLimits:
    """How large the parts of a document may be, in bytes of UTF-8."""

    text_bytes: int
    schema_bytes: int


def check_name(value: object, *, field: str, max_length: int = MAX_NAME) -> str:
    """A name or an id: printable, not blank at its ends.

    Raises:
        InvalidInputError: it is not.
    """
    if not isinstance(value, str):
        raise InvalidInputError(f"{field}: {shown(value)} is {kind_of(value)}; accepted: text")
    if not 1 <= len(value) <= max_length:
        found = f"{shown(value)} has {len(value)} characters" if value else "is empty"
        raise InvalidInputError(f"{field}: {found}; accepted: 1 to {max_length} characters")
    if not value.isprintable():
        character = next(c for c in value if not c.isprintable())
        raise InvalidInputError(
            f"{field}: {shown(value)} holds U+{ord(character):04X}; accepted: printable characters"
        )
    if value != value.strip():
        raise InvalidInputError(f"{field}: {shown(value)} begins or ends with a space; accepted: without")
    return value


def check_text(value: object, *, field: str, max_bytes: int) -> str:
    """Free text; None is empty.

    Raises:
        InvalidInputError: it is no text, or too long.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidInputError(f"{field}: {shown(value)} is {kind_of(value)}; accepted: text")
    size = utf8_size(value, field=field)
    if size > max_bytes:
        raise InvalidInputError(f"{field}: {size:,} bytes; accepted: up to {max_bytes:,}")
    return value


def utf8_size(text: str, *, field: str) -> int:
    """Bytes of a text in UTF-8.

    Raises:
        InvalidInputError: it holds half of a surrogate pair.
    """
    try:
        return len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"{field}: holds the lone surrogate U+{ord(text[error.start]):04X}; accepted: Unicode text"
        ) from error


def kind_of(value: object) -> str:
    """What a JSON or YAML value is, in the words of those who write such documents."""
    if value is None:
        return "null"
    names = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "text",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), f"a {type(value).__name__}")


class _Short(Repr):
    """`repr` with bounds: a value of a document may be endless."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxdict, self.maxlist = 2, 3, 3
        self.maxstring = self.maxother = _SHOWN


def shown(value: object) -> str:
    """A value, cut to what fits in a message."""
    if isinstance(value, str) and not value.isprintable():
        text = ascii(value)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return _Short().repr(value)
