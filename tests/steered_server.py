"""An MCP server whose tools are those of a JSON file, and which tells when that file is another:
`python tests/steered_server.py stdio|http FILE`. Over HTTP it prints its port.
"""

import json
import logging
import socket
import sys
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from mcp.server import MCPServer
from mcp.server.subscriptions import InMemorySubscriptionBus, ToolsListChanged
from mcp_types import ListToolsResult, Tool


class SteeredServer(MCPServer):
    """Lists what the file says now; clients of 2025-11-25 are told by the sessions in which they listed."""

    def __init__(self, path: Path) -> None:
        self.bus = InMemorySubscriptionBus()
        super().__init__("steered", version="1.0", subscriptions=self.bus)
        self.path = path
        self.sessions: list[Any] = []

    async def _handle_list_tools(self, ctx: Any, params: Any) -> ListToolsResult:
        self.sessions.append(ctx.session)
        return ListToolsResult(tools=[Tool.model_validate(one) for one in json.loads(self.path.read_text())])

    async def follow(self) -> None:
        seen = self.path.stat()
        while True:
            await anyio.sleep(0.02)
            now = self.path.stat()
            if (now.st_mtime_ns, now.st_ino) == (seen.st_mtime_ns, seen.st_ino):
                continue
            seen = now
            await self.bus.publish(ToolsListChanged())
            for session in list(self.sessions):
                try:
                    await session.send_tool_list_changed()
                except Exception:  # noqa: BLE001 - whose client is gone is told nothing
                    self.sessions.remove(session)


async def main(transport: str, path: Path) -> None:
    logging.disable(logging.ERROR)
    server = SteeredServer(path)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.follow)
        if transport == "stdio":
            await server.run_stdio_async()
        else:
            listening = socket.create_server(("127.0.0.1", 0))
            print(listening.getsockname()[1], flush=True)
            config = uvicorn.Config(
                server.streamable_http_app(), log_level="critical", timeout_graceful_shutdown=1
            )
            await uvicorn.Server(config).serve([listening])
        tasks.cancel_scope.cancel()


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], Path(sys.argv[2]))
