"""Goals as people type them, with what a plan for each has to bind, and questions beside them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError, model_validator

from app.domain.field_errors import refused_fields
from app.domain.reading.models import AskedTask
from app.errors import InvalidInputError
from bench.sets.datasets import require

_FOLDER = ("goals", "visible")
_QUESTIONS = "questions.jsonl"
_OWN_QUESTIONS = "{stem}_questions.jsonl"
"""Of one file of goals among several in a folder."""
_SPECS = ("openapi", "specs")
_BESIDE = "documents"
"""Folder beside a file of goals with documents of its own, `SERVER.json`."""
_COLLECTION = ("bench", "jentic_arazzo_dev", "raw", "apis", "openapi")
"""Documents of many vendors, each in `VENDOR/API/VERSION/openapi.json`; the API is `main` where there is one."""
_DOCUMENT = r"(-[0-9.]+)?\.(json|ya?ml)"


class _Labels(BaseModel):
    """Read from a line; what a line says beyond these fields is for people."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class GoldWay(_Labels):
    """One way to bind a parameter that is right: asked for, a value, a text that it contains, or an earlier answer."""

    param: str = ""
    """A parameter's name, or a JSON pointer into the body; empty where it is the binding's own."""
    ask: bool = False
    value: JsonValue = None
    contains: str = ""
    from_op: str = ""
    from_any_of: tuple[str, ...] = ()
    path_suffix: str = ""
    not_first: bool = False
    each: bool = False
    where: JsonValue = None
    except_: Annotated[tuple[JsonValue, ...], Field(alias="except")] = ()

    def says(self, field: str) -> bool:
        """Whether the line has the field, even if its value is null."""
        return field in self.model_fields_set


