"""The ways in which the service is asked for tools, byte for byte as clients send it."""

import json
from collections.abc import Mapping
from enum import StrEnum

_VERSIONS = {"mcp": "2026-07-28", "mcp-2025": "2025-11-25"}


class Interface(StrEnum):
    """Which way."""

    REST = "rest"
    """`POST /v1/query`."""
    MCP = "mcp"
    """`search_tools` at /mcp, as clients of 2026-07-28 call it."""
    MCP_2025 = "mcp-2025"
    """`search_tools` at /mcp, as clients of 2025-11-25 call it."""

    @property
    def path(self) -> str:
        """Where requests go."""
        return "/v1/query" if self is Interface.REST else "/mcp"

    @property
    def headers(self) -> Mapping[str, str]:
        """Beside the content type."""
        if self is Interface.REST:
            return {}
        shared = {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": _VERSIONS[self.value],
        }
        if self is Interface.MCP_2025:
            return shared
        return {**shared, "Mcp-Method": "tools/call", "Mcp-Name": "search_tools"}

    def body(self, query: str) -> bytes:
        """A request for the tools that fit a query."""
        if self is Interface.REST:
            return json.dumps({"query": query}).encode()
        params: dict[str, object] = {"name": "search_tools", "arguments": {"query": query}}
        if self is Interface.MCP:
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": _VERSIONS[self.value],
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()

    def answered(self, status: int, body: bytes) -> bool:
        """Whether this is an answer with tools, or that none fits."""
        if status != 200:
            return False
        if self is Interface.REST:
            return True
        result = json.loads(body).get("result", {})
        return "structuredContent" in result and not result.get("isError", False)
