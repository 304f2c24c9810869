"""An MCP server to be called through ours: `python tests/mcp_downstream.py` over stdio, `downstream()` over HTTP."""

import asyncio
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import uvicorn
from mcp import types
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

CHANGES = types.ToolAnnotations(read_only_hint=False, destructive_hint=True)
READS = types.ToolAnnotations(read_only_hint=True)
server = MCPServer("downstream", version="1")


class Sum(BaseModel):
    """What `add` gives."""

    total: int


@server.tool(annotations=CHANGES)
def add(a: int, b: int) -> Sum:
    """Add two numbers."""
    return Sum(total=a + b)


@server.tool(annotations=READS)
def look(word: str) -> str:
    """Say a word again."""
    return f"seen {word}"


Purpose = Annotated[str, Field(title="Zqparametertitle", description="zqparametertext")]


@server.tool(title="Zqtitle", annotations=CHANGES)
def tell_secret(context: Context, zqparameter: Purpose = "zqdefault") -> str:
    """Say what the server was given, zqdescription."""
    headers = context.headers or {}
    return f"TOKEN={os.environ.get('DOWNSTREAM_TOKEN', '')} HEADER={headers.get('x-token', '')}"


@server.tool(annotations=CHANGES)
def fail() -> str:
    """Fail with a reason."""
    raise ToolError("no more paper")


@server.tool(annotations=CHANGES)
async def hang(seconds: float) -> str:
    """Wait."""
    await asyncio.sleep(seconds)
    return "late"


@server.tool(annotations=CHANGES)
def flood(size: int) -> str:
    """Say much."""
    return "x" * size


@contextmanager
def downstream() -> Iterator[str]:
    """The server at a free port of loopback; its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = server.streamable_http_app(stateless_http=True)
    running = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        running.should_exit = True
        thread.join(10)
        listener.close()


if __name__ == "__main__":
    server.run("stdio")
