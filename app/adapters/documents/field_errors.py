"""What is wrong with the first field of a document that a model refused, in the words of those who write it."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pydantic import BaseModel, ValidationError

from app.domain.language.accepted_text import kind_of, shown

FieldPlace: TypeAlias = Sequence[int | str]

_WANTED = {
    "string_type": "text (numbers, true and false in quotes)",
    "tuple_type": "a list",
    "dict_type": "an object",
    "mapping_type": "an object",
    "model_type": "an object",
    "bool_type": "true or false",
    "float_type": "a number",
    "float_parsing": "a number",
}


def field_error(error: ValidationError, *, fields_at: Callable[[FieldPlace], str]) -> str:
    """The place of one wrong field, what stands there, and what is accepted.

    Args:
        error: what the model said.
        fields_at: the fields that are known at a place, for a field that is not.
    """
    found = error.errors(include_url=False)
    # A field that is not known is most often the missing one, misspelt.
    first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])
    *parents, last = first["loc"] or ("",)
    place = place_text(first["loc"])
    if first["type"] == "extra_forbidden":
        owner = place_text(parents)
        return f"{owner + ': ' if owner else ''}unknown field {last!r}; accepted: {fields_at(parents)}"
    if first["type"] == "missing":
        return f"has no {place!r}; accepted: {fields_at(())}"
    before = f"{place}: " if place else ""
    if first["type"] == "value_error":
        # Raised by a validator of ours, which says what was found and shows no secret.
        return f"{before}{first['ctx']['error']}"
    wanted = _WANTED.get(first["type"])
    if wanted is None:
        return f"{before}{shown(first['input'])}: {first['msg']}"
    return f"{before}{shown(first['input'])} is {kind_of(first['input'])}; accepted: {wanted}"


def place_text(location: FieldPlace) -> str:
    """`relations.similar[2]`."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def field_names(model: type[BaseModel]) -> str:
    """The fields of a model, for messages."""
    return ", ".join(model.model_fields)
