"""Calls passed on: what is refused and why, what is sent, what is written down, and that secrets stay here."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from pydantic import SecretStr

from app.domain.calling.calls import (
    CallEvent,
    CallLimits,
    CallRules,
    CallTarget,
    Connection,
    matches,
    not_allowed,
)
from app.domain.calling.credentials import GivenCredential
from app.domain.calling.definitions import Definition
from app.domain.calling.http_requests import HttpAnswer, HttpRequest
from app.domain.calling.mcp_endpoints import McpEndpoint, stdio_endpoint
from app.domain.nodes.graph_views import ToolSource
from app.domain.nodes.models import SourceId, Tool
from app.errors import (
    AuditError,
    CallFailedError,
    CallRefusedError,
    InvalidInputError,
    McpServerError,
    NotFoundError,
)
from app.usecases.call import ToolCaller
from app.usecases.call_memory import KEPT_S, MOST_CALLERS, MOST_RUNS, CallMemory
from tests.unit.catalogues import tool

SECRET = "s3cret-t0ken"
OPENAPI, MCP = SourceId("openapi:shop"), SourceId("mcp:files")
SCHEMA = {
    "type": "object",
    "properties": {
        "order": {"type": "string", "x-in": "path"},
        "note": {"type": "string", "x-in": "body"},
        "password": {"type": "string", "x-in": "body", "maxLength": 20},
    },
    "required": ["order"],
    "x-media-type": "application/json",
}
CANCEL = tool("shop/cancel", input_schema=json.dumps(SCHEMA), method="POST", path="/orders/{order}/cancel")
TRACK = tool("shop/track", input_schema=json.dumps(SCHEMA), method="GET", path="/orders/{order}")
WRITE = tool(
    "files/write", input_schema=json.dumps({"properties": {"path": {"type": "string"}}}), read_only=False
)
READ = tool("files/read", read_only=True)


@dataclass
class World:
    """Everything around the use case, in memory; fits its ports."""

    tools: dict[str, CallTarget] = field(default_factory=dict)
    connections: dict[SourceId, Connection] = field(default_factory=dict)
    broken: str = ""
    sent: list[HttpRequest] = field(default_factory=list)
    called: list[tuple[str, Mapping[str, object], float]] = field(default_factory=list)
    events: list[CallEvent] = field(default_factory=list)
    answer: HttpAnswer | Exception = field(
        default_factory=lambda: HttpAnswer(200, "application/json", "", b"{}")
    )
    result: Mapping[str, object] | Exception = field(default_factory=dict)
    full: bool = False

    def call_target(self, tool_id: str) -> CallTarget:
        if tool_id not in self.tools:
            raise NotFoundError(tool_id)
        return self.tools[tool_id]

    def connection(self, source: SourceId) -> Connection | None:
        if self.broken:
            raise InvalidInputError(self.broken)
        return self.connections.get(source)

    def send(self, request: HttpRequest, limits: CallLimits) -> HttpAnswer:
        self.sent.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def call(
        self, endpoint: McpEndpoint, tool: str, arguments: Mapping[str, object], *, timeout_s: float
    ) -> Mapping[str, object]:
        self.called.append((tool, arguments, timeout_s))
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def record(self, event: CallEvent) -> None:
        if self.full:
            raise AuditError("the disk is full")
        self.events.append(event)

    def caller(self, **limits: Any) -> ToolCaller:
        return ToolCaller(
            targets=self,
            connections=self,
            http=self,
            mcp=self,
            audit=self,
            limits=CallLimits(**limits),
            generation=lambda: 7,
        )

    def ask(self, tool_id: str, **arguments: Any) -> Any:
        return self.caller().call(tool_id, arguments, who="http")


def target(one: Tool, source: SourceId, *, declares: bool = False, **facts: Any) -> CallTarget:
    facts = {"base_url": "https://shop.example/v1", "security": ("key (http bearer)",), **facts}
    return CallTarget(tool=one, sources=(ToolSource(source=source, declares=declares),), **facts)


@pytest.fixture
def world() -> World:
    found = World()
    for one, source in ((CANCEL, OPENAPI), (TRACK, OPENAPI), (WRITE, MCP), (READ, MCP)):
        found.tools[one.id] = target(one, source)
    rules = CallRules(allow=("shop/cancel",), base_url="https://shop.example/v1", timeout_s=3.0)
    found.connections[OPENAPI] = Connection(
        OPENAPI, rules, credentials={"key": GivenCredential(SecretStr(SECRET))}
    )
    endpoint = stdio_endpoint(["files"], name="files", env={"TOKEN": "T"}, environ={"T": SECRET})
    found.connections[MCP] = Connection(MCP, CallRules(allow=("files/w*",)), endpoint=endpoint)
    return found


def test_an_operation_is_called_with_its_credentials(world: World) -> None:
    """The answer is its status and body."""
    world.answer = HttpAnswer(200, "application/json", "", b'{"id": 1}')

    answer = world.ask("shop/cancel", order="a/1", note="x")

    (sent,) = world.sent
    assert (sent.method, sent.target) == ("POST", "/v1/orders/a%2F1/cancel")
    assert ("Authorization", f"Bearer {SECRET}") in sent.headers
    assert sent.body == b'{"note":"x"}'
    assert answer.structured == {"status": 200, "body": {"id": 1}}
    assert not answer.is_error


def test_a_tool_is_called_at_its_server(world: World) -> None:
    """By its own name; content and structured content come back as they are."""
    content = [{"type": "text", "text": "done"}, {"type": "image", "data": "AA==", "mimeType": "image/png"}]
    world.result = {"content": content, "structuredContent": {"n": 1}, "isError": True}

    answer = world.ask("files/write", path="x")

    assert world.called == [("write", {"path": "x"}, 30.0)]
    assert [dict(block) for block in answer.content] == content
    assert answer.structured == {"n": 1}
    assert answer.is_error


@pytest.mark.parametrize(
    ("rules", "one", "allowed"),
    [
        (CallRules(), READ, False),
        (CallRules(trust_annotations=True), READ, True),
        (CallRules(trust_annotations=True), WRITE, False),
        (CallRules(allow=("files/write",)), WRITE, True),
        (CallRules(allow=("files/*",)), WRITE, True),
        (CallRules(allow=("write",)), WRITE, False),
        (CallRules(allow=("*",), deny=("files/wr*",)), WRITE, False),
        (CallRules(), TRACK, True),
        (CallRules(deny=("shop/track",)), TRACK, False),
        (CallRules(trust_annotations=True), CANCEL, False),
        (CallRules(trust_annotations=True), CANCEL.model_copy(update={"read_only": True}), False),
    ],
)
def test_what_may_change_something_needs_the_operators_word(
    rules: CallRules, one: Tool, *, allowed: bool
) -> None:
    """A server's own word counts only where it is trusted; an operation's method is a fact."""
    reason = not_allowed(target(one, MCP), rules)

    assert (reason == "") is allowed
    assert allowed or "call." in reason


@pytest.mark.parametrize(
    ("pattern", "tool_id", "fits"),
    [
        ("a/*", "a/b/c", True),
        ("a/*", "xa/b", False),
        ("*_x", "a/b_x", True),
        ("a/b", "a/bc", False),
        ("a/[bc]", "a/b", False),
        ("a/[bc]", "a/[bc]", True),
        ("a/?", "a/b", False),
        ("A/b", "a/b", False),
        ("*", "a/b\nc", True),
    ],
)
def test_only_a_star_stands_for_something_else(pattern: str, tool_id: str, *, fits: bool) -> None:
    """Ids of operations hold brackets and question marks, which mean themselves."""
    assert matches(tool_id, [pattern]) is fits


@pytest.mark.parametrize(
    ("tool_id", "arguments", "reason", "said"),
    [
        ("shop/nothing", {}, "unknown", "no tool 'shop/nothing'"),
        ("named", {}, "declared", "only named by a taxonomy"),
        ("other/tool", {}, "connection", "source 'manifest:other', which has no connection"),
        ("files/read", {}, "not_allowed", "not trusted"),
        ("shop/cancel", {}, "arguments", "argument 'order' is missing"),
        ("shop/cancel", {"order": 5}, "arguments", "argument 'order' = 5: accepted: string"),
        ("shop/cancel", {"order": "x" * 70_000}, "arguments", "bytes; accepted: up to 50,000"),
        ("shop/cancel", {"order": ".."}, "request", "segment"),
        ("shop/cancel", {"order": "a", "z": 1}, "request", "argument 'z' is not known"),
        ("shop/cancel", {"order": float("nan")}, "arguments", "not JSON"),
        ("shop/cancel", {"order": "\ud800"}, "arguments", "not JSON"),
        ("shop/locked", {"order": "a"}, "request", "needs credentials: 'other (oauth2)'"),
    ],
)
def test_a_call_that_is_refused_is_not_sent_and_is_written_down(
    world: World, tool_id: str, arguments: dict[str, Any], reason: str, said: str
) -> None:
    """Each refusal says what is accepted, and leaves one event."""
    world.tools["named"] = target(tool("named", declared=True), SourceId("taxonomy:t"), declares=True)
    world.tools["other/tool"] = target(tool("other/tool"), SourceId("manifest:other"))
    locked = CANCEL.model_copy(update={"id": "shop/cancel"})
    world.tools["shop/locked"] = target(locked, OPENAPI, security=("other (oauth2)",))

    with pytest.raises(CallRefusedError) as caught:
        world.caller(max_argument_bytes=50_000).call(tool_id, arguments, who="http")

    assert said in str(caught.value)
    assert (world.sent, world.called) == ([], [])
    (event,) = world.events
    assert (event.event, event.outcome, event.reason) == ("refused", "refused", reason)


def test_a_sources_file_that_cannot_be_read_lets_nothing_be_called(world: World) -> None:
    """Fail closed, and say why."""
    world.broken = "sources.yaml: cannot be read"

    with pytest.raises(CallRefusedError, match="cannot be read"):
        world.ask("shop/cancel", order="a")

    assert world.sent == []


def test_a_tool_without_a_method_is_not_called_over_http(world: World) -> None:
    """A tool of a manifest whose source has an API's connection, say."""
    world.tools["shop/odd"] = target(tool("shop/odd"), OPENAPI)
    world.connections[OPENAPI] = replace(world.connections[OPENAPI], rules=CallRules(allow=("*",)))

    with pytest.raises(CallRefusedError, match="not an operation"):
        world.ask("shop/odd")


