"""What leaves of spans: what is listed."""

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode, get_current_span

from app.roots.telemetry.opened import salted
from app.roots.telemetry.sent_spans import SDK_TRACER, WEB_TRACER, IdsAlone, ListedSpans

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def sent(
    tracer: str, name: str, kind: SpanKind = SpanKind.SERVER, **facts: str
) -> list[tuple[str, dict[str, str]]]:
    """Name and facts of a span as they arrive."""
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(ListedSpans(kept)))
    named = {key.replace("__", "."): value for key, value in facts.items()}
    with provider.get_tracer(tracer).start_as_current_span(name, kind=kind, attributes=named) as span:
        span.record_exception(ValueError("a secret"))
        span.set_status(StatusCode.ERROR, "a secret")
    spans = kept.get_finished_spans()
    assert all(not one.events and one.status.description is None for one in spans)
    return [(one.name, {key: str(value) for key, value in (one.attributes or {}).items()}) for one in spans]


def test_of_a_message_only_known_methods_and_tools_of_ours_are_sent() -> None:
    facts = {"mcp__method__name": "tools/call", "jsonrpc__request__id": "a secret"}

    assert sent(SDK_TRACER, "tools/call a", gen_ai__tool__name="search_tools", **facts) == [
        ("tools/call search_tools", {"mcp.method.name": "tools/call", "gen_ai.tool.name": "search_tools"})
    ]
    assert sent(SDK_TRACER, "tools/call a", gen_ai__tool__name="a secret", **facts) == [
        ("tools/call other", {"mcp.method.name": "tools/call", "gen_ai.tool.name": "other"})
    ]
    assert sent(SDK_TRACER, "a", mcp__method__name="a/secret") == [("other", {"mcp.method.name": "other"})]


def test_of_a_call_to_a_server_its_method_is_sent() -> None:
    assert sent(SDK_TRACER, "MCP send tools/call a", SpanKind.CLIENT, mcp__method__name="tools/call") == [
        ("MCP send tools/call", {"mcp.method.name": "tools/call"})
    ]


def test_of_a_request_its_route_is_sent_and_not_its_path() -> None:
    facts = {"http__request__method": "GET", "url__path": "/v1/tools/a", "url__query": "q=a"}

    assert sent(WEB_TRACER, "GET /v1/tools/a", http__route="/v1/tools/{id}", **facts) == [
        ("GET /v1/tools/{id}", {"http.request.method": "GET", "http.route": "/v1/tools/{id}"})
    ]
    assert sent(WEB_TRACER, "GET", **facts) == [("GET other", {"http.request.method": "GET"})]


def test_what_others_trace_is_not_sent() -> None:
    assert sent("a-library", "SELECT a FROM secrets", db__query__text="a secret") == []


def test_a_trace_is_passed_on_by_its_ids_alone() -> None:
    ids = IdsAlone()
    context = ids.extract({"traceparent": PARENT, "tracestate": "a=secret", "baggage": "b=secret"})
    written: dict[str, str] = {}

    ids.inject(written, context)

    assert written == {"traceparent": PARENT}
    assert not get_current_span(context).get_span_context().trace_state


def test_a_caller_has_another_hash_after_each_start() -> None:
    first, second = salted(b"one"), salted(b"two")

    assert first("caller:a") == first("caller:a") != second("caller:a")
    assert first("caller:a") != first("caller:b")
