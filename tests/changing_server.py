"""A well-behaved MCP server that gets a tool more with each call of `grow`, and tells:
`python tests/changing_server.py stdio|http|stateless`. Over HTTP it prints its port.
"""

import logging
import socket
import sys

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context

server = MCPServer("changing", version="1.0")
grown: list[str] = []


@server.tool(description="Get one tool more.")
async def grow(context: Context) -> str:
    name = f"tool_{len(grown)}"
    grown.append(name)
    server.add_tool(lambda text: str(text), name=name, description=f"Tool number {len(grown)}.")
    # Clients of 2026-07-28 listen at the bus; those of 2025-11-25 are told by their sessions.
    await context.notify_tools_changed()
    await context.session.send_tool_list_changed()
    return name


def main(transport: str) -> None:
    logging.disable(logging.ERROR)
    if transport == "stdio":
        server.run("stdio")
        return
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    app = server.streamable_http_app(stateless_http=transport == "stateless")
    uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1)).run([listening])


if __name__ == "__main__":
    main(sys.argv[1])
