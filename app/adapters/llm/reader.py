"""Goals cut into tasks by a language model whose every answer is checked."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.adapters.llm.chat import PATH, AnswerForm, ModelEndpoint, ask, body_of
from app.domain.reading.model_answer import checked_answer
from app.domain.reading.model_prompt import (
    ANSWER_SCHEMA,
    CandidateOperation,
    Message,
    correction,
    estimated_tokens,
    question,
)
from app.domain.reading.models import AskedTask
from app.errors import ReaderUnavailableError
from app.ports.servers import HttpCaller

_FORM = AnswerForm("tasks", ANSWER_SCHEMA)
_TURNS = 2
_LEAST_ANSWER, _MOST_ANSWER = 256, 4_096
"""Tokens. A task takes some sixty, a long goal has ten."""
_SHARE_OF_QUESTION = 3
"""The question takes at most a third of the budget, or the second turn, which repeats it, has no room."""


class ReaderQuestion(NamedTuple):
    """What a goal's first turn sends."""

    body: Mapping[str, Any]
    tokens: int
    """Estimated, of all messages."""
    candidates: tuple[CandidateOperation, ...]
    """Those for which there is room."""


class ModelReader:
    """Fits `GoalReader`; safe to share between threads.

    Args:
        endpoint: the model.
        http: sends, within bounds, to servers that may be asked.
    """

    def __init__(self, endpoint: ModelEndpoint, http: HttpCaller) -> None:
        self.timeout_s = endpoint.timeout_s
        self.max_tokens = endpoint.max_tokens
        self.address = f"{endpoint.server.origin}{endpoint.server.path}{PATH}"
        self._endpoint = endpoint
        self._http = http

    def read(self, goal: str, candidates: Sequence[CandidateOperation]) -> tuple[AskedTask, ...]:
        """As the port says: one question and, where its answer is refused, one more with the reasons."""
        deadline = time.monotonic() + self.timeout_s
        first = self.prepared(goal, candidates)
        messages: list[Message] = list(first.body["messages"])
        tools = {str(one.id) for one in first.candidates}
        left, timeout_s = self.max_tokens, self.timeout_s
        for turn in range(_TURNS):
            if turn and (timeout_s := round(deadline - time.monotonic(), 1)) <= 0:
                raise ReaderUnavailableError(f"it was not done within {self.timeout_s:g} s")
            said = ask(
                self._http,
                self._endpoint,
                messages,
                form=_FORM,
                max_tokens=self._room(left, _tokens(messages)),
                timeout_s=timeout_s,
            )
            left -= said.tokens
            answer = checked_answer(said.text, goal=goal, tools=tools)
            if answer.tasks:
                return answer.tasks
            messages += correction(said.text, answer.problems)
        raise ReaderUnavailableError(
            "both of its answers were refused: not in the form asked for, or not in the goal"
        )

    def prepared(self, goal: str, candidates: Sequence[CandidateOperation]) -> ReaderQuestion:
        """What would be sent for a goal; the last candidates stay out where the budget has no room for them.

        Raises:
            ReaderUnavailableError: the budget has no room for the goal.
        """
        most = self.max_tokens // _SHARE_OF_QUESTION
        shown = list(candidates)
        messages = question(goal, shown)
        while shown and _tokens(messages) > most:
            shown.pop()
            messages = question(goal, shown)
        tokens = _tokens(messages)
        body = body_of(self._endpoint, messages, form=_FORM, max_tokens=self._room(self.max_tokens, tokens))
        return ReaderQuestion(body, tokens, tuple(shown))

    def _room(self, left: int, asked: int) -> int:
        """Tokens for the answer to a prompt."""
        room = min(left - asked, _MOST_ANSWER)
        if room < _LEAST_ANSWER:
            raise ReaderUnavailableError(
                f"no room for an answer: {self.max_tokens - left + asked:,} of {self.max_tokens:,} tokens would be used"
                " before it (OUTFITTER_LLM_MAX_TOKENS)"
            )
        return room


def _tokens(messages: Sequence[Message]) -> int:
    return estimated_tokens(*(one["content"] for one in messages))
