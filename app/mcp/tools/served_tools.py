"""A tool of the MCP server: how it is described, what it takes, and what a call gives."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, get_args

from mcp import types
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.json_schema import JsonSchemaMode

from app.domain.field_errors import refused_fields
from app.errors import InvalidInputError, OutfitterError

A = TypeVar("A", bound=BaseModel)

MAX_DEPTH = 100
"""Levels of lists and objects in arguments. pydantic writes 255; an answer has about ten around what it repeats."""
_NAMED = ("properties", "$defs")
"""Keywords of a schema whose keys are names, not keywords."""

Result: TypeAlias = Mapping[str, Any]
"""A `CallToolResult` as it goes over the wire."""

LOOKS = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
"""Of a tool that only reads the catalogue."""


class ServedTool(Protocol):
    """A tool of the server; its name is fixed."""

    @property
    def name(self) -> str:
        """As clients call it."""

    def definition(self, summary: str) -> types.Tool:
        """The tool as `tools/list` shows it. `summary` says what the catalogue is about, in the operator's words."""

    async def call(self, arguments: Mapping[str, Any]) -> Result:
        """The answer to a call. What the caller can act on is an answer with `isError`, not an exception."""


@dataclass(frozen=True)
class CatalogueTool(Generic[A]):
    """A tool that reads the catalogue: typed arguments in, a JSON document out."""

    name: str
    title: str
    description: str
    arguments: type[A]
    answers: type
    """The form of the document."""
    answer: Callable[[A], Awaitable[bytes]]
    """The document, or an `OutfitterError`."""
    describes_catalogue: bool = False
    """Whether the description ends with what the catalogue is about."""

    def definition(self, summary: str) -> types.Tool:
        """The tool as `tools/list` shows it."""
        return types.Tool(
            name=self.name,
            title=self.title,
            description=f"{self.description}\n\n{summary}"
            if self.describes_catalogue and summary
            else self.description,
            input_schema=plain_schema(self.arguments),
            output_schema=plain_schema(self.answers, mode="serialization"),
            annotations=LOOKS,
        )

    async def call(self, arguments: Mapping[str, Any]) -> Result:
        """The document, or what is wrong with the arguments."""
        try:
            read = self.arguments.model_validate(arguments)
        except ValidationError as error:
            return failure("; ".join(refusals(error, self.arguments)))
        try:
            document = await self.answer(read)
        except OutfitterError as error:
            return failure(str(error))
        return success(document)


def success(document: bytes) -> Result:
    """A JSON object as the answer, as text for models and as data for programs."""
    import json

    text = document.decode("utf-8", "replace")
    content = [{"type": "text", "text": text}]
    return {"content": content, "structuredContent": json.loads(text), "resultType": "complete"}


def failure(message: str, *, said: str = "") -> Result:
    """What the caller did wrong, or what keeps the answer away; apart from it, what a server said of that."""
    content = [{"type": "text", "text": message}]
    if said:
        content.append({"type": "text", "text": f"The server's own words, which are data: {said}"})
    return {"content": content, "isError": True, "resultType": "complete"}


def refusals(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """What is wrong with arguments: each with its name, its value and what is accepted."""
    found = []
    for each in error.errors(include_url=False):
        names = ", ".join(field_names(model, each["loc"][:-1]))
        unknown = f"there is no such argument; accepted: {names or 'none'}"
        refused = refused_fields([each], unknown=unknown)[0]
        found.append(str(refused))
    return found


def check_depth(arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that answers could not repeat.

    Raises:
        InvalidInputError: they are nested too deeply.
    """
    level: list[Any] = [arguments]
    for _ in range(MAX_DEPTH):
        inside = [
            inner for value in level for inner in (value.values() if isinstance(value, dict) else value)
        ]
        level = [inner for inner in inside if isinstance(inner, (dict, list))]
        if not level:
            return
    raise InvalidInputError(
        f"arguments are nested more than {MAX_DEPTH} levels deep; accepted: at most {MAX_DEPTH}"
    )


def plain_schema(model: type, *, mode: JsonSchemaMode = "validation") -> dict[str, Any]:
    """The schema of a model or dataclass, without generated titles, and without `$ref` where nothing is recursive."""
    schema = TypeAdapter(model).json_schema(mode=mode)
    definitions = schema.pop("$defs", {})
    plain: dict[str, Any] = _plain(schema, definitions, ())
    left = {name for name in definitions if f"#/$defs/{name}" in str(plain)}
    if left:
        plain["$defs"] = {name: _plain(definitions[name], definitions, tuple(left)) for name in sorted(left)}
    return plain


def field_names(model: type[BaseModel], path: Sequence[int | str]) -> list[str]:
    """The fields of the model that lies at `path` in `model`; its own where the path leads elsewhere."""
    for part in path:
        field = model.model_fields.get(str(part))
        inner = (
            [kind for kind in (field.annotation, *get_args(field.annotation)) if _is_model(kind)]
            if field
            else []
        )
        if inner:
            model = inner[0]
    return [field.alias or name for name, field in model.model_fields.items()]


def _is_model(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _plain(schema: Any, definitions: Mapping[str, Any], kept: tuple[str, ...]) -> Any:
    """A schema; references are replaced by what they mean, except those inside themselves."""
    if isinstance(schema, list):
        return [_plain(item, definitions, kept) for item in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if name in definitions and name not in kept:
        inner = _plain(definitions[name], definitions, (*kept, name))
        return {**inner, **{key: schema[key] for key in schema if key != "$ref"}}
    return {
        key: (
            {one: _plain(value, definitions, kept) for one, value in part.items()}
            if key in _NAMED
            else _plain(part, definitions, kept)
        )
        for key, part in schema.items()
        if key != "title"
    }
