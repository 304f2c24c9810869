"""What a collector gets of a running service: what took how long, and not one byte of what was asked."""

import gzip
import json
import signal
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from app.domain.access.callers import digest_of
from tests.http_server import Asked, Handler, Recorded, web_server
from tests.mcp_downstream import downstream
from tests.service import Service, command, serving, wait_until

OPERATOR = "the-token-of-this-test"
BOT = "oft_" + "b" * 43
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"
HIDDEN_WORDS = (
    *("Zqtitle", "zqdescription"),
    *("zqparameter", "Zqparametertitle", "zqparametertext", "zqdefault"),
)
CANARIES = (
    *("zqquery", "zqgoal", "zqargument", "zqunknown", "zqmethod", "zqid", "zqstate", "zqbaggage"),
    # A tool that the caller may not see, by its name; who asks, by theirs; what a tool said of its failure.
    *("tell_secret", "zqbot", "no more paper", "zqcursor"),
    # Words of that tool's own.
    *HIDDEN_WORDS,
    *(OPERATOR, BOT),
)


@dataclass
class Collected:
    """Everything that arrived, in bytes and as spans."""

    bodies: list[bytes]
    spans: list[Span]
    metrics: ExportMetricsServiceRequest

    def named(self, name: str) -> list[Span]:
        return [one for one in self.spans if one.name == name]

    def below(self, parent: Span) -> set[str]:
        return {one.name for one in self.spans if one.parent_span_id == parent.span_id}


def facts(span: Span) -> dict[str, Any]:
    values = {one.key: one.value for one in span.attributes}
    return {key: getattr(value, str(value.WhichOneof("value"))) for key, value in values.items()}


HIDDEN_QUERY = "say what the server was given"


def ask(service: Service, path: str, body: Any, *, token: str, **headers: str) -> str:
    given = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {token}",
        **headers,
    }
    request = urllib.request.Request(
        service.url + path, None if body is None else json.dumps(body).encode(), given
    )
    try:
        with service.opener.open(request, timeout=30) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return str(error.read().decode())


def message(service: Service, method: str, params: dict[str, Any], *, token: str) -> str:
    meta = {"traceparent": PARENT, "tracestate": "a=zqstate", "baggage": "b=zqbaggage"}
    body = {"jsonrpc": "2.0", "id": "zqid", "method": method, "params": {**params, "_meta": meta}}
    return ask(service, "/mcp", body, token=token)


def tool(service: Service, name: str, *, token: str = BOT, **arguments: Any) -> str:
    return message(service, "tools/call", {"name": name, "arguments": arguments}, token=token)


def collector(handler: Handler, asked: Asked) -> None:
    handler.reply(200, b"", "application/x-protobuf")


def read(recorded: Recorded) -> Collected:
    traces, metrics = ExportTraceServiceRequest(), ExportMetricsServiceRequest()
    bodies = []
    for one in recorded.asked:
        body = gzip.decompress(one.body) if one.headers.get("content-encoding") == "gzip" else one.body
        bodies.append(body)
        (traces if one.target == "/v1/traces" else metrics).MergeFromString(body)
    spans = [
        span for resource in traces.resource_spans for scope in resource.scope_spans for span in scope.spans
    ]
    return Collected(bodies, spans, metrics)


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collected]:
    """A sync and a service with a caller who sees two tools of six, each asked over REST and MCP, and ended."""
    folder = tmp_path_factory.mktemp("telemetry")
    data_dir = folder / "data"
    with web_server(collector) as collecting, downstream() as web:
        entry = {"id": "web", "kind": "mcp", "uri": web, "call": {"allow": ["web/*"]}}
        (folder / "sources.yaml").write_text(json.dumps({"sources": [entry]}))
        callers = [{"name": "zqbot", "sha256": digest_of(BOT), "groups": ["staff"]}]
        (folder / "callers.yaml").write_text(json.dumps({"callers": callers}))
        granted = {"id": "a", "to": ["staff"], "may": ["call"], "tools": ["web/look", "web/fail"]}
        (folder / "policies.yaml").write_text(json.dumps({"policies": [granted]}))
        settings = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collecting.url,
            "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
            # Of the web framework, which would send what it has unlooked at.
            "FASTAPI_OTEL_AUTO_CONFIGURE": "true",
            "OUTFITTER_SOURCES": str(folder / "sources.yaml"),
            "OUTFITTER_PROXY": "true",
            "OUTFITTER_AUDIT_SEARCHES": "true",
        }
        done = command("sync", folder / "sources.yaml", data_dir=data_dir, **settings)
        assert done.returncode == 0, done.stderr
        more = {
            "OUTFITTER_API_TOKEN": OPERATOR,
            "OUTFITTER_CALLERS": str(folder / "callers.yaml"),
            "OUTFITTER_POLICIES": str(folder / "policies.yaml"),
        }
        with serving(data_dir, **settings, **more) as service:
            # What the caller sees is read after the service is ready.
            wait_until(lambda: "web/look" in ask(service, "/v1/query", {"query": "look"}, token=BOT))
            for token in (OPERATOR, BOT):
                query = {"query": "look at the word zqquery"}
                answer = ask(service, "/v1/query", query, token=token, traceparent=PARENT)
                assert "web/look" in answer
                ask(service, "/v1/plan", {"goal": "look at the word zqgoal"}, token=token)
                card = ask(service, "/v1/tools/web/tell_secret", None, token=token)
                found = ask(service, "/v1/query", {"query": HIDDEN_QUERY, "schemas": True}, token=token)
                ask(service, "/v1/plan", {"goal": HIDDEN_QUERY}, token=token)
                # The operator is given all of them, so that there was something to send.
                shown = [word for word in HIDDEN_WORDS if word in found and word in card]
                assert shown == ([*HIDDEN_WORDS] if token == OPERATOR else []), (card, found)
                ask(
                    service,
                    "/v1/query",
                    {"query": "zqquery", "filters": {"servers": ["zqunknown"]}},
                    token=token,
                )
                ask(service, "/v1/zqunknown?q=zqquery", {}, token=token)
            assert "web/look" in tool(service, "search_tools", query="look at the word zqquery")
            tool(service, "plan_workflow", goal="look at the word zqgoal")
            assert "no tool" in tool(service, "call_tool", id="web/tell_secret", arguments={})
            assert "seen zqargument" in tool(
                service, "call_tool", id="web/look", arguments={"word": "zqargument"}
            )
            assert "no more paper" in tool(service, "call_tool", id="web/fail", arguments={})
            assert "zqunknown" in tool(service, "zqunknown")
            message(service, "zqmethod/zqmethod", {}, token=BOT)
            message(service, "tools/list", {"cursor": "zqcursor"}, token=BOT)
            service.process.send_signal(signal.SIGTERM)
            service.process.wait(30)
            assert "Traceback" not in service.log.read_text()
            audit = (data_dir / "calls.jsonl").read_text()
            assert '"event":"searched","who":"caller:zqbot"' in audit
            assert [word for word in ("zqquery", "zqgoal", "zqargument") if word in audit] == []
        yield read(collecting)


