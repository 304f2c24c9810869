"""What options of plans say: values, tasks, selections."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from app.errors import InvalidInputError

if TYPE_CHECKING:
    from pydantic import JsonValue, ValidationError

    from app.adapters.documents.structured_text import JsonValue as Document
    from app.domain.workflows.plans import Select
    from app.usecases.questions import Filters, PlanRequest

SELECT_HELP = (
    "Which item: first, last, each (the step runs once for every item), ask (the caller chooses), FIELD=VALUE, or a JSON"
    ' object: {"by": "each", "where": [{"field": "status", "op": "eq", "value": "open"}], "except": ["o-1"],'
    ' "sort": {"field": "created", "descending": true}}. by: first, last, match, each, ask; op: eq, ne, lt, gt, contains.'
)
_TASK = '{"do": TEXT, "values": {NAME: VALUE}, "if": TEXT, "after": [NUMBER]}, of which only do is needed'
_SELECTED = "first, last, each, ask, FIELD=VALUE, or a JSON object with by, where, except and sort"


def read_known(pairs: Sequence[str]) -> "dict[str, JsonValue]":
    """`NAME=VALUE` pairs; a value that is JSON is that, any other a text."""
    found: dict[str, JsonValue] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.strip():
            raise typer.BadParameter(f"{pair!r}; accepted: NAME=VALUE", param_hint="--known")
        found[name.strip()] = read_value(text)
    return found


def read_value(text: str) -> "JsonValue":
    """A value as people write it."""
    from app.domain.workflows.plans import said_value

    return said_value(text)


def read_tasks(file: Path | None, texts: Sequence[str]) -> "list[JsonValue]":
    """The tasks of a file, then those of the words of a command, as they are sent to the service."""
    return [*(_tasks_of(file) if file else ()), *map(_task, texts)]


def read_select(path: str, text: str | None) -> "Select | None":
    """Which item of a list is meant where the path crosses one; the first unless it is said."""
    from pydantic import ValidationError

    from app.domain.workflows.plans import Select

    if "*" not in path.split("/"):
        if text is not None:
            raise typer.BadParameter(f"{path!r} crosses no list (*)", param_hint="--select")
        return None
    stated: dict[str, Any]
    if text is None or text in ("first", "last", "each", "ask"):
        stated = {"by": text or "first"}
    elif text.lstrip().startswith("{"):
        value = read_value(text)
        if not isinstance(value, dict):
            raise typer.BadParameter(
                f"{text!r:.200} is no JSON; accepted: {_SELECTED}", param_hint="--select"
            )
        stated = value
    else:
        field, equals, wanted = text.partition("=")
        if not equals or not field:
            raise typer.BadParameter(f"{text!r:.200}; accepted: {_SELECTED}", param_hint="--select")
        stated = {"by": "match", "field": field, "value": read_value(wanted)}
    try:
        return Select.model_validate(stated)
    except ValidationError as error:
        raise typer.BadParameter(f"{_first(error)}; accepted: {_SELECTED}", param_hint="--select") from error


def read_request(goal: str, *, filters: "Filters", max_steps: int, **words: Any) -> "PlanRequest":
    """The request that a command makes; what is wrong in it is said of the option that said it."""
    from pydantic import ValidationError

    from app.usecases.questions import PlanRequest

    try:
        return PlanRequest(goal=goal, filters=filters, max_steps=max_steps, **words)
    except ValidationError as error:
        option = str(error.errors(include_url=False)[0]["loc"][0])
        if option == "tasks":
            raise typer.BadParameter(
                f"{_first(error)}; accepted: a text, or a JSON object: {_TASK}", param_hint="--task, --tasks"
            ) from error
        raise typer.BadParameter(_first(error), param_hint=f"--{option}") from error


def read_document(path: Path) -> "Document":
    """The JSON or YAML of a file."""
    from app.adapters.documents.structured_text import parse_text
    from app.roots.graph import read_settings

    settings = read_settings()
    try:
        if path.stat().st_size > settings.max_file_bytes:
            raise InvalidInputError(f"{path}: larger than {settings.max_file_bytes:,} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_text(data, name=path.name)


def _tasks_of(path: Path) -> "list[JsonValue]":
    found = read_document(path)
    if not isinstance(found, list):
        raise typer.BadParameter(
            f"{path}: {json.dumps(found, default=repr):.100}; accepted: a JSON list of tasks, each a text or {_TASK}",
            param_hint="--tasks",
        )
    return [{"do": one} if isinstance(one, str) else one for one in found]


def _task(text: str) -> "JsonValue":
    if not text.lstrip().startswith("{"):
        return {"do": text}
    value = read_value(text)
    if not isinstance(value, dict):
        raise typer.BadParameter(
            f"{text!r:.200} is no JSON; accepted: a text, or a JSON object: {_TASK}", param_hint="--task"
        )
    return value


def _first(error: "ValidationError") -> str:
    """What is wrong first: the field, its value, and why."""
    from app.domain.field_errors import refused_fields

    (found, *_) = refused_fields(error.errors(include_url=False), unknown="there is no such field")
    return str(found)
