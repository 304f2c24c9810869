"""Many MCP servers in one process, each at a port of its own: `python -m tests.many_servers 300 10`.

Prints the ports as JSON once it listens; ends when its standard input is closed.
"""

import asyncio
import contextlib
import json
import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server

SUBJECTS = (
    "invoice",
    "parcel",
    "customer",
    "ticket",
    "meeting",
    "recipe",
    "invoice line",
    "tariff",
    "song",
    "map",
)


SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "limit": {"type": "integer", "default": 10}},
    "required": ["text"],
}


def server(number: int, tools: int) -> Server[Any]:
    """A server with so many tools."""
    listed = types.ListToolsResult(
        tools=[
            types.Tool(
                name=f"find_{index}",
                description=f"Find a {SUBJECTS[index % len(SUBJECTS)]} of department {number}.",
                input_schema=SCHEMA,
            )
            for index in range(tools)
        ]
    )

    async def list_tools(*_: object) -> types.ListToolsResult:
        return listed

    return Server(f"server-{number}", version="1.0", on_list_tools=list_tools)


async def serve(count: int, tools: int) -> None:
    """Listen at `count` ports until standard input is closed."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    async with AsyncExitStack() as stack:
        apps: dict[int, Any] = {}
        for number, port in enumerate(ports):
            app = server(number, tools).streamable_http_app(stateless_http=True)
            await stack.enter_async_context(app.router.lifespan_context(app))
            apps[port] = app

        async def by_port(scope: Any, receive: Any, send: Any) -> None:
            await apps[scope["server"][1]](scope, receive, send)

        config = uvicorn.Config(by_port, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
        uvicorn_server = uvicorn.Server(config)
        task = asyncio.create_task(uvicorn_server.serve(sockets))
        while not uvicorn_server.started:
            await asyncio.sleep(0.05)
        print(json.dumps(ports), flush=True)
        await asyncio.to_thread(sys.stdin.read)
        uvicorn_server.should_exit = True
        await task


@contextmanager
def running(count: int, tools: int) -> Iterator[list[str]]:
    """The addresses of so many servers, in a process of their own."""
    command = [sys.executable, "-m", "tests.many_servers", str(count), str(tools)]
    root = Path(__file__).resolve().parents[1]
    with Popen(command, cwd=root, stdin=PIPE, stdout=PIPE, env={**os.environ}) as process:
        assert process.stdin
        assert process.stdout
        try:
            ports = json.loads(process.stdout.readline())
            yield [f"http://127.0.0.1:{port}/mcp" for port in ports]
        finally:
            process.stdin.close()


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
