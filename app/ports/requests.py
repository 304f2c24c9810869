"""Whoever writes down what people would type who need a tool."""

from typing import NamedTuple, Protocol

from app.domain.nodes.models import Tool
from app.domain.requests.answer import OtherTools, Requests
from app.domain.requests.prompt import RequestWish


class WrittenRequests(NamedTuple):
    """What was written for a tool."""

    requests: Requests
    """Empty where nothing of it can be kept."""
    problems: tuple[str, ...]
    """Why something of it is not kept; may hold what the author wrote."""
    tokens: int
    """That it took."""


class RequestAuthor(Protocol):
    """Writes requests; safe to share between threads."""

    model: str
    """Its name."""

    def write(self, tool: Tool, wish: RequestWish, others: OtherTools) -> WrittenRequests:
        """Requests for a tool that name none of the others.

        Raises:
            ReaderUnavailableError: it did not answer, not in time, or with an error.
        """