def test_a_call_is_written_down_when_it_begins_and_when_it_ends(world: World) -> None:
    """Names of arguments, never values; which generation, how it went."""
    world.answer = HttpAnswer(404, "application/json", "", b"{}")

    world.ask("shop/cancel", order="value-1", password="value-2")

    started, ended = world.events
    assert (started.event, started.tool, started.source, started.who) == (
        "started",
        "shop/cancel",
        OPENAPI,
        "http",
    )
    assert (started.arguments, started.generation) == (("order", "password"), 7)
    assert (ended.event, ended.call, ended.outcome, ended.status) == (
        "ended",
        started.call,
        "tool_error",
        404,
    )
    assert ended.ms is not None
    assert "value-" not in repr(world.events)


def test_names_that_the_schema_does_not_have_are_not_written_down(world: World) -> None:
    """A caller could write anything there."""
    with pytest.raises(CallRefusedError):
        world.ask("shop/cancel", order="a", **{"my password is x": 1})

    assert world.events[0].arguments == ("order",)


def test_what_cannot_be_written_down_is_not_called(world: World) -> None:
    """A full disk stops calls before they are made."""
    world.full = True

    with pytest.raises(AuditError):
        world.ask("shop/cancel", order="a")

    assert world.sent == []


def test_an_answer_is_given_though_its_end_cannot_be_written_down(world: World) -> None:
    """The call is made; a missing answer would invite a second one."""
    record = world.record

    def only_the_first(event: CallEvent) -> None:
        record(event)
        world.full = True

    caller = replace(world.caller(), audit=type("Once", (), {"record": staticmethod(only_the_first)})())

    assert caller.call("shop/cancel", {"order": "a"}, who="http").status == 200


