"""One turn of a conversation with a language model: POST /chat/completions, as OpenAI and others speak it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

from pydantic import BaseModel, Field, SecretStr, ValidationError

from app.domain.calling.calls import CallLimits
from app.domain.calling.http_requests import HttpRequest, Server
from app.domain.reading.model_prompt import Message, estimated_tokens
from app.errors import CallFailedError, ReaderUnavailableError
from app.ports.servers import HttpCaller

PATH: Final = "/chat/completions"
_OK: Final = 200
_MAX_ANSWER_BYTES: Final = 1_000_000
"""Fifty tasks with all their values are a tenth of it."""
_MOST_REPORTED: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What is asked for instead of a text."""

    name: str
    schema: Mapping[str, Any]
    """In the part of JSON Schema that strict modes take."""


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """Which model is asked, where, and how much it may take for one thing: a goal, the requests of a tool, an order."""

    server: Server
    """Its path is what stands before `PATH`."""
    model: str
    key: SecretStr | None
    timeout_s: float
    """All turns included."""
    max_tokens: int
    """Prompts and answers of all turns."""


class Turn(NamedTuple):
    """What the model said, and what that cost."""

    text: str
    tokens: int
    """As the endpoint counts them, else estimated."""


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: Any = None


def body_of(
    endpoint: ModelEndpoint, messages: Sequence[Message], *, form: AnswerForm, max_tokens: int
) -> Mapping[str, Any]:
    """What is posted."""
    schema = {"name": form.name, "strict": True, "schema": form.schema}
    return {
        "model": endpoint.model,
        "messages": list(messages),
        "temperature": 0,
        "max_tokens": max_tokens,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }


def ask(
    http: HttpCaller,
    endpoint: ModelEndpoint,
    messages: Sequence[Message],
    *,
    form: AnswerForm,
    max_tokens: int,
    timeout_s: float,
) -> Turn:
    """The model's next message.

    Raises:
        ReaderUnavailableError: the endpoint did not answer, not in time, with an error, or with something else.
            The message holds nothing that was sent, and nothing that the endpoint wrote.
    """
    server = endpoint.server
    document = body_of(endpoint, messages, form=form, max_tokens=max_tokens)
    request = request_to(server, PATH, document, key=endpoint.key)
    limits = CallLimits(timeout_s=timeout_s, max_answer_bytes=_MAX_ANSWER_BYTES)
    try:
        answer = http.send(request, limits)
    except CallFailedError as error:
        # Where the model stands is not for everybody who asks for a plan.
        raise ReaderUnavailableError(f"its endpoint{str(error).removeprefix(server.origin)}") from error
    if answer.status != _OK:
        raise ReaderUnavailableError(f"its endpoint answered {answer.status}")
    try:
        found = _Completion.model_validate_json(answer.body)
    except ValidationError as error:
        raise ReaderUnavailableError("its endpoint answered something else than a chat completion") from error
    text = found.choices[0].message.content or ""
    return Turn(
        text, reported_tokens(found.usage) or estimated_tokens(*(one["content"] for one in messages), text)
    )


def request_to(
    server: Server, path: str, document: Mapping[str, Any], *, key: SecretStr | None
) -> HttpRequest:
    """What posts a document to an endpoint that speaks as OpenAI's does; `path` stands behind the server's own."""
    headers = [("Accept", "application/json"), ("Content-Type", "application/json")]
    if key is not None:
        headers.append(("Authorization", f"Bearer {key.get_secret_value()}"))
    body = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    return HttpRequest("POST", server, server.path + path, tuple(headers), body)


def reported_tokens(usage: object, name: str = "total_tokens") -> int:
    """The tokens that an endpoint says it took; 0 where that is no number that can be one."""
    total = usage.get(name) if isinstance(usage, dict) else None
    if isinstance(total, int) and not isinstance(total, bool) and 0 < total <= _MOST_REPORTED:
        return total
    return 0
