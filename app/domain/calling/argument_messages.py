"""What is wrong with an argument, in words for whoever called."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from app.domain.calling.secret_words import is_secret

if TYPE_CHECKING:
    # It compiles the grammars of internationalised addresses, for a second; who checks no arguments waits for none.
    from jsonschema import ValidationError

HIDDEN = "(not shown)"
_LONGEST_VALUE = 60
_MOST_NAMES = 20

_BOUNDS: Mapping[str, str] = {
    "minimum": "{0} or more",
    "maximum": "{0} or less",
    "exclusiveMinimum": "more than {0}",
    "exclusiveMaximum": "less than {0}",
    "multipleOf": "a multiple of {0}",
    "minLength": "{0} characters or more",
    "maxLength": "{0} characters or fewer",
    "minItems": "{0} items or more",
    "maxItems": "{0} items or fewer",
    "minProperties": "{0} properties or more",
    "maxProperties": "{0} properties or fewer",
    "pattern": "a text with the pattern {0}",
    "const": "{0}",
}
_FLAT: Mapping[str, str] = {
    "uniqueItems": "items that differ",
    "not": "what its schema does not exclude",
    "contains": "a list with an item that its schema asks for",
}
Words: TypeAlias = "Callable[[ValidationError], str]"


def problem_of(error: "ValidationError") -> str:
    """`argument 'count' = 0: accepted: 1 or more`; a value that may be secret is not shown."""
    path = list(error.absolute_path)
    if error.validator == "required":
        missing = _missing(error)
        return f"{_named([*path, missing])} is missing"
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
        return f"{_named(path)} is not known; accepted: {listed(known) or 'nothing'}"
    accepted = _accepted(error)
    if not path:
        return f"the arguments do not fit together: accepted: {accepted}"
    return f"{_named(path)} = {_value(error)}: accepted: {accepted}"


def listed(names: Mapping[str, Any] | Sequence[str]) -> str:
    """Names, quoted, the first ones of many."""
    shown = [repr(name)[:80] for name in list(names)[:_MOST_NAMES]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _missing(error: "ValidationError") -> str:
    required = error.validator_value
    given: Any = error.instance
    names = [name for name in required if name not in given] if isinstance(required, list) else []
    # One error per missing name, each with a message that begins with it.
    return next(
        (name for name in names if error.message.startswith(repr(name))), str(names[0] if names else "")
    )


def _named(path: Sequence[str | int]) -> str:
    if not path:
        return "the arguments"
    inner = "".join(f"/{step}" for step in path[1:])[:200]
    return f"argument {str(path[0])[:100]!r}" + (f" at {inner}" if inner else "")


def _value(error: "ValidationError") -> str:
    schema = error.schema if isinstance(error.schema, dict) else {}
    value = error.instance
    if isinstance(value, dict):
        return f"an object of {len(value)} properties"
    if isinstance(value, list):
        return f"a list of {len(value)} items"
    names = [step for step in error.absolute_path if isinstance(step, str)]
    if schema.get("writeOnly") or schema.get("format") == "password" or any(map(is_secret, names)):
        return HIDDEN
    return _shown(value)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."


def _accepted(error: "ValidationError") -> str:
    keyword, value = str(error.validator), error.validator_value
    if keyword in _BOUNDS:
        return _BOUNDS[keyword].format(_shown(value))
    if keyword in _FLAT:
        return _FLAT[keyword]
    if keyword == "enum" and isinstance(value, list):
        shown = ", ".join(map(_shown, value[:_MOST_NAMES]))
        return shown + (f" and {len(value) - _MOST_NAMES} more" if len(value) > _MOST_NAMES else "")
    if keyword == "type":
        return " or ".join(value) if isinstance(value, list) else str(value)
    if keyword in ("anyOf", "oneOf") and isinstance(value, list):
        return f"{'one' if keyword == 'oneOf' else 'any'} of its {len(value)} alternatives{_types(value)}"
    return f"what its schema says with {keyword!r}"


def _types(alternatives: Sequence[Any]) -> str:
    named = [item.get("type") for item in alternatives if isinstance(item, dict)]
    types = list(dict.fromkeys(filter(None, map(str, filter(None, named)))))
    return f" ({', '.join(types)})" if types else ""