@pytest.mark.parametrize("canary", CANARIES)
def test_nothing_of_what_was_asked_is_sent(collected: Collected, canary: str) -> None:
    """No query, goal, argument, id or method of a client, no name that a caller may not see, no text of an error."""
    assert collected.spans
    assert [body for body in collected.bodies if canary.encode() in body] == []


def test_no_span_says_more_than_that_something_failed(collected: Collected) -> None:
    assert [one.name for one in collected.spans if one.events or one.links or one.status.message] == []
    assert {one.status.code for one in collected.spans} >= {0, 2}
    assert {one.trace_state for one in collected.spans} == {""}


def test_a_request_has_its_parts(collected: Collected) -> None:
    """The search below its request, what it did below the search, and the statement by its name."""
    requests = [one for one in collected.named("POST /v1/query") if one.trace_id.hex() == TRACE]
    assert len(requests) == 2
    for request in requests:
        (search,) = [
            one for one in collected.named("outfitter.search") if one.parent_span_id == request.span_id
        ]
        parts = collected.below(search)
        steps = ("read", "words", "graph", "suggestions", "near", "fuse")
        assert parts >= {f"outfitter.search.{part}" for part in steps}
    statements = {facts(one).get("db.query.summary") for one in collected.named("db.client")}
    # No taxonomy but the common one: the graph is asked for its generation alone.
    assert "find_state" in statements
    assert all(statement and " " not in str(statement) for statement in statements)


def test_a_message_of_mcp_belongs_to_the_trace_of_its_client(collected: Collected) -> None:
    (search,) = collected.named("tools/call search_tools")
    assert search.trace_id.hex() == TRACE
    assert collected.below(search) == {"outfitter.search"}
    assert collected.below(collected.named("tools/call plan_workflow")[0]) == {"outfitter.plan"}
    assert collected.named("tools/call other")
    assert collected.named("other")


def test_a_call_names_its_tool_once_it_is_permitted(collected: Collected) -> None:
    tools = [facts(one).get("outfitter.tool") for one in collected.named("outfitter.call")]
    assert sorted(tools, key=str) == [None, "web/fail", "web/look"]
    assert len(collected.named("MCP send tools/call")) == 2


def test_a_caller_is_a_hash_that_says_nothing_elsewhere(collected: Collected) -> None:
    """The same over REST and MCP, another for another caller, and none that the id alone gives."""
    of_requests = {str(facts(one)["user.hash"]) for one in collected.named("POST /v1/query")}
    (of_message,) = {str(facts(one)["user.hash"]) for one in collected.named("tools/call search_tools")}
    assert len(of_requests) == 2
    assert of_message in of_requests
    assert not any(
        digest_of(name).startswith(one) for one in of_requests for name in ("caller:zqbot", "operator")
    )


def test_a_sync_is_a_trace_with_its_steps(collected: Collected) -> None:
    (sync,) = collected.named("outfitter.sync")
    assert collected.below(sync) >= {"outfitter.sync.read", "outfitter.sync.diff", "outfitter.sync.write"}


def test_how_long_messages_take_is_counted_by_method(collected: Collected) -> None:
    found = [
        metric
        for resource in collected.metrics.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    ]
    names = {metric.name for metric in found}
    assert names == {
        "mcp.server.operation.duration",
        "http.server.request.duration",
        "http.server.active_requests",
    }
    points = [
        point for metric in found if metric.name.startswith("mcp.") for point in metric.histogram.data_points
    ]
    methods = {
        value.value.string_value
        for point in points
        for value in point.attributes
        if value.key == "mcp.method.name"
    }
    assert methods == {"tools/call", "tools/list", "other"}


def test_without_its_packages_the_service_runs_and_says_so(tmp_path: Path) -> None:
    """They are hidden from it by a package of the same name in front of them."""
    hidden = tmp_path / "hidden" / "opentelemetry" / "sdk"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").touch()
    with serving(
        tmp_path / "data",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        PYTHONPATH=str(tmp_path / "hidden"),
    ) as service:
        assert service.get("/healthz")[0] == 200
        assert "outfitter[otel]" in service.log.read_text()
