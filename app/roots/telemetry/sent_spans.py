"""What of a span leaves: what is listed here, and nothing else.

Spans of ours, of the web framework and of the MCP SDK are sent. A client chooses paths, and methods, names and ids of
messages, a server the texts of its errors, and the libraries put them into their spans: none of that is on the lists.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from opentelemetry.context import Context
from opentelemetry.metrics import Histogram
from opentelemetry.propagators.textmap import (
    CarrierT,
    Getter,
    Setter,
    TextMapPropagator,
    default_getter,
    default_setter,
)
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import SpanKind, Status
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from app.domain.access.callers import OF_MCP_TOOLS
from app.ports.spans import CALLER, ERROR, TRACER_NAME, asking_caller

SDK_TRACER: Final = "mcp-python-sdk"
WEB_TRACER: Final = "fastapi"
OTHER: Final = "other"
"""What a method or a tool is called that is on no list."""
METHODS: Final = frozenset(
    {
        *("completion/complete", "initialize", "logging/setLevel", "ping", "server/discover"),
        *("prompts/get", "prompts/list", "resources/list", "resources/read", "resources/templates/list"),
        *("subscriptions/listen", "tools/call", "tools/list"),
        *("notifications/cancelled", "notifications/initialized", "notifications/progress"),
        *("notifications/roots/list_changed", "notifications/tools/list_changed"),
    }
)
_METHOD: Final = "mcp.method.name"
_TOOL: Final = "gen_ai.tool.name"
_REVISION: Final = "mcp.protocol.version"
_OWN_FACTS: Final = frozenset(
    {
        *(CALLER, ERROR, "db.query.summary", "db.system.name"),
        *(f"outfitter.{name}" for name in ("found", "generation", "method", "steps", "tool")),
    }
)
_WEB_FACTS: Final = frozenset(
    {CALLER, ERROR, "http.request.method", "http.response.status_code", "http.route"}
)
_SDK_FACTS: Final = frozenset({CALLER, ERROR, _METHOD, _TOOL, _REVISION, "rpc.response.status_code"})
_CODE: Final = re.compile(r"-?\d{1,9}|[0-9a-f]{16}|[A-Za-z_][A-Za-z0-9_.]{0,99}")
"""A number, the hash of a caller, or the name of a class."""
_DAY: Final = re.compile(r"20\d\d-\d\d-\d\d")
_PER_S: Final = 1_000_000_000
_TRACERS: Final = (TRACER_NAME, WEB_TRACER, SDK_TRACER)
_TRACE_PARENT: Final = "traceparent"
"""The header, or the field of a message, that names the span which it belongs to (W3C)."""


class MessageTimes(SpanProcessor):
    """Says in each span who asks, and how long messages of MCP took.

    Args:
        duration: Where that is counted; messages of traces that are not sampled are not.
    """

    def __init__(self, duration: Histogram) -> None:
        self._duration = duration

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:  # noqa: ARG002 - the SDK's
        """The SDK's span of a message may belong to a trace of its client; who asks is known here all the same."""
        if caller := asking_caller():
            span.set_attribute(CALLER, caller)

    def on_end(self, span: ReadableSpan) -> None:
        """Count a message that was answered."""
        if _tracer(span) == SDK_TRACER and span.kind is SpanKind.SERVER and span.end_time and span.start_time:
            facts = _listed(span)
            counted: dict[str, Any] = {name: facts[name] for name in (_METHOD, _TOOL, ERROR) if name in facts}
            self._duration.record((span.end_time - span.start_time) / _PER_S, counted)


class ListedSpans(SpanExporter):
    """Passes on what is listed of spans.

    Args:
        sent_by: Sends it.
    """

    def __init__(self, sent_by: SpanExporter) -> None:
        self._sent_by = sent_by

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send what is listed of them; nothing of spans that others made."""
        listed = [_sendable(span) for span in spans if _tracer(span) in _TRACERS]
        return self._sent_by.export(listed) if listed else SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        """End."""
        self._sent_by.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Send what waits."""
        return self._sent_by.force_flush(timeout_millis)


class IdsAlone(TextMapPropagator):
    """Passes on which trace a message belongs to, and nothing that a caller has put beside it."""

    def __init__(self) -> None:
        self._inner = TraceContextTextMapPropagator()

    @property
    def fields(self) -> set[str]:
        """What is read and written."""
        return {_TRACE_PARENT}

    def extract(
        self,
        carrier: CarrierT,
        context: Context | None = None,
        getter: Getter[CarrierT] = default_getter,
    ) -> Context:
        """The trace that a message names."""
        found = getter.get(carrier, _TRACE_PARENT)
        return self._inner.extract({_TRACE_PARENT: found[0]} if found else {}, context)

    def inject(
        self,
        carrier: CarrierT,
        context: Context | None = None,
        setter: Setter[CarrierT] = default_setter,
    ) -> None:
        """Name the trace in a message."""
        written: dict[str, str] = {}
        self._inner.inject(written, context)
        if _TRACE_PARENT in written:
            setter.set(carrier, _TRACE_PARENT, written[_TRACE_PARENT])


def _tracer(span: ReadableSpan) -> str:
    return span.instrumentation_scope.name if span.instrumentation_scope else ""


def _sendable(span: ReadableSpan) -> ReadableSpan:
    facts = _listed(span)
    return ReadableSpan(
        span.name if _tracer(span) == TRACER_NAME else _name(span, facts),
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=facts,
        kind=span.kind,
        # Without its description, which repeats what an exception says.
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _name(span: ReadableSpan, facts: Mapping[str, Any]) -> str:
    """The library's own, made again of what is listed."""
    if _tracer(span) == WEB_TRACER:
        return f"{facts.get('http.request.method', OTHER)} {facts.get('http.route', OTHER)}"
    words = (facts.get(_METHOD, OTHER), facts.get(_TOOL, ""))
    return " ".join(filter(None, words if span.kind is SpanKind.SERVER else ("MCP send", *words)))


def _listed(span: ReadableSpan) -> dict[str, Any]:
    if _tracer(span) != SDK_TRACER:
        known = _OWN_FACTS if _tracer(span) == TRACER_NAME else _WEB_FACTS
        return {name: value for name, value in (span.attributes or {}).items() if name in known}
    return {
        name: _accepted(name, str(value))
        for name, value in (span.attributes or {}).items()
        if name in _SDK_FACTS
    }


def _accepted(name: str, value: str) -> str:
    accepted = {
        _METHOD: value in METHODS,
        _TOOL: value in OF_MCP_TOOLS,
        _REVISION: _DAY.fullmatch(value) is not None,
    }
    return value if accepted.get(name, _CODE.fullmatch(value) is not None) else OTHER
