"""Calls of tools that are passed on to servers which are not there."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from app.domain.audit.events import AccessEvent, SearchEvent
from app.domain.calling.calls import CallEvent, CallLimits, CallRules, Connection
from app.domain.calling.http_requests import HttpAnswer, HttpRequest
from app.domain.calling.mcp_endpoints import McpEndpoint
from app.domain.nodes.models import SourceId
from app.ports.servers import CallTargets
from app.roots.calls import OpenCaller
from app.usecases.call import ToolCaller


class _Anywhere:
    """Fits `Connections`, `McpCaller`, `HttpCaller` and `Audit`: every call is allowed, and answered with its tool's name."""

    def connection(self, source: SourceId) -> Connection:
        endpoint = McpEndpoint(name=source, url="https://server.example/mcp")
        return Connection(source, CallRules(allow=("*",)), endpoint)

    def call(
        self,
        endpoint: McpEndpoint,
        tool: str,
        arguments: Mapping[str, object],
        *,
        timeout_s: float,  # noqa: ARG002 - it answers at once
    ) -> Mapping[str, object]:
        text = f"{tool} of {endpoint.name} with {sorted(arguments)}"
        return {"content": [{"type": "text", "text": text}]}

    def send(self, request: HttpRequest, limits: CallLimits) -> HttpAnswer:
        raise AssertionError(f"an endpoint of MCP is called over HTTP: {request}, {limits}")

    def record(self, event: CallEvent | AccessEvent | SearchEvent) -> None:
        """Kept nowhere."""


def passing_on(targets: CallTargets) -> OpenCaller:
    """What opens the calls of a service over this graph."""
    anywhere = _Anywhere()

    @contextmanager
    def opened(generation: Callable[[], int]) -> Iterator[ToolCaller]:
        yield ToolCaller(targets, anywhere, anywhere, anywhere, anywhere, CallLimits(), generation)

    return opened