@pytest.mark.parametrize(
    ("tool_id", "arguments"), [("shop/cancel", {"order": "a"}), ("files/write", {"path": "a"})]
)
def test_a_failure_names_the_tool_and_no_secret_nor_the_server(
    world: World, tool_id: str, arguments: dict[str, Any]
) -> None:
    """Whatever a server or a library says; the end is written down. Where a server is, administrators may know."""
    world.answer = CallFailedError(f"https://shop.example broke at {SECRET}")
    world.result = McpServerError(f"files (stdio:files): said {SECRET}")

    with pytest.raises(CallFailedError) as caught:
        world.ask(tool_id, **arguments)

    assert repr(tool_id) in str(caught.value)
    assert "its server" in str(caught.value)
    assert not any(hidden in str(caught.value) for hidden in (SECRET, "shop.example", "stdio"))
    assert (world.events[-1].event, world.events[-1].outcome) == ("ended", "failed")
    assert SECRET not in repr(world.events)


def test_secrets_that_come_back_are_struck_out(world: World) -> None:
    """A server that echoes headers, or its environment."""
    world.answer = HttpAnswer(200, "application/json", "", json.dumps({"auth": f"Bearer {SECRET}"}).encode())
    world.result = {
        "content": [{"type": "text", "text": f"TOKEN={SECRET}"}],
        "structuredContent": {"t": SECRET},
    }

    answers = [world.ask("shop/cancel", order="a"), world.ask("files/write", path="a")]

    assert SECRET not in repr(answers)
    assert answers[0].structured == {"status": 200, "body": {"auth": "Bearer (secret)"}}
    assert answers[1].structured == {"t": "(secret)"}


