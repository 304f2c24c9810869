"""Arguments of a call against the tool's own input schema, before anything is sent.

The schema comes from a server that nobody here vouches for, so checking it is bounded: nothing is fetched,
patterns run in linear time, and a schema that branches without end is given up.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import re2
from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators
from jsonschema.exceptions import SchemaError, UnknownType
from referencing import Registry
from referencing.exceptions import Unresolvable

from app.domain.calling.argument_messages import problem_of
from app.errors import InvalidInputError

MAX_STEPS = 20_000
"""Keywords looked at in one check: about a second of them at worst; a body of 1,000 objects takes 5,000."""
MAX_PROBLEMS = 5
MAX_SCHEMA = 250_000
"""Characters of a schema that calls are checked against: to hold it to its dialect takes a second for each 250,000.

Of 4,284 operations of twelve public documents the largest, a pod of Kubernetes, takes 199,116.
"""
MAX_PATTERN_STEPS = 50_000_000
"""Instructions times characters that the patterns of one check may take: half a second at worst. The median of
355 public patterns has 25 instructions, the longest 593."""
_MAX_PATTERN = 1_000
_PATTERN_BYTES = 256 << 10
"""Memory of a pattern and its automaton, of which 512 are kept; none of 355 in public documents needs more."""
_CHECKERS = 64
"""How many schemas are kept ready."""

Validator: TypeAlias = Any
"""One of the library's, whose own protocol lacks what keywords need."""
Keyword: TypeAlias = Callable[[Validator, Any, Any, Any], Iterator[ValidationError] | None]
_SILENT = re2.Options()
_SILENT.log_errors = False
_SILENT.max_mem = _PATTERN_BYTES
_steps = threading.local()


class _TooManyStepsError(Exception):
    """The check is not at its end after `MAX_STEPS`, or `MAX_PATTERN_STEPS`."""


def problems_of(schema: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with arguments, at most `MAX_PROBLEMS`, in the order of the schema; nothing when they fit.

    Each names the argument, its value and what is accepted; a value that may be secret is not shown. What
    cannot be checked here is left to the server: formats, references out of the schema, and patterns that
    need backtracking.

    Args:
        schema: JSON text of a schema that stands alone, in the dialect of its `$schema`, else 2020-12;
            empty accepts every object.
        arguments: by name.

    Raises:
        InvalidInputError: the schema itself is broken, or too large, too deep or too wide to be checked.
    """
    if not schema:
        return ()
    if len(schema) > MAX_SCHEMA:
        raise InvalidInputError(
            f"the tool's input schema has {len(schema):,} characters; accepted for calls: up to {MAX_SCHEMA:,}"
        )
    checker = _checker(schema)
    _steps.left = MAX_STEPS
    _steps.of_patterns = MAX_PATTERN_STEPS
    found: list[str] = []
    try:
        for error in checker.iter_errors(arguments):
            text = problem_of(error)
            if text not in found:
                found.append(text)
            if len(found) == MAX_PROBLEMS:
                break
    except UnknownType as error:
        raise InvalidInputError(
            f"the tool's input schema has a type that JSON schema does not know: {error.type!r:.60}"
        ) from error
    except (RecursionError, _TooManyStepsError) as error:
        raise InvalidInputError(
            "the tool's input schema is too deep or too wide to check these arguments; accepted: what takes"
            f" {MAX_STEPS:,} steps, and {MAX_PATTERN_STEPS:,} within patterns"
        ) from error
    except ValueError as error:
        raise InvalidInputError("the tool's input schema cannot be read") from error
    return tuple(found)


@lru_cache(_CHECKERS)
def _checker(text: str) -> Validator:
    try:
        schema = json.loads(text)
        if not isinstance(schema, dict) or not isinstance(schema.get("$schema", ""), str):
            raise InvalidInputError("the tool's input schema is not a JSON schema")
        dialect: Any = validators.validator_for(schema, default=Draft202012Validator)
        # Formats are off: `pattern` would be held to Python's own words for expressions.
        dialect.check_schema(schema, format_checker=FormatChecker(formats=()))
    except SchemaError as error:
        place = "/".join(map(str, error.absolute_path)) or "its top"
        raise InvalidInputError(f"the tool's input schema is broken at {place:.200}") from error
    except (ValueError, RecursionError, Unresolvable) as error:
        raise InvalidInputError("the tool's input schema cannot be read") from error
    # The registry is given, so that references lead nowhere else; without one they would be fetched.
    # Escapes are gone from what was read, so that no other spelling of the keyword is missed.
    has_patterns = '"patternProperties"' in json.dumps(schema)
    return _bounded(dialect, has_patterns=has_patterns)(schema, registry=Registry())


@lru_cache
def _bounded(dialect: Any, *, has_patterns: bool) -> Any:
    """The dialect with keywords that count steps, and ours where the library's could run without end."""
    own: dict[str, Keyword] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique_items,
    }
    known: Mapping[str, Keyword] = dialect.VALIDATORS
    if has_patterns:
        # The library matches names with Python's own expressions here, also with those that a reference leads to.
        own["unevaluatedProperties"] = _left_to_the_server
    keywords = {name: _counted(own.get(name, keyword)) for name, keyword in known.items()}
    return validators.extend(dialect, keywords)  # type: ignore[no-untyped-call]


def _counted(keyword: Keyword) -> Keyword:
    def check(validator: Validator, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        _steps.left -= 1
        if _steps.left < 0:
            raise _TooManyStepsError
        try:
            yield from keyword(validator, value, instance, schema) or ()
        except Unresolvable:
            # A reference that leads out of the schema, or nowhere: what is there, the server knows.
            return

    return check


def _left_to_the_server(
    _validator: Validator, _value: Any, _instance: Any, _schema: Any
) -> Iterator[ValidationError] | None:
    return None


def _pattern(_validator: Validator, value: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and _found(value, instance) is False:
        yield ValidationError("pattern")


def _pattern_properties(
    validator: Validator, value: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, Mapping):
        return
    for pattern, schema in value.items():
        for name, item in instance.items():
            if _found(pattern, name):
                yield from validator.descend(item, schema, path=name, schema_path=pattern)


def _additional_properties(
    validator: Validator, value: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, Mapping):
        return
    named = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    for name, item in instance.items():
        # A pattern that cannot be read here may stand for any name.
        if name not in named and all(_found(pattern, name) is False for pattern in patterns):
            if value is False:
                yield ValidationError("additionalProperties", path=[name])
            else:
                yield from validator.descend(item, value, path=name)


def _unique_items(
    _validator: Validator, value: Any, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if value and isinstance(instance, list):
        texts = [json.dumps(item, sort_keys=True) for item in instance]
        if len(set(texts)) < len(texts):
            yield ValidationError("uniqueItems")


def _found(pattern: str, text: str) -> bool | None:
    """Whether a pattern is somewhere in a text; None for one that cannot be tried in linear time."""
    if len(pattern) > _MAX_PATTERN:
        return None
    expression = _expression(pattern)
    if expression is None:
        return None
    _steps.of_patterns -= expression.programsize * len(text)
    if _steps.of_patterns < 0:
        raise _TooManyStepsError
    return expression.search(text) is not None


@lru_cache(512)
def _expression(pattern: str) -> Any:
    try:
        return re2.compile(pattern, _SILENT)
    except re2.error:
        return None
