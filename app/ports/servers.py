"""Servers that tools belong to: asked, listened to and called."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from app.domain.audit.chain import AuditHead
from app.domain.audit.events import AccessEvent, SearchEvent
from app.domain.calling.calls import CallEvent, CallLimits, CallTarget, Connection
from app.domain.calling.http_requests import HttpAnswer, HttpRequest
from app.domain.calling.mcp_endpoints import McpChange, McpEndpoint, McpFailure, McpListing
from app.domain.nodes.models import SourceId


class McpLister(Protocol):
    """The tools of MCP servers, as they are now."""

    def list_tools(
        self, endpoints: Sequence[McpEndpoint], *, on_answer: Callable[[], None] | None = None
    ) -> list[McpListing | McpFailure]:
        """What each server answers, in the order of the endpoints; a bounded number is asked at the same time.

        A server that fails is no exception: the others are asked all the same. A server that is listened to,
        or called, is asked over the same connection.

        Args:
            endpoints: which servers.
            on_answer: called in the caller's thread whenever one more server has answered or failed.
        """


class McpSubscription(Protocol):
    """An open subscription to the changes of a server's tools."""

    declared: bool
    """Whether the server said that it reports changes; one that did not may do so all the same."""

    def close(self) -> None:
        """End it; nothing is reported afterwards. May be repeated."""


class McpListener(McpLister, Protocol):
    """Servers that report when their tools change."""

    def listen(self, endpoint: McpEndpoint, on_change: Callable[[McpChange], None]) -> McpSubscription | None:
        """Be notified of changes until closed or lost; None where the server cannot notify. List after it.

        Args:
            endpoint: which server.
            on_change: called in a thread of the connection's; returns at once and raises nothing. After `LOST`
                it is not called again.

        Raises:
            McpServerError: the server cannot be reached, or does not answer as it must.
        """


class McpCaller(Protocol):
    """Tools of MCP servers, called."""

    def call(
        self, endpoint: McpEndpoint, tool: str, arguments: Mapping[str, object], *, timeout_s: float
    ) -> Mapping[str, object]:
        """The result of `tools/call` as the server sent it (`content`, `isError`, `structuredContent`, ...).

        The connection is kept for the next call. A call that may have reached the server is not repeated.

        Raises:
            McpServerError: the server cannot be reached, answers an error, not in time, or too much.
        """


class CallTargets(Protocol):
    """Tools as they are called."""

    def call_target(self, tool_id: str) -> CallTarget:
        """The tool with what a call of it needs, as the graph has it now.

        Raises:
            NotFoundError: no tool has it.
            StoreUnavailableError: the database does not answer.
        """


class Connections(Protocol):
    """How the operator lets sources be called."""

    def connection(self, source: SourceId) -> Connection | None:
        """The source's connection, as it is written down now; None where calls of it are not configured.

        Raises:
            InvalidInputError: what is written down cannot be read, or a variable that it names is not set.
        """


class HttpCaller(Protocol):
    """Operations of APIs, called."""

    def send(self, request: HttpRequest, limits: CallLimits) -> HttpAnswer:
        """What the server answers, whatever its status; nothing is followed, nothing repeated.

        Raises:
            CallFailedError: its address may not be called, it does not answer in time, or with too much. The
                message names the server and the reason, and holds nothing that was sent.
        """


class Audit(Protocol):
    """Where calls are written down, and who may make them."""

    def record(self, event: CallEvent | AccessEvent | SearchEvent) -> None:
        """Keep an event before returning.

        Raises:
            AuditError: it cannot be kept.
        """


class AuditHeads(Protocol):
    """Where it is kept how far chains of the audit have come, out of reach of whoever may write their files."""

    def put_audit_head(self, head: AuditHead) -> None:
        """Keep where a chain stands now, in place of where it stood."""

    def audit_heads(self) -> list[AuditHead]:
        """Where each chain stood last, those that were kept last first."""
