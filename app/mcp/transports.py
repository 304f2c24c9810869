"""How clients reach the server: stdio, and streamable HTTP without sessions."""

from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from app.mcp.server import CatalogueServer

_Messages: TypeAlias = Callable[..., Awaitable[Any]]
Endpoint: TypeAlias = Callable[[MutableMapping[str, Any], _Messages, _Messages], Awaitable[None]]
"""An ASGI application for one path."""


@asynccontextmanager
async def http_endpoint(server: CatalogueServer, *, max_body_bytes: int) -> AsyncIterator[Endpoint]:
    """Answer POSTs of both protocol eras, each on its own. Who may ask is checked before."""
    manager = StreamableHTTPSessionManager(
        server.sdk, json_response=True, stateless=True, max_request_body_size=max_body_bytes
    )
    await server.look()
    async with manager.run():
        yield manager.handle_request


async def serve_stdio(server: CatalogueServer) -> None:
    """Answer one client over stdin and stdout until it closes stdin."""
    # A client of the older era learns what the catalogue holds once, at the beginning.
    await server.look()
    async with stdio_server() as (reader, writer):
        options = server.sdk.create_initialization_options(NotificationOptions(tools_changed=True))
        await server.sdk.run(reader, writer, options)
