"""One turn of a model that may call functions: POST /chat/completions, as OpenAI and others speak it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, SecretStr, ValidationError

from app.adapters.llm.chat import PATH, reported_tokens, request_to
from app.domain.calling.calls import CallLimits
from app.domain.calling.http_requests import Server
from app.domain.reading.model_prompt import estimated_tokens
from app.errors import CallFailedError, ReaderUnavailableError
from app.ports.servers import HttpCaller

_OK: Final = 200
_MAX_ANSWER_BYTES: Final = 4_000_000


@dataclass(frozen=True, slots=True)
class AgentModel:
    """Which model does the tasks, and where it is."""

    server: Server
    name: str
    key: SecretStr | None
    timeout_s: float
    """Of one turn."""
    max_tokens: int
    """Of one answer."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function that the model wants called."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    """None where what it wrote is no JSON object."""


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """What the model said, and what that cost."""

    message: Mapping[str, Any]
    """As it goes back to the model with the next turn."""
    text: str
    calls: tuple[FunctionCall, ...]
    sent: int
    """Tokens, as the endpoint counts them, else estimated; likewise the next."""
    answered: int


class _Function(BaseModel):
    name: str
    arguments: str | dict[str, Any] | None = ""


class _Call(BaseModel):
    id: str = ""
    function: _Function


class _Message(BaseModel):
    content: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: Any = None


def next_turn(
    http: HttpCaller,
    model: AgentModel,
    messages: Sequence[Mapping[str, Any]],
    functions: Sequence[Mapping[str, Any]],
) -> AgentTurn:
    """The model's next message.

    Args:
        http: Sends, within bounds.
        model: Which it is.
        messages: What was said until now.
        functions: What it may call, as `tools` of the request.

    Raises:
        ReaderUnavailableError: the endpoint did not answer, not in time, with an error, or with something else.
    """
    document = {
        "model": model.name,
        "messages": list(messages),
        "tools": list(functions),
        "temperature": 0,
        "max_tokens": model.max_tokens,
    }
    request = request_to(model.server, PATH, document, key=model.key)
    try:
        answer = http.send(request, CallLimits(timeout_s=model.timeout_s, max_answer_bytes=_MAX_ANSWER_BYTES))
    except CallFailedError as error:
        raise ReaderUnavailableError(str(error)) from error
    if answer.status != _OK:
        raise ReaderUnavailableError(f"{model.server.origin} answered {answer.status}")
    try:
        found = _Completion.model_validate_json(answer.body)
    except ValidationError as error:
        raise ReaderUnavailableError(
            f"{model.server.origin} answered something else than a chat completion"
        ) from error
    return _turn(found, asked=request.body or b"")


def _turn(found: _Completion, *, asked: bytes) -> AgentTurn:
    said = found.choices[0].message
    calls = tuple(
        FunctionCall(one.id or f"call_{at}", one.function.name, _arguments(one.function.arguments))
        for at, one in enumerate(said.tool_calls or ())
    )
    message: dict[str, Any] = {"role": "assistant", "content": said.content or ""}
    if calls:
        message["tool_calls"] = [
            {
                "id": one.id,
                "type": "function",
                "function": {"name": one.name, "arguments": json.dumps(one.arguments or {})},
            }
            for one in calls
        ]
    return AgentTurn(
        message,
        said.content or "",
        calls,
        reported_tokens(found.usage, "prompt_tokens") or estimated_tokens(asked.decode()),
        reported_tokens(found.usage, "completion_tokens") or estimated_tokens(json.dumps(message)),
    )


def _arguments(said: str | dict[str, Any] | None) -> Mapping[str, Any] | None:
    try:
        found = json.loads(said) if isinstance(said, str) and said.strip() else said or {}
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
