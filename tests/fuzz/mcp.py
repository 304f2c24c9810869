"""Hostile messages to the MCP server: envelopes of both protocol eras, and what is in them."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.fuzz.rest import RestRequests
from tests.fuzz.values import Fields, JsonText, Values
from tests.fuzz.wire import HostileRequest

MODERN, LEGACY = b"2026-07-28", b"2025-11-25"
_METHODS = (
    *("tools/call",) * 40,
    *(
        "tools/list",
        "initialize",
        "server/discover",
        "ping",
        "resources/list",
        "resources/read",
        "prompts/get",
    ),
    *(
        "subscriptions/listen",
        "notifications/initialized",
        "notifications/cancelled",
        "logging/setLevel",
        "tasks/get",
    ),
    *("completion/complete", "sampling/createMessage", "rpc.x", "", "TOOLS/LIST", "tools/call\0", "\ud800"),
)
_VERSIONS = (b"", b"2025-06-18", b"2024-11-05", b"2099-01-01", b"\xff", b"2026-07-28, 2026-07-28", b"x" * 300)
_ACCEPTED = b"application/json, text/event-stream"
_ACCEPTS = (
    b"*/*",
    b"application/json",
    b"text/event-stream",
    b"text/html",
    b"",
    b"application/json;q=0",
    b"\xff",
)
_MEDIA_TYPES = (b"", b"text/plain", b"application/json; x=\xff", b"application/jsonrpc")
_IDS = (
    '"a"',
    "0",
    "-1",
    '""',
    "1.5",
    "1e999",
    "null",
    "true",
    "[]",
    "{}",
    "9" * 30,
    '"\\ud800"',
    f'"{"i" * 9000}"',
)
_NAMES = ("", "none", "search_tools ", "\0", "é", "a" * 9000, "=?base64?w6k=?=")


@dataclass(frozen=True, slots=True)
class McpRequests:
    """Draws messages of both eras; their headers mostly say what their body says."""

    values: Values

    def __iter__(self) -> Iterator[HostileRequest]:
        """Requests without end."""
        while True:
            yield self.values.one_of((self._modern,) * 10 + (self._legacy,) * 10 + (self._shapeless,))()

    def _modern(self) -> HostileRequest:
        method = self.values.one_of(_METHODS)
        name, arguments = self._call()
        params: Fields = {"_meta": lambda: self.values.object_of(self._meta())}
        if method == "tools/call":
            params = {**params, "name": lambda: json.dumps(name), "arguments": lambda: arguments}
        body = self._envelope(method, lambda: self.values.object_of(params))
        headers = [
            (b"MCP-Protocol-Version", self._mostly(MODERN, _VERSIONS)),
            (b"Mcp-Method", self._mostly(_header(method), (b"tools/list", b"\x01"))),
        ]
        if method == "tools/call":
            headers.append((b"Mcp-Name", self._mostly(_header(name), (b"=?base64?!?=", b"other", b""))))
        return self._posted(body, headers)

    def _meta(self) -> Fields:
        return {
            "io.modelcontextprotocol/protocolVersion": lambda: json.dumps(MODERN.decode()),
            "io.modelcontextprotocol/clientCapabilities": lambda: "{}",
            "io.modelcontextprotocol/clientInfo": lambda: '{"name":"fuzz","version":"1"}',
            "progressToken": self._id,
        }

    def _legacy(self) -> HostileRequest:
        def message() -> JsonText:
            method = self.values.one_of(_METHODS)
            params: Fields = {}
            if method == "tools/call":
                name, arguments = self._call()
                params = {"name": lambda: json.dumps(name), "arguments": lambda: arguments}
            elif method == "initialize":
                params = {
                    "protocolVersion": lambda: self.values.constant(
                        LEGACY.decode(), MODERN.decode(), "2024-11-05"
                    ),
                    "capabilities": lambda: "{}",
                    "clientInfo": lambda: '{"name":"fuzz","version":"1"}',
                }
            return self._envelope(method, lambda: self.values.object_of(params))

        batch = self.values.now_and_then(0.1)
        body = self.values.list_of(message, up_to=3) if batch else message()
        version = self._mostly(LEGACY, _VERSIONS)
        return self._posted(body, [(b"MCP-Protocol-Version", version)] if version else [])

    def _shapeless(self) -> HostileRequest:
        """Any JSON, and what is no JSON."""
        version = self.values.one_of((MODERN, LEGACY))
        return self._posted(
            self.values.anything(), [(b"MCP-Protocol-Version", version), (b"Mcp-Method", b"tools/list")]
        )

    def _envelope(self, method: str, params: Callable[[], JsonText]) -> JsonText:
        fields = {
            "jsonrpc": lambda: '"2.0"',
            "id": self._id,
            "method": lambda: json.dumps(method),
            "params": params,
        }
        return self.values.object_of(fields)

    def _id(self) -> JsonText:
        return self.values.one_of(_IDS) if self.values.now_and_then(0.1) else "1"

    def _call(self) -> tuple[str, JsonText]:
        """A tool's name and its arguments."""
        if self.values.now_and_then(0.05):
            return self.values.one_of(_NAMES), self.values.anything()
        rest, constant = RestRequests(self.values), self.values.constant
        many: Fields = {"queries": lambda: self.values.list_of(self.values.json_text, up_to=11)}
        tools: tuple[tuple[str, Fields], ...] = (
            (
                "search_tools",
                {
                    "query": self.values.json_text,
                    "top_k": lambda: constant(1, 5, 100),
                    "filters": rest.filters,
                    "prerequisites": lambda: constant(0, 5),
                    "explain": lambda: constant(True, False),
                    "format": lambda: constant("outfitter", "mcp", "openai", "anthropic_tool_reference"),
                },
            ),
            ("search_tools", many),
            (
                "plan_workflow",
                {
                    "goal": self.values.json_text,
                    "known": rest.known,
                    "max_steps": lambda: constant(1, 10),
                    "only_callable": lambda: constant(True, False, None),
                    "filters": rest.filters,
                },
            ),
            (
                "describe_tool",
                {
                    "id": lambda: json.dumps(self.values.one_of(("orders/get_order", self.values.text()))),
                    "request": self.values.json_text,
                },
            ),
            ("list_sources", {}),
            ("call_tool", {"id": lambda: constant("orders/get_order"), "arguments": self.values.anything}),
        )
        name, fields = self.values.one_of(tools)
        return name, self.values.object_of(fields)

    def _posted(self, body: JsonText, headers: list[tuple[bytes, bytes]]) -> HostileRequest:
        sent = [
            (b"Content-Type", self._mostly(b"application/json", _MEDIA_TYPES)),
            (b"Accept", self._mostly(_ACCEPTED, _ACCEPTS)),
            *headers,
        ]
        if self.values.now_and_then(0.03):
            sent.append((b"Mcp-Session-Id", self.values.one_of((b"1", b"\xff", b"x" * 5000))))
        chunk = 500 if self.values.now_and_then(0.1) else 0
        return HostileRequest("POST", b"/mcp", tuple(sent), self.values.encoded(body), chunk)

    def _mostly(self, sound: bytes, hostile: tuple[bytes, ...]) -> bytes:
        return self.values.one_of(hostile) if self.values.now_and_then(self.values.hostile) else sound


def _header(text: str) -> bytes:
    """A header's value; line ends and NUL would end the request instead of reaching anybody."""
    return text.encode("utf-8", "surrogatepass").translate(None, b"\r\n\0")
