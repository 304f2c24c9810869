"""A tool of the MCP server: how it is described, and what a call gives."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from mcp import types
from pydantic import BaseModel, ValidationError

from app.domain.field_errors import refused_fields
from app.errors import OutfitterError
from app.mcp.schemas import field_names, plain_schema

A = TypeVar("A", bound=BaseModel)

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
