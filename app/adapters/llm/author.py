"""Requests for tools, written by a language model whose every answer is checked."""

import time

from app.adapters.llm.chat import AnswerForm, ModelEndpoint, ask
from app.domain.nodes.models import Tool
from app.domain.reading.model_prompt import Message, correction
from app.domain.requests.answer import OtherTools, checked_answer_requests
from app.domain.requests.description import (
    DESCRIPTION_SCHEMA,
    DESCRIPTION_TOKENS,
    CheckedDescription,
    checked_description,
    description_question,
)
from app.domain.requests.prompt import REQUESTS_SCHEMA, RequestWish, request_question
from app.errors import ReaderUnavailableError
from app.ports.requests import WrittenRequests
from app.ports.servers import HttpCaller

_FORM = AnswerForm("requests", REQUESTS_SCHEMA)
_DESCRIPTION = AnswerForm("description", DESCRIPTION_SCHEMA)
_TURNS = 2
_ROOM = 2
"""How often its estimate an answer may take: models think, and some scripts take more tokens."""


class ModelAuthor:
    """Fits `RequestAuthor`; safe to share between threads.

    Args:
        endpoint: the model.
        http: sends, within bounds, to servers that may be asked.
    """

    def __init__(self, endpoint: ModelEndpoint, http: HttpCaller) -> None:
        self.model = endpoint.model
        self._endpoint = endpoint
        self._http = http

    def write(self, tool: Tool, wish: RequestWish, others: OtherTools) -> WrittenRequests:
        """As the port says: one question and, where nothing of its answer is kept, one more with the reasons."""
        deadline = time.monotonic() + self._endpoint.timeout_s
        messages: list[Message] = request_question(tool, wish)
        tokens = 0
        problems: tuple[str, ...] = ()
        for turn in range(_TURNS):
            left = round(deadline - time.monotonic(), 1) if turn else self._endpoint.timeout_s
            if left <= 0:
                raise ReaderUnavailableError(f"it was not done within {self._endpoint.timeout_s:g} s")
            said = ask(
                self._http,
                self._endpoint,
                messages,
                form=_FORM,
                max_tokens=_ROOM * wish.answer_tokens,
                timeout_s=left,
            )
            tokens += said.tokens
            checked = checked_answer_requests(said.text, wish, tool=tool, others=others)
            if checked.requests:
                return WrittenRequests(checked.requests, checked.problems, tokens)
            problems = checked.problems
            messages += correction(said.text, problems)
        return WrittenRequests({}, problems, tokens)


class ModelDescriber:
    """Proposes descriptions.

    Args:
        endpoint: the model.
        http: sends, within bounds, to servers that may be asked.
    """

    def __init__(self, endpoint: ModelEndpoint, http: HttpCaller) -> None:
        self._endpoint = endpoint
        self._http = http

    def describe(self, tool: Tool, others: OtherTools) -> CheckedDescription:
        """A description that names none of the other tools.

        Raises:
            ReaderUnavailableError: the endpoint did not answer, not in time, or with an error.
        """
        said = ask(
            self._http,
            self._endpoint,
            description_question(tool),
            form=_DESCRIPTION,
            max_tokens=DESCRIPTION_TOKENS,
            timeout_s=self._endpoint.timeout_s,
        )
        return checked_description(said.text, tool=tool, others=others)