class GoldBinding(GoldWay):
    """What a step has to bind, or must not bind; itself the first of the ways."""

    op: str
    step: int
    """Index of the gold step."""
    param: str
    or_params: tuple[str, ...] = ()
    or_: Annotated[tuple[GoldWay, ...], Field(alias="or")] = ()
    unless_op: str = ""
    """Not asked for where the plan has this call instead."""
    ask_ok: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that may hold it."""
        return (self.param, *self.or_params)

    @property
    def ways(self) -> tuple[GoldWay, ...]:
        """All that are right."""
        return (self, *self.or_, *((GoldWay(ask=True),) if self.ask_ok else ()))


class GoldStep(_Labels):
    """A call, `METHOD /path`."""

    op: str
    any_of: tuple[str, ...] = ()
    """Calls that are as right."""
    optional: bool = False

    @property
    def accepted(self) -> tuple[str, ...]:
        """The call and those that are as right, itself first."""
        return (self.op, *self.any_of)


class GoalItem(_Labels):
    """A goal and what a plan for it is judged by."""

    id: str
    server: str
    """The document that it is about."""
    goal: str
    known: dict[str, JsonValue] = {}
    steps: tuple[GoldStep, ...]
    bind: tuple[GoldBinding, ...] = ()
    one_input: tuple[str, ...] = ()
    """Parameters that are one thing in the whole plan."""
    forbid: tuple[str, ...] = ()
    """Calls that must not be there; `*` stands for anything."""
    must_not: tuple[GoldBinding, ...] = ()
    order: tuple[tuple[str, str], ...] = ()
    conditional: tuple[int, ...] = ()
    """Indexes of gold steps that need a condition."""

    @model_validator(mode="after")
    def _indexes_exist(self) -> Self:
        named = [*(binding.step for binding in (*self.bind, *self.must_not)), *self.conditional]
        wrong = [at for at in named if not 0 <= at < len(self.steps)]
        if wrong:
            raise ValueError(f"no step {wrong[0]}: there are {len(self.steps)}, counted from 0")
        return self

    @property
    def required(self) -> list[int]:
        """Indexes of the steps that no plan may lack."""
        return [at for at, step in enumerate(self.steps) if not step.optional]


class QuestionItem(_Labels):
    """A request and the operations of its document that are right; without any, nothing can answer it."""

    id: str
    server: str
    query: str
    gold: tuple[str, ...] = ()
    kind: str = ""
    lang: str = ""


@dataclass(frozen=True)
class GoalSet:
    """Goals, the questions beside them, and the documents of both."""

    name: str
    goals: tuple[GoalItem, ...]
    questions: tuple[QuestionItem, ...]
    documents: Mapping[str, Path]
    """By server."""
    tasks: Mapping[str, tuple[AskedTask, ...]]
    """By goal: what a caller that understands the goal sends along."""
    requests: Path | None = None
    """A file of requests for some of the operations."""


Item = TypeVar("Item", GoalItem, QuestionItem)


def read_goals(
    data: Path,
    *,
    goals: Path | None = None,
    tasks: Path | None = None,
    requests: Path | None = None,
    servers: Sequence[str] = (),
) -> GoalSet:
    """A set of goals; questions are those of `NAME_questions.jsonl`, else `questions.jsonl`, beside it, where there is one.

    Args:
        data: Folder with the public sets; documents come from its `openapi/specs`, or from `documents` beside the goals.
        goals: Another file in the form of `goals/visible/goals.jsonl`.
        tasks: A JSON file with tasks by id of goal; goals that it does not name are asked as they are.
        requests: Requests for some of the operations, as `outfitter enrich requests --from` takes them.
        servers: Only items about these documents, all when empty; the other documents stay in the catalogue, so that
            figures do not depend on it.

    Raises:
        InvalidInputError: a file is missing or is not in this form, or a document is not there.
    """
    path = goals or require(data, *_FOLDER, "goals.jsonl")
    found = _items(path, GoalItem)
    own = path.with_name(_OWN_QUESTIONS.format(stem=path.stem))
    beside = own if own.exists() else path.with_name(_QUESTIONS)
    asked = _items(beside, QuestionItem) if beside.exists() else ()
    every = sorted({item.server for item in found} | {item.server for item in asked})
    for server in servers:
        if server not in every:
            raise InvalidInputError(f"--server: no goal is about {server!r}; accepted: {', '.join(every)}")
    wanted = set(servers or every)
    return GoalSet(
        path.stem,
        tuple(item for item in found if item.server in wanted),
        tuple(item for item in asked if item.server in wanted),
        {server: document_of(data, server, beside=path.with_name(_BESIDE)) for server in every},
        _tasks(tasks, {item.id for item in found}) if tasks else {},
        requests,
    )


def document_of(data: Path, server: str, *, beside: Path | None = None) -> Path:
    """The document of `openapi/specs` that has this name, with or without its version, or Jentic's: `VENDOR` or `VENDOR-API`.

    One in the folder `beside` the goals, where that is given, comes first.

    Raises:
        InvalidInputError: it is not there.
    """
    if beside is not None and (own := beside / f"{server}.json").exists():
        return own
    folder = require(data, *_SPECS)
    fits = re.compile(re.escape(server) + _DOCUMENT)
    for path in sorted(folder.iterdir()):
        if fits.fullmatch(path.name):
            return path
    for path in sorted(data.joinpath(*_COLLECTION).glob("*/*/*/openapi.json")):
        vendor, api = path.parts[-4:-2]
        if server == (vendor if api == "main" else f"{vendor}-{api}"):
            return path
    raise InvalidInputError(f"data set: {folder} has no document named {server!r}, which goals are about")


def _items(path: Path, kind: type[Item]) -> tuple[Item, ...]:
    found: list[Item] = []
    for number, line in _numbered(path):
        try:
            found.append(kind.model_validate_json(line))
        except ValidationError as error:
            raise InvalidInputError(f"{path}:{number}: {_said(error)}") from error
    return tuple(found)


def _numbered(path: Path) -> Iterator[tuple[int, str]]:
    lines = _text(path).split("\n")
    yield from ((number, line) for number, line in enumerate(lines, start=1) if line.strip())


def _tasks(path: Path, goals: set[str]) -> Mapping[str, tuple[AskedTask, ...]]:
    try:
        values: Any = json.loads(_text(path))
        found = TypeAdapter(dict[str, tuple[AskedTask, ...]]).validate_python(values)
    except ValidationError as error:
        raise InvalidInputError(f"{path}: {_said(error)}") from error
    except ValueError as error:
        raise InvalidInputError(f"{path}: not JSON: {error}") from error
    unknown = sorted(found.keys() - goals)
    if unknown:
        raise InvalidInputError(f"{path}: no goal {unknown[0]!r} in the set")
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{path}: {error}") from error


def _said(error: ValidationError) -> str:
    return str(refused_fields(error.errors(), unknown="no such field")[0])