def test_a_secret_of_digits_is_struck_out_where_it_is_a_number(world: World) -> None:
    """And what is left is still JSON."""
    world.connections[OPENAPI] = replace(
        world.connections[OPENAPI], credentials={"key": GivenCredential(SecretStr("12345678"))}
    )
    world.answer = HttpAnswer(
        200, "application/json", "", b'{"n": 12345678, "12345678": ["\\u00312345678", 1]}'
    )

    answer = world.ask("shop/cancel", order="a")

    assert answer.structured == {"status": 200, "body": {"n": "(secret)", "(secret)": ["(secret)", 1]}}
    assert "2345678" not in str(answer.content)


def test_an_answer_that_nests_without_end_is_text_or_a_failure(world: World) -> None:
    """Neither ends the call with another exception."""
    deep = "[" * 50_000 + "]" * 50_000
    nested: dict[str, object] = {}
    for _ in range(50_000):
        nested = {"a": nested}
    world.answer = HttpAnswer(200, "application/json", "", deep.encode())
    world.result = nested

    assert world.ask("shop/cancel", order="a").structured == {"status": 200, "body": deep}
    with pytest.raises(CallFailedError, match="nests too deeply"):
        world.ask("files/write", path="a")


@pytest.mark.parametrize("value", [float("nan"), "\ud800", {"a": [float("inf")]}])
def test_an_answer_that_cannot_be_passed_on_is_a_failure(world: World, value: object) -> None:
    """It would break our own answer."""
    world.result = {"content": [], "structuredContent": {"a": value}}

    with pytest.raises(CallFailedError, match="not JSON"):
        world.ask("files/write", path="a")


