"""Addresses: the state of a page as a query string, and back. Every state of every page is one."""

from collections.abc import Mapping
from typing import Any, Self, get_origin
from urllib.parse import parse_qs, quote, urlencode

from pydantic import BaseModel, ConfigDict, ValidationError

from app.domain.field_errors import refused_fields
from app.errors import InvalidInputError

_UNKNOWN = "no page has this"
_MAX_FIELDS = 1_000


def path(*segments: str) -> str:
    """Segments of an address, each escaped with its slashes: `tools`, `shop/x` are `tools/shop%2Fx`."""
    return "/".join(quote(segment, safe="") for segment in segments)


def fields_of(text: str) -> Mapping[str, list[str]]:
    """The fields of a query string, or of a form as browsers send it; without those that are empty.

    Raises:
        InvalidInputError: there are more than any page of ours has.
    """
    try:
        return parse_qs(text, max_num_fields=_MAX_FIELDS)
    except ValueError as error:
        raise InvalidInputError(f"too many fields; accepted: at most {_MAX_FIELDS}") from error


class State(BaseModel):
    """What an address says after its `?`. Fields are texts, numbers, truth values and tuples of texts.

    A field that is left out, or empty as forms send what was not filled in, has its default; a default is not
    written. So two addresses of one state are equal. What no field names is dropped.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def of(cls, query: str) -> Self:
        """The state that a query string says.

        Raises:
            InvalidInputError: a value is not what its field accepts; the message names the field and the value.
        """
        found = fields_of(query)
        given: dict[str, Any] = {
            name: tuple(values) if _is_many(field.annotation) else values[-1]
            for name, field in cls.model_fields.items()
            if (values := found.get(name))
        }
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            refused = refused_fields(error.errors(include_url=False), unknown=_UNKNOWN)
            raise InvalidInputError("; ".join(map(str, refused))) from error

    def query(self, **changed: object) -> str:
        """The query string of this state, or of this state with other values; empty when all is as by default."""
        return urlencode(self.pairs(**changed))

    def pairs(self, **changed: object) -> list[tuple[str, str]]:
        """Names and values of what is not as by default: what a form has to send along, hidden."""
        values: Mapping[str, object] = {**dict(self), **changed}
        return [
            (name, _text(one))
            for name, field in type(self).model_fields.items()
            if (value := values[name]) != field.default
            for one in (value if isinstance(value, tuple) else (value,))
            if one not in (None, "")
        ]


def _is_many(annotation: Any) -> bool:
    return get_origin(annotation) is tuple


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
