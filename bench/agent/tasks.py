"""Tasks for a model, each with what shows that it was done."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationError

from app.domain.nodes.models import Value
from app.errors import InvalidInputError

Expected = Annotated[str, Field(min_length=1, max_length=600)]


class AgentTask(Value):
    """A task in the words of whoever has it, and what has to come of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=200)]
    task: Annotated[str, Field(min_length=1, max_length=10_000)]
    tools: Annotated[tuple[Expected, ...], Field(max_length=100)] = ()
    """Ids of tools that have to be called, in any order; others may be, and are counted."""
    arguments: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """By the id of such a tool: arguments that one of its calls has to have, beside any others."""
    answer: Annotated[tuple[Expected, ...], Field(max_length=100)] = ()
    """Texts that the last answer has to hold, in upper or lower case."""

    def meets(self, tool: str, calls: list[Mapping[str, Any]]) -> bool:
        """Whether a tool was called as it has to be."""
        wanted = self.arguments.get(tool, {})
        return any(all(name in one and one[name] == value for name, value in wanted.items()) for one in calls)


def read_tasks(path: Path) -> tuple[AgentTask, ...]:
    """The tasks of a file, one JSON object a line.

    Raises:
        InvalidInputError: it cannot be read, holds none, or a line is no task.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeError) as error:
        raise InvalidInputError(f"--tasks {path}: cannot be read: {type(error).__name__}") from error
    found: dict[str, AgentTask] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        task = _task(line, place=f"{path}:{number}")
        if task.id in found:
            raise InvalidInputError(f"{path}:{number}: id {task.id!r} comes twice; accepted: another one")
        found[task.id] = task
    if not found:
        raise InvalidInputError(f"--tasks {path}: no task; accepted: one JSON object a line")
    return tuple(found.values())


def _task(line: str, *, place: str) -> AgentTask:
    try:
        task = AgentTask.model_validate(json.loads(line))
    except ValidationError as error:
        one = error.errors(include_url=False, include_input=False)[0]
        at = ".".join(map(str, one["loc"])) or "the line"
        raise InvalidInputError(
            f"{place}: {at}: {one['msg']}; accepted: id, task, tools, arguments by tool, answer"
        ) from error
    except ValueError as error:
        raise InvalidInputError(f"{place}: not JSON: {error}") from error
    if not (task.tools or task.answer):
        raise InvalidInputError(f"{place}: neither tools nor answer: nothing would show that it was done")
    if unknown := sorted(task.arguments.keys() - set(task.tools)):
        raise InvalidInputError(f"{place}: arguments of {unknown[0]!r}, which is not among tools")
    return task