@pytest.mark.parametrize("body", [b'{"a": NaN}', b'{"a": "\\ud800"}', b"{", b"[1e999]"])
def test_a_body_that_is_no_sound_json_is_text(world: World, body: bytes) -> None:
    """As the server wrote it."""
    world.answer = HttpAnswer(200, "application/json", "", body)

    assert world.ask("shop/cancel", order="a").structured == {"status": 200, "body": body.decode()}


def test_a_tool_that_asks_back_is_a_failure(world: World) -> None:
    """Its questions have nowhere to go."""
    world.result = {"resultType": "input_required", "inputRequests": {}}

    with pytest.raises(CallFailedError, match="asks back"):
        world.ask("files/write", path="a")


def test_an_answer_of_a_server_that_is_too_long_is_a_failure(world: World) -> None:
    """Half of it would not be what the server said."""
    world.result = {"content": [{"type": "text", "text": "x" * 3_000}]}

    with pytest.raises(CallFailedError, match="more than 2,000 bytes"):
        world.caller(max_answer_bytes=2_000).call("files/write", {"path": "a"}, who="http")


def test_a_defect_is_written_down_as_one(world: World) -> None:
    """The event of the end is there whatever happened."""
    world.answer = RuntimeError("a bug")

    with pytest.raises(RuntimeError):
        world.ask("shop/cancel", order="a")

    assert (world.events[-1].event, world.events[-1].outcome, world.events[-1].reason) == (
        "ended",
        "failed",
        "defect",
    )


CONFIRMED = {"method": "POST", "path": "/orders/{order}/cancel", "security": ("key (http bearer)",)}


@pytest.mark.parametrize(
    ("confirmed", "reason"),
    [
        (
            {**CONFIRMED, "path": "/orders/{order}"},
            "was POST /orders/{order}, is POST /orders/{order}/cancel now",
        ),
        ({**CONFIRMED, "security": ("other (http bearer)",)}, "asks for key (http bearer) now"),
    ],
)
def test_a_changed_definition_is_not_called_before_it_is_confirmed(
    world: World, confirmed: dict[str, Any], reason: str
) -> None:
    """The refusal says what changed and what to do, and is in the audit."""
    changed = Definition(**{"base_url": "https://shop.example/v1", **confirmed})
    world.tools["shop/cancel"] = target(CANCEL, OPENAPI, confirmed=changed)

    with pytest.raises(CallRefusedError, match="`outfitter confirm shop/cancel`") as refused:
        world.ask("shop/cancel", order="1")

    assert reason in str(refused.value)
    assert (world.sent, [(one.event, one.reason) for one in world.events]) == (
        [],
        [("refused", "unconfirmed")],
    )


def test_another_server_matters_only_where_the_document_names_it(world: World) -> None:
    """The operator's own `base_url` is called whatever the document says."""
    changed = Definition(**CONFIRMED, base_url="https://elsewhere.example")
    world.tools["shop/cancel"] = target(CANCEL, OPENAPI, confirmed=changed)

    assert not world.ask("shop/cancel", order="1").is_error
    connection = world.connections[OPENAPI]
    rules = replace(connection.rules, base_url="", servers=("https://shop.example/v1",))
    world.connections[OPENAPI] = replace(connection, rules=rules)
    with pytest.raises(CallRefusedError, match=r"was sent to https://elsewhere\.example"):
        world.ask("shop/cancel", order="1")


def test_a_flipped_hint_is_not_believed_before_it_is_confirmed(world: World) -> None:
    """Not even where the operator trusts what the server says of its tools."""
    connection = world.connections[MCP]
    world.connections[MCP] = replace(connection, rules=replace(connection.rules, trust_annotations=True))
    world.ask("files/read")
    world.tools["files/read"] = target(
        READ, MCP, confirmed=Definition(read_only=False), base_url="", security=()
    )

    with pytest.raises(CallRefusedError, match="says now that it only reads"):
        world.ask("files/read")

    world.tools["files/read"] = target(
        READ.model_copy(update={"read_only": None}),
        MCP,
        confirmed=Definition(read_only=True),
        base_url="",
        security=(),
    )
    with pytest.raises(CallRefusedError, match="it may change something"):
        world.ask("files/read")


