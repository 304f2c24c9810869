"""What a language model answered, held to the form and to the goal before anybody believes it. Pure."""

from collections.abc import Collection, Iterator
from typing import Annotated, Any, NamedTuple

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
    field_validator,
)

from app.domain.field_errors import refused_fields
from app.domain.language.visible_text import excerpt, squeezed, without_hidden
from app.domain.reading.model_support import states_number, states_text, unsupported
from app.domain.reading.models import AskedTask

MAX_TASKS = 50
"""As many as a plan has steps."""
_MAX_VALUES = 100
_LONGEST = 4_000
"""Characters of a text within an answer."""
_NAMED = 10
"""Problems that the model gets to read."""

_Text = Annotated[StrictStr, Field(max_length=_LONGEST)]


class _Answered(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class _Named(_Answered):
    name: _Text
    value: _Text | StrictInt | StrictFloat


class _Task(_Answered):
    do: _Text
    values: Annotated[tuple[_Named, ...], Field(max_length=_MAX_VALUES)] = ()
    if_: Annotated[_Text | None, Field(alias="if")] = None
    after: Annotated[tuple[StrictInt, ...], Field(max_length=MAX_TASKS)] = ()
    tool: _Text | None = None

    @field_validator("values", mode="before")
    @classmethod
    def _pairs(cls, values: Any) -> Any:
        # Where an endpoint ignores the schema, a model writes the object that the pairs stand for.
        if isinstance(values, dict):
            return [{"name": name, "value": value} for name, value in values.items()]
        return values


class _Tasks(_Answered):
    tasks: Annotated[tuple[_Task, ...], Field(min_length=1, max_length=MAX_TASKS)]


class CheckedAnswer(NamedTuple):
    """Tasks, or why there is no task; never both."""

    tasks: tuple[AskedTask, ...]
    problems: tuple[str, ...]
    """For the model, which may be shown its own words."""


def checked_answer(text: str, *, goal: str, tools: Collection[str]) -> CheckedAnswer:
    """The tasks of an answer, all of them or no one.

    Args:
        text: what the model wrote.
        goal: without hidden characters.
        tools: ids of the operations that it was shown.
    """
    try:
        found = _Tasks.model_validate_json(text)
    except ValidationError as error:
        errors = refused_fields(error.errors(include_url=False), unknown="there is no such field")
        return CheckedAnswer((), tuple(excerpt(str(one), length=200) for one in errors[:_NAMED]))
    problems = [
        f"task {position}: {problem}"
        for position, task in enumerate(found.tasks, 1)
        for problem in _problems(task, position, goal, tools)
    ]
    if problems:
        return CheckedAnswer((), tuple(problems[:_NAMED]))
    return CheckedAnswer(tuple(_asked(task) for task in found.tasks), ())


def _problems(task: _Task, position: int, goal: str, tools: Collection[str]) -> Iterator[str]:
    if not _clean(task.do):
        yield "'do' is empty"
    elif why := unsupported(goal, _clean(task.do)):
        yield f"'do': {why}; accepted: what the goal asks for, in its own words"
    if task.if_ and (why := unsupported(goal, _clean(task.if_))):
        yield f"'if': {why}; accepted: the condition in the goal's own words, or null"
    for one in task.values:
        if not _clean(one.name):
            yield "a value has no name"
        if not _is_stated(goal, one.value):
            yield (
                f"the value of {excerpt(one.name)!r} is not in the goal; accepted: what the goal states, to the letter"
            )
    for earlier in task.after:
        if not 1 <= earlier < position:
            yield f"'after' names task {earlier}; accepted: positions of earlier tasks"
    if task.tool and task.tool not in tools:
        yield "'tool' is not among the operations"


def _is_stated(goal: str, value: str | float) -> bool:
    if isinstance(value, str):
        return states_text(goal, value.strip())
    return states_number(goal, value)


def _asked(task: _Task) -> AskedTask:
    return AskedTask(
        do=_clean(task.do),
        values={
            _clean(one.name): one.value.strip() if isinstance(one.value, str) else one.value
            for one in task.values
        },
        if_=_clean(task.if_ or "") or None,
        after=tuple(dict.fromkeys(task.after)),
    )


def _clean(text: str) -> str:
    return squeezed(without_hidden(text))
