"""Found tools put into another order by a language model whose answer is checked."""

import threading
from collections.abc import Sequence

from app.adapters.http.rest import Rest
from app.adapters.llm.chat import AnswerForm, ModelEndpoint, ask
from app.domain.nodes.models import Tool
from app.domain.reading.model_prompt import estimated_tokens
from app.domain.reranking.order import (
    ORDER_SCHEMA,
    TOKENS_A_PLACE,
    checked_order,
    held_back,
    not_to_rise,
    order_question,
)
from app.errors import ReaderUnavailableError, RerankerError
from app.ports.servers import HttpCaller

_FORM = AnswerForm("order", ORDER_SCHEMA)
_AT_ONCE = 4
"""Answers that may wait for the model at the same time: the threads that answer are few."""
_LEAST_ANSWER = 256
"""Tokens; models think."""


class ModelReranker:
    """Fits `Reranker`.

    Args:
        endpoint: the model; its time and its tokens are those of one order.
        http: sends, within bounds, to servers that may be asked.
    """

    def __init__(self, endpoint: ModelEndpoint, http: HttpCaller) -> None:
        self.name = f"language model {endpoint.model!r}"
        self._endpoint = endpoint
        self._http = http
        self._rest = Rest()
        self._free = threading.BoundedSemaphore(_AT_ONCE)

    def order(self, request: str, tools: Sequence[Tool], *, timeout_s: float) -> Sequence[int]:
        """As the port says; tools for which there is no room stay behind the others, as they stood."""
        if self._rest.is_on:
            raise RerankerError("its endpoint failed three times in a row, and is not asked for a while")
        if not self._free.acquire(blocking=False):
            raise RerankerError(f"{_AT_ONCE} answers wait for the model already")
        try:
            order = self._asked(request, self._shown(request, tools), timeout_s=timeout_s)
        except RerankerError:
            self._rest.failed()
            raise
        finally:
            self._free.release()
        self._rest.worked()
        whole = [*order, *range(len(order), len(tools))]
        return held_back(whole, not_to_rise(tools))

    def _asked(self, request: str, tools: Sequence[Tool], *, timeout_s: float) -> tuple[int, ...]:
        messages = order_question(request, tools)
        try:
            said = ask(
                self._http,
                self._endpoint,
                messages,
                form=_FORM,
                max_tokens=self._endpoint.max_tokens
                - estimated_tokens(*(one["content"] for one in messages)),
                timeout_s=round(timeout_s, 3),
            )
        except ReaderUnavailableError as error:
            raise RerankerError(str(error)) from error
        order = checked_order(said.text, request, tools)
        if order is None:
            raise RerankerError("its answer is no order of the tools")
        return order

    def _shown(self, request: str, tools: Sequence[Tool]) -> Sequence[Tool]:
        shown = list(tools)
        while len(shown) > 1:
            asked = estimated_tokens(*(one["content"] for one in order_question(request, shown)))
            if asked + max(_LEAST_ANSWER, TOKENS_A_PLACE * len(shown)) <= self._endpoint.max_tokens:
                return shown
            shown.pop()
        raise RerankerError(
            f"no room for two tools in {self._endpoint.max_tokens:,} tokens (OUTFITTER_RERANKER_MAX_TOKENS)"
        )