def test_after_what_others_wrote_nothing_is_sent_out_where_the_operator_wants_it(world: World) -> None:
    """By that caller, for that source, and not before; what only reads may go on."""
    mail = tool("files/read_mail", read_only=True)
    world.tools[mail.id] = target(mail, MCP)
    rules = CallRules(allow=("files/*",), trust_annotations=True)
    world.connections[MCP] = replace(world.connections[MCP], rules=rules)
    shop = world.connections[OPENAPI]
    caller = world.caller()

    def cancel(who: str, *, guards: bool) -> str:
        world.connections[OPENAPI] = replace(shop, rules=replace(shop.rules, guards_flows=guards))
        try:
            caller.call("shop/cancel", {"order": "a"}, who=who)
        except CallRefusedError as error:
            return str(error)
        return ""

    assert cancel("one", guards=True) == ""
    caller.call("files/read_mail", {}, who="one")

    said = cancel("one", guards=True)

    assert "it is destructive" in said
    assert "'files/read_mail'" in said
    assert world.events[-1].reason == "after_untrusted"
    assert cancel("two", guards=True) == ""
    assert cancel("one", guards=False) == ""
    caller.call("shop/track", {"order": "a"}, who="one")


def test_what_a_caller_was_given_is_forgotten_after_a_while() -> None:
    """And the oldest goes first where callers are too many."""
    now = [0.0]
    memory = CallMemory(clock=lambda: now[0])
    mail, drop = tool("mail/read_message", read_only=True), tool("files/delete_file")

    memory.answered("one", tool("clock/get_time", read_only=True))
    assert memory.objection("one", drop) == ""
    memory.answered("one", mail)
    assert "mail/read_message" in memory.objection("one", drop)
    assert memory.objection("one", mail) == ""
    now[0] = KEPT_S + 1
    assert memory.objection("one", drop) == ""
    for number in range(MOST_CALLERS + 1):
        memory.answered(str(number), mail)
    assert memory.objection("0", drop) == ""
    assert memory.objection(str(MOST_CALLERS), drop) != ""


def test_runs_of_a_caller_are_told_apart() -> None:
    """What was given in no run counts in all; whoever names no run is asked about all."""
    memory = CallMemory(clock=lambda: 1.0)
    mail, drop = tool("mail/read_message", read_only=True), tool("files/delete_file")

    memory.answered("one", mail, "a")
    assert memory.objection("one", drop, "a") != ""
    assert memory.objection("one", drop, "b") == ""
    assert memory.objection("one", drop) != ""
    assert memory.objection("two", drop, "a") == ""

    memory.answered("one", mail)
    assert memory.objection("one", drop, "b") != ""


def test_more_runs_than_are_kept_loosen_nothing() -> None:
    """The oldest is no longer kept apart from others, so it counts in all."""
    memory = CallMemory(clock=lambda: 1.0)
    mail, drop = tool("mail/read_message", read_only=True), tool("files/delete_file")
    for number in range(MOST_RUNS):
        memory.answered("one", mail, str(number))
    assert memory.objection("one", drop, "new") == ""

    memory.answered("one", mail, "one more")

    assert memory.objection("one", drop, "0") != ""
    assert memory.objection("one", drop, "new") != ""


def test_a_service_that_passes_no_calls_on_loads_no_grammars_of_formats() -> None:
    """They take a second of every start; the schemas of a call are checked without them."""
    script = (
        "import sys, app.roots.server, app.roots.service, ingest.wiring; print('jsonschema' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
