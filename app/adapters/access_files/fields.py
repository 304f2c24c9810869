"""What both files share: read whole, with bounds, and refused with the place of what is wrong."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from app.adapters.documents.field_errors import field_error, field_names
from app.adapters.documents.structured_text import parse_text
from app.domain.language.accepted_text import kind_of, shown
from app.errors import InvalidInputError

MAX_FILE_BYTES = 4_000_000
M = TypeVar("M", bound=BaseModel)


def read_bytes(path: Path) -> bytes:
    """All of a file.

    Raises:
        InvalidInputError: it cannot be read, or is too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise InvalidInputError(f"{path}: more than {MAX_FILE_BYTES:,} bytes; accepted: up to that")
    return data


def read_object(data: bytes, *, path: Path, accepted: Sequence[str]) -> dict[str, Any]:
    """The object that a file holds; nothing else than these fields.

    Raises:
        InvalidInputError: it holds something else.
    """
    value = parse_text(data, name=str(path))
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInputError(f"{path}: {kind_of(value)}; accepted: an object with {', '.join(accepted)}")
    if unknown := [key for key in value if key not in accepted]:
        raise InvalidInputError(f"{path}: unknown field {shown(unknown[0])}; accepted: {', '.join(accepted)}")
    return value


def list_of(value: object, *, place: str, path: Path) -> list[object]:
    """A list, or none.

    Raises:
        InvalidInputError: something else stands there.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidInputError(f"{path}: {place} is {kind_of(value)}; accepted: a list")
    return value


def item_of(model: type[M], value: object, *, place: str, path: Path) -> M:
    """An item, checked.

    Raises:
        InvalidInputError: a field is wrong; the message names it and what is accepted.
    """
    if not isinstance(value, dict):
        raise InvalidInputError(f"{path}: {place} is {kind_of(value)}; accepted: an object")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        said = field_error(error, fields_at=lambda _: field_names(model))
        raise InvalidInputError(f"{path}: {place}: {said}") from error
